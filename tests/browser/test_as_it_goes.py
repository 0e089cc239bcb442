"""What goes otherwise than planned at a table, by thumb: each in a few taps, each with a way back."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone
from .playing import entries, from_this_table
from .waiting import tap


def test_without_signal_all_of_it_waits_and_arrives_once(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    context = phone.page.context
    tap(phone.page.locator(".strip > a"))
    phone.page.locator("#dealt").wait_for()
    context.set_offline(True)
    phone.page.locator("#dealt").get_by_role("button", name="Beto").tap()
    expect(phone.page.locator("#waiting summary")).to_have_text("1 entry waits for signal")
    context.set_offline(False)
    phone.page.goto(table)
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Beto deals")
    from_this_table(phone, "Add or take points")
    phone.page.locator("[name=side][value=A]").tap()
    phone.page.fill("#points", "3")
    phone.page.fill("#reason", "a head start")
    context.set_offline(True)
    phone.press("Note it")
    expect(phone.page.locator("#waiting summary")).to_have_text("1 entry waits for signal")
    context.set_offline(False)
    phone.page.goto(table)
    expect(phone.page.locator(".log-text").first).to_have_text("+3 for Ana: a head start")
    assert [entry.kind for entry in entries(table)] == ["match_started", "dealt", "adjusted"]
