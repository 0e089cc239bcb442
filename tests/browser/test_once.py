"""What waits is drawn once, and news from others wait neither for an own answer nor for a busy thumb."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from .conftest import Phone
from .test_live import follow
from .test_no_signal import nothing_waits, tap, waits
from .waiting import a_while, happens, until

MOST = """(side) => {
    const zone = () => document.querySelector(`.sweep[value=${side}] .dots`);
    window.most = 0;
    setInterval(() => { window.most = Math.max(window.most, zone() ? zone().querySelectorAll("i").length : 0); }, 20);
}"""
"""Notes the most sweeps that the zone of a side shows from now on."""
KEEPS_TAPPING = """() => setInterval(() => {
    document.body.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    setTimeout(() => document.body.dispatchEvent(new PointerEvent("pointerup", { bubbles: true })), 50);
}, 800)"""


def dots(page: Page, side: str, count: int) -> None:
    """Wait until the zone of a side shows so many sweeps."""
    expect(page.locator(f".sweep[value={side}] .dots i")).to_have_count(count)


def test_a_tap_whose_answer_was_lost_is_drawn_once_when_its_news_come(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    page = phone.page
    page.evaluate(MOST, "A")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/sweep", lose)
    page.route("**/api/v1/entries", lambda route: route.abort())
    tap(page, "A")
    expect(page.locator(".log li")).to_have_count(1)
    waits(page, 1)
    a_while(page, 300)
    dots(page, "A", 1)
    assert page.evaluate("window.most") == 1
    expect(page.locator(".pill.sending")).to_have_count(0)
    page.unroute("**/api/v1/entries")
    page.evaluate("dispatchEvent(new Event('online'))")
    nothing_waits(page)
    dots(page, "A", 1)


def test_what_waited_is_drawn_once_though_the_answer_is_late_and_a_tap_more_comes(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    page = phone.page
    held: list[Route] = []
    page.context.set_offline(True)
    tap(page, "A")
    tap(page, "A")
    waits(page, 2)
    page.evaluate(MOST, "A")
    page.route("**/api/v1/entries", lambda route: held.append(route))
    page.context.set_offline(False)
    happens(page, lambda: held)
    answer = held[0].fetch()
    expect(page.locator(".log li")).to_have_count(2)
    dots(page, "A", 2)
    tap(page, "A")
    dots(page, "A", 3)
    a_while(page, 500)
    held[0].fulfill(response=answer)
    page.unroute("**/api/v1/entries")
    nothing_waits(page)
    dots(page, "A", 3)
    assert page.evaluate("window.most") == 3


def test_news_of_others_come_while_an_own_tap_has_no_answer(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    held: list[Route] = []
    # As long as the tap may wait for its answer.
    other.page.evaluate("htmx.config.timeout = 0")
    other.page.route("**/sweep", lambda route: held.append(route))
    other.page.locator(".sweep[value=A]").tap()
    happens(other.page, lambda: held)
    phone.sweep("B")
    dots(other.page, "B", 1)
    dots(other.page, "A", 1)
    held[0].continue_()
    expect(other.page.locator(".log li")).to_have_count(2)


@pytest.mark.whole
def test_news_of_others_come_while_a_thumb_goes_on_tapping_on_a_slow_signal(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)

    def late(route: Route) -> None:
        answer = route.fetch()
        a_while(other.page, 1000)
        route.fulfill(response=answer)

    other.page.route("**/t/*?v=*", late)
    other.page.evaluate(KEEPS_TAPPING)
    phone.sweep("B")
    until(other.page, "document.querySelector('.log').textContent.includes('Beto')")
