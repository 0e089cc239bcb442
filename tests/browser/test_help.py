"""Help at the table: the rules of the match are one tap from the question, and lead back to it."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from .axe import faults
from .conftest import Phone
from .waiting import tap


def menu(phone: Phone, words: str) -> None:
    """Open the menu of the board and follow a row of it."""
    phone.rest()
    phone.page.locator(".menu > summary").tap()
    phone.page.locator(".menu").get_by_role("link", name=words).tap()


def test_the_rules_of_the_match_are_one_tap_from_the_board_and_lead_back(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", preset="montevideo")
    menu(phone, "Rules of this match")
    phone.page.wait_for_url("**/matches/1/rules")
    expect(phone.page.get_by_role("heading", level=1)).to_contain_text("Rules of this match")
    expect(phone.page.locator("#item-one_of_coins")).to_contain_text("only here")
    assert phone.fits()
    phone.page.locator(".contents").get_by_role("link", name="Taking cards").tap()
    expect(phone.page.locator("#taking")).to_be_in_viewport()
    tap(phone.page.locator(".bar .back"))
    phone.page.wait_for_url(table)
    expect(phone.page.get_by_role("list", name="Score")).to_be_visible()


def test_why_of_a_line_leads_to_its_rule_and_back_to_the_sheet(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    for item, taker in (("cards", "A"), ("coins", "B"), ("seven_of_coins", "A"), ("two_of_clubs", "A")):
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()
    sheet = re.sub(r"\?.*", "", phone.page.url)
    line = phone.page.locator("details.because", has_text="Two of clubs")
    line.locator("summary").tap()
    expect(line).to_contain_text("It was said at the table")
    tap(line.get_by_role("link", name="All the rules of this match"))
    phone.page.wait_for_url("**/rules?deal=1#item-two_of_clubs")
    expect(phone.page.locator("#item-two_of_clubs")).to_be_in_viewport()
    tap(phone.page.locator(".bar .back"))
    phone.page.wait_for_url(sheet)


def test_the_rules_are_a_row_of_the_sheet(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.locator("[name='card_points-A']").first.fill("61")
    phone.page.locator(".gold").last.tap()
    phone.wait_for_sheet()
    tap(phone.page.get_by_role("link", name="Rules of this match"))
    phone.page.wait_for_url("**/rules?deal=1")
    expect(phone.page.locator("#scoring")).to_contain_text("The most card points win the deal.")
    tap(phone.page.locator(".bar .back"))
    phone.page.wait_for_url("**/deals/1")


def test_what_can_it_take_rules_as_the_match_does_and_leads_back(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", preset="catsatcards")
    phone.follow("What can it take?")
    phone.page.locator("[name='layout'][value='7O']").tap()
    phone.page.locator("[name='tab'][value='B']").tap()
    phone.page.locator("[name='card'][value='10E']").tap()
    expect(phone.page.locator("#sum")).to_contain_text("Taking is optional at this table.")
    tap(phone.page.locator(".bar .back"))
    phone.page.wait_for_url(table)


def test_nothing_can_be_taken_in_brisca_so_it_is_not_offered(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    expect(phone.page.get_by_role("link", name="Close the deal")).to_be_visible()
    expect(phone.page.get_by_role("link", name="What can it take?")).to_have_count(0)


def test_the_rules_of_a_match_are_accessible_and_large_enough(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="la_escoba")
    menu(phone, "Rules of this match")
    phone.page.wait_for_url("**/matches/1/rules")
    assert faults(phone.page) == []
    for target in (".contents a", ".button:visible", ".back"):
        for box in (each.bounding_box() for each in phone.page.locator(target).all()):
            assert box
            assert min(box["width"], box["height"]) >= 48, target
    phone.page.set_viewport_size({"width": 320, "height": 568})
    assert phone.fits()
