"""A table moves to another server: its file becomes a table there, and the old one is closed, by thumb."""

from __future__ import annotations

import json
import re
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import FilePayload, Page, expect

from .conftest import Phone
from .test_no_signal import tap, waits

pytestmark = pytest.mark.whole

NEW = "https://cards.example/t/abcdefghijklmnopqrstuv"
PLAYED = re.compile(r"/t/[\w-]{22}$")


def played(phone: Phone) -> tuple[str, dict[str, Any]]:
    """Open a table, close a deal, and return its address and its file."""
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    for item, taker in {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}.items():
        phone.page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    phone.wait_for_sheet()
    return table, json.loads(phone.page.request.get(f"{table}/table.json").body())


def of_many_matches(file: dict[str, Any], count: int) -> dict[str, Any]:
    """Return a file whose one match was played so many times."""
    (match,) = file["matches"]
    text = json.dumps(match)
    copies = []
    for number in range(1, count + 1):
        copy = text
        for entry in match["entries"]:
            copy = copy.replace(entry["id"], str(uuid4()))
        copies.append({**json.loads(copy), "number": number, "taken_up": number})
    return {**file, "last": count, "matches": copies}


def as_file(file: dict[str, Any], name: str = "table.json") -> FilePayload:
    return {"name": name, "mimeType": "application/json", "buffer": json.dumps(file).encode()}


def choose(page: Page, *files: FilePayload) -> None:
    page.locator("#file").set_input_files(list(files))


def test_a_file_becomes_a_table_by_two_taps(phone: Phone, other: Phone) -> None:
    _table, file = played(phone)
    other.page.goto("/")
    other.follow("A table from a file")
    with other.page.expect_file_chooser() as chooser:
        other.page.locator("#file").tap()
    chooser.value.set_files([as_file(file)])
    expect(other.page).to_have_url(PLAYED)
    assert other.totals() == phone_totals(phone)
    other.page.goto(f"{other.page.url}/matches/1/journal")
    expect(other.page.locator("main")).to_contain_text("came from a file")


def phone_totals(phone: Phone) -> list[str]:
    phone.page.goto(phone.page.url.split("/matches/")[0])
    return phone.totals()


def test_a_part_that_does_not_arrive_is_sent_again_and_the_others_follow(phone: Phone, other: Phone) -> None:
    _table, file = played(phone)
    whole = of_many_matches(file, 2)
    parts = [as_file({**whole, "matches": [match]}, f"{match['number']}.json") for match in whole["matches"]]
    other.page.goto("/tables/import")
    other.page.route("**/o/*/import", lambda route: route.abort())
    choose(other.page, *parts)
    expect(other.page.locator("#lost")).to_contain_text("No answer")
    other.page.unroute("**/o/*/import")
    other.press("Send")
    expect(other.page).to_have_url(PLAYED)
    assert json.loads(other.page.request.get(f"{other.page.url}/table.json").body()) == whole


def test_a_refused_file_says_where_and_another_can_be_chosen(phone: Phone, other: Phone) -> None:
    _table, file = played(phone)
    bad = json.loads(json.dumps(file))
    bad["matches"][0]["entries"][1]["kind"] = "sung"
    other.page.goto("/tables/import")
    choose(other.page, as_file(bad))
    expect(other.page.get_by_role("alert")).to_contain_text("match 1 of the file, entry 2")
    choose(other.page, as_file(file))
    expect(other.page).to_have_url(PLAYED)


def close(phone: Phone, table: str) -> None:
    """Close the table by its owner's page."""
    phone.page.goto(f"{table}/owner")
    phone.follow("The table has moved")
    phone.page.fill("#link", NEW)
    phone.press("Close this table")
    expect(phone.page.get_by_role("button", name="Open this table again")).to_be_visible()


def test_a_tap_that_waits_stays_on_the_phone_and_says_where_the_table_is(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    page = other.page
    for path in ("**/sweep", "**/api/v1/entries"):
        page.route(path, lambda route: route.abort())
    tap(page, "A")
    waits(page, 1)
    close(phone, table)
    page.unroute("**/sweep")
    page.unroute("**/api/v1/entries")
    # The open board loads anew by itself, and sends what waits.
    expect(page.locator(".moved")).to_contain_text("moved to cards.example")
    expect(page.locator("#waiting summary")).to_have_text("1 to settle")
    page.locator("#waiting summary").tap()
    expect(page.locator("#waiting .why")).to_contain_text("moved to cards.example")
    assert page.locator("button.sweep").count() == 0

    phone.press("Open this table again")
    expect(page.locator(".moved")).to_have_count(0)
    page.locator("#waiting summary").tap()
    page.get_by_role("button", name="Send again").tap()
    expect(page.locator(".log li")).to_have_count(1)
    expect(page.locator("#waiting")).to_be_hidden()
