"""Brisca and its presets: from choosing the game to the second deal, by thumb."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from . import waiting
from .conftest import Phone
from .playing import from_menu
from .waiting import drawn

FIVE = ("Ana", "Beto", "Cata", "Leo", "Mara")


def choose(phone: Phone, label: str, words: str) -> None:
    """Choose in a list by which the form is drawn anew."""
    rules = phone.page.locator("#game-and-rules")
    if not rules.evaluate("element => element.open"):
        rules.locator("> summary").tap()
    with drawn(phone.page, "**/tables/new"):
        phone.page.get_by_label(label, exact=True).select_option(label=words)


def tap(phone: Phone, question: str, answer: str) -> None:
    """Answer a question by tapping one of its answers."""
    phone.page.get_by_role("group", name=question).get_by_label(answer, exact=True).tap()


def sit_down(phone: Phone, *names: str) -> None:
    """Write the names of the players, and begin."""
    for seat, name in enumerate(names):
        phone.page.fill(f"#player-{seat}", name)
    phone.page.get_by_role("button", name=re.compile("^Start")).first.tap()
    phone.page.get_by_role("link", name="Close the deal").wait_for()


def card_points(phone: Phone, **points: str) -> None:
    """Type card points by name."""
    for name, number in points.items():
        phone.page.get_by_role("group", name="Card points").get_by_label(name, exact=True).fill(number)


def save(phone: Phone) -> None:
    """Save the deal, once it is known, and go on to the next."""
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.fits()
    waiting.tap(phone.page.get_by_role("link", name=re.compile(r"^Deal 2")))
    phone.page.get_by_role("link", name="Close the deal").wait_for()
    assert phone.fits()


@pytest.mark.parametrize(
    "preset", ["Chiamata", *(pytest.param(f"Chiamata {kind}", marks=pytest.mark.whole) for kind in ("buia", "a punti"))]
)
def test_chiamata(phone: Phone, preset: str) -> None:
    phone.page.goto("/tables/new")
    choose(phone, "Game", "Brisca")
    phone.page.fill("#player-0", "Ana")
    choose(phone, "Rules", preset)
    expect(phone.page.get_by_role("group", name="Who plays").get_by_role("radio")).to_have_count(1)
    expect(phone.page.locator("#player-0")).to_have_value("Ana")
    sit_down(phone, *FIVE)
    assert phone.fits()
    phone.follow("Close the deal")
    tap(phone, "Who called?", "Beto")
    tap(phone, "Who was the partner?", "Leo")
    card_points(phone, Beto="40", Leo="25")
    expect(phone.page.locator("#close-lines")).to_contain_text("Beto and Leo reached it")
    assert phone.fits()
    save(phone)
    assert phone.totals() == ["−1", "2", "−1", "1", "−1"]
    expect(phone.page.locator("main")).to_contain_text("Ana −1, Beto +2")


def test_rematada(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Leo", game="brisca", preset="rematada")
    phone.follow("Close the deal")
    tap(phone, "Who bid?", "Leo")
    phone.page.get_by_label("How much?", exact=True).fill("105")
    card_points(phone, Leo="70", Ana="50")
    tap(phone, "Who took the last trick?", "Leo")
    tap(phone, "Trumps", "swords")
    tap(phone, "Who had the marriage in trumps?", "Leo")
    expect(phone.page.locator("#close-lines")).to_contain_text("Leo reached it")
    save(phone)
    assert phone.totals() == ["0", "0", "105"]
    from_menu(phone, "This table")
    phone.press("End this match")
    expect(phone.page.locator(".winner")).to_contain_text("Leo wins")


def test_sixty_each_shows_where_the_cards_are_typed(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    number = phone.page.get_by_role("group", name="Number of cards").get_by_label("Ana", exact=True)
    expect(number).to_be_hidden()
    card_points(phone, Ana="60")
    expect(number).to_be_visible()
    number.fill("22")
    expect(phone.page.locator("#close-lines")).to_contain_text("Ana has more cards")
    save(phone)
    assert phone.totals() == ["1", "0"]


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


def test_of_three_sides_the_third_fills_in(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Leo", game="brisca", shape="3x1")
    phone.follow("Close the deal")
    key(phone, "5", "0", "✓", "3", "0")
    expect(phone.page.locator("#card_points-C")).to_have_value("40")
    save(phone)
    assert phone.totals() == ["1", "0", "0"]


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


def test_a_marriage_is_worth_more_in_trumps(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca", preset="mariaje")
    phone.follow("Close the deal")
    key(phone, "5", "0")
    tap(phone, "Marriage in cups", "Ana")
    expect(phone.page.locator("#row-marriage-C .cell.side-1 .not-trumps")).to_be_visible()
    tap(phone, "Trumps", "cups")
    expect(phone.page.locator("#row-marriage-C .cell.side-1 .in-trumps")).to_be_visible()
    save(phone)
    assert phone.totals() == ["1", "0"]


def test_a_bid_waits_for_the_last_trick_and_the_marriage(phone: Phone) -> None:
    page = phone.page
    page.emulate_media(color_scheme="dark")
    phone.open_table("Ana", "Beto", "Cata", game="brisca", preset="rematada", shape="3x1")
    phone.follow("Close the deal")
    tap(phone, "Who bid?", "Ana")
    page.locator("#bid").fill("100")
    with drawn(page, "**/close"):
        page.locator("#card_points-A").fill("95")
    with drawn(page, "**/close"):
        page.locator("#card_points-B").fill("15")
        page.locator("#card_points-B").blur()
    foot, save_it = page.locator("#close-foot"), page.get_by_role("button", name="Save the deal")
    expect(foot).to_contain_text("Who took the last trick?")
    expect(save_it).to_have_count(0)
    phone.look("waits for the last trick")
    with drawn(page, "**/close"):
        tap(phone, "Who took the last trick?", "Beto")
    expect(foot).to_contain_text("Who had the marriage in trumps?")
    expect(save_it).to_have_count(0)
    with drawn(page, "**/close"):
        tap(phone, "Who had the marriage in trumps?", "nobody")
    expect(foot).to_contain_text("0, 50, 50")
    save(phone)
