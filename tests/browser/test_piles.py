"""Cards tapped into piles: what a pile comes to is there at once, also without signal, and one tap gives the rest."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from ..helpers.pile_cases import TABLES
from .conftest import Phone
from .waiting import drawn, tap

pytestmark = pytest.mark.whole

PILE_OF_ANA = (
    *("10B", "10C", "10O", "12B", "12C", "1C", "2O", "3C", "4B"),
    *("4E", "4O", "5B", "5C", "6E", "6O", "7C", "7E", "7O"),
)
"""Eighteen cards that add to 105, five coins, the seven of coins, a prime of 26 against 23."""


def open_cards(phone: Phone, *names: str, **fields: str) -> None:
    phone.open_table(*names, **fields)
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    phone.rest()


def card(phone: Phone, pile: str, code: str) -> Locator:
    return phone.page.locator(f"[name='pile-{pile}'][value='{code}']")


def tile(phone: Phone, pile: str, code: str) -> Locator:
    return phone.page.locator(f".of-cards[data-pile='{pile}'] .tile:has([value='{code}'])")


def test_a_pile_is_added_up_without_signal(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    phone.page.context.set_offline(True)
    for code in ("7O", "6C", "5B", "10E"):
        card(phone, "A", code).tap()
    expect(phone.page.locator("#sum-A")).to_contain_text("4 cards · 1 coin · adds up to 26")
    expect(phone.page.locator("#sum-A")).to_contain_text("One card too many or too few: 15, 25 or 30.")
    card(phone, "A", "4C").tap()
    expect(phone.page.locator("#sum-A")).to_contain_text("Exact: 30 is two fifteens.")
    phone.page.context.set_offline(False)


FILL = """([piles, given, rest]) => {
    for (const box of document.querySelectorAll("[name='rest']")) box.checked = box.value === rest;
    for (const box of document.querySelectorAll(".of-cards .tile input")) {
        box.checked = (piles[box.closest(".pile").dataset.pile] || []).includes(box.value);
    }
    for (const field of document.querySelectorAll("[name^='as-']")) field.value = given[field.name.slice(3)] || "";
    document.body.dispatchEvent(new CustomEvent("htmx:afterSettle", { bubbles: true }));
}"""
"""Tap a case in at once, and have the page draw as it does after an answer: no tap is sent."""
TOLD = """pile => ["cards", "coins", "sum", "check"].map(
    (name) => document.querySelector(`.foot [data-pile='${pile}'] [data-sum='${name}']`).textContent.trim())"""


ITALIAN = ("denaro", "denari")
COINS = {"scopa": ITALIAN, "cirulla": ITALIAN, "chorizo": ("coin", "coins")}
"""What one and several of the first suit are called, by the game."""


@pytest.mark.parametrize(
    "table", [*list(TABLES)[:1], *(pytest.param(table, marks=pytest.mark.whole) for table in list(TABLES)[1:])]
)
def test_the_script_says_of_a_sum_what_the_server_says(phone: Phone, table: str) -> None:
    agreed, cases = TABLES[table]
    open_cards(phone, "Ana", "Beto", **agreed)
    for case in cases:
        cards, coins, total, verdict = case.told
        suit = COINS[agreed["game"]][coins != 1]
        counted = [
            f"{cards} card{'s' * (cards != 1)}",
            f"{coins} {suit}",
            f"adds up to {total}",
        ]
        phone.page.evaluate(FILL, [case.piles, case.given, case.rest])
        said = phone.page.evaluate(TOLD, case.pile)
        assert said == [*counted, verdict], case.name


def test_the_smaller_pile_and_one_tap_for_the_rest(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    for code in PILE_OF_ANA:
        card(phone, "A", code).tap()
    phone.page.locator("[name='rest'][value='B']").tap()
    phone.wait_for_sheet()
    assert phone.totals() == ["2", "5"]


def test_a_pile_that_decides_everything_is_not_saved_under_the_thumb(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    for code in (*(f"{rank}{suit}" for suit in "OB" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)), "7C"):
        card(phone, "A", code).tap()
    expect(phone.page.locator("#cards-save")).to_contain_text("Save")
    with phone.page.expect_response("**/close") as answer:
        card(phone, "A", "3C").tap()
    assert "hx-redirect" not in answer.value.headers
    phone.page.locator("[name='rest'][value='B']").tap()
    phone.wait_for_sheet()


def test_a_wrong_card_is_one_tap_to_move_and_carries_its_owners_sign(phone: Phone) -> None:
    open_cards(phone, "Ana", "Andrea")
    card(phone, "A", "7O").tap()
    phone.page.locator("[name='tab'][value='B']").tap()
    assert "owned side-1" in (tile(phone, "B", "7O").get_attribute("class") or "")
    expect(card(phone, "B", "7O")).to_have_attribute("aria-label", "7 of coins, Ana")
    card(phone, "B", "7O").tap()
    expect(card(phone, "A", "7O")).not_to_be_checked()
    expect(card(phone, "B", "7O")).to_have_attribute("aria-label", "7 of coins, Andrea")


def test_a_card_that_moved_over_by_mistake_is_taken_back_by_name(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    card(phone, "A", "7O").tap()
    phone.page.locator("[name='tab'][value='B']").tap()
    card(phone, "B", "7O").tap()
    notice = phone.page.locator(".moved")
    expect(notice).to_contain_text("7 of coins was of Ana")
    notice.get_by_role("button", name="Undo").tap()
    expect(card(phone, "A", "7O")).to_be_checked()
    expect(card(phone, "B", "7O")).not_to_be_checked()
    phone.look("moved over and back")


def test_one_tap_gives_no_side_all_forty_cards_unasked(phone: Phone) -> None:
    phone.open_table("Lola", "Paco", game="escoba")
    page = phone.page
    phone.follow("Close the deal")
    page.locator(".show-cards > summary").tap()
    with drawn(page, "**/close"):
        page.locator("[data-rest='B']").tap()
    expect(page.locator(".refused:visible").first).to_contain_text("Is that so? Without a card: Lola")
    expect(page).to_have_url(re.compile("/close"))
    phone.look("all forty are asked about")
    tap(page.locator("#cards-save .gold"))
    phone.wait_for_sheet()
    expect(page.locator("main")).to_contain_text("Paco 40")
