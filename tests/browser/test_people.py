"""The people of a table by thumb: two who are one, a guest, and somebody who is forgotten, each with its way back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from playwright.sync_api import Page, expect

from scorekeeper.store.digests import hash_of

from .conftest import Phone
from .waiting import tap


def names_on(page: Page) -> str:
    """Return what a person reads on the page."""
    return page.locator("main").inner_text()


def to_the_person(phone: Phone, table: str, name: str) -> None:
    """Open a person's page from that of the owner."""
    phone.page.goto(f"{table}/owner")
    tap(phone.page.locator("#people").get_by_role("link", name=name))
    expect(phone.page.locator("main h1")).to_contain_text(name)


def a_day_passes(folder: Path, table: str) -> None:
    """Let the day be over in which the forgotten of a table can be brought back."""
    key = table.rpartition("/")[2]
    with closing(sqlite3.connect(folder / "scorekeeper.db", timeout=30)) as database, database:
        database.execute(
            "UPDATE players SET forgotten_at = datetime(forgotten_at, '-1 day', '-1 minute')"
            " WHERE table_id = (SELECT table_id FROM links WHERE hash = ?)",
            (hash_of("play", key),),
        )


def test_two_names_of_one_person_become_one_and_two_again(phone: Phone) -> None:
    page = phone.page
    table = phone.open_table("Ana", "Beto")
    page.goto(f"{table}/matches/new")
    for seat, name in enumerate(("Anita", "Leo")):
        page.fill(f"#player-{seat}", name)
    tap(page.get_by_role("button", name="Start", exact=True))
    page.wait_for_url(table)
    expect(page.locator("main")).to_contain_text("Anita")

    to_the_person(phone, table, "Leo")
    tap(page.get_by_role("link", name="Is the same as"))
    tap(page.get_by_role("button", name="Anita"))
    expect(page.get_by_role("alert")).to_contain_text("both sat in match 2")

    to_the_person(phone, table, "Anita")
    tap(page.get_by_role("link", name="Is the same as"))
    tap(page.get_by_role("button", name="Ana", exact=True))
    expect(page.locator(".notice")).to_contain_text("Anita is Ana now")
    for width in (360, 180):
        page.set_viewport_size({"width": width, "height": 640})
        assert phone.fits(), f"{width} wide"
        said = page.locator(".notice > span")
        assert said.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), f"the notice is cut, {width} wide"
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(table)
    assert "Anita" not in names_on(page)
    page.go_back()
    tap(page.locator(".notice").get_by_role("button", name="Undo"))
    expect(page.locator("main h1")).to_contain_text("Anita")
    page.goto(table)
    expect(page.locator("main")).to_contain_text("Anita")


def test_who_is_forgotten_is_gone_at_once_and_comes_back_within_a_day(phone: Phone, server_folder: Path) -> None:
    page = phone.page
    table = phone.open_table("Ana", "Maruja", typed={"table_name": "Los jueves"})
    phone.sweep("B")
    to_the_person(phone, table, "Maruja")
    tap(page.get_by_role("link", name="Forget this person"))
    expect(page.locator("#texts")).to_contain_text("It is in no note")
    tap(page.get_by_role("button", name="Forget this person"))
    expect(page.locator(".notice")).to_contain_text("The name is gone")
    for path in ("", "/history", "/matches/1", "/matches/1/journal", "/table"):
        page.goto(table + path)
        phone.rest()
        assert "Maruja" not in page.content(), path
    page.goto(f"{table}/owner")
    tap(page.get_by_role("link", name="Forgotten person"))
    tap(page.get_by_role("button", name="Bring it back"))
    expect(page.locator("main h1")).to_contain_text("Maruja")

    tap(page.get_by_role("link", name="Forget this person"))
    tap(page.get_by_role("button", name="Forget this person"))
    expect(page.locator(".notice")).to_contain_text("The name is gone")
    a_day_passes(server_folder, table)
    page.reload()
    expect(page.locator("main")).to_contain_text("gone for good")
    expect(page.get_by_role("button", name="Bring it back")).to_have_count(0)
    page.goto(table)
    phone.sweep("A")
    assert "Maruja" not in page.content()
