"""The way back is a way too: a form that was sent says so, and back leads to where somebody came from.

Phones show a page as it was left when somebody comes back to it. The Chromium of these tests cannot: what it would show
is made here by keeping the page that is being left. ``tests/engines`` goes back in engines that can.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import Phone
from .test_no_signal import journal
from .waiting import a_while, drawn, happens, rest, tap

pytestmark = pytest.mark.whole

SHOWN_AGAIN = """() => {
    window.isLeft = false;
    // htmx lets its mark of a request stand on the way to another page.
    for (const one of document.querySelectorAll(".htmx-request")) one.classList.remove("htmx-request");
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
}"""
TAKERS = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "B"}


def kinds(server: str, table: str) -> list[str]:
    """Return what was written in the match."""
    return [entry["kind"] for entry in journal(server, table)]


def leave_and_come_back(page: Page, way: Locator, to: str) -> None:
    """Press what leads to another page, and come back: the page is as it was left."""
    left: list[str] = []
    with page.expect_request(to):
        page.route(to, lambda route: (left.append(to), route.fulfill(status=204)), times=1)
        way.tap()
    happens(page, lambda: left)
    page.evaluate(SHOWN_AGAIN)


def say_a_flush(phone: Phone) -> Locator:
    """Fill in a declaration without cards, and return its gold button."""
    page = phone.page
    phone.follow("Declare")
    page.locator("[name='side'][value='A']").tap()
    page.locator(".foot").get_by_text("Without showing").tap()
    page.get_by_role("checkbox", name="Flush").tap()
    button = page.get_by_role("button", name="Declare 3")
    button.wait_for()
    rest(page)
    return button


def test_a_declaration_that_is_come_back_to_says_that_it_is_noted(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    declare = say_a_flush(phone)
    leave_and_come_back(page, declare, table)
    expect(page.locator(".foot")).to_contain_text("Already noted")
    expect(declare).to_be_hidden()
    phone.look("noted")
    page.evaluate("document.getElementById('declare').requestSubmit()")
    a_while(page, 300)
    assert kinds(server, table) == ["match_started", "declared"]
    tap(page.get_by_role("button", name="Note another"))
    expect(page.get_by_text("Already noted")).to_be_hidden()
    tap(declare)
    expect(page.locator(".log li")).to_have_count(2)
    assert kinds(server, table) == ["match_started", "declared", "declared"]


def test_a_form_that_was_not_sent_is_as_it_was_left(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    declare = say_a_flush(phone)
    leave_and_come_back(phone.page, phone.page.locator(".bar .back"), table)
    tap(declare)
    expect(phone.page.locator(".log li")).to_have_count(1)
    assert kinds(server, table) == ["match_started", "declared"]


@pytest.mark.whole
def test_a_zone_that_is_come_back_to_takes_another_tap(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.sweep("A")
    leave_and_come_back(phone.page, phone.page.get_by_role("link", name="Declare"), "**/declare")
    phone.sweep("A")
    assert kinds(server, table) == ["match_started", "swept", "swept"]


def close(phone: Phone) -> None:
    """Close the first deal cell by cell; the last one saves it."""
    phone.follow("Close the deal")
    for item, taker in TAKERS.items():
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='A']").tap()


def test_back_from_a_saved_sheet_leads_to_the_board(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    close(phone)
    phone.wait_for_sheet()
    phone.page.go_back()
    expect(phone.page).to_have_url(table)
    expect(phone.page.get_by_role("link", name="Close the deal")).to_be_visible()


def test_a_closing_that_is_come_back_to_leads_to_its_sheet(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    phone.follow("Close the deal")
    for item, taker in TAKERS.items():
        phone.say(item, taker)
    leave_and_come_back(page, page.locator("[name='award-prime'][value='A']"), "**/deals/1?saved=1")
    foot = page.locator("#close-foot")
    expect(foot).to_contain_text("Already noted")
    a_while(page, 700)
    expect(page.get_by_text("Written meanwhile")).to_have_count(0)
    assert kinds(server, table) == ["match_started", "deal_closed"]
    tap(foot.get_by_role("link", name="Look"))
    expect(page.get_by_role("heading", name="Deal 1")).to_be_visible()


def test_back_from_the_prime_leads_to_the_closing(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    phone.follow("Close the deal")
    phone.say("cards", "A")
    phone.press("with the cards")
    page.get_by_role("radio", name="coins: ").first.wait_for()
    with drawn(page, "**/close"):
        page.get_by_role("radio", name="7 of coins", exact=True).locator("visible=true").tap()
    with drawn(page, "**/close"):
        page.evaluate("history.back()")
    expect(page.get_by_role("heading", name="Close deal 1")).to_be_visible()
    expect(page.locator("[name='award-cards'][value='A']")).to_be_checked()
    phone.press("with the cards")
    expect(page.get_by_role("radio", name="Ana, coins: 7 of coins")).to_be_visible()
    # By the page's own button too it takes one step back from the form to the board.
    tap(page.locator(".bar .back"))
    expect(page.get_by_role("heading", name="Close deal 1")).to_be_visible()
    a_while(page, 300)
    page.go_back()
    expect(page).to_have_url(table)
