"""What the service worker shows: a page as it was seen, where the answer is a fault, somebody else's, or none."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .between import LOGIN, Between
from .conftest import Phone
from .test_no_signal import journal, keep_pages, keeps_pages, nothing_waits, tap, waits
from .waiting import PATIENCE, a_while, until

pytestmark = pytest.mark.whole


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


def open_board(context: BrowserContext) -> tuple[Page, str]:
    """Open a table whose board is kept on the phone."""
    phone = Phone(context.new_page())
    table = phone.open_table("Ana", "Beto")
    keep_pages(phone.page)
    return phone.page, table


def kept(page: Page) -> list[str]:
    """Return the paths of the pages that the phone keeps."""
    pages: list[str] = page.evaluate(
        "caches.open('pages').then(pages => pages.keys()).then(all => all.map(one => new URL(one.url).pathname))"
    )
    return sorted(pages)


@pytest.mark.parametrize("status", [503, pytest.param(500, marks=pytest.mark.whole)])
def test_a_board_stays_where_the_server_fails(
    context: BrowserContext, network: Between, server: str, status: int
) -> None:
    page, table = open_board(context)
    page.goto("/")
    page.goto(table)
    network.answers = lambda _path: (status, "<h1>Out of order</h1>")
    page.reload()
    expect(page.locator(".sweep")).to_have_count(2)
    tap(page, "A")
    waits(page, 1)
    page.goto("/")
    expect(page.get_by_role("link", name="Go on playing")).to_be_visible()
    page.goto(table)
    network.answers = lambda _path: None
    page.evaluate("dispatchEvent(new Event('online'))")
    nothing_waits(page)
    assert [one["kind"] for one in journal(server, table)] == ["match_started", "swept"]


def test_the_login_page_of_a_wifi_never_takes_the_place_of_a_board(
    context: BrowserContext, network: Between, server: str
) -> None:
    page, table = open_board(context)
    network.answers = lambda _path: (200, LOGIN)
    tap(page, "A")
    waits(page, 1)
    tap(page, "B")
    waits(page, 2)
    a_while(page, 2500)  # the board has asked for news meanwhile
    expect(page.locator(".sweep")).to_have_count(2)
    expect(page.get_by_text("Log in to the Wi-Fi")).to_have_count(0)
    page.reload()
    expect(page.locator(".sweep")).to_have_count(2)
    waits(page, 2)
    # A page that was never seen cannot be shown: then the login page is.
    page.goto("/rules")
    expect(page.get_by_text("Log in to the Wi-Fi")).to_be_visible()
    network.answers = lambda _path: (404, LOGIN)
    page.goto(table)
    expect(page.locator(".sweep")).to_have_count(2)

    network.answers = lambda _path: None
    page.goto(table)
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(2)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["A", "B"]
    page.goto("/rules")
    expect(page.get_by_role("heading", name="Rules")).to_be_visible()


def update(network: Between, page: Page, table: str) -> None:
    """Bring the app up to date, and see the board of a table again once its new files are on the phone."""
    before = page.evaluate("caches.keys()")
    network.update()
    page.goto(table)
    page.evaluate("navigator.serviceWorker.getRegistration().then(one => one.update())")
    until(page, f"caches.keys().then(names => names.some(name => !{before}.includes(name)))")
    # The cache is there before its files are: only then does the new worker take over.
    until(page, "navigator.serviceWorker.getRegistration().then(one => !one.installing)")
    until(
        page,
        "navigator.serviceWorker.getRegistration().then(one =>"
        " !one.installing && !one.waiting && one.active.state === 'activated')",
    )
    page.goto(table)


def test_a_page_kept_before_an_update_opens_with_its_style_and_script(
    context: BrowserContext, network: Between, server: str
) -> None:
    network.update()
    page, table = open_board(context)
    other = Phone(context.new_page()).open_table("Carla", "Dina")
    until(page, f"caches.open('pages').then(pages => pages.match('{other}')).then(Boolean)")

    update(network, page, table)
    context.new_cdp_session(page).send("Network.clearBrowserCache")
    context.set_offline(True)
    page.goto(other)
    assert page.locator(".sweep").first.evaluate("button => getComputedStyle(button).display") != "inline-block"
    tap(page, "A")
    waits(page, 1)
    context.set_offline(False)
    nothing_waits(page)
    assert [one["kind"] for one in journal(server, other)] == ["match_started", "swept"]


ASKED = """(() => {
    const post = ServiceWorker.prototype.postMessage;
    ServiceWorker.prototype.postMessage = function (message, ...others) {
        window.isAsked ||= Boolean(message.over) && this.state === "installed";
        return post.call(this, message, ...others);
    };
})()"""
"""Notes that a page asks a worker that waits to take over."""


@pytest.mark.whole
def test_a_new_worker_that_waits_for_the_one_before_is_asked_to_take_over(
    context: BrowserContext, network: Between
) -> None:
    """The worker before is at work while the new one is ready: a browser may then leave that one waiting."""
    context.add_init_script(ASKED)
    network.update()
    page, _table = open_board(context)
    is_let_through = threading.Event()

    def hold(path: str) -> None:
        if path == "/rules/scopa":
            is_let_through.wait(PATIENCE / 1000)

    network.answers = hold
    page.evaluate("navigator.serviceWorker.controller.postMessage({ keep: ['/rules/scopa'] })")
    network.update()
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => 1)")
    until(page, "Boolean(window.isAsked)")
    is_let_through.set()
    until(page, "navigator.serviceWorker.getRegistration().then((one) => !one.installing && !one.waiting)")
    until(page, "caches.keys().then((names) => names.filter((name) => name.startsWith('files-')).length === 2)")


@pytest.mark.whole
def test_a_foreign_page_is_never_taken_for_a_file_of_the_app(context: BrowserContext, network: Between) -> None:
    network.answers = lambda path: (200, LOGIN) if path.startswith("/static/js/cards") else None
    page = context.new_page()
    page.goto("/tables/new")
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => 1)")
    a_while(page, 1500)
    assert page.evaluate("navigator.serviceWorker.getRegistration().then(one => Boolean(one && one.active))") is False


def test_no_page_with_an_owners_key_or_a_form_that_opens_something_is_kept(context: BrowserContext) -> None:
    page, table = open_board(context)
    path = table.split("/", 3)[3]
    page.goto(f"{table}/owner")
    page.wait_for_url(re.compile("/o/"))
    for other in ("/tables/new", "/forget", f"/{path}/matches/new", "/", table):
        page.goto(other)
    until(page, "caches.open('pages').then(pages => pages.match('/')).then(Boolean)")
    assert {"/", f"/{path}"} <= set(kept(page))
    assert not [one for one in kept(page) if re.search("/o/|/owner|/new|/forget", one)]


@pytest.mark.whole
def test_a_forgotten_table_leaves_no_page_and_no_draft(context: BrowserContext) -> None:
    page, table = open_board(context)
    other = Phone(context.new_page()).open_table("Carla", "Dina")
    phone = Phone(page)
    page.goto(f"{table}/matches/1/deals/1/close")
    page.wait_for_load_state("load")
    phone.say("cards", "A")
    until(page, "Object.keys(localStorage).some(name => name.startsWith('draft:'))")
    page.goto("/forget")
    page.get_by_role("button", name=re.compile("Forget ?: Ana")).tap()
    page.wait_for_load_state("load")
    expect(page.get_by_text("Ana")).to_have_count(0)
    of_tables = [path for path in kept(page) if path.startswith("/t/")]
    assert of_tables
    assert all(path.startswith("/" + other.split("/", 3)[3]) for path in of_tables)
    assert page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('draft:'))") == []
