"""The referee on a phone: tapped cards answer at once, and the address tells anybody the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .axe import faults
from .conftest import Phone

PRIMES = "/prime?method=face&pile-A=7O&pile-A=6C&pile-A=6E&pile-A=5B&pile-B=7C&pile-B=7E&pile-B=7B&pile-B=2O"
CAPTURES = "/captures?game=chorizo&layout=1O&layout=3C&layout=4E&layout=7B&card=4O"


def open_tab(phone: Phone, tab: str) -> None:
    phone.page.locator(f"[name='tab'][value='{tab}']").tap()


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


def test_a_dispute_is_settled_by_tapping_the_cards(phone: Phone) -> None:
    phone.page.goto("/")
    phone.follow("Prime")
    tap(phone, "pile-A", "7O", "6C", "6E", "5B")
    tap(phone, "pile-B", "2O", "7C", "7E", "7B")
    expect(verdict(phone)).to_contain_text("I win, 24–23")
    expect(verdict(phone)).to_be_in_viewport()
    phone.page.select_option("#method", "italian")
    expect(verdict(phone)).to_contain_text("The other wins, 75–72")
    expect(phone.page.locator(".prime-total")).to_have_text(["72", "75"])
    expect(phone.page.locator(".worth")).to_have_text(["21", "18", "18", "15", "12", "21", "21", "21"])
    assert phone.fits()


def test_every_place_stays_while_cards_are_picked(phone: Phone) -> None:
    phone.page.goto("/prime")

    def places() -> list[object]:
        return [each.bounding_box() for each in phone.page.locator(".slot, #sum .button, .back").all()]

    before = places()
    for pile, card in (("A", "7O"), ("A", "12C"), ("A", "6E"), ("A", "5B"), ("B", "2O")):
        tap(phone, f"pile-{pile}", card)
        phone.page.wait_for_url(f"**pile-{pile}={card}**")
        assert places() == before


def test_the_sides_have_names(phone: Phone) -> None:
    phone.page.goto(PRIMES)
    phone.page.get_by_label("Name of Me").fill("Ana")
    phone.page.get_by_label("Name of Me").blur()
    expect(verdict(phone)).to_contain_text("Ana wins, 24–23")
    phone.page.wait_for_url("**name-A=Ana**")


def test_the_address_can_be_sent(phone: Phone, browser: Browser, browser_context_args: dict[str, Any]) -> None:
    phone.page.goto("/prime")
    tap(phone, "pile-A", "7O", "6C")
    expect(verdict(phone)).to_contain_text("13")
    phone.page.wait_for_url("**pile-A=6C**")
    other = browser.new_context(**browser_context_args)
    page = other.new_page()
    page.goto(phone.page.url)
    expect(page.locator("#sum")).to_contain_text("13")
    expect(page.locator("[name='pile-A']:checked")).to_have_count(2)
    other.close()


def test_back_leads_to_the_question_before(phone: Phone) -> None:
    phone.page.goto("/prime")
    tap(phone, "pile-A", "7O")
    phone.page.wait_for_url("**pile-A=7O**")
    tap(phone, "pile-A", "6C")
    phone.page.wait_for_url("**pile-A=6C**")
    phone.page.go_back()
    expect(phone.page.locator("[name='pile-A']:checked")).to_have_count(1)
    expect(verdict(phone)).to_contain_text("7")


def test_a_card_tapped_for_one_side_leaves_the_other(phone: Phone) -> None:
    phone.page.goto("/prime?pile-A=7O&pile-A=6C")
    open_slot(phone, "B-O")
    tap(phone, "pile-B", "7O")
    expect(verdict(phone)).to_contain_text("The other wins, 7–6")
    assert asked(phone, "pile-A") == ["6C"]


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


def test_a_third_side_joins_and_the_cards_stay(phone: Phone) -> None:
    phone.page.goto(PRIMES)
    phone.page.locator("[name='sides'][value='3']").tap()
    expect(phone.page.locator(".prime-side")).to_have_count(3)
    tap(phone, "pile-C", "6O", "4C")
    expect(verdict(phone)).to_contain_text("I win, 24–23–10")


def test_the_sets_that_a_card_takes(phone: Phone) -> None:
    phone.page.goto("/captures")
    tap(phone, "layout", "1O", "3C", "4E")
    tap(phone, "layout", "7B")
    open_tab(phone, "B")
    tap(phone, "card", "11O")
    expect(verdict(phone)).to_contain_text("takes nothing")
    tap(phone, "card", "4O")
    expect(verdict(phone)).to_contain_text("one of 2 sets")
    expect(verdict(phone)).to_contain_text("must take")
    expect(phone.page.locator(".capture-sets > li")).to_have_count(2)
    assert asked(phone, "card") == ["4O"]
    assert phone.fits()


def test_the_game_changes_and_the_cards_stay(phone: Phone) -> None:
    phone.page.goto("/captures?layout=12O&layout=5C")
    phone.page.select_option("#game", "cirulla")
    expect(phone.page.locator("[name='tab']")).to_have_count(3)
    open_tab(phone, "B")
    tap(phone, "card", "1E")
    expect(verdict(phone)).to_contain_text("can take")
    expect(verdict(phone)).to_contain_text("and that is a scopa")
    phone.page.select_option("#game", "scopa_d_assi")
    expect(phone.page.locator("#verdict")).to_contain_text("that scores nothing at this table")


def test_a_house_rule_changes_the_answer(phone: Phone) -> None:
    phone.page.goto("/captures?game=scopa&layout=5O&layout=2C&card=7E")
    expect(verdict(phone)).to_contain_text("must take")
    phone.page.locator("details.house-rules > summary").tap()
    phone.page.select_option("#opt-obligation", label="the equal only")
    expect(verdict(phone)).to_contain_text("a sum may be left lying")
    expect(phone.page.locator("#opt-obligation")).to_be_visible()


def test_the_rules_lead_to_the_referee(phone: Phone) -> None:
    phone.page.goto("/rules")
    phone.follow("Cirulla")
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Cirulla")
    phone.follow("Compare two of them")
    expect(phone.page.locator("[name='suits']")).to_be_checked()
    expect(phone.page.locator("#method")).to_have_value("italian")


@pytest.fixture
def plain(browser: Browser, browser_context_args: dict[str, Any]) -> Iterator[Page]:
    """A phone without script."""
    context = browser.new_context(**{**browser_context_args, "java_script_enabled": False})
    yield context.new_page()
    context.close()


def test_the_prime_without_script(plain: Page) -> None:
    plain.goto("/prime")
    plain.locator("[name='pile-A'][value='7O']").tap()
    plain.locator("[name='slot'][value='B-C']").tap()
    plain.locator("[name='pile-B'][value='6C']").tap()
    plain.get_by_role("button", name="Compare").tap()
    expect(plain.locator("#sum")).to_contain_text("I win, 7–6")
    expect(plain.locator("[name='pile-B'][value='6C']")).to_be_checked()


def test_captures_without_script(plain: Page) -> None:
    plain.goto("/captures")
    plain.select_option("#game", "scopa")
    plain.get_by_role("button", name="Show").tap()
    plain.locator("[name='layout'][value='7O']").tap()
    plain.locator("[name='tab'][value='B']").tap()
    plain.locator("[name='card'][value='7O']").tap()
    plain.get_by_role("button", name="Show").tap()
    expect(plain.locator("#sum .bad")).to_contain_text("7 di denari is on the table and played")
    plain.locator("[name='card'][value='7O']").tap()
    plain.locator("[name='card'][value='7E']").tap()
    plain.get_by_role("button", name="Show").tap()
    expect(plain.locator("#sum")).to_contain_text("can take")


def test_the_referee_and_the_rules_are_accessible(phone: Phone) -> None:
    found = []
    for path in (PRIMES, CAPTURES, "/rules", "/rules/chorizo", "/rules/brisca"):
        phone.page.goto(path)
        assert phone.fits(), path
        found += faults(phone.page)
    assert found == []


@pytest.mark.parametrize("path", [PRIMES, CAPTURES])
def test_every_card_and_tab_is_large_enough_for_a_thumb(phone: Phone, path: str) -> None:
    phone.page.goto(path)
    for target in ("label.tile:visible", ".slot", ".segment", "select:visible", ".button:visible", ".back"):
        for box in (each.bounding_box() for each in phone.page.locator(target).all()):
            assert box
            assert min(box["width"], box["height"]) >= 44
