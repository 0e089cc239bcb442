"""Every page can be used without any script: forms are sent, parts unfold, and a deal is played to its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from .waiting import PATIENCE


@pytest.fixture
def plain(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """A phone that runs no script."""
    context = browser.new_context(**{**browser_context_args, "java_script_enabled": False})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def start(page: Page, *names: str) -> str:
    page.goto("/tables/new")
    for seat, name in enumerate(names):
        page.fill(f"#player-{seat}", name)
    page.get_by_role("button", name="Start", exact=True).tap()
    page.wait_for_url("**/t/*")
    return page.url


def test_a_deal_is_played_to_its_end(plain: Page) -> None:
    table = start(plain, "Ana", "Beto")
    plain.locator(".sweep[value='A']").tap()
    expect(plain.locator(".log li")).to_have_count(1)
    plain.locator(".sweep[value='B']").tap()
    expect(plain.locator(".log li")).to_have_count(2)
    plain.locator(".log button").first.tap()
    expect(plain.locator(".log li")).to_have_count(1)
    plain.get_by_role("link", name="Declare").tap()
    plain.locator("[name='side'][value='A']").tap()
    for card in ("1O", "2O", "3O"):
        plain.locator(f"[name='cards'][value='{card}']").tap()
    plain.get_by_role("button", name="Show what it scores").tap()
    plain.get_by_role("button", name=re.compile(r"^Declare \d")).tap()
    expect(plain.locator(".log li")).to_have_count(2)
    plain.get_by_role("link", name="Close the deal").tap()
    for item in ("cards", "coins", "seven_of_coins", "two_of_clubs", "prime"):
        plain.locator(f"[name='award-{item}'][value='A']").tap()
    plain.get_by_role("button", name="Check").locator("visible=true").last.tap()
    save = plain.get_by_role("button", name="Save the deal")
    expect(save.or_(plain.get_by_role("heading", name=re.compile("^Deal 1"), level=1)).first).to_be_visible()
    if "/close" in plain.url:
        save.tap()
    plain.wait_for_url("**/deals/1*")
    plain.goto(table)
    assert int(plain.locator(".score-number").first.inner_text()) > 8
    expect(plain.locator(".strip")).to_contain_text("Deal 2")
