"""Between two matches by thumb: partners changed round, the winner stays while others wait, and who has won tonight."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import PHONE, Phone, screens
from .playing import close_with_points
from .waiting import tap

pytestmark = pytest.mark.whole

PLACES = """all => all.filter((one) => one.checkVisibility())
    .map((one) => Object.values(one.getBoundingClientRect().toJSON()))"""


def to_the_ways_on(phone: Phone, table: str) -> None:
    """Go from the sheet of the last deal back to the table, and from the winner to the ways to go on."""
    phone.page.goto(table)
    phone.page.locator(".after-the-end").get_by_role("link", name=re.compile("ho waits comes in$")).tap()
    phone.page.wait_for_url("**/again")


def test_the_tally_moves_nothing_that_is_tapped(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="scopa")
    targets = phone.page.locator(".one-screen :is(a, button, summary)")
    before = targets.evaluate_all(PLACES)
    close_with_points(phone, 11, 2)
    tap(phone.page.locator(".foot form .gold"))
    phone.page.locator(".strip").wait_for()
    expect(phone.page.locator(".tonight")).to_have_text("Tonight: Ana 1, Beto 0")
    assert targets.evaluate_all(PLACES) == before
    assert phone.page.viewport_size == PHONE


def test_rematch_after_back_leaves_no_second_match_behind(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="scopa")
    other.join(table)
    close_with_points(phone, 11, 2)
    to_the_ways_on(phone, table)
    phone.page.get_by_label("Who waits, in their order").fill("Cata")
    phone.press("Next player in")
    phone.page.wait_for_url(table)
    expect(phone.page.locator(".score-name").last).to_contain_text("Cata")
    # Back is the page of the match before, whose rematch is another way to go on.
    phone.page.go_back()
    phone.page.wait_for_url("**/matches/1/again")
    tap(phone.page.get_by_role("button", name=re.compile("^Rematch")))
    expect(phone.page.get_by_role("heading", name="A match has begun")).to_be_visible()
    screens("asked before a rematch", phone, other)
    phone.follow("Go to that match")
    expect(phone.page.locator(".score-name").last).to_contain_text("Cata")
    expect(other.page.locator(".score-name").last).to_contain_text("Cata")
    phone.page.goto(f"{table}/history")
    expect(phone.page.locator("a[href$='/matches/2']")).to_have_count(1)
    expect(phone.page.locator("a[href$='/matches/3']")).to_have_count(0)


@pytest.mark.whole
def test_two_ways_to_go_on_on_two_phones_start_one_match(phone: Phone, other: Phone, third: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="scopa")
    for each in (other, third):
        each.join(table)
    close_with_points(phone, 11, 2)
    to_the_ways_on(phone, table)
    phone.page.get_by_label("Who waits, in their order").fill("Cata")
    other.page.goto(f"{table}/matches/new")
    phone.press("Next player in")
    phone.page.wait_for_url(table)
    other.press("Start")
    expect(other.page.get_by_role("alert")).to_have_text("A match was started meanwhile. Nothing else was started.")
    screens("two ways at once", phone, other)
    other.follow("Go on with it")
    for each in (phone, other, third):
        expect(each.page.locator(".score-name").last).to_contain_text("Cata")
