"""What tables ask for by thumb: targets as chips, Carioca's own rounds and worths, the trumps of a deal of Brisca."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap

pytestmark = pytest.mark.whole


def open_rules(phone: Phone, address: str) -> None:
    """Open the set-up at its rules, as they are on a new table."""
    phone.page.goto(address)
    phone.rest()
    phone.page.locator("#game-and-rules > summary").tap()


def seat_and_start(phone: Phone, *names: str) -> None:
    """Seat players, and begin the match."""
    for seat, name in enumerate(names):
        phone.page.fill(f"#player-{seat}", name)
    tap(phone.page.get_by_role("button", name="Start", exact=True))
    expect(phone.page).to_have_url(re.compile(r"/t/[^/]+$"))


@pytest.mark.parametrize(("game", "numbers", "chosen"), [("scopa", [11, 16, 21], 16)])
def test_a_target_is_one_tap_in_the_set_up(phone: Phone, game: str, numbers: list[int], chosen: int) -> None:
    open_rules(phone, f"/tables/new?game={game}")
    chips = phone.page.locator("[data-number]")
    expect(chips).to_have_text([str(number) for number in numbers])
    chips.filter(has_text=str(chosen)).tap()

    expect(phone.page.locator("[data-number][aria-pressed=true]")).to_have_text(str(chosen))
    expect(phone.page.locator("#game-and-rules > summary")).to_contain_text(f"to {chosen}")
    assert phone.fits()
    seat_and_start(phone, "Ana", "Beto")
    expect(phone.page.locator("h1")).to_contain_text(f"to {chosen}")


def test_a_chip_follows_a_number_that_is_typed(phone: Phone) -> None:
    open_rules(phone, "/tables/new?game=scopa")
    phone.page.fill("#opt-target", "21")
    expect(phone.page.locator("[data-number][aria-pressed=true]")).to_have_text("21")
    phone.page.fill("#opt-target", "20")
    expect(phone.page.locator("[data-number][aria-pressed=true]")).to_have_count(0)


def test_a_tap_without_signal_is_shown_and_counted_in_the_closing(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca", preset="mariaje", shape="2x1")
    phone.rest()
    phone.page.route("**/trump", lambda route: route.abort())
    phone.page.route("**/api/v1/entries", lambda route: route.abort())
    suits = phone.page.get_by_role("group", name="Trumps")
    suits.get_by_role("button", name="swords").tap()
    expect(suits.get_by_role("button", pressed=True)).to_have_accessible_name("swords")
    expect(phone.page.locator("#waiting")).to_contain_text("Trumps: swords")
    suits.get_by_role("button", name="swords").tap()
    expect(suits.get_by_role("button", pressed=True)).to_have_count(0)
    suits.get_by_role("button", name="swords").tap()
    expect(suits.get_by_role("button", pressed=True)).to_have_accessible_name("swords")
    phone.follow("Close the deal")
    expect(phone.page.locator("[name=trump][value=E]")).to_be_checked()
