"""What a table does in the course of an evening, by thumb, and the journal of it."""

from __future__ import annotations

import json
import re
import urllib.request
from datetime import datetime

from playwright.sync_api import expect

from scorekeeper.store.journal.entries import JournalEntry

from .conftest import Phone
from .waiting import tap


def entries(table: str, match: int = 1) -> list[JournalEntry]:
    """Return the journal of a match, as the API gives it to whoever has the link of its table."""
    address, _slash, key = table.partition("/t/")
    asked = urllib.request.Request(
        f"{address}/api/v1/entries?match={match}", headers={"Authorization": f"Bearer {key}"}
    )
    with urllib.request.urlopen(asked) as answer:
        told = json.load(answer)
    assert not told["more"]
    return [
        JournalEntry(
            entry["id"],
            entry["seq"],
            entry["kind"],
            entry["payload"],
            entry["author"],
            datetime.fromisoformat(entry["written_at"]),
        )
        for entry in told["entries"]
    ]


def close_with_points(phone: Phone, *points: int) -> None:
    """Close the deal being played with plain points, and go on to the next."""
    tap(phone.page.locator(".one-screen > .gold"))
    phone.page.locator("#closing").wait_for()
    bare = phone.page.get_by_role("link", name="Just the points")
    if bare.count():
        tap(bare)
        expect(phone.page).to_have_url(re.compile("as=points"))
    expect(phone.page.locator(".hand.selected")).to_have_count(1)
    for number in points:
        for digit in str(number):
            phone.page.locator(f".hand-keys[data-keys=points] [data-type='{digit}']").tap()
        phone.page.locator(".hand-keys[data-keys=points] [data-type='next']").tap()
    tap(phone.page.get_by_role("button", name=re.compile("^Save the (deal|round)")))
    phone.wait_for_sheet()


def go_on(phone: Phone) -> None:
    """Follow the gold step of a sheet to the next deal."""
    tap(phone.page.locator(".foot .gold"))
    phone.page.locator(".strip").wait_for()


def from_menu(phone: Phone, words: str) -> None:
    """Open the menu of the board and follow one of its rows."""
    phone.rest()
    phone.page.get_by_label("More", exact=True).tap()
    tap(phone.page.locator(".menu").get_by_role("link", name=words))


def from_this_table(phone: Phone, words: str) -> None:
    """Open the page of the table from the menu of the board, and follow one of its rows."""
    from_menu(phone, "This table")
    tap(phone.page.locator(".rows").get_by_role("link", name=words))


def strip(phone: Phone) -> str:
    return " ".join(phone.page.locator(".strip").inner_text().split())
