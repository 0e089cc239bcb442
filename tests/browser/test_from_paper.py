"""A result from paper, typed by thumb: two players, pairs, and three of Carioca, where the fewest points win."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap


def begin(phone: Phone, table: str) -> None:
    """Go to the form as a person does, from the matches of the table."""
    phone.page.goto(f"{table}/history")
    tap(phone.page.get_by_role("link", name="Add a result from paper"))
    phone.page.locator("#paper").wait_for()


def points(phone: Phone, *each: str) -> None:
    """Type the points of the sides."""
    for side, typed in enumerate(each):
        phone.page.fill(f"#points-{side}", typed)


def save(phone: Phone) -> None:
    tap(phone.page.get_by_role("button", name="Save"))


def test_two_players_are_seated_by_taps_and_the_result_is_undone_and_typed_again(phone: Phone) -> None:
    page, main = phone.page, phone.page.locator("main")
    table = phone.open_table("Ana", "Beto")
    begin(phone, table)
    page.fill("#day", "2026-05-03")
    for name in ("Ana", "Beto"):
        page.get_by_role("button", name=name, exact=True).tap()
    points(phone, "31", "24")
    save(phone)

    page.wait_for_url("**/history?typed=2")
    expect(main.get_by_role("heading", name="Sunday, May 3")).to_be_visible()
    expect(main.locator(".match-card .won")).to_have_text(re.compile(r"Ana\s+31"))
    tap(main.locator(".notice").get_by_role("button", name="Undo"))
    page.locator("#paper").wait_for()
    expect(page.locator("#points-0")).to_have_value("31")
    expect(page.locator("#player-1")).to_have_value("Beto")
    points(phone, "21")
    save(phone)

    page.wait_for_url("**/history?typed=3")
    tap(main.locator(".match-card", has_text="from paper"))
    page.wait_for_url("**/matches/3")
    expect(main.locator(".score-side.won")).to_contain_text("24")
    expect(main.get_by_text("From paper", exact=True)).to_be_visible()
    assert phone.fits()
