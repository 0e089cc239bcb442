"""What tables ask for by thumb: targets as chips, Carioca's own rounds and worths, the trumps of a deal of Brisca."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import drawn, tap

NAMES = ("Ana", "Beto", "Leo", "Cata", "Eva", "Rina")


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


@pytest.mark.parametrize(("game", "numbers", "chosen"), [("scopa", [11, 16, 21], 16), ("chkobba", [11, 21, 31], 31)])
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


def test_a_royal_straight_is_played_in_its_round(phone: Phone) -> None:
    open_rules(phone, "/tables/new?game=carioca")
    phone.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    phone.page.get_by_label("Royal straight").check()
    phone.page.get_by_role("group", name="A joker costs").get_by_label("25", exact=True).tap()
    phone.page.get_by_role("group", name="An ace costs").get_by_label("15", exact=True).tap()
    assert phone.fits()
    seat_and_start(phone, "Ana", "Beto")
    strip = phone.page.locator(".strip")
    for number in range(1, 9):
        expect(strip).to_contain_text(f"Round {number} of 9")
        if number == 8:
            expect(strip).to_contain_text("royal straight · 13 cards · cut 27")
        phone.follow("Close the round")
        phone.page.locator("[name='went_out'][value='A']").tap()
        phone.page.get_by_role("button", name="Cards", exact=True).tap()
        for rank in ("A", "X"):
            phone.page.locator(f".hand-keys[data-keys=cards] [data-type='{rank}']").tap()
        expect(phone.page.locator(".hand[data-side='B'] .left-sum")).to_have_text("40")
        phone.press("Save the round")
        phone.wait_for_sheet()
        tap(phone.page.locator(".foot .gold"))
        strip.wait_for()
    assert phone.totals() == ["0", str(8 * 40)]


@pytest.mark.parametrize("shape", ["2x1", "3x1", "2x2", "2x3"])
@pytest.mark.parametrize("taps", [True, False])
def test_brisca_is_closed_with_and_without_its_trumps(phone: Phone, shape: str, taps: bool) -> None:
    sides, each = map(int, shape.split("x"))
    phone.open_table(*NAMES[: sides * each], game="brisca", shape=shape)
    suits = phone.page.get_by_role("group", name="Trumps")
    if taps:
        with drawn(phone.page, "**/trump"):
            tap(suits.get_by_role("button", name="cups"))
        expect(suits.get_by_role("button", pressed=True)).to_have_accessible_name("cups")
        expect(phone.page.locator(".strip")).to_contain_text("trumps: cups")
    assert phone.fits()
    phone.follow("Close the deal")
    points = {2: ("70",), 3: ("70", "30")}[sides]
    for field, number in zip(phone.page.locator("[name^=card_points-]").all(), points, strict=False):
        field.fill(number)
    phone.press("Save the deal")
    phone.wait_for_sheet()
    tap(phone.page.get_by_role("link", name=re.compile(r"^Deal 2")))
    assert phone.totals()[0] == "1"
    expect(suits.get_by_role("button", pressed=True)).to_have_count(0)


def test_trumps_are_changed_and_taken_back_by_a_tap(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca", shape="2x1")
    suits = phone.page.get_by_role("group", name="Trumps")
    for name, pressed in (("cups", ["cups"]), ("clubs", ["clubs"]), ("clubs", [])):
        with drawn(phone.page, "**/trump"):
            tap(suits.get_by_role("button", name=name))
        expect(suits.get_by_role("button", pressed=True)).to_have_count(len(pressed))
        for each in pressed:
            expect(suits.get_by_role("button", pressed=True)).to_have_accessible_name(each)


def test_trumps_tapped_on_the_board_are_chosen_in_the_closing_of_a_mariaje(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca", preset="mariaje", shape="2x1")
    with drawn(phone.page, "**/trump"):
        tap(phone.page.get_by_role("group", name="Trumps").get_by_role("button", name="swords"))
    phone.follow("Close the deal")
    expect(phone.page.locator("[name=trump][value=E]")).to_be_checked()


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


def test_a_chiamata_is_set_up_to_eleven(phone: Phone) -> None:
    open_rules(phone, "/tables/new?game=brisca&preset=chiamata&shape=5x1")
    expect(phone.page.locator("[data-number][aria-pressed=true]")).to_have_text("11")
    seat_and_start(phone, *NAMES[:5])
    expect(phone.page.locator("h1")).to_contain_text("Chiamata to 11")
    with drawn(phone.page, "**/trump"):
        tap(phone.page.get_by_role("group", name="Trumps").get_by_role("button", name="denari"))
    expect(phone.page.locator(".strip")).to_contain_text("trumps: denari")
    assert phone.fits()
