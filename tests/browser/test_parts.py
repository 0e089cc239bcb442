"""An answer to a tap in a closing form changes what the tap has changed, and nothing else is drawn anew."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import read

pytestmark = pytest.mark.whole

MARK = "for (const part of document.querySelectorAll('#closing [id], #close-foot')) part.drawnBefore = true"
"""Marks the parts that are there now: one that is drawn anew has no mark."""


def is_as_before(phone: Phone, id: str) -> bool:
    return bool(read(phone.page, f"document.getElementById('{id}').drawnBefore === true"))


def test_a_cell_that_was_tapped_is_drawn_anew_and_those_of_other_rows_stay(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.say("cards", "A")
    phone.page.evaluate(MARK)
    phone.say("coins", "B")
    expect(phone.page.locator("#close-foot")).to_contain_text("3 to say")
    assert not is_as_before(phone, "mark-coins-B")
    assert not is_as_before(phone, "close-foot")
    for untouched in ("mark-cards-A", "mark-prime-A", "state-prime", "deciding-ways"):
        assert is_as_before(phone, untouched), untouched


def test_a_row_that_somebody_takes_back_is_open_again_on_the_page(phone: Phone) -> None:
    """What the page itself has changed before the answer came is not taken for what the answer says."""
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.say("cards", "A")
    expect(phone.page.locator("#mark-cards-A.theirs")).to_have_count(1)
    phone.say("cards", "A")
    expect(phone.page.locator(".theirs")).to_have_count(0)
    expect(phone.page.locator("#close-foot")).to_contain_text("5 to say")
    phone.say("cards", "B")
    expect(phone.page.locator("#mark-cards-B.theirs")).to_have_count(1)
    expect(phone.page.locator("#close-foot")).to_contain_text("4 to say")
