"""The menu of the board, the page of the table behind it, and what a phone does only where it is asked to."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import Phone
from .playing import close_with_points, from_menu, from_this_table
from .test_no_signal import keep_pages, keeps_pages
from .waiting import happens, tap, until

MENU = ".menu > ul"
RECORDED = """
window.uttered = []; window.buzzes = [];
const speech = { speaking: false, pending: false, getVoices: () => [{ lang: 'en_US' }, { lang: 'es-AR' }],
    speak: ({ text, lang, voice }) => {
        if (text) window.uttered.push([text, lang, voice && voice.lang]);
        speech.speaking = Boolean(text);
    },
    cancel: () => { window.uttered.push('cancelled'); speech.speaking = false; } };
Object.defineProperty(window, 'speechSynthesis', { value: speech });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
navigator.vibrate = (length) => window.buzzes.push(length);
"""
"""A phone that writes down what it would say, and how long it would buzz."""


def uttered(page: Page) -> list[Any]:
    return list(page.evaluate("window.uttered"))


def open_menu(phone: Phone) -> None:
    phone.rest()
    phone.page.get_by_label("More", exact=True).tap()
    expect(phone.page.locator(MENU)).to_be_visible()


class TestTheMenu:
    @pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 568), (390, 844)])
    def test_fits_the_screen(self, phone: Phone, width: int, height: int) -> None:
        phone.page.set_viewport_size({"width": width, "height": height})
        phone.open_table("Ana", "Beto")
        open_menu(phone)
        assert phone.page.locator(MENU).evaluate("menu => menu.scrollHeight <= menu.clientHeight")
        box = phone.page.locator(f"{MENU} > li").last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height

    def test_shows_half_a_row_where_it_scrolls(self, phone: Phone) -> None:
        phone.open_table("Ana", "Beto")
        phone.page.set_viewport_size({"width": 640, "height": 360})
        open_menu(phone)
        shown = phone.page.locator(MENU).evaluate(
            """menu => {
                const end = menu.getBoundingClientRect().bottom;
                const cut = [...menu.children]
                    .map((row) => row.getBoundingClientRect()).find((box) => box.bottom > end + 1);
                return cut && [end <= innerHeight, (end - cut.top) / cut.height];
            }"""
        )
        assert shown is not None
        assert shown[0]
        assert 0.3 < shown[1] < 0.7

    def test_is_shut_by_escape_and_begins_with_its_first_row(self, phone: Phone) -> None:
        phone.open_table("Ana", "Beto")
        phone.page.set_viewport_size({"width": 640, "height": 360})
        phone.rest()
        phone.page.locator(".menu > summary").focus()
        phone.page.keyboard.press("Enter")
        expect(phone.page.locator(MENU)).to_be_visible()
        phone.page.keyboard.press("Tab")
        expect(phone.page.get_by_role("link", name="Add another phone")).to_be_focused()
        phone.page.keyboard.press("Escape")
        expect(phone.page.locator(MENU)).to_be_hidden()
        expect(phone.page.locator(".menu > summary")).to_be_focused()

    def test_is_shut_by_a_tap_beside_it_that_does_nothing_else(self, phone: Phone) -> None:
        phone.open_table("Ana", "Beto")
        open_menu(phone)
        zone = phone.page.locator(".sweep[value='A']").bounding_box()
        assert zone is not None
        phone.page.touchscreen.tap(zone["x"] + 8, zone["y"] + 8)
        expect(phone.page.locator(MENU)).to_be_hidden()
        phone.sweep("B")
        assert (phone.sweeps("A"), phone.sweeps("B")) == (0, 1)


def test_the_page_of_the_table_is_a_step_behind_the_board(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    from_this_table(phone, "Add or take points")
    phone.page.locator(".back").tap()
    expect(phone.page.get_by_role("heading", name="This table")).to_be_visible()
    phone.page.locator(".back").tap()
    phone.page.locator(".strip").wait_for()


def test_a_match_is_stopped_on_the_way_to_a_new_one(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    from_menu(phone, "New match")
    phone.follow("Stop this match here")
    phone.press("Nobody wins")
    expect(phone.page.get_by_role("button", name="It was not over: go on")).to_be_visible()


def test_a_player_who_is_renamed_is_told_in_sight_wherever_the_page_is(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Leo", "Cata", shape="4x1")
    from_this_table(phone, "Owner of the table")
    tap(phone.page.locator("#people").get_by_role("link", name="Cata"))
    phone.page.get_by_label("Name").fill("Catalina")
    phone.page.get_by_role("button", name="Rename").tap()
    notice = phone.page.locator(".notice")
    expect(notice).to_contain_text("Cata is now called Catalina")
    expect(notice).to_be_in_viewport()
    phone.page.locator("main > :last-child").scroll_into_view_if_needed()
    expect(notice).to_be_in_viewport()
    expect(phone.page.locator(".bar h1")).to_contain_text("Ana, Beto, Leo, Catalina")


class TestSound:
    def test_is_off_until_asked_for_and_then_says_each_new_score(self, phone: Phone, other: Phone) -> None:
        for each in (phone, other):
            each.page.add_init_script(RECORDED)
        table = phone.open_table("Ana", "Beto")
        other.join(table)
        phone.sweep("A")
        expect(phone.page.locator("#said")).not_to_be_empty()
        assert uttered(phone.page) == []
        from_menu(phone, "This table")
        phone.page.get_by_role("switch", name="Say the score aloud").tap()
        happens(phone.page, lambda: uttered(phone.page) == [["Ana 0, Beto 0", "en", "en_US"]])
        phone.page.goto(table)

        phone.sweep("A")
        happens(phone.page, lambda: any("Sweep for Ana, 2" in said[0] for said in uttered(phone.page)))
        other.sweep("B")
        happens(phone.page, lambda: "Sweep of Beto" in uttered(phone.page)[-1][0])
        assert "cancelled" in uttered(phone.page), "the newest wins"
        assert uttered(other.page) == [], "only on the phone that was asked"

        from_menu(phone, "This table")
        switch = phone.page.get_by_role("switch", name="Say the score aloud")
        expect(switch).to_be_checked()
        switch.tap()
        phone.page.reload()
        expect(switch).to_be_enabled()
        expect(switch).not_to_be_checked()

    def test_is_in_the_language_of_the_page(self, phone: Phone) -> None:
        phone.page.add_init_script(RECORDED)
        table = phone.open_table("Ana", "Beto")
        phone.page.context.add_cookies([{"name": "spoken", "value": "es_AR", "url": table}])
        phone.page.goto(f"{table}/table")
        switch = phone.page.get_by_role("switch").first
        expect(switch).to_be_enabled()
        switch.tap()
        happens(phone.page, lambda: uttered(phone.page) == [["Ana 0, Beto 0", "es-AR", "es-AR"]])

    def test_is_of_the_big_screen_too(self, phone: Phone, other: Phone) -> None:
        other.page.add_init_script(RECORDED)
        table = phone.open_table("Ana", "Beto")
        other.join(table)
        other.page.evaluate("localStorage.setItem('aloud', 'true')")
        other.page.goto(f"{table}/board")
        expect(other.page.locator(".big-now")).to_be_visible()
        other.page.wait_for_function("scorekeeper.spoken")
        close_with_points(phone, 3, 2)
        happens(other.page, lambda: any("Deal 1" in str(said) for said in uttered(other.page)))


class TestTouch:
    def test_buzzes_at_a_zone_and_a_cell_where_it_is_asked_to(self, phone: Phone) -> None:
        phone.page.add_init_script(RECORDED)
        table = phone.open_table("Ana", "Beto")
        phone.sweep("A")
        assert phone.page.evaluate("window.buzzes") == []
        from_menu(phone, "This table")
        phone.page.get_by_role("switch", name="Buzz at a tap").tap()
        happens(phone.page, lambda: phone.page.evaluate("window.buzzes") == [10])
        phone.page.goto(table)
        phone.page.wait_for_function("scorekeeper.spoken")
        phone.sweep("A")
        assert phone.page.evaluate("window.buzzes") == [10]
        phone.follow("Close the deal")
        phone.page.wait_for_function("window.scorekeeper && scorekeeper.spoken")
        phone.say("coins", "A")
        assert phone.page.evaluate("window.buzzes") == [10]

    def test_a_phone_that_cannot_says_so(self, phone: Phone) -> None:
        phone.page.add_init_script("delete Navigator.prototype.vibrate; delete window.speechSynthesis;")
        table = phone.open_table("Ana", "Beto")
        phone.page.goto(f"{table}/table")
        expect(phone.page.get_by_text("This phone cannot buzz.")).to_be_visible()

    def test_a_phone_that_can_keep_nothing_stays_quiet(self, phone: Phone) -> None:
        phone.page.add_init_script(RECORDED + "Storage.prototype.setItem = () => { throw new Error('full'); };")
        table = phone.open_table("Ana", "Beto")
        phone.page.goto(f"{table}/table")
        switch = phone.page.get_by_role("switch", name="Buzz at a tap")
        expect(switch).to_be_enabled()
        switch.tap()
        expect(phone.page.get_by_text("it stays off")).to_be_visible()
        expect(switch).not_to_be_checked()


def test_the_pages_behind_the_table_open_without_signal_for_the_deal_that_is_played(
    browser: Browser, browser_context_args: dict[str, Any], server: str
) -> None:
    context = browser.new_context(**keeps_pages(browser_context_args))
    phone = Phone(context.new_page())
    table = phone.start("Ana", "Beto")
    keep_pages(phone.page)
    for path in ("/table", "/matches/1/people", "/matches/1/end", "/matches/1/deals/1/adjust"):
        until(phone.page, f"caches.open('pages').then(pages => pages.match('{table}{path}')).then(Boolean)")
    close_with_points(phone, 3, 2)
    phone.page.goto(table)
    expect(phone.page.locator(".strip")).to_contain_text("Deal 2")
    context.set_offline(True)
    from_this_table(phone, "Add or take points")
    expect(phone.page.get_by_role("heading", name="Add or take points")).to_be_visible()
    assert phone.page.url.endswith("/matches/1/deals/2/adjust")
    context.close()
