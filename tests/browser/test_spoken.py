"""What a screen reader is told: sentences in regions that stay, names of signs, what is wrong with a field."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from .conftest import Phone

pytestmark = pytest.mark.whole


def listen(page: Page) -> None:
    """Have the page note what is said in its region: one that stays in its place, or it is not heard."""
    page.evaluate(
        """() => {
            window.heard = [];
            const region = document.getElementById('said');
            new MutationObserver(() => heard.push(region.textContent)).observe(region, {childList: true});
        }"""
    )


def heard(page: Page) -> list[str]:
    told: list[str] = page.evaluate("heard")
    return told


def test_what_a_card_takes_is_said_by_a_region_that_stays(phone: Phone) -> None:
    phone.page.goto("/captures?layout=5O&layout=3C")
    listen(phone.page)
    phone.page.get_by_role("radio", name="Played").check(force=True)
    phone.page.locator("[name='card'][value='7E']").tap()
    expect(phone.page.locator("#said")).to_contain_text("5 of coins and 3 of cups")
    assert heard(phone.page)[-1].startswith("The 7 of swords can take")


def test_a_refused_count_is_said_of_its_field(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.locator("#row-cards .opener > summary").tap()
    field = phone.page.locator("#count-cards-A")
    expect(field).not_to_have_attribute("aria-invalid", "true")
    field.fill("51")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile(r"\w"))
    field.fill("22")
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_the_last_open_line_is_said(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="escoba")
    phone.follow("Close the deal")
    for item in ("cards", "coins", "sevens"):
        phone.say(item, "A")
    expect(phone.page.locator("#said")).to_contain_text("Tapping it saves the deal.")


def test_a_pack_is_one_stop_of_the_tab_key_and_arrows_go_from_card_to_card(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Declare")
    keyboard = phone.page.keyboard
    phone.page.locator("[name='side'][value='A']").check(force=True)
    keyboard.press("Tab")
    assert phone.page.evaluate("document.activeElement.value") == "1O"
    for key, card in (("ArrowRight", "2O"), ("ArrowDown", "2C"), ("End", "12B"), ("Home", "1O")):
        keyboard.press(key)
        assert phone.page.evaluate("document.activeElement.value") == card
    keyboard.press("Tab")
    assert phone.page.evaluate("document.activeElement.name") != "cards"


def test_an_undo_of_ones_own_is_said_and_keeps_the_place_on_the_page(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.sweep("A")
    phone.sweep("A")
    phone.page.evaluate("window.isSame = true")
    phone.page.locator(".log .undo").first.focus()
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#said")).to_have_text("Undone: Sweep of Ana. Ana 1")
    expect(phone.page.locator(".log")).to_be_focused()
    phone.page.locator(".log .undo").tap()
    expect(phone.page.locator("#said")).to_have_text("Undone: Sweep of Ana. Ana 0")
    assert phone.page.evaluate("isSame")


def test_what_has_the_focus_stays_there_while_the_board_is_drawn_around_it(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    phone.page.locator("#sweep-A").focus()
    phone.page.evaluate("window.button = document.activeElement")
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#said")).to_contain_text("Sweep for Ana, 1 in this deal")
    other.sweep("B")
    expect(phone.page.locator("#said")).to_contain_text("Sweep of Beto. +1 this deal")
    assert phone.page.evaluate("button === document.activeElement")
    expect(phone.page.locator("#sweep-A")).to_have_accessible_name("Sweep for Ana: adds 1. So far 1.")
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#said")).to_contain_text("Sweep for Ana, 2 in this deal")
    assert phone.sweeps("A") == 2
    assert phone.sweeps("B") == 1


def test_the_end_of_a_match_is_said_and_nothing_as_undone(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.join(table)
    phone.sweep("A")
    expect(other.page.locator("#said")).to_contain_text("Sweep of Ana")
    phone.page.goto(f"{table}/matches/1/end")
    phone.page.get_by_role("button", name="Nobody wins").tap()
    expect(other.page.locator("#said")).to_have_text("The match was stopped")


@pytest.mark.whole
def test_a_yes_and_a_dispute_of_ones_own_are_said_where_the_sheet_comes(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.page.locator(".rest-row .cell.side-1").tap()
    phone.wait_for_sheet()
    phone.press("Ana: yes")
    expect(phone.page.locator("#said")).to_have_text("Ana: yes")
    phone.page.get_by_text("Something is wrong").tap()
    phone.press("Beto disputes it")
    expect(phone.page.locator("#said")).to_have_text("Beto disputes this deal")


def test_the_first_sweep_without_signal_is_said_and_so_is_its_arrival(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.page.context.set_offline(True)
    phone.page.locator("#sweep-A").tap()
    expect(phone.page.locator("#waiting-said")).to_contain_text("1 entry waits for signal")
    phone.page.locator("#sweep-A").tap()
    expect(phone.page.locator("#waiting-said")).to_contain_text("2 entries wait for signal")
    phone.page.context.set_offline(False)
    expect(phone.page.locator("#waiting-said")).to_have_text("Arrived: 2")
