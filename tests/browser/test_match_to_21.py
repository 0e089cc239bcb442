"""A whole match of chorizo to 21 on one phone: said, counted, shown, corrected, level at the target, won."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

PILE_OF_ANA = (
    *("10B", "10C", "10O", "12B", "12C", "1C", "2O", "3C", "4B"),
    *("4E", "4O", "5B", "5C", "6E", "6O", "7C", "7E", "7O"),
)
"""Eighteen cards that add to 105, five coins, the seven of coins, a prime of 26 against 23."""


def test_match_to_21(phone: Phone) -> None:
    page = phone.page
    table = phone.open_table("Ana", "Beto")
    assert phone.fits()

    # Deal 1, Ana deals: an opening of 15, a declaration, a sweep; closed on trust, and saved by its last tap.
    phone.follow("Opening")
    page.get_by_role("button", name="15").tap()
    page.locator(".log").wait_for()
    assert "misery" in phone.declare("A", "1B", "2B", "3B")
    phone.sweep("A")
    phone.follow("Close the deal")
    for item, taker in {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A"}.items():
        phone.say(item, taker)
    assert phone.fits()
    page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()
    assert phone.totals() == ["16", "2"]
    tap(phone.page.locator(".foot .gold"))

    # Deal 2, Beto deals: a declaration, two sweeps of which one is undone; closed by counts and one answer.
    assert "run" in phone.declare("B", "2C", "3C", "4C")
    phone.sweep("A")
    phone.sweep("A")
    page.locator(".strip .notice .undo").tap()
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(1)
    phone.follow("Close the deal")
    phone.count("cards", "A", 19)
    expect(page.locator("#mark-cards-B")).to_contain_text("19–21")
    phone.count("coins", "A", 6)
    phone.say("seven_of_coins", "A")
    phone.say("two_of_clubs", "B")
    page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()
    assert phone.totals() == ["19", "17"]

    # The coins of the first deal were Ana's after all: the totals follow.
    page.goto(f"{table}/matches/1")
    page.locator("#deal-1 summary").tap()
    tap(page.get_by_role("link", name="The sheet · Deal 1"))
    tap(page.get_by_role("link", name="Correct this deal"))
    expect(page.locator("[name='award-coins'][value='B']")).to_be_checked()
    phone.say("coins", "A")
    assert page.url.endswith("/deals/1/close")
    phone.press("Save the correction")
    phone.wait_for_sheet()
    page.goto(table)
    assert phone.totals() == ["20", "16"]

    # Deal 3, Ana deals: a sweep taken back by name in the log, one that stays; closed by the cards themselves.
    phone.sweep("A")
    phone.sweep("B")
    page.locator(".log .undo", has_text="Ana").tap()
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(0)
    phone.follow("Close the deal")
    page.locator("#show-cards > summary").tap()
    for card in PILE_OF_ANA:
        page.locator(f"[name='pile-A'][value='{card}']").tap()
    expect(page.locator("#sum-A")).to_contain_text("18 cards · 5 coins · adds up to 105")
    assert phone.fits()
    page.locator("[name='rest'][value='B']").tap()
    phone.wait_for_sheet()
    assert phone.totals() == ["22", "22"]
    assert "5–5, nobody" in page.locator(".sheet").inner_text()
    expect(page.locator("main").get_by_text("Level at the target")).to_be_visible()
    tap(phone.page.locator(".foot .gold"))

    # Deal 4 decides.
    phone.follow("Close the deal")
    for item, taker in {"cards": "nobody", "coins": "A", "seven_of_coins": "A", "two_of_clubs": "B"}.items():
        phone.say(item, taker)
    page.locator("[name='award-prime'][value='nobody']").tap()
    phone.wait_for_sheet()
    assert phone.totals() == ["24", "26"]
    expect(page.locator("main").get_by_text("Beto wins")).to_be_visible()

    page.goto(table)
    expect(page.locator("main").get_by_text("Beto wins")).to_be_visible()
    phone.press("Rematch: Ana deals")
    expect(page.locator(".score-number").first).to_have_text("0")
    assert phone.totals() == ["0", "0"]
    page.goto(f"{table}/history")
    expect(page.locator(".match-card")).to_have_count(2)
    expect(page.locator(".match-side.won")).to_have_text(re.compile(r"Beto\s+26"))


def test_an_answer_settles_the_last_line(phone: Phone) -> None:
    """The engine asks for the one card that decides; one tap answers, and the deal is saved."""
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    for item in ("cards", "two_of_clubs", "prime", "coins"):
        phone.say(item, "A")
    phone.page.get_by_text("Help me count").last.tap()
    question = phone.page.locator("#close-question")
    expect(question).to_contain_text(re.compile("7 of coins"))
    question.locator("button[name='give']", has_text="Beto").tap()
    phone.wait_for_sheet()
    assert phone.totals() == ["7", "1"]
