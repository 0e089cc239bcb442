"""A brake holds on a phone: the page says when to go on, what was typed is there, and what was tapped waits."""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from ..helpers.serving import serving
from .conftest import Phone
from .waiting import happens, tap

pytestmark = pytest.mark.whole

LINES = "\n".join(json.dumps({"game": "scopa", "sides": ["A", "B"], "deal": {"sweeps": {"A": n}}}) for n in range(400))


def use_up(address: str) -> None:
    """Ask the engine until it refuses to answer."""
    asked = urllib.request.Request(f"{address}/api/v1/score", LINES.encode(), {"Content-Type": "application/x-ndjson"})
    for _turn in range(1000):
        try:
            urllib.request.urlopen(asked, timeout=60).close()
        except urllib.error.HTTPError as refused:
            refused.close()
            if refused.code == 429:
                return
    raise AssertionError("nobody was braked")


def test_nothing_typed_and_nothing_tapped_is_lost(
    browser: Browser, browser_context_args: dict[str, Any], tmp_path: Path
) -> None:
    with serving(tmp_path, SCOREKEEPER_NEW_TABLES="1", SCOREKEEPER_ENGINE_SECONDS="1") as address:
        context = browser.new_context(**{**browser_context_args, "base_url": address})
        phone = Phone(context.new_page())
        table = phone.open_table("Ana", "Beto")
        phone.page.goto("/tables/new?game=scopa")
        phone.page.fill("#player-0", "Carla")
        phone.page.fill("#player-1", "Dora")
        tap(phone.page.get_by_role("button", name="Start", exact=True))
        expect(phone.page.locator("main")).to_contain_text(re.compile(r"Try it again in \d\d minutes\."))
        expect(phone.page.get_by_role("button", name="Send what was typed again")).to_be_visible()
        expect(phone.page.locator("main [name='player-1']")).to_have_value("Dora")

        phone.page.goto(table)
        use_up(address)
        tap(phone.page.locator(".sweep[value='B']"))
        expect(phone.page.locator("#waiting summary")).to_have_text("Waiting: 1 · server busy")
        expect(phone.page.locator(".sweep[value='B'] .dots i")).to_have_count(1)
        phone.page.goto("/prime")
        expect(phone.page.locator("main")).to_contain_text(re.compile("Try it again in a minute"))
        # The board is no question to the engine; what waits is on it.
        phone.page.goto(table)
        expect(phone.page.locator(".sweep[value='B'] .dots i")).to_have_count(1)
        context.close()


def test_a_phone_that_is_asked_to_wait_says_so_waits_and_sends_by_itself(phone: Phone) -> None:
    phone.may_get(429)
    phone.open_table("Ana", "Beto")
    page = phone.page
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=429, headers={"Retry-After": "15", "X-Scorekeeper": "1"}, body="")

    for address in ("**/sweep", "**/api/v1/entries"):
        page.route(address, refuse)
    for number in (1, 2, 3):
        tap(page.locator(".sweep[value='A']"))
        expect(page.locator("#waiting summary")).to_have_text(f"Waiting: {number} · server busy")
    page.locator("#waiting summary").tap()
    expect(page.locator("#waiting .hint:visible")).to_have_text(
        "Kept on this phone, sent by itself as soon as the server takes it."
    )
    page.reload()
    expect(page.locator("#waiting summary")).to_have_text("Waiting: 3 · server busy")
    expect(page.locator(".since")).to_have_count(0)
    # Two more taps, a look at the list and a page drawn anew have asked nothing.
    assert [address.rsplit("/", 1)[1] for address in asked] == ["sweep", "entries"]
    happens(page, lambda: len(asked) > 2)
    page.unroute("**/api/v1/entries")
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(3)
