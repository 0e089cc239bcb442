"""Text at double size: nothing runs off the edge, nothing lies over what is to be tapped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Phone


@pytest.fixture
def big(launch_browser: Callable[..., Browser], browser_context_args: dict[str, Any]) -> Iterator[Phone]:
    """A phone whose owner reads with letters of double size."""
    browser = launch_browser(args=["--blink-settings=defaultFontSize=32"])
    phone = Phone(browser.new_context(**browser_context_args).new_page())
    yield phone
    browser.close()
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


@pytest.mark.parametrize("game", ["carioca", "free"])
def test_a_round_is_closed(big: Phone, game: str) -> None:
    table = big.open_table("Maximiliana", "Beto", game=game)
    assert overflow(big) <= 0
    if game == "free":
        big.page.locator(".tap").first.tap()
        expect(big.page.locator(".log li")).to_have_count(1)
    big.page.goto(f"{table}/matches/1/deals/1/close")
    assert overflow(big) <= 0
    if game == "carioca":
        big.page.locator("[name='went_out'][value='A']").tap()
        for digit in "35":
            big.page.locator(f".hand-keys[data-keys=points] [data-type='{digit}']").tap()
    big.look(f"closing-{game}")
    big.press("Save the round")
    big.wait_for_sheet()
    big.page.goto(table)
    big.look(f"board-{game}")
    assert overflow(big) <= 0


def test_a_card_can_be_tapped(big: Phone) -> None:
    big.open_table("Ana", "Beto")
    big.follow("Close the deal")
    big.page.locator("#show-cards > summary").tap()
    big.page.locator("[name='pile-A'][value='7O']").tap()
    expect(big.page.locator("[name='pile-A'][value='7O']")).to_be_checked()
