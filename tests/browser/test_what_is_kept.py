"""What the phone cannot store it does not call kept, and what was answered is not sent again."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from .conftest import Phone
from .test_no_signal import ON_TRUST, journal, nothing_waits, tap, waits
from .waiting import a_while, happens, rest

NO_STORE = """
window.stores = false;
const open = IDBFactory.prototype.open;
IDBFactory.prototype.open = function (...asked) {
  if (!window.stores) throw new DOMException("No room", "QuotaExceededError");
  return open.apply(this, asked);
};
"""
NO_ROOM = """
const set = Storage.prototype.setItem;
Storage.prototype.setItem = function (...asked) {
  if (!window.stores) throw new DOMException("No room", "QuotaExceededError");
  return set.apply(this, asked);
};
"""
LETS_GO_OF_NOTHING = """
IDBObjectStore.prototype.delete = () => { throw new DOMException("Broken", "UnknownError"); };
"""
NOTES_NOTHING_TWICE = """
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (entry) {
  if (entry.words) throw new DOMException("Broken", "UnknownError");
  return put.call(this, entry);
};
"""

HOLDS_POSTS = """() => {
  const send = XMLHttpRequest.prototype.send;
  window.held = [];
  XMLHttpRequest.prototype.send = function (...sent) { window.held.push(() => send.apply(this, sent)); };
  window.letGo = () => { XMLHttpRequest.prototype.send = send; for (const go of window.held) go(); };
}"""


def start(phone: Phone, *scripts: str) -> str:
    """Open a table on a phone that fails in these ways."""
    for script in scripts:
        phone.page.context.add_init_script(f"(() => {{{script}}})()")
    return phone.open_table("Ana", "Beto")


def to_close(phone: Phone) -> None:
    """Open the closing form, with all that makes it work without signal."""
    phone.follow("Close the deal")
    phone.page.locator("[name='award-cards'][value='A']").wait_for()
    phone.page.wait_for_load_state("load")


def pushes(page: Page) -> list[Route]:
    """Note every push that the page sends."""
    sent: list[Route] = []

    def note(route: Route) -> None:
        sent.append(route)
        route.continue_()

    page.route("**/api/v1/entries", note)
    return sent


@pytest.mark.whole
def test_what_the_phone_cannot_store_is_told_and_stays_on_its_page(phone: Phone, server: str) -> None:
    table = start(phone, NO_STORE, NO_ROOM)
    page = phone.page
    to_close(phone)
    address = page.url
    page.context.set_offline(True)
    for item, taker in ON_TRUST.items():
        page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    # The last tap has failed too, so nothing comes after what is said next.
    rest(page)
    page.locator("#closing .keeps").tap()

    expect(page.locator("#waiting summary")).to_have_text("1 entry waits for signal · keep this page open")
    expect(page.locator("#lost")).to_contain_text("only as long as this page is open")
    expect(page.locator("#closing > .unkept")).to_be_visible()
    page.locator("#waiting summary").tap()
    expect(page.locator("#waiting li")).to_contain_text("only as long as this page is open")
    expect(page.locator("#waiting [data-kept=yes]")).to_be_hidden()
    assert page.url == address
    expect(page.locator("[name='award-cards'][value='A']")).to_be_checked()

    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    page.once("dialog", stay)
    page.evaluate("setTimeout(() => location.assign('/'), 0)")
    happens(page, lambda: asked)
    assert (asked, page.url) == (["beforeunload"], address)

    page.context.set_offline(False)
    expect(page.locator("#waiting")).to_be_hidden()
    assert [one["kind"] for one in journal(server, table)] == ["match_started", "deal_closed"]
    # Nothing is lost by leaving any more, and the page leads to the sheet.
    page.wait_for_url("**/deals/1?saved=1")


def test_a_question_lost_after_the_form_was_sent_is_no_second_voice(phone: Phone, server: str) -> None:
    table = start(phone, NO_STORE, NO_ROOM)
    page = phone.page
    to_close(phone)
    page.context.set_offline(True)
    *rows, (last, taker) = ON_TRUST.items()
    for item, side in rows:
        with page.expect_event("requestfailed"):
            page.locator(f"[name='award-{item}'][value='{side}']").tap()
    expect(page.locator("#closing .keeps")).to_be_visible()
    # A question that is asked after each tap finds its signal only after the form was sent.
    page.evaluate(HOLDS_POSTS)
    page.locator(f"[name='award-{last}'][value='{taker}']").tap()
    happens(page, lambda: page.evaluate("held.length"))
    page.locator("#closing .keeps").tap()
    expect(page.locator("#waiting summary")).to_have_text("1 entry waits for signal · keep this page open")
    before = page.locator("#closing [name='id']").input_value()
    page.evaluate("letGo()")
    happens(page, lambda: page.locator("#closing [name='id']").input_value() != before)

    page.context.set_offline(False)
    page.wait_for_url("**/deals/1?saved=1")
    assert [one["kind"] for one in journal(server, table)] == ["match_started", "deal_closed"]


@pytest.mark.whole
def test_what_the_phone_can_store_again_is_kept(phone: Phone, server: str) -> None:
    table = start(phone, NO_STORE, NO_ROOM)
    page = phone.page
    page.context.set_offline(True)
    tap(page, "A")
    tap(page, "B")
    expect(page.locator("#waiting summary")).to_have_text("2 entries wait for signal · keep this page open")
    page.evaluate("window.stores = true")
    tap(page, "A")
    page.evaluate("dispatchEvent(new Event('focus'))")
    waits(page, 3)
    page.route("**/api/v1/entries", lambda route: route.abort())
    page.context.set_offline(False)
    page.goto("/rules")
    page.unroute("**/api/v1/entries")
    page.context.add_init_script("window.stores = true")
    page.goto(table)
    expect(page.locator(".log li")).to_have_count(3)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["A", "B", "A"]


@pytest.mark.whole
def test_where_the_database_of_the_phone_fails_its_small_store_keeps_taps(phone: Phone, server: str) -> None:
    table = start(phone, NO_STORE)
    page = phone.page
    page.context.set_offline(True)
    tap(page, "A")
    tap(page, "B")
    waits(page, 2)
    page.route("**/api/v1/entries", lambda route: route.abort())
    page.context.set_offline(False)
    page.goto("/rules")
    page.unroute("**/api/v1/entries")
    page.goto(table)
    expect(page.locator(".log li")).to_have_count(2)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["A", "B"]


def test_what_the_store_does_not_let_go_of_is_sent_once(phone: Phone, server: str) -> None:
    table = start(phone, LETS_GO_OF_NOTHING)
    page = phone.page
    page.context.set_offline(True)
    tap(page, "A")
    tap(page, "B")
    waits(page, 2)
    sent = pushes(page)
    page.context.set_offline(False)
    expect(page.locator(".log li")).to_have_count(2)
    expect(page.locator("#waiting")).to_be_hidden()
    a_while(page, 3000)
    assert len(sent) <= 3
    tap(page, "A")
    expect(page.locator(".log li")).to_have_count(3)
    assert len(journal(server, table)) == 4


@pytest.mark.whole
def test_a_refusal_that_cannot_be_noted_is_asked_for_once(phone: Phone, server: str) -> None:
    table = start(phone, NOTES_NOTHING_TWICE)
    page = phone.page
    phone.follow("Close the deal")
    page.locator("[name='award-cards'][value='A']").wait_for()
    page.context.set_offline(True)
    page.fill("#sweeps-A", "99")
    for item, taker in ON_TRUST.items():
        page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    page.locator("#closing .keeps").tap()
    waits(page, 1)
    sent = pushes(page)
    page.context.set_offline(False)
    expect(page.locator("#waiting summary")).to_have_text("1 to settle")
    a_while(page, 3000)
    assert len(sent) <= 2
    assert len(journal(server, table)) == 1


@pytest.mark.whole
def test_an_entry_that_the_server_always_fails_at_does_not_stop_the_others(phone: Phone, server: str) -> None:
    phone.may_get(500)
    table = start(phone)
    page = phone.page
    page.context.set_offline(True)
    for side in "ABA":
        tap(page, side)
    waits(page, 3)

    def fail_at_beto(route: Route) -> None:
        told = json.loads(route.request.post_data or "{}")
        if any(entry["fields"]["side"] == ["B"] for entry in told["entries"]):
            route.fulfill(status=500, headers={"X-Scorekeeper": "1"}, json={"status": "invalid", "problems": []})
        else:
            route.continue_()

    page.route("**/api/v1/entries", fail_at_beto)
    page.context.set_offline(False)
    expect(page.locator("#waiting summary")).to_have_text("1 to settle")
    expect(page.locator(".log li")).to_have_count(2)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["A", "A"]
    page.locator("#waiting summary").tap()
    expect(page.locator("#waiting .why")).to_contain_text("The server failed at this")

    page.unroute("**/api/v1/entries")
    page.get_by_role("button", name="Send again").tap()
    nothing_waits(page)
    assert [one["payload"]["side"] for one in journal(server, table)[1:]] == ["A", "A", "B"]
