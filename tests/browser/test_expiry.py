"""A table that nobody opens: its phone says when it goes, one tap has it stay, and the page about privacy says so."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import expect

from scorekeeper.limits import EXPIRY_ANNOUNCED_DAYS

from ..helpers.serving import free_port, serving
from .conftest import Phone
from .waiting import happens, tap


def test_my_tables_say_when_a_table_goes_and_one_tap_has_it_stay(phone: Phone, tmp_path: Path) -> None:
    page, port = phone.page, free_port()
    with serving(tmp_path, port) as address:
        page.goto(address)
        tap(page.get_by_role("link", name=re.compile("^Chorizo")))
        page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
        page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
        tap(page.get_by_role("button", name="Start", exact=True))
        expect(page.locator("main")).to_contain_text("Ana")
        # No page of the phone asks while the server is away.
        page.goto("about:blank")
    with closing(sqlite3.connect(tmp_path / "scorekeeper.db")) as database, database:
        database.execute("UPDATE tables SET opened_in = '2020-01-01'")
    with serving(tmp_path, port, SCOREKEEPER_EXPIRE_MONTHS="12") as address:
        main = page.locator("main")

        def is_said() -> bool:
            page.goto(address)
            return "Will be deleted" in main.inner_text()

        # The first answer of the day begins the work.
        happens(page, is_said)
        day = datetime.now(UTC) + timedelta(days=EXPIRY_ANNOUNCED_DAYS)
        expect(main).to_contain_text(f"Will be deleted on {day:%B} {day.day}, {day.year}. Open it, and it stays.")
        phone.look("expiry-home")
        tap(page.get_by_role("link", name="Go on playing"))
        expect(main).to_contain_text("Beto")
        page.goto(address)
        expect(main).not_to_contain_text("Will be deleted")
        tap(page.get_by_role("link", name="Privacy"))
        expect(main).to_contain_text("nobody has opened the table for 12 months")
        expect(main).to_contain_text("every request with its network address")
        assert page.locator("main li").count() == 10
        phone.look("expiry-privacy")
        assert phone.fits()
        tap(page.get_by_role("link", name="My tables"))
        expect(page.get_by_role("heading", name="Scorekeeper")).to_be_visible()
        page.goto("about:blank")
