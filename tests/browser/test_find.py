"""Matches are found by thumb, and the address of what was found shows it to whoever watches."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .playing import close_with_points
from .waiting import tap

PAIRS = ("Ana", "Beto", "Leo", "Cata")


@pytest.fixture
def played(phone: Phone) -> str:
    """A match of two pairs that is won, and its rematch in play; returns the address of their table."""
    table = phone.open_table(*PAIRS, shape="2x2")
    close_with_points(phone, 21, 9)
    phone.page.goto(f"{table}/matches/new")
    phone.press("Start")
    phone.page.locator(".strip").wait_for()
    return table


def test_a_pair_is_found_and_sent_to_whoever_watches(phone: Phone, other: Phone, played: str) -> None:
    page = phone.page
    page.goto(f"{played}/history")
    main = page.locator("main")
    expect(main.get_by_role("heading", name="Not finished")).to_be_visible()
    expect(main.locator(".match-card")).to_have_count(2)
    tap(page.get_by_role("link", name="Find"))
    page.get_by_label("Pair").select_option(label="Ana and Leo")
    page.get_by_label("When").select_option(label=f"{datetime.now(UTC):%Y}")
    page.get_by_label("State").select_option(label="Won")
    phone.look("find")
    tap(page.get_by_role("button", name="Find"))
    expect(main.locator(".match-card")).to_have_count(1)
    phone.look("found")
    assert re.search(r"/history\?pair=1-3&period=\d{4}&state=won$", page.url)
    for chip in main.locator(".chosen a").all():
        box = chip.bounding_box()
        assert box is not None
        assert box["height"] >= 44

    watch = re.findall(r"/w/[\w-]+", page.request.get(f"{played}/share").text())[0]
    other.page.goto(watch + "/history" + page.url.partition("/history")[2])
    expect(other.page.locator("main .match-card")).to_have_count(1)
    other.look("found by who watches")
    tap(other.page.locator(".chosen").get_by_role("link", name="Won"))
    expect(other.page.locator("main .match-card")).to_have_count(2)


def test_where_nothing_is_found_a_tap_shows_what_there_is(phone: Phone, played: str) -> None:
    page = phone.page
    page.goto(f"{played}/history?player=2&state=ended")
    expect(page.locator("main")).to_contain_text("There is no such match.")
    tap(page.get_by_role("link", name="Show those without: Stopped"))
    expect(page.locator("main .match-card")).to_have_count(2)
    tap(page.locator(".chosen").get_by_role("link", name="Beto"))
    page.wait_for_url("**/history")
