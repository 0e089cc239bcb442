"""Declaring by thumb: the sum stands in the foot, what was only said is ticked, and the foot keeps its height."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Phone

pytestmark = pytest.mark.whole


def declaring(phone: Phone) -> Locator:
    """Open the page at a table of two, and return its foot."""
    phone.open_table("Ana", "Beto")
    phone.follow("Declare")
    return phone.page.locator(".foot")


def tap_cards(phone: Phone, *cards: str) -> None:
    for card in cards:
        phone.page.locator(f"[name='cards'][value='{card}']").tap()


def height(foot: Locator) -> float:
    box = foot.bounding_box()
    assert box
    return box["height"]


def test_the_foot_asks_who_declares_and_then_says_the_sum_at_one_height(phone: Phone) -> None:
    foot = declaring(phone)
    expect(foot).to_contain_text("Who declares?")
    before = height(foot)
    tap_cards(phone, "1O", "2O", "3O")
    expect(foot).to_contain_text("Who declares?")
    phone.page.locator("[name='side'][value='B']").tap()
    expect(foot).to_contain_text("Flush 3 + run 3 + misery for two 2")
    expect(foot.get_by_role("button", name="Declare 8")).to_be_in_viewport()
    assert height(foot) == before
    assert phone.fits()
