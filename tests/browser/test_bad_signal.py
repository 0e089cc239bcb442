"""A bar's signal: pages are light, and an answer that fails takes nothing away and does not pass in silence."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from .conftest import NOTICED, Phone
from .waiting import a_while, happens, rest, until

LATER, KEPT = "/static/js/later.", "/ahead"
"""What comes behind the page: the scripts that it does without at first, and the closing form that is kept ahead."""
"""The script that a page loads once it is there."""


def joined(browser: Browser, how: dict[str, Any], table: str) -> BrowserContext:
    """Return a phone that has said who holds it, and has nothing else of the table yet."""
    before = browser.new_context(**how)
    Phone(before.new_page()).join(table)
    cookies = before.storage_state()
    before.close()
    return browser.new_context(**how, storage_state=cookies)


def test_the_match_page_is_light_on_its_first_load(
    phone: Phone, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    table = phone.open_table("Ana", "Beto")
    context = joined(browser, browser_context_args, table)
    page = context.new_page()
    loaded: list[int] = []
    network = context.new_cdp_session(page)
    network.send("Network.enable")
    behind: set[str] = set()
    network.on(
        "Network.requestWillBeSent",
        lambda told: any(part in told["request"]["url"] for part in (LATER, KEPT)) and behind.add(told["requestId"]),
    )
    network.on(
        "Network.loadingFinished",
        lambda told: told["requestId"] in behind or loaded.append(told["encodedDataLength"]),
    )
    page.goto(table)
    rest(page)
    a_while(page, NOTICED)
    # A picture that is written in the page itself is no request.
    assert len([size for size in loaded if size]) <= 5
    assert sum(loaded) <= 40 * 1024
    context.close()


@pytest.mark.parametrize(("game", "tap", "told"), [("brisca", "#card_points-A", "Save the deal")])
def test_what_is_told_before_the_scripts_have_come_is_answered(
    browser: Browser, browser_context_args: dict[str, Any], game: str, tap: str, told: str
) -> None:
    context = browser.new_context(**browser_context_args)
    phone = Phone(context.new_page())
    table = phone.open_table("Ana", "Beto", game=game)
    held: list[Route] = []
    context.route("**/*.js", lambda route: held.append(route))
    phone.page.goto(f"{table}/matches/1/deals/1/close", wait_until="commit")
    field = phone.page.locator(tap)
    if game == "brisca":
        field.fill("61")
    else:
        field.tap()
    until(phone.page, "document.readyState === 'interactive'")
    for route in held:
        route.continue_()
    expect(phone.page.locator("#close-foot")).to_contain_text(told)
    assert phone.errors == []
    context.close()


def test_without_signal_a_page_that_only_asks_says_so_and_stays(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Declare")
    phone.page.locator("[name='side'][value='A']").wait_for()
    phone.page.context.set_offline(True)
    phone.page.locator("[name='side'][value='A']").tap()
    expect(phone.page.locator("#lost")).to_contain_text("Nothing is lost")

    phone.page.context.set_offline(False)
    phone.page.locator("[name='cards'][value='1B']").tap()
    expect(phone.page.locator("#lost")).to_be_empty()


def test_a_tap_without_an_answer_is_said_to_wait_within_seconds(phone: Phone) -> None:
    """A server that takes a tap and does not answer: the tap is shown at once, and soon also why it is not settled."""
    phone.open_table("Ana", "Beto")
    page = phone.page
    held: list[Route] = []
    page.route("**/sweep", lambda route: held.append(route))
    given_up: list[Route] = []
    page.route("**/api/v1/entries", lambda route: given_up.append(route))
    # The post, which is given up after ten seconds, is not given up here, however slow the machine is.
    page.evaluate("htmx.config.timeout = 0")
    page.locator(".sweep[value='A']").tap()
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(1)
    expect(page.locator("#waiting summary")).to_have_text("1 entry waits for signal")
    assert given_up == []
    happens(page, lambda: held)
    held[0].continue_()
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(".log li")).to_have_count(1)
