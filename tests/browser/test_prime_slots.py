"""Two sides lay their best cards out: a thumb puts them into slots, and the page says who has the better prime."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .axe import faults
from .conftest import Phone
from .waiting import drawn

pytestmark = pytest.mark.whole


def open_slots(phone: Phone) -> None:
    """Go from the board to the closing form, and from its row to the slots."""
    phone.follow("Close the deal")
    phone.press("with the cards")
    phone.page.get_by_role("radio", name=re.compile("(coins|denari): ")).first.wait_for()


def pick(phone: Phone, *cards: str) -> None:
    """Tap cards for the slots that open, one after another."""
    for card in cards:
        with drawn(phone.page, "**/close"):
            phone.page.get_by_role("radio", name=card, exact=True).locator("visible=true").tap()


def open_slot(phone: Phone, name: str) -> None:
    with drawn(phone.page, "**/close"):
        phone.page.get_by_role("radio", name=re.compile(f"^{name}: ")).tap()


def says(phone: Phone, words: str) -> None:
    """Wait for the verdict, which is in sight where the thumb is."""
    foot = phone.page.locator("#prime-foot")
    expect(foot).to_contain_text(words)
    expect(foot).to_be_in_viewport()
    assert phone.fits()


def note(phone: Phone) -> None:
    phone.press("Note it")
    phone.page.get_by_role("heading", name="Close deal 1").wait_for()


def settle_the_rest(phone: Phone, *taken: tuple[str, str]) -> None:
    """Say who took the other lines: the last one saves the deal."""
    for item, taker in taken:
        phone.page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    phone.wait_for_sheet()


def test_one_against_one_in_chorizo(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    open_slots(phone)
    pick(phone, "7 of coins", "6 of cups", "6 of swords", "5 of clubs")
    says(phone, "Still open Tap the best card of each suit.")
    # What is the better card of a suit and not Ana's is Beto's: only his coins are left to be told.
    pick(phone, "2 of coins")
    says(phone, "Ana wins 24 against 23")
    assert faults(phone.page) == []
    note(phone)
    expect(phone.page.locator("#mark-prime-A")).to_contain_text("24–23")
    settle_the_rest(phone, ("cards", "A"), ("coins", "A"), ("two_of_clubs", "B"))
    expect(phone.page.locator("main")).to_contain_text("24–23")


@pytest.mark.whole
def test_the_arrow_keys_go_through_the_cards_of_a_slot(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    open_slots(phone)
    page = phone.page
    page.get_by_role("radio", name="3 of coins", exact=True).locator("visible=true").focus()
    for _key in range(2):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Ana, coins: 5 of coins")).to_be_checked()
    expect(page.get_by_role("radio", name="5 of coins", exact=True).locator("visible=true")).to_be_focused()


def test_what_was_laid_out_outlives_a_reload(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    open_slots(phone)
    pick(phone, "7 of coins", "6 of cups")
    phone.page.reload()
    phone.page.get_by_text("We restored your").wait_for()
    phone.press("with the cards")
    expect(phone.page.get_by_role("radio", name="Ana, cups: 6 of cups")).to_be_attached()
    phone.errors.clear()  # the browser notes that nobody had tapped since the reload, and does not buzz


def test_a_card_picked_by_the_other_side_leaves_the_first(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    open_slots(phone)
    pick(phone, "7 of coins")
    open_slot(phone, "Beto, coins")
    pick(phone, "7 of coins, Ana")
    expect(phone.page.get_by_role("radio", name="Beto, coins: 7 of coins")).to_be_attached()
    expect(phone.page.get_by_role("radio", name="Ana, coins: not known")).to_be_attached()


def boxes(phone: Phone) -> list[tuple[float, ...]]:
    """Return where every slot, every card of the open slot, the way back and the foot are."""
    found = phone.page.locator(".slot, .picks > label, .back, #prime-foot").locator("visible=true").all()
    places = [each.bounding_box() for each in found]
    return sorted((box["x"], box["y"], box["width"], box["height"]) for box in places if box)


@pytest.mark.parametrize("names", [("Ana", "Beto", "Cata")])
def test_nothing_moves_while_cards_are_picked(phone: Phone, names: tuple[str, ...]) -> None:
    phone.open_table(*names, shape=f"{len(names)}x1")
    open_slots(phone)
    before = boxes(phone)
    assert all(min(width, height) >= 46 for _x, _y, width, height in before)
    for card in ("7 of coins", "A figure", "They have no swords", "5 of clubs"):
        pick(phone, card)
        assert boxes(phone) == before
