"""Text at double size: nothing runs off the edge, nothing lies over what is to be tapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Phone
from .test_set_up import SPLIT_WORDS
from .waiting import read

pytestmark = pytest.mark.whole

DOUBLE, LARGER = {"width": 180, "height": 320}, {"width": 277, "height": 492}
"""What letters of double size, and of a third more, leave of a screen."""
MEETS = """(all) => {
    const [one, other] = all.map((each) => each.getBoundingClientRect());
    return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}"""
"""Whether the first two of some elements lie over each other."""


@pytest.fixture(scope="module")
def large(launch_browser: Callable[..., Browser]) -> Iterator[Browser]:
    """A browser with letters of double size."""
    browser = launch_browser(args=["--blink-settings=defaultFontSize=32"])
    yield browser
    browser.close()


@pytest.fixture
def big(large: Browser, browser_context_args: dict[str, Any]) -> Iterator[Phone]:
    """A phone whose owner reads with letters of double size."""
    context = large.new_context(**browser_context_args)
    phone = Phone(context.new_page())
    yield phone
    context.close()
    assert phone.errors == []


def overflow(phone: Phone) -> int:
    """Return by how many CSS pixels the page is wider than the screen."""
    wider: int = phone.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wider


def test_no_page_of_a_match_is_wider_than_the_screen(big: Phone) -> None:
    table = big.open_table("Maximiliana", "Beto")
    assert big.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    big.page.locator(".sweep").first.tap()
    expect(big.page.locator(".log li")).to_have_count(1)
    wider = {"just after a sweep": overflow(big)}
    deal = f"{table}/matches/1/deals/1"
    for path in ("/", "/tables/new", table, f"{deal}/declare", f"{deal}/layout", f"{deal}/close", f"{table}/history"):
        big.page.goto(path)
        wider[path] = overflow(big)
    assert {path: pixels for path, pixels in wider.items() if pixels > 0} == {}


@pytest.mark.whole
@pytest.mark.parametrize("size", [DOUBLE, pytest.param(LARGER, marks=pytest.mark.whole)])
def test_languages_and_the_rules_of_a_new_table_are_whole_words(phone: Phone, size: Any) -> None:
    phone.page.set_viewport_size(size)
    for address, part in (("/", ".language"), ("/tables/new", ".agreed > .row"), ("/tables/new", ".language")):
        phone.page.goto(address)
        assert read(phone.page, f"({SPLIT_WORDS})('{part}')") == [], address
    words = phone.page.locator(".agreed > .row > :first-child")
    assert words.evaluate("one => one.scrollWidth <= one.clientWidth")


@pytest.mark.whole
def test_a_notice_keeps_its_words_beside_the_way_back(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.page.set_viewport_size(DOUBLE)
    phone.sweep("A")
    assert phone.page.locator(".notice > span").evaluate("one => one.clientWidth") >= 80
    assert phone.page.locator(".notice .undo .icon").is_visible()


@pytest.mark.parametrize("size", [DOUBLE, pytest.param(LARGER, marks=pytest.mark.whole)])
def test_the_title_of_a_closing_ends_before_the_way_to_the_cards(phone: Phone, size: Any) -> None:
    phone.page.set_viewport_size(size)
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    title, way = (
        phone.page.locator(part).evaluate(
            "one => { const range = document.createRange(); range.selectNodeContents(one);"
            " return range.getBoundingClientRect(); }"
        )
        for part in (".bar > h1", "#show-cards .when-closed")
    )
    assert title["right"] <= way["left"]
    assert phone.page.locator(".bar > h1").evaluate("one => one.scrollHeight <= one.clientHeight + 2")


@pytest.mark.parametrize("size", [DOUBLE, pytest.param(LARGER, marks=pytest.mark.whole)])
def test_the_cells_of_a_closing_end_at_the_margin_and_a_number_stands_beside_its_sign(phone: Phone, size: Any) -> None:
    phone.page.set_viewport_size(size)
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    ends = phone.page.locator(".grid .cell, .grid .count-cell").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().right)"
    )
    assert max(ends) <= size["width"] - 8
    cell = phone.page.locator(".count-cell").first
    before, behind, digit = cell.evaluate("""(one) => {
        const [input, step] = [one.querySelector("input"), one.querySelector(".step")].map(getComputedStyle);
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.font = `${input.fontWeight} ${input.fontSize} ${input.fontFamily}`;
        return [parseFloat(input.paddingLeft), parseFloat(step.paddingRight), canvas.measureText("0").width];
    }""")
    # The sign is hardly wider than a digit.
    assert before + 2.25 * digit + behind <= cell.evaluate("one => one.clientWidth")


@pytest.mark.whole
def test_on_a_card_of_half_the_width_index_suit_and_value_lie_beside_each_other(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.page.set_viewport_size(DOUBLE)
    phone.page.goto(f"{table}/matches/1/deals/1/declare")
    phone.page.locator("[name='side'][value='A']").tap()
    phone.page.locator("[name='cards'][value='12B']").tap()
    expect(phone.page.locator("[name='cards'][value='12B']")).to_be_checked()
    phone.rest()
    card = phone.page.locator(".tile:has([value='12B'])")
    for one, other in ((".tile-index", ".tile-value"), (".tile-suit", ".tile-value")):
        assert not card.locator(f"{one}, {other}").evaluate_all(MEETS), (one, other)
    for part in (".bar > h1", ".bar > .in-bar"):
        assert phone.page.locator(part).evaluate("one => one.scrollWidth <= one.clientWidth"), part
    assert read(phone.page, f"({SPLIT_WORDS})('.bar > h1')") == []
