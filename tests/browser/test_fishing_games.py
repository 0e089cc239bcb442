"""What each fishing game does its own way, by thumb: void deals, knocks, the matta, fifteens, matches won at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Phone
from .waiting import tap

PAIRS = ("Ana", "Beto", "Leo", "Cata")


def at_two(phone: Phone, game: str, **fields: str) -> str:
    """Open a table of two for a game, and return its address."""
    shape = {"shape": "2x1"} if game in ("cirulla", "escopa", "la_escoba") else {}
    return phone.open_table("Ana", "Beto", game=game, **fields, **shape)


def log(phone: Phone) -> Locator:
    return phone.page.get_by_role("list", name="Noted in this deal")


@pytest.mark.parametrize(
    ("game", "words", "dealer"),
    [
        ("scopa", "Two re or more", "Beto"),
        ("chkobba", "Three alike or more", "Ana"),
        pytest.param("cirulla", "Two assi or more", "Ana", marks=pytest.mark.whole),
    ],
)
def test_a_void_deal_is_said_without_its_cards(phone: Phone, game: str, words: str, dealer: str) -> None:
    board = at_two(phone, game)
    phone.follow("Opening")
    phone.press(f"{words}: dealt again, {dealer} deals")
    phone.page.wait_for_url(board)
    expect(phone.page.locator(".strip")).to_contain_text(re.compile(rf"Deal 1\s+·\s+{dealer} deals"))
    expect(log(phone)).to_contain_text(f"Deal 1 was dealt again: {words[0].lower()}{words[1:]}")
    assert phone.fits()


def test_a_knock_is_two_taps_from_the_board(phone: Phone) -> None:
    board = at_two(phone, "cirulla")
    phone.follow("Declare")
    phone.press("Ana, bussata of nine")
    phone.page.wait_for_url(board)
    expect(log(phone)).to_contain_text("Ana: bussata of nine 3")
    expect(phone.page.locator(".pill").first).to_contain_text("+3")


def test_the_next_knock_of_a_player_is_of_the_next_batch(phone: Phone) -> None:
    board = at_two(phone, "cirulla")
    for items in ("nine", "three alike"):
        phone.follow("Declare")
        phone.press(f"Ana, bussata of {items}")
        phone.page.wait_for_url(board)
    expect(log(phone).get_by_role("listitem")).to_have_count(2)
    phone.follow("Declare")
    expect(phone.page.locator("#batch")).to_have_value("2")
    phone.page.locator("[name='side'][value='A']").tap()
    expect(phone.page.locator("#batch")).to_have_value("3")


def test_the_matta_of_a_hand_says_what_it_counts_as(phone: Phone) -> None:
    at_two(phone, "cirulla")
    phone.follow("Declare")
    expect(phone.page.locator(".wilds")).not_to_be_visible()
    phone.page.locator("[name='side'][value='B']").tap()
    for card in ("7C", "4O", "4B"):
        phone.page.locator(f"[name='cards'][value='{card}']").tap()
    expect(phone.page.locator("#worth")).to_contain_text("matta = 4")
    expect(phone.page.locator(".wilds")).to_be_visible()
    phone.page.locator("#worth .gold").tap()
    expect(log(phone)).to_contain_text("Beto: bussata of three alike 10")


def test_cirullone_deals_its_hands_once(phone: Phone) -> None:
    phone.open_table(*PAIRS, game="cirullone")
    phone.follow("Declare")
    expect(phone.page.locator("#batch")).to_have_count(0)
    phone.press("Ana and Leo, bussata of three alike")
    expect(log(phone)).to_contain_text("10")
    assert phone.fits()


def test_a_capture_of_thirty_is_two_escopas_in_one_tap(phone: Phone) -> None:
    at_two(phone, "escopa")
    phone.press("30: 2 escopas for Ana")
    expect(phone.page.locator(".sweep[value='A'] .dots i")).to_have_count(2)
    phone.press("30: 2 escopas for Ana")
    expect(phone.page.locator(".sweep[value='A'] .dots i")).to_have_count(4)
    phone.press("45: 3 escopas for Beto")
    expect(phone.page.locator(".sweep[value='B'] .dots i")).to_have_count(3)
    expect(phone.page.locator(".pill")).to_contain_text(["+4", "+3"])
    assert phone.fits()


def test_all_coins_win_a_match_of_cirulla_and_the_foot_says_so_before(phone: Phone) -> None:
    at_two(phone, "cirulla")
    phone.follow("Close the deal")
    phone.say("cappotto", "A")
    expect(phone.page.locator("#close-foot")).to_contain_text("Ana has all ten denari: that wins the match at once.")
    phone.page.locator("[name='others'][value='A']").tap()
    phone.wait_for_sheet()
    expect(phone.page.locator(".winner")).to_contain_text("Ana wins: all ten denari")
    expect(phone.page.locator("#lines")).to_contain_text("Ana has all ten: wins the match")


def test_who_captured_nothing_loses_and_the_sheet_says_it(phone: Phone) -> None:
    at_two(phone, "la_escoba")
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    phone.page.locator("[name='tab'][value='B']").tap()
    phone.page.get_by_role("radio", name="The rest is Ana's").tap()
    expect(phone.page.locator(".refused:visible").first).to_contain_text("Is that so? Without a card: Beto")
    tap(phone.page.locator("#cards-save .gold"))
    phone.wait_for_sheet()
    expect(phone.page.locator(".winner")).to_contain_text("Ana wins: Beto captured nothing")


def test_desescoba_says_on_board_and_sheet_that_the_lowest_wins(phone: Phone) -> None:
    at_two(phone, "la_escoba", preset="desescoba")
    expect(phone.page.locator(".strip")).to_contain_text("lowest wins")
    phone.follow("Close the deal")
    phone.page.locator("[name='others'][value='A']").tap()
    phone.wait_for_sheet()
    expect(phone.page.locator("main")).to_contain_text("The lowest total wins.")


def test_a_penalty_says_its_price_before_it_is_given(phone: Phone) -> None:
    at_two(phone, "la_escoba")
    phone.sweep("A")
    phone.sweep("B")
    phone.follow("Penalty")
    expect(phone.page.locator("main")).to_contain_text("minus 4, and 1 for each sweep of this deal: now 6")
    assert phone.fits()


def test_of_four_primes_the_open_picker_is_on_the_screen(phone: Phone) -> None:
    phone.open_table(*PAIRS, game="scopa", shape="4x1")
    phone.follow("Close the deal")
    phone.page.locator("button[value='prime']").tap()
    seven = phone.page.locator(".picks:visible .tile").first
    expect(seven).to_be_visible()
    box, foot = seven.bounding_box(), phone.page.locator("#prime-foot").bounding_box()
    assert box
    assert foot
    assert box["y"] + box["height"] <= foot["y"]
