"""Lines of the table's own by thumb: set up with the rules, said in a closing, corrected, and kept without signal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from types import MappingProxyType
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from .conftest import Phone
from .test_going_on import Away, Bar, closed, find, keep, lose, ready, to_close
from .test_no_signal import keeps_pages, nothing_waits
from .waiting import tap

NAMES = ("Ana", "Beto", "Cata", "Dani", "Eva")
OWN = {
    "own_name-0": "Napola",
    "own_points-0": "3",
    "own_how-0": "one",
    "own_name-1": "Re bello",
    "own_points-1": "2",
    "own_how-1": "count",
}


def opened(phone: Phone, players: int = 2, told: Mapping[str, str] = MappingProxyType({}), **fields: str) -> str:
    """Open a table with both lines by one post of its form."""
    return phone.open_table(*NAMES[:players], typed={**OWN, **told}, **fields)


def give(phone: Phone, item: str, taker: str) -> None:
    phone.page.locator(f"#row-{item} .cell:has([value='{taker}'])").tap()
    phone.rest()


def add(phone: Phone, item: str, side: str) -> None:
    phone.page.locator(f".count-cell:has([name='{item}-{side}']) .step").tap()
    phone.rest()


def test_both_kinds_are_set_up_behind_the_rules(phone: Phone) -> None:
    page = phone.page
    page.goto("/tables/new?game=scopa")
    phone.rest()
    page.locator("#game-and-rules > summary").tap()
    page.locator("#own-lines > summary").tap()
    expect(page.locator("#own_name-1")).to_be_hidden()
    page.fill("#own_name-0", "Napola")
    page.fill("#own_name-1", "Re bello")
    page.locator("label:has([name='own_how-1'][value='count'])").tap()
    expect(page.locator("#own-names")).to_have_text("+ Napola, Re bello")
    for seat, name in enumerate(NAMES[:2]):
        page.fill(f"#player-{seat}", name)
    tap(page.get_by_role("button", name="Start", exact=True))
    page.goto(page.url + "/matches/1/rules")
    expect(page.locator(".here-agreed")).to_contain_text("Re bello +1, as many as made")


@pytest.mark.parametrize(("shape", "players"), [("2x1", 2), ("3x1", 3), ("4x1", 4), ("2x2", 4)])
def test_a_scopa_is_closed_with_both_by_thumb(phone: Phone, shape: str, players: int) -> None:
    table = opened(phone, players, game="scopa", shape=shape)
    phone.page.goto(table + "/matches/1/deals/1/close")
    phone.rest()
    add(phone, "own_2", "B")
    add(phone, "own_2", "B")
    give(phone, "own_1", "A")
    tap(phone.page.locator("[name='others'][value='A']"))
    phone.page.goto(table + "/matches/1/deals/1")
    expect(phone.page.locator(".sheet .sentence", has_text="Napola: ").first).to_contain_text("3 points")
    expect(phone.page.locator(".sheet .sentence", has_text="Re bello: ").first).to_contain_text("4 points")


@pytest.mark.parametrize(
    ("game", "typed"),
    [
        ("brisca", {"card_points-A": "70", "card_points-B": "50"}),
        ("carioca", {"left_points-A": "20", "left_points-B": "35"}),
        ("free", {"points-A": "7", "points-B": "4"}),
    ],
)
def test_a_deal_told_in_numbers_waits_for_what_one_takes(phone: Phone, game: str, typed: dict[str, str]) -> None:
    page = phone.page
    table = opened(phone, game=game)
    page.goto(table + "/matches/1/deals/1/close")
    phone.rest()
    if game == "carioca":
        page.locator(".cell.out:has([name='went_out'][value='A'])").tap()
        typed = {"left_points-B": typed["left_points-B"]}
    for name, value in typed.items():
        page.fill(f"[name='{name}']", value)
    expect(page.locator("#close-foot")).to_contain_text("Still to be said: Napola.")
    add(phone, "own_2", "A")
    give(phone, "own_1", "nobody")
    tap(page.locator("#close-foot [value='save']"))
    page.goto(table + "/matches/1/deals/1")
    expect(page.locator(".sheet .sentence", has_text="Napola: ").first).to_contain_text("nobody")
    expect(page.locator(".sheet .sentence", has_text="Re bello: ").first).to_contain_text("2 points")


def test_a_cell_that_is_tapped_again_leaves_the_line_open(phone: Phone) -> None:
    table = opened(phone, game="scopa")
    phone.page.goto(table + "/matches/1/deals/1/close")
    phone.rest()
    give(phone, "own_1", "A")
    expect(phone.page.locator("#close-foot")).to_contain_text("4 to say")
    give(phone, "own_1", "A")
    expect(phone.page.locator("#close-foot")).to_contain_text("5 to say")


class TestWithoutSignal:
    """The form that a phone keeps has the rows, and what is tapped there is what the server writes."""

    @pytest.fixture
    def phone(self, browser: Browser, browser_context_args: dict[str, Any], server: str) -> Iterator[Away]:
        with ExitStack() as stack:
            phone = Bar(browser, server, keeps_pages(browser_context_args), stack).phone()
            yield phone
            phone.page.context.close()
            assert phone.errors == []

    def test_a_scopa_is_closed_and_its_sheet_is_the_same(self, phone: Away, server: str) -> None:
        address = opened(phone, game="scopa")
        ready(phone)
        lose(phone)
        to_close(phone)
        for item, side in (("cards", "A"), ("coins", "B"), ("seven_of_coins", "A"), ("prime", "B")):
            give(phone, item, side)
        expect(phone.page.locator("#close-foot")).to_contain_text("at least")
        give(phone, "own_1", "B")
        add(phone, "own_2", "A")
        add(phone, "own_2", "A")
        expect(phone.page.locator("#close-foot b")).to_have_text("Entered here: 6–5")
        keep(phone)
        expect(phone.page.locator(".score-number.provisional")).to_have_text(["6", "5"])
        find(phone)
        nothing_waits(phone.page)
        expect(phone.page.locator(".score-number.provisional")).to_have_count(0)
        assert phone.totals() == ["6", "5"]
        assert closed(address, server) == [(1, "deal_closed")]
        phone.page.goto(address + "/matches/1/deals/1")
        sentences = phone.page.locator(".sheet .sentence")
        expect(sentences.filter(has_text="Napola: ").first).to_contain_text("Beto, 3 points")
        expect(sentences.filter(has_text="Re bello: ").first).to_contain_text("Ana, 4 points")

    def test_a_round_of_carioca_is_closed_and_its_sheet_is_the_same(self, phone: Away, server: str) -> None:
        address = opened(phone, game="carioca")
        ready(phone)
        lose(phone)
        to_close(phone)
        phone.page.locator(".cell.out:has([name='went_out'][value='A'])").tap()
        phone.page.fill("[name='left_points-B']", "35")
        give(phone, "own_1", "nobody")
        add(phone, "own_2", "B")
        expect(phone.page.locator("#close-foot b")).to_have_text("Entered here: 0–37")
        keep(phone)
        find(phone)
        nothing_waits(phone.page)
        expect(phone.page.locator(".provisional")).to_have_count(0)
        assert closed(address, server) == [(1, "deal_closed")]
        phone.page.goto(address + "/matches/1/deals/1")
        sentences = phone.page.locator(".sheet .sentence")
        expect(sentences.filter(has_text="Napola: ").first).to_contain_text("nobody")
        expect(sentences.filter(has_text="Re bello: ").first).to_contain_text("Beto, 2 points")


def test_a_call_that_is_told_by_hand_is_closed_with_both(phone: Phone) -> None:
    page = phone.page
    names = {"preset": "chiamata", "shape": "5x1"}
    table = opened(phone, 5, game="brisca", told={"opt-chiamata_scores": '"manual"'}, **names)
    page.goto(table + "/matches/1/deals/1/close")
    phone.rest()
    phone.look("own-chiamata")
    for name, value in (("bidder", "A"), ("partner", "B")):
        page.locator(f"label:has([name='{name}'][value='{value}'])").tap()
    for side in "ABCDE":
        page.fill(f"[name='points-{side}']", "1")
    expect(page.locator("#close-foot")).to_contain_text("Still to be said: Napola.")
    add(phone, "own_2", "D")
    give(phone, "own_1", "C")
    tap(page.locator("#close-foot [value='save']"))
    page.goto(table + "/matches/1/deals/1")
    expect(page.locator(".sheet .sentence", has_text="Napola: ").first).to_contain_text("Cata, 3 points")
    expect(page.locator(".sheet .sentence", has_text="Re bello: ").first).to_contain_text("Dani, 2 points")


def test_a_pad_that_counts_at_once_asks_who_took_one_before_the_match_ends(phone: Phone) -> None:
    page = phone.page
    table = opened(phone, game="free", told={"opt-target": "10", "opt-count": '"at_once"'})
    page.goto(table)
    phone.rest()
    for _tap in range(2):
        tap(page.locator("#tap-A-5"))
        phone.rest()
    expect(page.locator(".strip")).to_contain_text("close the round and say who took Napola")
    tap(page.locator(".gold[href$='/close']"))
    give(phone, "own_1", "A")
    tap(page.locator("#close-foot [value='save']"))
    page.goto(table)
    expect(page.locator(".winner")).to_contain_text("Ana")
