"""A link renewed while taps wait: they go out with the key of today, once the phone has opened the new link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from .conftest import Phone
from .test_no_signal import journal, nothing_waits, tap, waits

pytestmark = pytest.mark.whole


def renew(page: Page, table: str) -> str:
    """Make a new link to play, as the keeper of the table does; return it."""
    page.goto(f"{table}/owner")
    page.locator("#play").get_by_role("link", name="Make a new link").tap()
    page.get_by_role("button", name="Make the new link").tap()
    page.get_by_text("The new link is here").wait_for()
    return page.locator("#link-play").input_value()


def test_what_waited_goes_out_with_the_new_link(phone: Phone, server: str) -> None:
    phone.may_get(404)
    table = phone.open_table("Ana", "Beto")
    page, context = phone.page, phone.page.context
    page.wait_for_load_state("load")
    keeper = context.new_page()
    page.route("**/sweep", lambda route: route.abort())
    page.route("**/api/v1/entries", lambda route: route.abort())
    for side in "ABA":
        tap(page, side)
    waits(page, 3)
    new = renew(keeper, table)
    page.unroute("**/api/v1/entries")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#waiting summary")).to_have_text("3 to settle")

    page.goto(new)
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(3)
    assert [one["payload"]["side"] for one in journal(server, new)[1:]] == ["A", "B", "A"]


def test_what_waits_goes_out_at_once_where_the_new_link_is_known(phone: Phone, server: str) -> None:
    phone.may_get(404)
    table = phone.open_table("Ana", "Beto")
    page, context = phone.page, phone.page.context
    page.wait_for_load_state("load")
    page.route("**/sweep", lambda route: route.abort())
    page.route("**/api/v1/entries", lambda route: route.abort())
    tap(page, "A")
    waits(page, 1)
    keeper = context.new_page()
    new = renew(keeper, table)
    keeper.goto(new)
    expect(keeper.locator(".log li")).to_have_count(1)
    expect(page.locator("#waiting")).to_be_hidden()
    assert [one["kind"] for one in journal(server, new)] == ["match_started", "swept"]
