"""What the board keeps in its place: zones after an opening, totals level, the sign at the end of the strip."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .playing import close_with_points
from .room import LONG_NAMES

pytestmark = pytest.mark.whole

PLACES = """() => [...document.querySelectorAll(".score-side, .strip, .sweep, .tools, .gold")].map((one) => {
    const { top, height } = one.getBoundingClientRect();
    return [Math.round(top), Math.round(height)];
})"""
TOPS = "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"


@pytest.mark.parametrize("width", [320])
def test_a_sweep_of_the_opening_moves_nothing_on_the_board(phone: Phone, width: int) -> None:
    page = phone.page
    page.set_viewport_size({"width": width, "height": 640})
    table = phone.open_table("Ana", "Beto")
    phone.rest()
    before = page.evaluate(PLACES)
    page.goto(f"{table}/matches/1/deals/1/layout")
    for card in ("1O", "3C", "4E", "7B"):
        page.locator(f"[name='cards'][value='{card}']").tap()
    page.get_by_role("button", name="Note it").tap()
    expect(page.locator(".opened")).to_have_count(1)
    phone.rest()
    moved = [
        abs(now - then)
        for one, other in zip(page.evaluate(PLACES), before, strict=True)
        for now, then in zip(one, other, strict=True)
    ]
    assert max(moved) <= 1, moved
    assert len(set(page.locator(".sweep-word").evaluate_all(TOPS))) == 1


@pytest.mark.whole
def test_sideways_the_totals_are_level_whatever_the_names(phone: Phone) -> None:
    phone.open_table("Ana", "Guillermo Washington Etcheverry")
    phone.page.set_viewport_size({"width": 640, "height": 360})
    phone.rest()
    for level in (".score-number", ".pill", ".tally"):
        assert len(set(phone.page.locator(level).evaluate_all(TOPS))) == 1, level


def test_no_nought_stands_beside_the_total_of_one_of_four(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Leo", "Cata", shape="4x1")
    pills = phone.page.locator(".score-line .pill")
    expect(pills.locator("visible=true")).to_have_count(0)
    phone.sweep("C")
    expect(pills.locator("visible=true")).to_contain_text("+1")


def test_the_sign_of_the_way_stands_behind_the_last_word_of_the_strip(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="carioca")
    signs = phone.page.locator(".strip > a span, .strip > a small").evaluate_all(
        "all => all.map((one) => [one.localName, getComputedStyle(one, '::after').content.includes('›')])"
    )
    assert signs == [["span", False], ["small", True]]


def test_with_letters_of_double_size_the_gold_step_lies_over_nothing(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.page.set_viewport_size({"width": 180, "height": 320})
    phone.rest()
    total, step = phone.page.locator(".score-side").last, phone.page.get_by_role("link", name="Close the deal")
    (low, high) = (each.evaluate("one => one.getBoundingClientRect()") for each in (total, step))
    assert low["bottom"] <= high["top"]


@pytest.mark.parametrize(("width", "height"), [(320, 568)])
def test_of_six_long_names_the_round_and_the_gold_step_are_on_the_first_screen(
    phone: Phone, width: int, height: int
) -> None:
    table = phone.open_table(*LONG_NAMES, game="carioca", shape="6x1")
    close_with_points(phone, 0, 5, 10, 25, 3, 80)
    phone.page.set_viewport_size({"width": width, "height": height})
    phone.page.goto(table)
    phone.rest()
    strip, step = (
        phone.page.locator(part).evaluate("one => one.getBoundingClientRect()")
        for part in (".strip", ".one-screen > .gold")
    )
    assert strip["bottom"] <= step["top"]
    expect(phone.page.locator(".strip")).to_contain_text("cuts")
