"""From the first page to a match in play: the usual games by one tap, and partners where they sit."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone

pytestmark = pytest.mark.whole


def test_a_refused_start_says_it_in_the_foot_and_moves_nothing(phone: Phone) -> None:
    phone.page.goto("/tables/new?game=chorizo")
    phone.page.get_by_role("textbox", name="Player 1", exact=True).fill("Ana")
    targets = phone.page.locator("#agree :is(input:not([type=hidden]), select, .button, summary)")
    places = """all => all.filter((one) => one.checkVisibility() && !one.matches(".visually-hidden"))
        .map((one) => [one.name, one.value, ...Object.values(one.getBoundingClientRect().toJSON())])"""
    before = targets.evaluate_all(places)
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    expect(phone.page.get_by_role("alert")).to_have_text("Player 2: Who sits here?")
    assert targets.evaluate_all(places) == before
    phone.page.get_by_role("textbox", name="Player 2", exact=True).fill("Beto")
    expect(phone.page.get_by_role("alert")).to_have_count(0)


def started(phone: Phone) -> str:
    phone.page.get_by_role("button", name="Start", exact=True).tap()
    phone.page.wait_for_url(re.compile(r"/t/[^/]+$"))
    return phone.page.url


def test_a_known_player_takes_the_next_seat_by_a_tap_and_leaves_it_by_another(phone: Phone) -> None:
    table = phone.start("Ana", "Beto", "Leo", "Cata", shape="2x2")
    phone.page.goto(f"{table}/matches/new?game=scopa")
    phone.page.get_by_role("radio", name="2 players", exact=True).tap()
    expect(phone.page.get_by_role("combobox", name="Player 3", exact=True)).to_have_count(0)
    seats = phone.page.get_by_role("combobox", name=re.compile("^Player [12]$"))
    for seat in seats.all():
        seat.fill("")
    chips = phone.page.get_by_role("group", name="Who sits down?")
    chips.get_by_role("button", name="Leo", exact=True).tap()
    chips.get_by_role("button", name="Cata", exact=True).tap()
    for seat, name in enumerate(("Leo", "Cata")):
        expect(seats.nth(seat)).to_have_value(name)
    expect(chips.get_by_role("button", name="Leo", exact=True)).to_have_attribute("aria-pressed", "true")
    chips.get_by_role("button", name="Leo", exact=True).tap()
    chips.get_by_role("button", name="Ana", exact=True).tap()
    for seat, name in enumerate(("Ana", "Cata")):
        expect(seats.nth(seat)).to_have_value(name)
    started(phone)
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Scopa")
