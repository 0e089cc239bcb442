"""The clock of a table: what a page says of days and times is the same on every phone, however far it travels."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from .conftest import Phone, screens
from .waiting import happens

pytestmark = pytest.mark.whole

HOME, AWAY = "America/Montevideo", "Asia/Tokyo"


@pytest.fixture
def phone_in(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Callable[[str], Phone]]:
    """Return a phone whose clock shows a zone."""
    opened: list[BrowserContext] = []

    def phone(zone: str) -> Phone:
        opened.append(browser.new_context(**{**browser_context_args, "timezone_id": zone}))
        return Phone(opened[-1].new_page())

    yield phone
    for context in opened:
        context.close()


def times(page: Page) -> list[str]:
    """Return the times of day that a page shows."""
    return page.locator("main time[datetime]:not([data-date])").all_inner_texts()


def test_two_phones_of_two_zones_show_the_times_of_the_table(phone_in: Callable[[str], Phone]) -> None:
    home, away = phone_in(HOME), phone_in(AWAY)
    # The script of the first page notes where the phone is.
    home.page.goto("/")
    happens(home.page, lambda: any(cookie.get("name") == "zone" for cookie in home.page.context.cookies()))
    table = home.open_table("Ana", "Beto")
    away.join(table)
    home.sweep("A")
    seen = []
    for phone in (home, away):
        phone.page.goto(f"{table}/matches/1/journal")
        expect(phone.page.locator("main time[datetime]:not([data-date])").first).to_be_visible()
        phone.rest()
        seen.append(times(phone.page))
    screens("the journal on two phones", home, away)
    written = [datetime.now(UTC).astimezone(ZoneInfo(HOME)) - timedelta(minutes=ago) for ago in range(5)]
    assert seen[0] == seen[1]
    assert set(seen[0]) <= {f"{moment:%H:%M}" for moment in written}
