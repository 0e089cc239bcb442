"""Brisca and its presets: from choosing the game to the second deal, by thumb."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from . import waiting
from .conftest import Phone

pytestmark = pytest.mark.whole


def save(phone: Phone) -> None:
    """Save the deal, once it is known, and go on to the next."""
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.fits()
    waiting.tap(phone.page.get_by_role("link", name=re.compile(r"^Deal 2")))
    phone.page.get_by_role("link", name="Close the deal").wait_for()
    assert phone.fits()


def key(phone: Phone, *digits: str) -> None:
    """Tap digits on the keypad of the page."""
    for digit in digits:
        phone.page.locator(".keypad .key", has_text=digit).tap()


def test_the_other_sides_card_points_fill_in(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    key(phone, "6", "1")
    expect(phone.page.locator("#card_points-B")).to_have_value("59")
    assert phone.fits()
    save(phone)
    assert phone.totals() == ["1", "0"]


def test_the_rest_of_the_cards_goes_to_a_side_with_one_tap(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    for card in ("1O", "3O", "12C", "2B"):
        phone.page.locator(f"[name='pile-A'][value='{card}']").tap()
    expect(phone.page.locator("#sum-A")).to_contain_text("25 card points · 4 cards")
    phone.page.get_by_label("The rest is Beto's").tap()
    waiting.tap(phone.page.locator("#cards-save button"))
    phone.wait_for_sheet()
    expect(phone.page.locator("main")).to_contain_text("25–95")
    assert phone.totals() == ["0", "1"]
