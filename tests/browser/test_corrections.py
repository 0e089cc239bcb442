"""A correction by taps: what it says, the way back to the deal in play, its undo, and the browser's own Back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

pytestmark = pytest.mark.whole


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
