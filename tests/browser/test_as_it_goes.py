"""What goes otherwise than planned at a table, by thumb: each in a few taps, each with a way back."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone, screens
from .playing import entries, from_this_table
from .waiting import a_while, tap


def undo_last(phone: Phone) -> None:
    """Take back what stands first in the log of the board."""
    phone.rest()
    before = phone.page.locator(".log-text").count()
    # For a moment the board passes over taps on what has just moved.
    a_while(phone.page, 500)
    phone.page.locator(".log .undo").first.tap()
    expect(phone.page.locator(".log-text")).to_have_count(before - 1)


def test_everybody_sits_elsewhere_while_no_deal_is_closed(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", "Leo", "Cata", shape="2x2")
    other.join(table)
    from_this_table(phone, "Who plays")
    for seat, name in enumerate(("Cata", "Beto", "Ana", "Leo")):
        phone.page.fill(f"#player-{seat}", name)
    phone.page.locator("[name=first_dealer][value='3']").tap()
    phone.press("Sit so")
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Leo deals")
    expect(other.page.locator(".score-name").first).to_contain_text("Cata")
    screens("seated otherwise", phone, other)
    undo_last(phone)
    expect(phone.page.locator(".strip > a")).to_have_text("Deal 1 · Ana deals")


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
