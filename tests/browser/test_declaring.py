"""Declaring by thumb: the sum stands in the foot, what was only said is ticked, and the foot keeps its height."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from .conftest import Phone
from .waiting import stand_still


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


def test_what_was_only_said_is_ticked_and_noted(phone: Phone) -> None:
    foot = declaring(phone)
    phone.page.locator("[name='side'][value='A']").tap()
    foot.get_by_text("Without showing").tap()
    phone.page.get_by_role("checkbox", name="Flush").tap()
    expect(foot).to_contain_text("Flush 3")
    foot.get_by_role("button", name="Declare 3").tap()
    expect(phone.page.locator(".log")).to_contain_text("flush")


def test_a_false_call_is_noted_by_ticking_what_the_cards_do_not_hold(phone: Phone) -> None:
    foot = declaring(phone)
    phone.page.locator("[name='side'][value='A']").tap()
    tap_cards(phone, "1O", "4C", "7E")
    foot.get_by_text("Without showing").tap()
    phone.page.get_by_role("checkbox", name="Flush").tap()
    expect(foot).to_contain_text("False call: Beto")
    foot.get_by_role("button", name="Note the false call").tap()
    expect(phone.page.locator(".log")).to_be_visible()


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


def test_a_fourth_card_is_refused_with_a_word(phone: Phone) -> None:
    foot = declaring(phone)
    phone.page.locator("[name='side'][value='A']").tap()
    tap_cards(phone, "1O", "2O", "3O")
    expect(foot).to_contain_text("Declare 8")
    tap_cards(phone, "4O")
    expect(foot).to_contain_text("A hand has three cards")
    expect(phone.page.locator("[name='cards']:checked")).to_have_count(3)


def test_a_second_hand_of_a_player_is_of_the_next_batch(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.declare("A", "1O", "2O", "3O")
    phone.follow("Declare")
    phone.page.locator("[name='side'][value='B']").tap()
    expect(phone.page.locator("#batch")).to_have_value("1")
    phone.page.locator("[name='side'][value='A']").tap()
    expect(phone.page.locator("#batch")).to_have_value("2")


def test_a_second_hand_in_one_batch_is_asked_for_the_next(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.declare("A", "1O", "2O", "3O")
    phone.follow("Declare")
    phone.page.locator("[name='side'][value='A']").tap()
    phone.page.locator("#batch").select_option("1")
    tap_cards(phone, "1C", "2C", "3C")
    phone.page.get_by_role("button", name="Is it batch 2?").tap()
    expect(phone.page.locator("#batch")).to_have_value("2")
    expect(phone.page.get_by_role("button", name="Is it batch 2?")).to_have_count(0)
    phone.page.get_by_role("button", name="Declare 8").tap()
    expect(phone.page.locator(".log > li")).to_have_count(2)


def test_what_is_tapped_is_in_the_colour_of_who_declares(phone: Phone) -> None:
    declaring(phone)
    tap_cards(phone, "1O")
    tile = phone.page.locator(".tile:has([value='1O'])")
    colours = []
    for side in "AB":
        phone.page.locator(f"[name='side'][value='{side}']").tap()
        expect(phone.page.locator(f"[name='side'][value='{side}']")).to_be_checked()
        stand_still(phone.page)
        tab = phone.page.locator(f".segment:has([value='{side}'])")
        colours.append(tile.evaluate("one => getComputedStyle(one).backgroundColor"))
        assert colours[-1] == tab.evaluate("one => getComputedStyle(one).backgroundColor")
    assert colours[0] != colours[1]
