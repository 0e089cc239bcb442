"""The opening of a deal and what a card can take, asked at the table: in every game that has them, by taps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

pytestmark = pytest.mark.whole

SUITS = {"coins": "O", "cups": "C", "swords": "E", "clubs": "B"}


def tap_cards(phone: Phone, *cards: str) -> None:
    """Tap four cards of the grid, as fast as a thumb can; each game has its own names for them."""
    for card in cards:
        rank, suit = card.split(" of ")
        phone.page.locator(f"[name='cards'][value='{rank}{SUITS[suit]}']").tap()


def answer(phone: Phone, words: str) -> None:
    """Wait for the answer to what was tapped, under the thumb."""
    expect(phone.page.locator("#means")).to_contain_text(words)
    expect(phone.page.locator("#means > p")).to_be_in_viewport()
    assert phone.fits()


def test_four_cards_void_the_deal(phone: Phone) -> None:
    board = phone.open_table("Ana", "Beto", game="scopa")
    phone.follow("Opening")
    tap_cards(phone, "12 of coins", "12 of cups", "5 of swords", "7 of clubs")
    answer(phone, "This layout is dealt again: Beto deals.")
    phone.press("Deal again")
    phone.page.wait_for_url(board)
    expect(phone.page.locator(".strip")).to_contain_text(re.compile(r"Deal 1\s+·\s+Beto deals"))


def test_what_a_card_takes_by_the_rules_of_the_match(phone: Phone) -> None:
    board = phone.open_table("Ana", "Beto", preset="montevideo")
    phone.follow("What can it take?")
    on_table = phone.page.get_by_role("group", name="Cards on the table")
    for card in ("12O", "5C"):
        on_table.locator(f".tile:has([value='{card}'])").tap()
    phone.page.get_by_role("radio", name="Played").tap()
    phone.page.get_by_role("group", name="The card that is played").locator(".tile:has([value='5E'])").tap()
    expect(phone.page.locator("#sum")).to_contain_text("can take")
    expect(phone.page.locator("#sum")).to_be_in_viewport()
    assert phone.fits()
    tap(phone.page.locator(".back"))
    phone.page.wait_for_url(board)
