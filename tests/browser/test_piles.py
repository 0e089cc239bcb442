"""Cards tapped into piles: what a pile comes to is there at once, also without signal, and one tap gives the rest."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from ..helpers.pile_cases import TABLES
from .conftest import Phone
from .test_match_to_21 import PILE_OF_ANA


def open_cards(phone: Phone, *names: str, **fields: str) -> None:
    phone.start(*names, **fields)
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    phone.page.wait_for_load_state("networkidle")


def card(phone: Phone, pile: str, code: str) -> Locator:
    return phone.page.locator(f"[name='pile-{pile}'][value='{code}']")


def tile(phone: Phone, pile: str, code: str) -> Locator:
    return phone.page.locator(f".pile[data-pile='{pile}'] .tile:has([value='{code}'])")


def test_a_pile_is_added_up_without_signal(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    phone.page.context.set_offline(True)
    for code in ("7O", "6C", "5B", "10E"):
        card(phone, "A", code).tap()
    expect(phone.page.locator("#sum-A")).to_contain_text("Cards 4 · Coins 1 · Sum 26")
    expect(phone.page.locator("#sum-A")).to_contain_text(
        "26: a pile of fifteens is 15 or 30, with the last cards 25 or 40"
    )
    card(phone, "A", "4C").tap()
    expect(phone.page.locator("#sum-A")).to_contain_text("✓ fifteens")
    phone.page.context.set_offline(False)
    phone.errors.clear()  # the browser notes the requests that found no network


FILL = """([piles, given]) => {
    for (const box of document.querySelectorAll(".pile input")) {
        box.checked = (piles[box.closest(".pile").dataset.pile] || []).includes(box.value);
    }
    for (const field of document.querySelectorAll("[name^='as-']")) field.value = given[field.name.slice(3)] || "";
    document.body.dispatchEvent(new CustomEvent("htmx:afterSettle", { bubbles: true }));
}"""
"""Tap a case in at once, and have the page draw as it does after an answer: no tap is sent."""
TOLD = """pile => ["cards", "coins", "sum", "check"].map(
    (name) => document.querySelector(`.pile[data-pile='${pile}'] [data-sum='${name}']`).textContent.trim())"""


@pytest.mark.parametrize(
    "table", [*list(TABLES)[:1], *(pytest.param(table, marks=pytest.mark.whole) for table in list(TABLES)[1:])]
)
def test_the_script_says_of_a_sum_what_the_server_says(phone: Phone, table: str) -> None:
    agreed, cases = TABLES[table]
    open_cards(phone, "Ana", "Beto", **agreed)
    for case in cases:
        phone.page.evaluate(FILL, [case.piles, case.given])
        assert phone.page.evaluate(TOLD, case.pile) == [str(each) for each in case.told], case.name


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
    expect(phone.page.locator("#close-foot")).to_contain_text("Save the deal")
    with phone.page.expect_response("**/close") as answer:
        card(phone, "A", "3C").tap()
    assert "hx-redirect" not in answer.value.headers
    phone.page.locator("[name='rest'][value='B']").tap()
    phone.wait_for_sheet()


def test_a_wrong_card_is_one_tap_to_move_and_carries_its_owners_initial(phone: Phone) -> None:
    open_cards(phone, "Ana", "Andrea")
    card(phone, "A", "7O").tap()
    phone.page.locator("[name='tab'][value='B']").tap()
    moved = tile(phone, "B", "7O")
    assert moved.evaluate("one => getComputedStyle(one, '::after').content") == '"Ana"'
    expect(card(phone, "B", "7O")).to_have_attribute("aria-label", "7 of coins, Ana")
    card(phone, "B", "7O").tap()
    expect(card(phone, "A", "7O")).not_to_be_checked()
    expect(card(phone, "B", "7O")).to_have_attribute("aria-label", "7 of coins")


def test_what_few_cards_decide_stands_out_and_what_decides_nothing_fades(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    assert "matters" in (tile(phone, "A", "2B").get_attribute("class") or "")
    assert "matters" not in (tile(phone, "A", "12E").get_attribute("class") or "")
    phone.say("cards", "A")
    phone.say("prime", "A")
    phone.say("two_of_clubs", "A")
    expect(phone.page.locator(".pile[data-pile='A'] .tile.faded")).not_to_have_count(0)
    assert "faded" in (tile(phone, "A", "12E").get_attribute("class") or "")
    assert "faded" not in (tile(phone, "A", "7O").get_attribute("class") or "")


def test_the_sevens_and_the_coins_come_first(phone: Phone) -> None:
    open_cards(phone, "Ana", "Beto")
    first = phone.page.locator(".pile[data-pile='A'] .tile input").evaluate_all(
        "boxes => boxes.slice(0, 5).map((box) => box.value)"
    )
    assert first == ["7O", "7C", "7E", "7B", "6O"]


def test_without_script_the_same_is_told(browser: Browser, browser_context_args: dict[str, Any]) -> None:
    context = browser.new_context(**{**browser_context_args, "java_script_enabled": False})
    page = context.new_page()
    page.goto("/tables/new")
    page.fill("#player-0", "Ana")
    page.fill("#player-1", "Beto")
    page.get_by_role("button", name="Start the match").tap()
    page.get_by_role("link", name="Close the deal").tap()
    page.locator("#show-cards > summary").tap()
    for code in ("7O", "6C", "5B", "10E"):
        page.locator(f"[name='pile-A'][value='{code}']").tap()
    page.get_by_role("button", name="Check").last.tap()
    expect(page.locator("#sum-A")).to_contain_text("26: a pile of fifteens is 15 or 30")
    page.locator("[name='tab'][value='B']").tap()
    expect(page.locator(".pile[data-pile='B'] .tile[data-owner='A']")).to_have_count(4)
    context.close()
