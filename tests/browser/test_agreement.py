"""Phones of two sides, and of three, tell one deal in different ways; every side says yes, and all see it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone, screens
from .playing import from_this_table
from .waiting import tap


def held(phone: Phone, name: str) -> None:
    """Say who holds the phone that opened the table."""
    from_this_table(phone, "This phone")
    phone.press(name)
    phone.page.get_by_role("button", name="Sweep").first.wait_for()


def close_both(phone: Phone, other: Phone, *, holders: bool = True, names: tuple[str, ...] = ("Ana", "Beto")) -> str:
    """Close one deal on both phones, which disagree about coins and prime; returns the table's address."""
    table = phone.open_table(*names, **({"shape": f"{len(names)}x1"} if len(names) > 2 else {}))
    if holders:
        held(phone, "Ana")
    other.join(table, "Beto" if holders else "Everybody's")
    for each in (phone, other):
        each.follow("Close the deal")
        for item in ("cards", "seven_of_coins", "two_of_clubs"):
            each.say(item, "A")
    phone.say("coins", "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    other.count("coins", "B", 6)
    other.page.locator("[name='award-prime'][value='B']").tap()
    other.page.wait_for_url(re.compile("/versions[?]saved=1$"))
    screens("two versions", phone, other)
    return table


def board(phone: Phone, table: str) -> None:
    """Go to the board."""
    phone.page.goto(table)
    phone.page.get_by_role("button", name="Sweep").first.wait_for()


def test_the_side_that_insists_asks_and_the_other_says_yes_or_no(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    board(phone, table)
    other.press("Ask Ana to accept mine")
    expect(other.page.locator("main").get_by_text("Waiting for: Ana")).to_be_visible()
    asked = phone.page.get_by_role("link", name="Deal 1: Beto asks that theirs counts: 6–2")
    expect(asked).to_be_visible()
    screens("asked", phone, other)
    tap(asked)
    phone.press("No, still in doubt")
    expect(other.page.locator("main").get_by_text("Ana: no, still in doubt")).to_be_visible()
    screens("still in doubt", phone, other)
    other.press("Ask Ana to accept mine")
    expect(phone.page.locator("main").get_by_text("Beto asks that theirs counts: 6–2")).to_be_visible()
    screens("asked again", phone, other)
    phone.press("Yes, it counts")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(other.page.locator(".tag", has_text="It counts")).to_be_visible()
    expect(phone.page.locator(".score-number")).to_have_text(["6", "2"])
    screens("agreed", phone, other)


@pytest.mark.whole
def test_an_agreed_deal_is_corrected_by_a_proposal_and_opened_by_both(phone: Phone, other: Phone) -> None:
    table = close_both(phone, other)
    phone.page.goto(f"{table}/matches/1/deals/1/versions")
    phone.press("Accept Beto's")
    expect(phone.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    other.page.goto(f"{table}/matches/1/deals/1")
    expect(phone.page.get_by_role("link", name="Correct this deal")).to_have_count(0)
    tap(phone.page.locator("main").get_by_text("There is a mistake: open it"))
    phone.follow("Count again, and propose what comes out")
    phone.say("cards", "B")
    phone.press("Propose")
    expect(phone.page.locator("main").get_by_text("Waiting for: Beto")).to_be_visible()
    expect(other.page.get_by_role("button", name="Yes, it counts")).to_be_visible()
    expect(other.page.locator(".score-number")).to_have_text(["6", "2"])
    screens("a correction is proposed", phone, other)
    other.press("Yes, it counts")
    expect(other.page.get_by_role("heading", name="Agreed: changed only by all sides")).to_be_visible()
    expect(other.page.locator(".score-number")).to_have_text(["5", "3"])
    tap(other.page.locator("main").get_by_text("There is a mistake: open it"))
    other.press("Beto asks to open it again")
    phone.page.goto(f"{table}/matches/1/deals/1")
    expect(phone.page.get_by_role("button", name="Yes, open it")).to_be_visible()
    screens("asked to open it", phone, other)
    phone.press("Yes, open it")
    expect(phone.page.get_by_role("link", name="Correct this deal")).to_have_count(1)
    expect(other.page.locator("main").get_by_text("Every side agreed to open this deal again")).to_be_visible()
    screens("open again", phone, other)
