"""No signal: what is tapped and typed waits on the phone, is shown, and arrives once, in its order."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, BrowserType, Page, Route, expect

from . import waiting
from .conftest import Phone
from .waiting import until

NO_NETWORK = re.compile(
    r"ERR_(CONNECTION|INTERNET|FAILED|EMPTY|TIMED|NETWORK)|htmx:|Failed to load resource|Response Status Error|vibrate"
)

ON_TRUST = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}
# Whether the phone keeps nothing any more, and nothing is on its way; a page that never opened its store has not looked
# yet.
NONE_KEPT = """() => new Promise((tell) => {
  if (Object.keys(localStorage).some((name) => name.startsWith("held:"))) { tell(false); return; }
  const asked = indexedDB.open("scorekeeper", 1);
  asked.onupgradeneeded = () => asked.transaction.abort();
  asked.onerror = () => tell(false);
  asked.onsuccess = () => {
    const counted = asked.result.transaction("waiting").objectStore("waiting").count();
    counted.onsuccess = () => { asked.result.close(); tell(counted.result === 0); };
  };
})"""


@pytest.fixture
def phone(context: BrowserContext) -> Iterator[Phone]:
    """A phone without service worker, as on a plain address of the local network; it may find no network."""
    phone = Phone(context.new_page())
    yield phone
    assert [error for error in phone.errors if not NO_NETWORK.search(error)] == []


def journal(address: str, table: str) -> list[dict[str, Any]]:
    """Return the entries of the match, as the table's key lets anybody read them."""
    key = table.rsplit("/", 1)[1]
    entries: list[dict[str, Any]] = []
    while True:
        after = entries[-1]["seq"] if entries else 0
        asked = urllib.request.Request(
            f"{address}/api/v1/entries?after={after}", headers={"Authorization": f"Bearer {key}"}
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            told = json.load(answer)
        entries += told["entries"]
        if not told["more"]:
            return entries


def tap(page: Page, side: str) -> None:
    page.locator(f".sweep[value='{side}']").tap()


def waits(page: Page, number: int) -> None:
    words = "1 entry waits for signal" if number == 1 else f"{number} entries wait for signal"
    expect(page.locator("#waiting summary")).to_have_text(words)


def nothing_waits(page: Page) -> None:
    """Wait until all that was kept on the phone has been answered; a page just opened shows none of it yet."""
    until(page, NONE_KEPT)
    expect(page.locator("#waiting")).to_be_hidden()


def dots(page: Page) -> dict[str, int]:
    return {
        str(zone.get_attribute("value")): int(zone.locator(".dots").get_attribute("data-shown") or 0)
        for zone in page.locator(".sweep").all()
    }


def keeps_pages(context: dict[str, Any]) -> dict[str, Any]:
    """Return what a phone is like on which the service worker runs."""
    return {**context, "service_workers": "allow"}


def keep_pages(page: Page) -> None:
    """Wait until this phone opens the page without signal."""
    until(page, "Boolean(navigator.serviceWorker.controller)")
    page.reload()


@pytest.mark.whole
def test_a_hundred_taps_without_signal_arrive_once_each_whatever_dies_meanwhile(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    browser_context_args: dict[str, Any],
    server: str,
    tmp_path: Path,
) -> None:
    args = {**browser_type_launch_args, **keeps_pages(browser_context_args)}

    def switch_on() -> BrowserContext:
        return browser_type.launch_persistent_context(str(tmp_path / "phone"), **args)

    context = switch_on()
    page = context.pages[0]
    table = Phone(page).open_table("Ana", "Beto")
    keep_pages(page)

    context.set_offline(True)
    for _turn in range(20):
        tap(page, "A")
        tap(page, "B")
    waits(page, 40)

    page.close()
    page = context.new_page()
    page.goto(table)
    waits(page, 40)
    assert dots(page) == {"A": 20, "B": 20}
    for _turn in range(30):
        tap(page, "A")
    waits(page, 70)

    context.close()
    context = switch_on()
    context.set_offline(True)
    page = context.pages[0]
    page.goto(table)
    for _turn in range(30):
        tap(page, "B")
    waits(page, 100)

    context.set_offline(False)
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(100)
    assert dots(page) == {"A": 50, "B": 50}
    taps = journal(server, table)[1:]
    assert [one["payload"]["side"] for one in taps] == ["A", "B"] * 20 + ["A"] * 30 + ["B"] * 30
    assert len({one["id"] for one in taps}) == 100
    context.close()


def test_a_tap_whose_answer_was_lost_is_there_once(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.page.route("**/sweep", lose_the_answer, times=1)
    phone.page.route("**/api/v1/entries", lose_the_answer, times=1)
    tap(phone.page, "A")
    nothing_waits(phone.page)
    expect(phone.page.locator(".log li")).to_have_count(1)
    assert [one["kind"] for one in journal(server, table)] == ["match_started", "swept"]


def test_a_broken_gateway_and_a_slow_answer_keep_the_taps_in_order(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.page.route("**/sweep", lambda route: route.fulfill(status=502, body="Bad gateway"), times=1)
    phone.page.route("**/api/v1/entries", lambda route: route.fulfill(status=503, body="Busy"), times=1)
    for side in "ABBAB":
        tap(phone.page, side)
    nothing_waits(phone.page)
    expect(phone.page.locator(".log li")).to_have_count(5)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == list("ABBAB")


def test_what_waits_outlives_the_page_also_without_a_service_worker(
    phone: Phone, server: str, context: BrowserContext
) -> None:
    table = phone.open_table("Ana", "Beto")
    context.set_offline(True)
    tap(phone.page, "A")
    tap(phone.page, "B")
    waits(phone.page, 2)
    assert dots(phone.page) == {"A": 1, "B": 1}
    phone.page.close()

    context.set_offline(False)
    later = context.new_page()
    later.goto(table)
    nothing_waits(later)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["A", "B"]


@pytest.mark.whole
def test_two_pages_that_send_at_once_send_once(phone: Phone, server: str, context: BrowserContext) -> None:
    table = phone.open_table("Ana", "Beto")
    other = context.new_page()
    other.goto(table)
    context.set_offline(True)
    for _turn in range(5):
        tap(phone.page, "A")
        tap(other, "B")
    waits(phone.page, 10)
    waits(other, 10)
    context.set_offline(False)
    nothing_waits(phone.page)
    nothing_waits(other)
    assert len(journal(server, table)) == 11


def test_what_waits_is_listed_and_can_be_removed_by_name(phone: Phone, server: str, context: BrowserContext) -> None:
    table = phone.open_table("Ana", "Beto")
    context.set_offline(True)
    tap(phone.page, "A")
    tap(phone.page, "B")
    waits(phone.page, 2)
    phone.page.locator("#waiting summary").tap()
    assert phone.fits()
    phone.page.once("dialog", lambda dialog: dialog.accept())
    phone.page.get_by_role("button", name=re.compile("^Remove ?: .* for Ana$")).tap()
    waits(phone.page, 1)
    context.set_offline(False)
    nothing_waits(phone.page)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["B"]


def test_a_deal_closed_without_signal_counts_what_waits(phone: Phone, server: str, context: BrowserContext) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    page = phone.page
    page.locator("[name='award-cards'][value='A']").wait_for()
    board = context.new_page()
    board.goto(table)
    context.set_offline(True)
    board.locator(".sweep[value='A']").tap()
    waits(board, 1)
    page.bring_to_front()
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow'))")
    expect(page.locator("#sweeps-A")).to_have_value("1")
    for item, taker in ON_TRUST.items():
        page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    page.locator("#closing .keeps").tap()
    waits(page, 2)
    tap(board, "B")
    waits(page, 3)

    context.set_offline(False)
    nothing_waits(page)
    assert [(one["kind"], one["payload"]["deal"]) for one in journal(server, table)[1:]] == [
        ("swept", 1),
        ("deal_closed", 1),
        ("swept", 2),
    ]
    page.goto(table)
    assert phone.totals() == ["7", "2"]


@pytest.mark.whole
def test_an_opening_that_waits_for_signal_replaces_the_one_in_the_form(phone: Phone, context: BrowserContext) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Opening")
    for card in ("1O", "3C", "4E", "7B"):
        phone.page.locator(f"[name='cards'][value='{card}']").tap()
    phone.press("Note it")
    phone.page.wait_for_url(table)
    phone.follow("Close the deal")
    expect(phone.page.locator("[name='layout']:checked")).to_have_count(4)
    other = context.new_page()
    other.goto(f"{table}/matches/1/deals/1/layout")
    context.set_offline(True)
    other.get_by_role("button", name="It adds to 30").tap()
    waits(other, 1)
    phone.page.bring_to_front()
    phone.page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow'))")
    expect(phone.page.locator("[name='layout']:checked")).to_have_count(0)
    expect(phone.page.get_by_role("radio", name="It adds to 30")).to_be_checked()


def test_what_cannot_be_stays_with_the_reason(phone: Phone, server: str, context: BrowserContext) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    context.set_offline(True)
    phone.page.fill("#sweeps-A", "99")
    for item, taker in ON_TRUST.items():
        phone.page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    phone.page.locator("#closing .keeps").tap()
    waits(phone.page, 1)
    context.set_offline(False)
    expect(phone.page.locator("#waiting summary")).to_have_text("1 to settle")
    phone.page.locator("#waiting summary").tap()
    expect(phone.page.locator("#waiting .why")).to_contain_text("cannot be saved yet")
    phone.page.goto(table)
    phone.page.locator("#waiting summary").tap()
    waiting.tap(phone.page.get_by_role("link", name=re.compile("^Look")))
    expect(phone.page.get_by_text("We restored your")).to_be_visible()
    expect(phone.page.locator("[name='award-cards'][value='A']")).to_be_checked()
    expect(phone.page.locator("#waiting summary")).to_have_text("1 to settle")
    assert len(journal(server, table)) == 1


def test_a_closing_that_is_being_typed_survives_its_page(phone: Phone, server: str, context: BrowserContext) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.say("cards", "A")
    phone.count("coins", "A", 6)
    address = phone.page.url
    phone.page.close()

    later = Phone(context.new_page())
    later.page.goto(address)
    expect(later.page.get_by_text("We restored your")).to_be_visible()
    assert later.page.locator("[name='award-cards'][value='A']").is_checked()
    expect(later.page.locator("#count-coins-A")).to_have_value("6")
    expect(later.page.locator("#mark-coins-A")).to_contain_text("6–4")

    for item, taker in (("seven_of_coins", "A"), ("two_of_clubs", "A"), ("prime", "B")):
        later.say(item, taker)
    later.wait_for_sheet()
    later.follow("Correct this deal")
    expect(later.page.get_by_text("We restored your")).to_have_count(0)
    assert len(journal(server, table)) == 2


def test_pages_seen_before_open_without_signal_and_others_say_so(
    browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    context = browser.new_context(**keeps_pages(browser_context_args))
    phone = Phone(context.new_page())
    table = phone.open_table("Ana", "Beto")
    keep_pages(phone.page)
    phone.follow("Close the deal")
    phone.page.wait_for_url("**/close")
    context.set_offline(True)
    phone.page.goto(table)
    expect(phone.page.locator(".sweep")).to_have_count(2)
    phone.follow("Close the deal")
    expect(phone.page.locator(".grid")).to_be_visible()
    phone.page.goto(f"{table}/history")
    expect(phone.page.get_by_role("heading", name="No signal")).to_be_visible()
    context.close()


@pytest.mark.whole
def test_what_a_table_may_want_without_signal_is_kept_before_it_is_asked_for(
    browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    context = browser.new_context(**keeps_pages(browser_context_args))
    phone = Phone(context.new_page())
    phone.page.goto("/")
    kept = "caches.open('pages').then(pages => pages.keys()).then(all => all.map(one => new URL(one.url).pathname))"
    until(phone.page, f"{kept}.then(all => ['/', '/prime', '/captures', '/rules'].every(one => all.includes(one)))")
    table = phone.open_table("Ana", "Beto")
    until(phone.page, f"{kept}.then(all => all.some(one => one.endsWith('/declare')))")
    until(phone.page, f"{kept}.then(all => all.some(one => one.endsWith('/layout')))")
    context.set_offline(True)
    phone.page.goto(table)
    phone.follow("Declare")
    expect(phone.page.locator(".card-grid").first).to_be_visible()
    phone.page.goto("/prime")
    expect(phone.page.locator(".slot").first).to_be_visible()
    context.close()


def test_a_form_that_was_saved_is_not_shown_again_as_it_was_before(
    browser: Browser, browser_context_args: dict[str, Any], server: str
) -> None:
    context = browser.new_context(**keeps_pages(browser_context_args))
    phone = Phone(context.new_page())
    phone.open_table("Ana", "Beto")
    keep_pages(phone.page)
    phone.follow("Close the deal")
    phone.page.wait_for_url("**/close")
    kept = f"caches.open('pages').then(pages => pages.match('{phone.page.url}'))"
    until(phone.page, f"{kept}.then(page => Boolean(page))")
    for item, taker in ON_TRUST.items():
        phone.page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    phone.wait_for_sheet()
    until(phone.page, f"{kept}.then(page => !page)")
    context.close()


@pytest.mark.whole
def test_the_app_can_be_installed(browser: Browser, browser_context_args: dict[str, Any], server: str) -> None:
    context = browser.new_context(**keeps_pages(browser_context_args))
    page = context.new_page()
    page.goto("/tables/new")
    page.evaluate("navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)")
    told = context.new_cdp_session(page).send("Page.getAppManifest")
    assert told["errors"] == []
    manifest = json.loads(told["data"])
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    for icon in manifest["icons"]:
        size = page.evaluate(
            "src => new Promise((done, failed) => { const i = new Image(); i.onload = () => done([i.width, i.height]);"
            " i.onerror = failed; i.src = src; })",
            icon["src"],
        )
        assert icon["sizes"] == f"{size[0]}x{size[1]}"
    context.close()
