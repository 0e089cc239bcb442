"""The menu of the board, the page of the table behind it, and what a phone does only where it is asked to."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .conftest import Phone
from .playing import close_with_points, from_menu, from_this_table
from .test_no_signal import keep_pages, keeps_pages
from .waiting import happens, until

pytestmark = pytest.mark.whole

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
    @pytest.mark.parametrize(("width", "height"), [(320, 568)])
    def test_fits_the_screen(self, phone: Phone, width: int, height: int) -> None:
        phone.page.set_viewport_size({"width": width, "height": height})
        phone.open_table("Ana", "Beto")
        open_menu(phone)
        assert phone.page.locator(MENU).evaluate("menu => menu.scrollHeight <= menu.clientHeight")
        box = phone.page.locator(f"{MENU} > li").last.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height

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


def test_the_page_of_the_table_is_a_step_behind_the_board(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    from_this_table(phone, "Add or take points")
    phone.page.locator(".back").tap()
    expect(phone.page.get_by_role("heading", name="This table")).to_be_visible()
    phone.page.locator(".back").tap()
    phone.page.locator(".strip").wait_for()


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


def test_the_pages_behind_the_table_open_without_signal_for_the_deal_that_is_played(
    browser: Browser, browser_context_args: dict[str, Any], server: str
) -> None:
    context = browser.new_context(**keeps_pages(browser_context_args))
    phone = Phone(context.new_page())
    table = phone.open_table("Ana", "Beto")
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
