"""The database is away while people play: the board stays, taps wait on the phone, and all is there afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ..helpers.databases import postgres
from ..helpers.serving import serving
from .conftest import Phone
from .test_no_signal import journal, keep_pages, keeps_pages, nothing_waits, tap

pytestmark = pytest.mark.whole


def test_a_board_is_reloaded_and_tapped_while_the_database_is_away(
    browser: Browser, browser_context_args: dict[str, Any], tmp_path: Path
) -> None:
    with postgres(durable=True) as server:
        url = server.make("bar")
        with serving(tmp_path, DATABASE_URL=url) as address:
            context = browser.new_context(**{**keeps_pages(browser_context_args), "base_url": address})
            phone = Phone(context.new_page())
            table = phone.open_table("Ana", "Beto")
            keep_pages(phone.page)
            server.halt()
            phone.page.goto(table)
            expect(phone.page.locator(".sweep")).to_have_count(2)
            tap(phone.page, "A")
            tap(phone.page, "B")
            expect(phone.page.locator("#waiting")).to_be_visible()
            phone.page.goto("/rules/scopa")
            expect(phone.page.get_by_role("heading").first).to_be_visible()
            phone.page.goto(table)
            expect(phone.page.locator("#waiting")).to_be_visible()
            server.go_on()
            phone.page.goto(table)
            nothing_waits(phone.page)
            assert [one["payload"].get("side") for one in journal(address, table)[1:]] == ["A", "B"]
            context.close()
    log = (tmp_path / "server.log").read_text()
    assert "Traceback" not in log
    told = [line for line in log.splitlines() if "cannot be reached" in line]
    assert 1 <= len(told) <= 4, "one line a minute for the pages, one for what is told live"
