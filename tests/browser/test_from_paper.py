"""A result from paper, typed by thumb: two players, pairs, and three of Carioca, where the fewest points win."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .conftest import Phone
from .waiting import drawn, tap


def begin(phone: Phone, table: str) -> None:
    """Go to the form as a person does, from the matches of the table."""
    phone.page.goto(f"{table}/history")
    tap(phone.page.get_by_role("link", name="Add a result from paper"))
    phone.page.locator("#paper").wait_for()


def choose(phone: Phone, name: str, value: str) -> None:
    """Choose a game or a line-up, by which the form is drawn anew."""
    control = phone.page.locator(f"[name='{name}']").first
    with drawn(phone.page, "**/matches/paper"):
        if control.evaluate("element => element.localName") == "select":
            control.select_option(value)
        else:
            phone.page.locator(f"[name='{name}'][value='{value}']").tap()


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


def test_pairs_have_two_names_and_one_number_and_what_is_missing_is_said(phone: Phone) -> None:
    page, main = phone.page, phone.page.locator("main")
    begin(phone, phone.open_table("Ana", "Beto", "Leo", "Cata", shape="2x2"))
    for seat, name in enumerate(("Ana", "Beto", "Leo", "Washington")):
        page.fill(f"#player-{seat}", name)
    points(phone, "18")
    save(phone)

    expect(main.get_by_role("alert")).to_have_text("Points of side 2: How many points?")
    expect(page.locator("#player-3")).to_have_value("Washington")
    points(phone, "18", "18")
    save(phone)
    expect(main.get_by_role("alert")).to_contain_text("They are level")
    page.locator("[name='won-1']").tap()
    save(phone)
    page.wait_for_url("**/history?typed=2")
    expect(main.locator(".match-card .won")).to_have_text(re.compile(r"Beto and Washington\s+18"))
    assert phone.fits()


def test_in_carioca_of_three_the_fewest_points_win(phone: Phone) -> None:
    page, main = phone.page, phone.page.locator("main")
    begin(phone, phone.open_table("Ana", "Beto"))
    page.fill("#player-0", "Ana")
    choose(phone, "game", "carioca")
    choose(phone, "shape", "3x1")
    expect(page.locator("#player-0")).to_have_value("Ana")
    expect(main.locator("#who-won")).to_have_text("If you mark nobody, the fewest points win.")
    page.fill("#player-1", "Beto")
    page.fill("#player-2", "Guillermina")
    points(phone, "120", "95", "210")
    assert phone.fits()
    save(phone)
    page.wait_for_url("**/history?typed=2")
    expect(main.locator(".match-card .won")).to_have_text(re.compile(r"Beto\s+95"))
