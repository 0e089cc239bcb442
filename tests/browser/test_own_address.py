"""A phone at a server behind HTTPS, before and after the server is given its own address."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ..helpers.serving import free_port, serving
from ..helpers.tls import Https
from .conftest import Phone
from .waiting import happens, tap

PLAIN = {"scorekeeper", "scorekeeper_forms"}


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def https(tmp_path: Path, port: int) -> Iterator[Https]:
    """The proxy, which stays while the app behind it is started anew."""
    with Https(tmp_path, port) as door:
        yield door


@pytest.fixture
def phone(browser: Browser, browser_context_args: dict[str, Any], https: Https) -> Iterator[Phone]:
    """A phone that takes the certificate of this test for a good one."""
    context = browser.new_context(**{**browser_context_args, "base_url": https.address, "ignore_https_errors": True})
    yield Phone(context.new_page())
    context.close()


def cookies(phone: Phone) -> set[str]:
    """Return the names of the cookies of keys and forms that the phone has."""
    return {cookie["name"] for cookie in phone.page.context.cookies() if "scorekeeper" in cookie["name"]}


def test_a_phone_from_before_goes_on_with_all_that_it_has(
    phone: Phone, https: Https, tmp_path: Path, port: int
) -> None:
    page = phone.page
    with serving(tmp_path, port, SCOREKEEPER_HTTPS="1"):
        other = page.context.new_page()
        other.goto("/tables/new")
        table = phone.open_table("Ana", "Beto")
        phone.follow("Declare")
        page.locator("[name='side'][value='A']").wait_for()
        page.goto(table)
        phone.rest()
        assert cookies(phone) == PLAIN
        page.context.set_offline(True)
        page.locator(".sweep[value='B']").first.tap()
        expect(page.locator("#waiting")).to_contain_text("1 entry waits for signal")

    with serving(tmp_path, port, SCOREKEEPER_URL=https.address):
        page.context.set_offline(False)
        # What waited is sent by the page that was open all the time.
        expect(page.locator("#waiting")).not_to_contain_text("waits for signal")
        expect(page.locator(".log")).to_contain_text("Beto")
        # So is the form that was drawn before.
        other.fill("#player-0", "Carla")
        other.fill("#player-1", "Dani")
        tap(other.get_by_role("button", name="Start", exact=True))
        expect(other).to_have_url(re.compile(r"/t/[^/]+$"))
        happens(page, lambda: cookies(phone) == {f"__Host-{name}" for name in PLAIN})

        page.goto("/")
        for address in (table, other.url):
            expect(page.locator(f"main a[href='{address.removeprefix(https.address)}']").first).to_be_visible()
        page.goto(f"{table}/owner")
        expect(page.get_by_role("heading", name="Owner of the table")).to_be_visible()
        expect(page.locator("main")).to_contain_text(table)
        assert cookies(phone) == {f"__Host-{name}" for name in PLAIN}
