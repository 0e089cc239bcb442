"""Several phones at one table: what one thumb does the others see at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from .conftest import NOTICED, Phone
from .waiting import a_while, happens, until

ALL_TO_ANA = ("cards", "coins", "seven_of_coins", "two_of_clubs")


def without_stream(route: Route) -> None:
    route.fulfill(status=204)


def follow(phone: Phone, address: str) -> None:
    """Open a page and wait until it is told of changes; a phone that joins is everybody's."""
    with phone.page.expect_request("**/live?*"):
        phone.page.goto(address)
        everybody = phone.page.get_by_role("button", name="Everybody's")
        if everybody.count():
            everybody.tap()


def test_a_tap_shows_on_the_other_phone(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    phone.sweep("B")
    expect(other.page.locator(".log")).to_contain_text("Beto")
    expect(other.page.locator(".sweep[value='B'] .dots i")).to_have_count(1)
    expect(other.page.locator("#said")).to_contain_text("Beto")
    other.sweep("A")
    expect(phone.page.locator(".log li")).to_have_count(2)


@pytest.mark.whole
def test_asking_again_swaps_nothing_while_nothing_is_new(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.page.route("**/live?*", without_stream)
    follow(other, table)
    other.page.evaluate("document.querySelector('.score').dataset.mine = 'yes'")
    with other.page.expect_response(
        lambda answer: "?v=" in answer.url and answer.status == 204 and "live" not in answer.url
    ):
        pass
    expect(other.page.locator(".score")).to_have_attribute("data-mine", "yes")


def test_the_undo_of_my_own_tap_stays_when_the_others_tap(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    other.sweep("A")
    expect(other.page.locator(".strip .notice")).to_contain_text("Ana")
    phone.sweep("B")
    expect(other.page.locator(".log li")).to_have_count(2)
    other.page.locator(".strip .notice .undo").tap()
    expect(phone.page.locator(".log li")).to_have_count(1)
    expect(phone.page.locator(".log")).to_contain_text("Beto")


@pytest.mark.whole
def test_a_redraw_that_was_lost_is_made_again(phone: Phone, other: Phone) -> None:
    other.may_get(503)
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        route.fulfill(status=503, headers={"X-Scorekeeper": "1"}, body="Busy")

    other.page.route("**/t/*?v=*", lose, times=1)
    phone.sweep("B")
    expect(other.page.locator(".log")).to_contain_text("Beto")
    assert lost


@pytest.mark.whole
def test_a_redraw_that_is_lost_again_and_again_is_made_with_pauses(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        route.abort()

    other.page.route("**/t/*?v=*", lose)
    phone.sweep("B")
    happens(other.page, lambda: len(lost) > 2)
    redraws = "performance.getEntriesByType('resource').filter(({ name }) => name.includes('?v='))"
    times = other.page.evaluate(f"{redraws}.map((one) => one.startTime)")
    assert times[2] - times[0] > 1500, times
    other.page.unroute("**/t/*?v=*")
    expect(other.page.locator(".log")).to_contain_text("Beto")


@pytest.mark.whole
def test_a_menu_that_is_open_stays_open(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    other.rest()
    other.page.locator(".menu > summary").tap()
    phone.sweep("B")
    expect(other.page.locator(".log li")).to_have_count(1)
    expect(other.page.locator(".menu")).to_have_attribute("open", "")


def test_nothing_is_swapped_under_a_thumb(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    other.page.evaluate(
        "document.querySelector('.sweep').dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))"
    )
    phone.sweep("B")
    with other.page.expect_request("**/history"):  # time for the news to arrive, without a clock
        other.page.evaluate(f"fetch('{table}/history')")
    expect(other.page.locator(".log li")).to_have_count(0)
    other.page.evaluate(
        "document.querySelector('.sweep').dispatchEvent(new PointerEvent('pointerup', {bubbles: true}))"
    )
    expect(other.page.locator(".log li")).to_have_count(1)


def test_a_tap_on_its_way_while_news_come_hits_nothing_that_has_moved_under_it(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    # As soon as the news are there Beto's button lies where Ana's was, and the finger lands; then on one that stayed.
    other.page.evaluate("""() => {
        const button = (side) => document.querySelector(`.sweep[value='${side}']`);
        const box = button("A").getBoundingClientRect();
        const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
        const how = { ...at, bubbles: true, cancelable: true, detail: 1 };
        const tap = (one) => one.dispatchEvent(new MouseEvent("click", how));
        document.addEventListener("htmx:afterSwap", () => {
            const [before, under] = [button("A"), button("B")];
            const home = under.getBoundingClientRect();
            under.style.transform = `translate(${box.left - home.left}px, ${box.top - home.top}px)`;
            tap(under);
            window.wasTold = Boolean(document.querySelector(".not-taken"));
            under.style.transform = "";
            tap(before);
        }, { once: true });
    }""")
    phone.sweep("B")
    until(other.page, "window.wasTold")
    expect(other.page.locator(".sweep[value='A'] .dots i")).to_have_count(1)
    expect(phone.page.locator(".log li")).to_have_count(2)
    expect(phone.page.locator(".sweep[value='B'] .dots i")).to_have_count(1)


def test_who_fills_in_the_closing_form_is_told_and_keeps_what_was_typed(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, f"{table}/matches/1/deals/1/close")
    other.page.locator("details:has(#count-coins-A) > summary").tap()
    other.page.locator("#count-coins-A").press_sequentially("6")
    other.say("two_of_clubs", "B")
    a_while(other.page, NOTICED)
    phone.sweep("B")
    expect(other.page.locator("#meanwhile")).to_contain_text("Beto")
    expect(other.page.locator("#count-coins-A")).to_have_value("6")
    expect(other.page.locator("[name='award-two_of_clubs'][value='B']")).to_be_checked()


def test_a_page_that_was_put_away_catches_up(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    other.page.context.set_offline(True)
    phone.sweep("B")
    expect(other.page.locator(".log li")).to_have_count(0)
    other.page.context.set_offline(False)
    expect(other.page.locator(".log li")).to_have_count(1)


@pytest.mark.whole
def test_each_entry_of_another_phone_is_spoken_also_the_third_equal_one(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    for count in (1, 2, 3):
        phone.sweep("B")
        expect(other.page.locator("#said")).to_contain_text(f"Sweep of Beto. +{count} this deal")


@pytest.mark.whole
def test_a_dispute_of_another_phone_is_spoken_on_the_sheet(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    for item in ALL_TO_ANA:
        phone.say(item, "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()
    follow(other, table)
    other.page.goto(f"{table}/matches/1/deals/1")
    expect(other.page.locator("#settlement")).to_be_visible()
    phone.page.get_by_text("Something is wrong").tap()
    phone.page.get_by_role("button", name="Beto disputes it").tap()
    expect(other.page.locator("#said")).to_contain_text("Beto disputes this deal")
