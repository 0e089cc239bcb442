"""How many times a thumb touches the glass to close a deal on trust, counted on the glass itself."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from .conftest import Phone

pytestmark = pytest.mark.whole

COUNTER = """addEventListener("pointerdown", (event) => {
    if (event.isPrimary) sessionStorage.taps = 1 + Number(sessionStorage.taps || 0);
}, true)"""


def forget_taps(page: Page) -> None:
    page.evaluate("sessionStorage.removeItem('taps')")


def taps(page: Page) -> int:
    return int(page.evaluate("Number(sessionStorage.taps || 0)"))


@pytest.fixture
def counted(phone: Phone) -> Phone:
    """A phone that counts every touch of its glass, over all pages."""
    phone.page.context.add_init_script(COUNTER)
    return phone


def close(phone: Phone, lines: dict[str, str], rest: str, sweeps: tuple[str, ...] = ()) -> tuple[int, int]:
    """Close the deal as a quick thumb does; give the taps from the board on, and those on the closing page."""
    page = phone.page
    phone.rest()
    forget_taps(page)
    phone.follow("Close the deal")
    page.locator(".rest-row").wait_for()
    phone.rest()
    on_the_way = taps(page)
    for side in sweeps:
        page.locator(f".count-cell [data-for='sweeps-{side}']").tap()
    for item, taker in lines.items():
        page.locator(f"[name='award-{item}'][value='{taker}']").tap()
    page.locator(f"[name='others'][value='{rest}']").tap()
    phone.wait_for_sheet()
    return taps(page), taps(page) - on_the_way


def test_a_deal_of_chorizo_whose_sweeps_were_noted(counted: Phone) -> None:
    counted.open_table("Ana", "Beto")
    counted.sweep("A")
    counted.sweep("B")
    counted.sweep("A")
    assert close(counted, {"cards": "A", "two_of_clubs": "A"}, "B") == (4, 3)
    assert counted.totals() == ["7", "4"]


def test_a_deal_of_chorizo_with_level_cards(counted: Phone) -> None:
    """The worst case: two lines each, and one that is nobody's."""
    counted.open_table("Ana", "Beto")
    assert close(counted, {"cards": "nobody", "coins": "A", "two_of_clubs": "A"}, "B") == (5, 4)
    assert counted.totals() == ["5", "2"]


def test_three_sweeps_noted_at_the_end(counted: Phone) -> None:
    counted.open_table("Ana", "Beto")
    assert close(counted, {"cards": "A", "two_of_clubs": "A"}, "B", sweeps=("A", "A", "B")) == (7, 6)
    assert counted.totals() == ["7", "4"]
