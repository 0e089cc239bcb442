"""The evening goes on without signal: deals are closed, the board moves on, and all of it arrives once, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from ..helpers.weather import NEVER, Weather
from .conftest import Phone
from .playing import close_with_points, entries, go_on
from .test_no_signal import NO_NETWORK, journal, keeps_pages, nothing_waits, tap, waits
from .test_what_is_kept import HOLDS_POSTS
from .waiting import drawn, happens, rest, until
from .waiting import tap as thumb

IS_KEPT = """() => {
  const [name] = Object.keys(localStorage).filter((one) => one.startsWith("ahead:"));
  return Boolean(name) && JSON.parse(localStorage[name]).isKept;
}"""
FORM_IS_THERE = """(parts) => caches.open("pages").then((pages) => pages.keys())
  .then((all) => parts.every((part) => all.some(({ url }) => url.includes(part))))"""

HAS_SEEN_A_SWEEP = """() => Object.entries(localStorage)
  .some(([name, value]) => name.startsWith("stand:") && value.includes('"swept"'))"""

EARLY = """new MutationObserver((_changes, watch) => {
  const zone = document.querySelector(".sweep[value='A']");
  if (!zone || !window.tapsAreHeld) return;
  watch.disconnect();
  zone.click();
}).observe(document, { childList: true, subtree: true })"""
"""Taps a zone as soon as it is there, before the other scripts are."""


class Away(Phone):
    """A phone that is without signal at times: what finds no network is no fault of its pages."""

    def __init__(self, page: Page, network: Weather) -> None:
        super().__init__(page)
        self.network = network

    def _note(self, text: str) -> None:
        if not NO_NETWORK.search(text):
            super()._note(text)


class Bar:
    """Phones at one table, each with a service worker and a network of its own."""

    def __init__(self, browser: Browser, app: str, args: dict[str, Any], stack: ExitStack) -> None:
        self.browser, self.app, self.args, self.stack = browser, app, args, stack
        self.phones: list[Away] = []

    def phone(self) -> Away:
        """Take another phone."""
        network = self.stack.enter_context(Weather(self.app, "fair"))
        context = self.browser.new_context(**{**self.args, "base_url": network.address})
        phone = Away(context.new_page(), network)
        self.phones.append(phone)
        return phone


@pytest.fixture
def table(browser: Browser, browser_context_args: dict[str, Any], server: str) -> Iterator[Bar]:
    with ExitStack() as stack:
        bar = Bar(browser, server, keeps_pages(browser_context_args), stack)
        yield bar
        for phone in bar.phones:
            phone.page.context.close()
            assert phone.errors == []


def ready(phone: Away, *parts: str) -> None:
    """Wait until this phone can go on without signal: it keeps the pages whose addresses have these ``parts``."""
    parts = parts or ("/ahead", "as=points")
    until(phone.page, "Boolean(navigator.serviceWorker.controller)")
    phone.page.reload()
    rest(phone.page)
    until(phone.page, f"({IS_KEPT})()")
    until(phone.page, f"({FORM_IS_THERE})({list(parts)})")
    rest(phone.page)


def lose(phone: Away) -> None:
    phone.network.go_down(NEVER)


def find(phone: Away, only_until: str = "") -> None:
    """Find the network again; only for as long as it takes the app to hear a post to such a path."""
    if only_until:
        phone.network.go_down_at(only_until, is_answered=False)
    phone.network.clear()
    phone.page.evaluate("dispatchEvent(new Event('online'))")


def start_again(phone: Away, address: str) -> Away:
    """Let the phone die, and take it up again at its table."""
    page = phone.page.context.new_page()
    phone.page.close()
    again = Away(page, phone.network)
    page.goto(address)
    page.locator("#board").wait_for()
    rest(page)
    return again


def to_close(phone: Away) -> None:
    """Tap the gold step of the board, and wait for the closing form."""
    thumb(phone.page.locator("#board .gold[href$='/close']"))
    phone.page.locator("#closing").wait_for()
    rest(phone.page)


def say_all(phone: Away, *sides: str) -> None:
    """Tap a cell in each row of the closing form: in the first row for the first of ``sides``, and so on, in turn."""
    rows = phone.page.locator(".grid-row[id^='row-']")
    for number in range(rows.count()):
        side = sides[number % len(sides)]
        phone.page.locator(f".grid-row[id^='row-'] >> nth={number} >> [value='{side}']").first.tap()


def say_all_but_the_last(phone: Away) -> Locator:
    """Tap a cell for Ana in each row but the last, as the server judges them; return her cell of that one."""
    rows = phone.page.locator(".grid-row[id^='row-']")
    *others, last = [rows.nth(number).locator("[value='A']").first for number in range(rows.count())]
    for cell in others:
        with drawn(phone.page, "**/close"):
            cell.tap()
    return last


def keep(phone: Away) -> None:
    """Save the form as this phone can, and wait for the board."""
    thumb(phone.page.locator("#close-foot .keeps"))
    phone.page.locator("#board").wait_for()
    rest(phone.page)


def in_strip(phone: Phone, words: str) -> None:
    """Wait until the strip of the board says this."""
    expect(phone.page.locator(".strip")).to_contain_text(words)


def provisional(phone: Away) -> list[str]:
    return phone.page.locator(".score-number.provisional").all_inner_texts()


def closed(table: str, address: str) -> list[tuple[int, str]]:
    return [(one["payload"]["deal"], one["kind"]) for one in journal(address, table) if "facts" in one["payload"]]


class TestClosing:
    def test_the_form_is_there_though_nobody_has_opened_it(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        phone.sweep("A")
        lose(phone)
        tap(phone.page, "B")
        waits(phone.page, 1)
        to_close(phone)
        expect(phone.page.locator("h1")).to_contain_text("Close deal 1")
        expect(phone.page.locator("#sweeps-A")).to_have_value("1")
        expect(phone.page.locator("#sweeps-B")).to_have_value("1")
        phone.look("offline-form")
        say_all(phone, "A", "B")
        expect(phone.page.locator("#close-foot b")).to_have_text("Entered here: 4–6")
        keep(phone)
        expect(phone.page.locator(".score-number.provisional")).to_have_text(["4", "6"])
        in_strip(phone, "Deal 2 · Beto deals")
        phone.look("offline-board")
        find(phone)
        nothing_waits(phone.page)
        expect(phone.page.locator(".score-number.provisional")).to_have_count(0)
        assert phone.totals() == ["4", "6"]
        assert closed(address, server) == [(1, "deal_closed")]

    @pytest.mark.whole
    def test_three_deals_each_arrive_once_on_their_own_number(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        lose(phone)
        for deal in (1, 2, 3):
            tap(phone.page, "AB"[deal % 2])
            to_close(phone)
            expect(phone.page.locator("h1")).to_contain_text(f"Close deal {deal}")
            say_all(phone, "B", "B", "A")
            keep(phone)
            in_strip(phone, f"Deal {deal + 1}")
            phone.page.reload()
            rest(phone.page)
            expect(phone.page.locator(".score-number.provisional")).to_have_count(2)
            in_strip(phone, f"Deal {deal + 1}")
        shown = provisional(phone)
        find(phone)
        nothing_waits(phone.page)
        expect(phone.page.locator(".score-number.provisional")).to_have_count(0)
        assert phone.totals() == shown
        assert closed(address, server) == [(deal, "deal_closed") for deal in (1, 2, 3)]
        assert [one["payload"]["deal"] for one in journal(server, address) if one["kind"] == "swept"] == [1, 2, 3]

    @pytest.mark.whole
    def test_the_button_stays_under_the_thumb_while_a_question_is_lost(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        lose(phone)
        to_close(phone)
        say_all(phone, "A", "B")
        button = phone.page.locator("#close-foot .keeps")
        expect(button).to_be_visible()
        rest(phone.page)
        phone.page.evaluate(HOLDS_POSTS)
        # The page comes to no rest while its question is held.
        phone.page.locator("[name='sweeps-A'] ~ .step").tap()
        happens(phone.page, lambda: phone.page.evaluate("held.length"))
        button.hover()
        phone.page.mouse.down()
        with phone.page.expect_event("requestfailed"):
            phone.page.evaluate("letGo()")
        rest(phone.page)
        phone.page.mouse.up()
        phone.page.locator("#board").wait_for()
        find(phone)
        nothing_waits(phone.page)
        assert closed(address, server) == [(1, "deal_closed")]

    def test_taps_that_count_at_once_are_counted_once_by_a_closing(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto", game="free")
        # A round of the pad is points already: it has no other form for them.
        ready(phone, "/ahead")
        five, one = (f"form.pad .tap[id='tap-A-{points}']" for points in (5, 1))
        thumb(phone.page.locator(five))
        total = phone.page.locator(".score-number[data-side='A']")
        expect(total).to_have_text("5")
        lose(phone)
        phone.page.locator(one).tap()
        expect(total).to_have_text("6")
        thumb(phone.page.locator("#board a[href$='/close']"))
        phone.page.locator("#closing").wait_for()
        for key in ("next", "0"):
            phone.page.locator(f".hand-keys[data-keys=points] [data-type='{key}']").tap()
        keep(phone)
        expect(total).to_have_text("6")
        phone.page.locator(one).tap()
        expect(total).to_have_text("7")
        assert provisional(phone)[0] == "7"
        find(phone)
        nothing_waits(phone.page)
        assert phone.totals() == ["7", "0"]
        assert closed(address, server) == [(1, "deal_closed")]


@pytest.mark.whole
class TestCountingIn:
    def test_a_tap_before_the_scripts_of_a_kept_board_is_another_each_time(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        lose(phone)
        phone.page.add_init_script(EARLY)
        for _time in range(2):
            phone.page.reload()
            rest(phone.page)
        waits(phone.page, 2)
        find(phone)
        nothing_waits(phone.page)
        assert [one["kind"] for one in journal(server, address)] == ["match_started", "swept", "swept"]

    @pytest.mark.whole
    @pytest.mark.parametrize("has_signal", ["signal", "no signal"])
    def test_a_sweep_that_was_typed_and_noted_by_another_phone_is_one(
        self, table: Bar, server: str, has_signal: str
    ) -> None:
        phone, other = table.phone(), table.phone()
        address = phone.open_table("Ana", "Beto")
        other.join(urlsplit(address).path, "Beto")
        ready(phone)
        lose(phone)
        to_close(phone)
        phone.page.locator("[name='sweeps-B'] ~ .step").tap()
        other.sweep("B")
        say_all(phone, "A")
        keep(phone)
        find(phone)
        expect(phone.page.locator("#waiting summary")).to_have_text("1 to settle")
        until(phone.page, f"({HAS_SEEN_A_SWEEP})()")
        if has_signal == "no signal":
            lose(phone)
        thumb(phone.page.locator("#waiting summary"))
        thumb(phone.page.locator("#waiting").get_by_role("link", name=re.compile("^Look ?: Close deal 1")))
        phone.page.locator("#closing").wait_for()
        rest(phone.page)
        expect(phone.page.locator("#sweeps-B")).to_have_value("1")


@pytest.mark.whole
class TestWhoseDealItIs:
    def test_a_written_closing_whose_answer_was_lost_is_not_offered_again(self, table: Bar, server: str) -> None:
        """K5 of the browsers' review: a kept board offered the deal once more, and a dispute came later."""
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        to_close(phone)
        last = say_all_but_the_last(phone)
        phone.network.go_down_at("/close", is_answered=False)
        last.tap()
        happens(phone.page, lambda: closed(address, server))
        expect(phone.page.locator("#close-foot .keeps")).to_be_visible()
        keep(phone)
        in_strip(phone, "Deal 2")
        find(phone)
        nothing_waits(phone.page)
        assert closed(address, server) == [(1, "deal_closed")]
        in_strip(phone, "Deal 2")

    @pytest.mark.whole
    def test_what_a_dead_phone_had_closed_by_its_last_cell_is_corrected_and_not_contested(
        self, table: Bar, server: str
    ) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        to_close(phone)
        last = say_all_but_the_last(phone)
        phone.network.fall_silent_at("/close")
        last.tap()
        happens(phone.page, lambda: closed(address, server))

        again = start_again(phone, address)
        to_close(again)
        say_all(again, "B")
        find(again)
        # The phone's own button, or that of the correction, which the server draws in its place.
        thumb(again.page.locator("#close-foot .button.gold:visible"))
        nothing_waits(again.page)
        corrected = ["match_started", "deal_closed", "voided", "deal_closed"]
        happens(again.page, lambda: [one["kind"] for one in journal(server, address)] == corrected)

    def test_a_sheet_that_never_came_does_not_bring_the_deal_back(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        to_close(phone)

        phone.network.go_down_at("/close", is_answered=True)
        thumb(phone.page.locator("[name='others'][value='B']"))
        expect(phone.page.get_by_role("heading", name="No signal")).to_be_visible()
        thumb(phone.page.get_by_role("link", name="To the table"))
        phone.page.locator("#board").wait_for()
        rest(phone.page)
        in_strip(phone, "Deal 2 · Beto deals")
        assert provisional(phone)[0] == "0"
        tap(phone.page, "A")
        find(phone)
        nothing_waits(phone.page)
        assert closed(address, server) == [(1, "deal_closed")]
        assert journal(server, address)[-1]["payload"]["deal"] == 2


@pytest.mark.whole
class TestChanging:
    def test_a_kept_deal_is_opened_and_changed_until_it_is_sent(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        lose(phone)
        to_close(phone)
        say_all(phone, "A")
        keep(phone)
        before = provisional(phone)
        thumb(phone.page.get_by_role("link", name=re.compile("^Deal 1: ")))
        phone.page.locator("#closing").wait_for()
        expect(phone.page.locator("#row-prime [value='A']")).to_be_checked()
        phone.page.locator("#row-prime [value='B']").tap()
        thumb(phone.page.get_by_role("button", name="Save the change"))
        phone.page.locator("#board").wait_for()
        rest(phone.page)
        in_strip(phone, "Deal 2")
        assert provisional(phone) == [str(int(before[0]) - 1), "1"]
        find(phone)
        nothing_waits(phone.page)
        assert closed(address, server) == [(1, "deal_closed")]
        assert phone.totals() == [str(int(before[0]) - 1), "1"]

    @pytest.mark.whole
    def test_where_it_had_arrived_after_all_the_change_is_a_correction(self, table: Bar, server: str) -> None:
        phone = table.phone()
        address = phone.open_table("Ana", "Beto")
        ready(phone)
        lose(phone)
        to_close(phone)
        say_all(phone, "A")
        keep(phone)

        find(phone, only_until="/api/v1/entries")
        happens(phone.page, lambda: closed(address, server))
        thumb(phone.page.get_by_role("link", name=re.compile("^Deal 1: ")))
        phone.page.locator("#closing").wait_for()
        phone.page.locator("#row-prime [value='B']").tap()
        thumb(phone.page.get_by_role("button", name="Save the change"))
        phone.page.locator("#board").wait_for()
        find(phone)
        nothing_waits(phone.page)
        kinds = [one["kind"] for one in journal(server, address)]
        assert kinds == ["match_started", "deal_closed", "voided", "deal_closed"]


class TestWithTheSignalBack:
    @pytest.mark.whole
    def test_behind_a_stale_closing_the_rest_waits_and_is_sent_once_that_is_settled(
        self, table: Bar, server: str
    ) -> None:
        phone, other = table.phone(), table.phone()
        address = phone.open_table("Ana", "Beto")
        other.join(urlsplit(address).path)
        ready(phone)
        lose(phone)
        to_close(phone)
        say_all(phone, "A")
        keep(phone)
        tap(phone.page, "B")
        to_close(phone)
        say_all(phone, "B")
        keep(phone)
        other.sweep("B")
        happens(other.page, lambda: [one for one in journal(server, address) if one["kind"] == "swept"])
        find(phone)
        expect(phone.page.locator("#waiting summary")).to_have_text("1 to settle · 2 wait behind it")
        phone.look("to-settle")
        assert closed(address, server) == []
        phone.page.locator("#waiting summary").tap()
        thumb(phone.page.locator("#waiting").get_by_role("link", name=re.compile("^Look ?: Close deal 1")))
        phone.page.locator("#closing").wait_for()
        rest(phone.page)
        expect(phone.page.locator("#sweeps-B")).to_have_value("1")
        expect(phone.page.locator("#meanwhile")).to_contain_text("Sweep of Beto")
        phone.look("settling")
        thumb(phone.page.locator("#close-foot .gold"))
        phone.page.locator("#board, .sheet").first.wait_for()
        nothing_waits(phone.page)
        happens(phone.page, lambda: closed(address, server) == [(1, "deal_closed"), (2, "deal_closed")])
        first = next(one for one in journal(server, address) if one["kind"] == "deal_closed")
        assert first["payload"]["facts"]["sweeps"] == {"A": 0, "B": 1}


class TestTheEnd:
    @pytest.mark.whole
    def test_an_end_is_told_as_this_phones_own_and_one_more_deal_may_be_closed(self, table: Bar, server: str) -> None:
        phone = table.phone()
        phone.open_table("Ana", "Beto", game="chorizo", shape="2x1")
        close_with_points(phone, 20, 3)
        go_on(phone)
        ready(phone)
        lose(phone)
        to_close(phone)
        say_all(phone, "A")
        keep(phone)
        end = phone.page.locator(".provisional-end")
        expect(end).to_contain_text("By what is noted on this phone the match is over: Ana")
        expect(end.get_by_role("button", name="Rematch: when there is signal")).to_be_disabled()
        phone.look("provisional-end")
        thumb(end.get_by_role("button", name="Play on"))
        to_close(phone)
        expect(phone.page.locator("h1")).to_contain_text("Close deal 3")
        say_all(phone, "B")
        keep(phone)
        find(phone)
        expect(phone.page.locator(".winner")).to_contain_text("Ana wins")
        expect(phone.page.locator("#waiting summary")).to_have_text("1 to settle")
        phone.look("played-behind-the-end")

    @pytest.mark.whole
    def test_nothing_but_our_own_pages_answers_a_form_without_signal(self, table: Bar) -> None:
        phone = table.phone()
        phone.open_table("Ana", "Beto", game="chorizo", shape="2x1")
        close_with_points(phone, 25, 3)
        phone.page.goto(phone.page.url.split("/matches")[0])
        phone.page.locator(".winner").wait_for()
        until(phone.page, "Boolean(navigator.serviceWorker.controller)")
        phone.page.reload()
        rest(phone.page)
        lose(phone)
        phone.page.get_by_role("button", name=re.compile("^Rematch")).tap()
        expect(phone.page.get_by_role("heading", name="No signal")).to_be_visible()
        expect(phone.page.get_by_text("was not sent: go back")).to_be_visible()
        phone.look("unsent")


@pytest.mark.whole
def test_on_a_plain_address_the_open_form_goes_on_by_itself(table: Bar, server: str) -> None:
    """Without a worker (http on a home network) nothing opens without signal but what is open."""
    table.args["service_workers"] = "block"
    phone = table.phone()
    address = phone.open_table("Ana", "Beto")
    rest(phone.page)
    until(phone.page, "Object.keys(localStorage).some((name) => name.startsWith('page:'))")
    to_close(phone)
    lose(phone)
    say_all(phone, "A")
    thumb(phone.page.locator("#close-foot .keeps"))
    expect(phone.page.locator("#close-foot")).to_contain_text("Deal 1 is kept on this phone.")
    phone.look("plain-kept")
    thumb(phone.page.get_by_role("button", name="On to Deal 2"))
    expect(phone.page.locator("h1")).to_contain_text("Close deal 2")
    say_all(phone, "B")
    thumb(phone.page.locator("#close-foot .keeps"))
    expect(phone.page.locator("#close-foot")).to_contain_text("Deal 2 is kept on this phone.")
    find(phone)
    nothing_waits(phone.page)
    assert closed(address, server) == [(1, "deal_closed"), (2, "deal_closed")]
    assert len(entries(address)) == 3
