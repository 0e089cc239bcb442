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

pytestmark = pytest.mark.whole

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

    @pytest.mark.whole
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
