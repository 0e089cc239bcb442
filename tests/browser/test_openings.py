"""The opening of a deal and what a card can take, asked at the table: in every game that has them, by taps."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

PAIRS = ("Ana", "Beto", "Leo", "Cata")
SUITS = {"coins": "O", "cups": "C", "swords": "E", "clubs": "B"}


def start(phone: Phone, game: str, preset: str = "") -> str:
    """Open a table of two for a game, or of two pairs where it is played in pairs, and return its address."""
    fields = {"game": game} if game != "chorizo" else {}
    fields |= {"preset": preset} if preset else {}
    if game in ("scopone", "cirullone"):
        return phone.open_table(*PAIRS, **fields)
    return phone.open_table("Ana", "Beto", **fields, **({"shape": "2x1"} if game == "cirulla" else {}))


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


KINGS = ("12 of coins", "12 of cups", "5 of swords", "7 of clubs")
ACES = ("1 of coins", "1 of cups", "6 of swords", "7 of clubs")
ALIKE = ("5 of coins", "5 of cups", "5 of swords", "7 of clubs")
WILD = ("12 of coins", "2 of cups", "3 of swords", "4 of clubs")


@pytest.mark.parametrize(
    ("game", "preset", "cards", "dealer"),
    [
        ("scopa", "", KINGS, "Beto"),
        pytest.param("scopa_d_assi", "", KINGS, "Beto", marks=pytest.mark.whole),
        pytest.param("scopa_di_quindici", "", KINGS, "Beto", marks=pytest.mark.whole),
        pytest.param("scopone", "", KINGS, "Beto", marks=pytest.mark.whole),
        ("chkobba", "", ALIKE, "Ana"),
        ("cirulla", "", ACES, "Ana"),
        pytest.param("cirullone", "", ACES, "Ana", marks=pytest.mark.whole),
        ("chorizo", "capagorry", WILD, "Ana"),
        pytest.param("baciga", "capagorry", WILD, "Ana", marks=pytest.mark.whole),
    ],
)
def test_four_cards_void_the_deal(phone: Phone, game: str, preset: str, cards: tuple[str, ...], dealer: str) -> None:
    board = start(phone, game, preset)
    phone.follow("Opening")
    tap_cards(phone, *cards)
    answer(phone, f"This layout is dealt again: {dealer} deals.")
    phone.press("Deal again")
    phone.page.wait_for_url(board)
    expect(phone.page.locator(".strip")).to_contain_text(re.compile(rf"Deal 1\s+·\s+{dealer} deals"))
    assert phone.totals() == ["0", "0"]


@pytest.mark.parametrize(
    ("game", "preset", "rules", "told"),
    [
        ("chorizo", "montevideo", "Chorizo Montevideo", "can take"),
        pytest.param(
            "chorizo",
            "catsatcards",
            "Chorizo CatsAtCards",
            "Taking is optional at this table.",
            marks=pytest.mark.whole,
        ),
        pytest.param("scopa", "", "Scopa", "takes nothing", marks=pytest.mark.whole),
        ("cirulla", "", "Cirulla", "tap in the rest of the hand"),
        pytest.param("chkobba", "", "Chkobba", "takes nothing", marks=pytest.mark.whole),
    ],
)
def test_what_a_card_takes_by_the_rules_of_the_match(
    phone: Phone, game: str, preset: str, rules: str, told: str
) -> None:
    board = start(phone, game, preset)
    phone.follow("What can it take?")
    expect(phone.page.get_by_text(f"By the rules of this match: {rules}")).to_be_visible()
    on_table = phone.page.get_by_role("group", name="Cards on the table")
    # Cards have the names of the place: their codes are the same everywhere.
    for card in ("12O", "5C"):
        on_table.locator(f".tile:has([value='{card}'])").tap()
    phone.page.get_by_role("radio", name="Played").tap()
    played = phone.page.get_by_role("group", name="The card that is played")
    played.locator(f".tile:has([value='{'10E' if game != 'chorizo' else '5E'}'])").tap()
    expect(phone.page.locator("#sum")).to_contain_text(told)
    expect(phone.page.locator("#sum")).to_be_in_viewport()
    assert phone.fits()
    tap(phone.page.locator(".back"))
    phone.page.wait_for_url(board)
