"""The referee on a phone: tapped cards answer at once, and the address tells anybody the same."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Phone

pytestmark = pytest.mark.whole


def tap(phone: Phone, pile: str, *cards: str) -> None:
    """Tap cards of a grid one after another, as fast as a thumb can."""
    for card in cards:
        phone.page.locator(f"[name='{pile}'][value='{card}']").tap()


def open_slot(phone: Phone, slot: str) -> None:
    """Tap the place of a side's best card of a suit, "B-O"."""
    phone.page.locator(f"[name='slot'][value='{slot}']").tap()


def verdict(phone: Phone) -> Locator:
    return phone.page.locator("#sum")


def asked(phone: Phone, name: str) -> list[str]:
    """Return what the address says under a name."""
    return parse_qs(urlsplit(phone.page.url).query).get(name, [])


def test_every_place_stays_while_cards_are_picked(phone: Phone) -> None:
    phone.page.goto("/prime")

    def places() -> list[object]:
        return [each.bounding_box() for each in phone.page.locator(".slot, #sum .button, .back").all()]

    before = places()
    for pile, card in (("A", "7O"), ("A", "12C"), ("A", "6E"), ("A", "5B"), ("B", "2O")):
        tap(phone, f"pile-{pile}", card)
        phone.page.wait_for_url(f"**pile-{pile}={card}**")
        assert places() == before


def test_back_leads_to_the_question_before(phone: Phone) -> None:
    phone.page.goto("/prime")
    tap(phone, "pile-A", "7O")
    phone.page.wait_for_url("**pile-A=7O**")
    tap(phone, "pile-A", "6C")
    phone.page.wait_for_url("**pile-A=6C**")
    phone.page.go_back()
    expect(phone.page.locator("[name='pile-A']:checked")).to_have_count(1)
    expect(verdict(phone)).to_contain_text("7")


def test_a_place_holds_one_card_and_is_emptied_by_a_second_tap(phone: Phone) -> None:
    phone.page.goto("/prime?pile-A=7O&pile-B=5C")
    open_slot(phone, "A-O")
    tap(phone, "pile-A", "6O")
    phone.page.wait_for_url("**pile-A=6O**")
    assert asked(phone, "pile-A") == ["6O"]
    open_slot(phone, "A-O")
    tap(phone, "pile-A", "6O")
    expect(verdict(phone)).to_contain_text("Still to come: Me")
    assert asked(phone, "pile-A") == []
