"""A correction by taps: what it says, the way back to the deal in play, its undo, and the browser's own Back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone, screens
from .waiting import tap

TAKERS = {"cards": "A", "seven_of_coins": "A", "two_of_clubs": "B", "coins": "A"}
"""With the prime for Beto: 3–5."""


def play_deal(phone: Phone) -> None:
    """Close the deal in play: 3–5."""
    phone.follow("Close the deal")
    for item, taker in TAKERS.items():
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()


def correct(phone: Phone, item: str, taker: str) -> None:
    """Correct the deal whose sheet is open."""
    phone.follow("Correct this deal")
    phone.say(item, taker)
    phone.press("Save")
    phone.wait_for_sheet()


def start(phone: Phone, deals: int) -> str:
    """Start a match and play some deals; returns the address of its deals."""
    table = phone.open_table("Ana", "Beto")
    for number in range(deals):
        play_deal(phone)
        if number < deals - 1:
            phone.follow(f"Deal {number + 2}: ")
    return f"{table}/matches/1/deals"


def test_another_phone_sees_what_was_corrected_and_that_it_was_undone(phone: Phone, other: Phone) -> None:
    deals = start(phone, 3)
    other.join(deals.removesuffix("/matches/1/deals"), "Beto")
    for each in (phone, other):
        each.page.goto(f"{deals}/2")
    correct(phone, "prime", "A")
    for each in (phone, other):
        expect(each.page.locator("main").get_by_text("before, it said 3–5")).to_be_visible()
        expect(each.page.locator("main").get_by_text("10–14, in deal 4")).to_be_visible()
    screens("corrected", phone, other)
    phone.press("Undo : correcting deal 2")
    for each in (phone, other):
        expect(each.page.locator("main").get_by_text("Correction undone:")).to_be_visible()
        expect(each.page.locator("main").get_by_text("9–15, in deal 4")).to_be_visible()
    screens("undone", phone, other)
    other.follow("Back to deal 4")
    expect(other.page.locator(".score-number")).to_have_text(["9", "15"])


def test_a_digit_takes_the_place_of_the_number_that_is_corrected(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="free")
    page = phone.page
    phone.follow("Close the round")
    keys = page.locator(".hand-panel")
    for number, key in (("Ana", "7"), ("Beto", "3")):
        tap(page.locator(".hand-who", has_text=number))
        tap(keys.get_by_role("button", name=key, exact=True))
    phone.press("Save the round")
    phone.wait_for_sheet()
    phone.follow("Correct this round")
    tap(page.locator(".hand-who", has_text="Ana"))
    tap(keys.get_by_role("button", name="9", exact=True))
    expect(page.locator("[name='points-A']")).to_have_value("9")
    tap(keys.get_by_role("button", name="5", exact=True))
    expect(page.locator("[name='points-A']")).to_have_value("95")
    phone.look("a corrected number")

    # The sign goes with the digits, and the key that deletes goes on editing.
    tap(page.locator(".hand-who", has_text="Beto"))
    tap(page.locator("[data-type='sign']"))
    tap(keys.get_by_role("button", name="8", exact=True))
    expect(page.locator("[name='points-B']")).to_have_value("-8")
    tap(page.locator(".hand-who", has_text="Ana"))
    tap(keys.locator("[data-type='back']").first)
    tap(keys.get_by_role("button", name="6", exact=True))
    expect(page.locator("[name='points-A']")).to_have_value("96")


@pytest.mark.parametrize("game", ["chorizo", pytest.param("brisca", marks=pytest.mark.whole)])
def test_a_digit_takes_the_place_of_a_count_that_is_corrected(phone: Phone, game: str) -> None:
    table = phone.open_table("Ana", "Beto", game=game)
    page = phone.page
    page.goto(f"{table}/matches/1/deals/1/close")
    if game == "chorizo":
        tap(page.locator("details:has(#count-cards-A) > summary"))
    first = page.locator(".count-fields input").first
    row = page.locator(".keypad").first

    def type_in(digits: str) -> None:
        for digit in digits:
            tap(row.get_by_role("button", name=digit, exact=True))

    tap(first)
    type_in("17")
    expect(first).to_have_value("17")
    tap(page.locator(".count-fields input").nth(1))
    tap(first)
    type_in("9")
    expect(first).to_have_value("9")
    tap(row.get_by_role("button", name="take the last one back"))
    expect(first).to_have_value("")
    type_in("21")
    expect(first).to_have_value("21")
    phone.look("a corrected count")
