"""Taking a table along by thumb: a tap from its page to the file; a large table part by part."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Download, expect

from scorekeeper.store.digests import hash_of

from .axe import faults
from .conftest import Phone
from .waiting import happens, tap

ROW = "Take the table along"
LARGE = json.dumps({"v": 1, "note": "x" * 1_100_000, "stakes": ""})


def read(download: Download) -> Any:
    return json.loads(Path(download.path()).read_text())


@pytest.fixture
def large(phone: Phone, server_folder: Path) -> str:
    """A table of three matches, of which the second and the third are too large for one file together."""
    table = phone.open_table("Ana", "Beto", typed={"table_name": "Los jueves"})
    key = table.rpartition("/")[2]
    with closing(sqlite3.connect(server_folder / "scorekeeper.db")) as connection, connection:
        [own] = connection.execute("SELECT table_id FROM links WHERE hash = ?", [hash_of("play", key)]).fetchone()
        for number in (2, 3):
            connection.execute(
                "INSERT INTO matches (table_id, number, head, setup, taken_up, created_at)"
                " SELECT table_id, ?, 1, setup, 0, created_at FROM matches WHERE table_id = ? AND number = 1",
                [number, own],
            )
            connection.execute(
                'INSERT INTO entries (table_id, id, "match", seq, kind, payload, created_at)'
                " SELECT table_id, ?, ?, 1, 'match_noted', ?, created_at FROM matches"
                " WHERE table_id = ? AND number = 1",
                [str(uuid4()), number, LARGE, own],
            )
    return table


@pytest.mark.parametrize("page_of", ["/table", "/owner"])
def test_a_tap_on_its_row_saves_the_table(phone: Phone, page_of: str) -> None:
    page = phone.page
    table = phone.open_table("Ana", "Beto", typed={"table_name": "Los jueves"})
    page.goto(table + page_of)
    before = page.url
    with page.expect_download() as taken:
        tap(page.get_by_role("link", name=ROW))
    assert taken.value.suggested_filename == "Los jueves.json"
    file = read(taken.value)
    assert [player["name"] for player in file["players"]] == ["Ana", "Beto"]
    assert [match["number"] for match in file["matches"]] == [1]
    assert page.url == before


def test_a_large_table_has_a_page_with_its_parts_each_to_be_saved(phone: Phone, large: str) -> None:
    page = phone.page
    page.goto(f"{large}/table")
    tap(page.get_by_role("link", name=ROW))
    page.wait_for_url("**/take")
    assert phone.fits()
    assert faults(page) == []
    with page.expect_download() as taken:
        tap(page.get_by_role("link", name="Matches 1 to 2"))
    assert taken.value.suggested_filename == "Los jueves 1-2.json"
    assert [match["number"] for match in read(taken.value)["matches"]] == [1, 2]
    page.get_by_role("link", name="Los jueves").tap()
    page.wait_for_url("**/table")


def test_one_tap_saves_all_parts_and_goes_on_where_one_did_not_come(phone: Phone, large: str) -> None:
    phone.may_get(503)
    page, saved = phone.page, list[str]()
    page.on("download", lambda download: saved.append(download.suggested_filename))
    page.goto(f"{large}/take")
    last = page.get_by_role("link", name="Match 3")
    page.route("**/table.json?matches=3-3", lambda route: route.fulfill(status=503))
    phone.press("Save all parts")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("did not come")
    expect(page.get_by_role("link", name="Matches 1 to 2")).to_contain_text("Saved")
    assert phone.fits()
    page.unroute("**/table.json?matches=3-3")
    phone.press("Save all parts")
    expect(last).to_contain_text("Saved")
    happens(page, lambda: saved == ["Los jueves 1-2.json", "Los jueves 3-3.json"])
    expect(page.get_by_text("did not come")).to_be_hidden()
