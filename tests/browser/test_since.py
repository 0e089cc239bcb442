"""A page that cannot hear its table says since when it is, and what it keeps is what was last seen."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .between import Between
from .conftest import Phone
from .test_live import follow
from .test_no_signal import journal, keep_pages, keeps_pages, nothing_waits, tap, waits
from .waiting import PATIENCE, until

GONE = (503, "")


@pytest.fixture
def network(server: str) -> Iterator[Between]:
    """The way from the phone to the app."""
    with Between(server) as network:
        yield network


@pytest.fixture
def context(browser: Browser, browser_context_args: dict[str, Any], network: Between) -> Iterator[BrowserContext]:
    """A phone on which the service worker runs."""
    context = browser.new_context(**{**keeps_pages(browser_context_args), "base_url": network.address})
    yield context
    context.close()


@pytest.fixture
def elsewhere(browser: Browser, browser_context_args: dict[str, Any], server: str) -> Iterator[Phone]:
    """Another phone, with signal."""
    context = browser.new_context(**{**browser_context_args, "base_url": server})
    yield Phone(context.new_page())
    context.close()


def dots(page: Page, side: str, count: int) -> None:
    """Wait until the zone of a side shows so many sweeps."""
    expect(page.locator(f".sweep[value={side}] .dots i")).to_have_count(count)


def is_kept(page: Page, words: str) -> None:
    """Wait until the phone keeps the page that is open with these words."""
    script = f"caches.open('pages').then(pages => pages.match(location.pathname)).then(page => page.text()).then(text => text.includes({words!r}))"  # noqa: E501
    until(page, script)


@pytest.mark.parametrize(
    "look",
    ["", "/matches/1/deals/1/close", *(pytest.param(look, marks=pytest.mark.whole) for look in ("/board", "/faces"))],
)
def test_a_page_that_cannot_hear_its_table_says_since_when_it_is(
    context: BrowserContext, network: Between, look: str
) -> None:
    phone = Phone(context.new_page())
    table = phone.open_table("Ana", "Beto")
    page = phone.page
    page.goto(table + look)
    expect(page.locator(".since")).to_have_count(0)
    network.answers = lambda _path: GONE
    expect(page.locator(".since")).to_be_visible()
    expect(page.locator(".since")).to_have_text(re.compile(r"^no signal · as of \d\d:\d\d$"))
    expect(page.locator("#since-said")).to_contain_text("no signal")
    network.answers = lambda _path: None
    expect(page.locator(".since")).to_have_count(0)


@pytest.mark.whole
def test_a_page_opened_without_signal_shows_what_was_last_seen_and_since_when(
    context: BrowserContext, elsewhere: Phone, network: Between, server: str
) -> None:
    other = elsewhere
    page = context.new_page()
    table = Phone(page).open_table("Ana", "Beto")
    keep_pages(page)
    page.reload()
    tap(page, "A")
    tap(page, "A")
    expect(page.locator(".log li")).to_have_count(2)
    follow(other, table)
    other.sweep("B")
    dots(page, "B", 1)
    is_kept(page, 'data-side="B" data-gained="1"')
    network.answers = lambda _path: GONE
    page.reload()
    dots(page, "A", 2)
    dots(page, "B", 1)
    expect(page.locator(".since")).to_be_visible()
    # What waits is drawn onto it once.
    tap(page, "A")
    waits(page, 1)
    dots(page, "A", 3)
    page.reload()
    dots(page, "A", 3)
    network.answers = lambda _path: None
    nothing_waits(page)
    dots(page, "A", 3)
    expect(page.locator(".since")).to_have_count(0)
    assert [one["kind"] for one in journal(server, table) if one["kind"] != "phone_held"] == [
        "match_started",
        *["swept"] * 4,
    ]


@pytest.mark.whole
def test_an_answer_that_comes_late_takes_the_place_of_the_kept_page(
    context: BrowserContext, elsewhere: Phone, network: Between, server: str
) -> None:
    other = elsewhere
    page = context.new_page()
    table = Phone(page).open_table("Ana", "Beto")
    keep_pages(page)
    page.reload()
    page.goto("/rules")
    follow(other, table)
    other.sweep("B")

    is_held = threading.Event()

    def slow(path: str) -> tuple[int, str] | None:
        if "?v=" in path:
            return GONE
        if path == urlsplit(table).path:
            is_held.wait(PATIENCE / 1000)
        return None

    network.answers = slow
    page.goto(table)
    expect(page.locator(".since")).to_be_visible()
    dots(page, "B", 0)
    is_held.set()
    dots(page, "B", 1)


def test_a_page_that_this_phone_does_not_have_sends_what_waits_and_goes_on_by_itself(
    context: BrowserContext, network: Between, server: str
) -> None:
    page = context.new_page()
    table = Phone(page).open_table("Ana", "Beto")
    keep_pages(page)
    network.answers = lambda _path: GONE
    context.set_offline(True)
    tap(page, "A")
    waits(page, 1)
    page.goto(f"{table}/matches/1/journal")
    expect(page.get_by_role("heading", name="No signal")).to_be_visible()
    waits(page, 1)
    network.answers = lambda _path: None
    context.set_offline(False)
    expect(page.get_by_role("heading", name="Who noted what")).to_be_visible()
    assert [one["kind"] for one in journal(server, table)] == ["match_started", "swept"]


@pytest.mark.whole
def test_what_is_tapped_after_a_closing_that_waits_is_of_the_next_deal(phone: Phone) -> None:
    phone.may_get(503)  # as the service worker answers for what is cut
    phone.open_table("Ana", "Beto")
    page = phone.page
    phone.follow("Close the deal")
    for item in ("cards", "coins", "seven_of_coins", "two_of_clubs"):
        phone.say(item, "A")
    board = page.url.split("/matches")[0]
    for address in ("**/close", "**/api/v1/entries", "**/sweep"):
        page.route(address, lambda route: route.abort())
    page.locator("[name='award-prime'][value='A']").tap()
    page.locator("#closing .keeps").tap()
    # The phone, which keeps the board, goes there by itself.
    expect(page).to_have_url(board)
    waits(page, 1)
    expect(page.locator(".strip")).to_contain_text("Deal 2")
    tap(page, "B")
    waits(page, 2)
    dots(page, "B", 1)
