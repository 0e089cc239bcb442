"""Who holds this phone: two phones join a table, say it by one tap, and read their names in the journal."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone
from .playing import from_menu, from_this_table

QUESTION = "Who holds this phone?"


def pairs(phone: Phone) -> str:
    """Open a table for Ana and Leo against Beto and Cata."""
    return phone.open_table("Ana", "Beto", "Leo", "Cata", shape="2x2")


def test_a_phone_that_joins_is_asked_once_and_the_journal_says_names(phone: Phone, other: Phone) -> None:
    table = pairs(phone)
    other.page.goto(table)
    expect(other.page.get_by_role("heading", name=QUESTION)).to_be_visible()
    other.page.reload()
    expect(other.page.get_by_role("heading", name=QUESTION)).to_be_visible()
    other.press("Cata")
    other.page.locator("#board").wait_for()
    other.page.reload()
    expect(other.page.get_by_role("heading", name=QUESTION)).to_have_count(0)
    other.sweep("A")

    expect(phone.page.locator(".log li")).to_have_count(1)
    from_this_table(phone, "This phone")
    phone.press("Ana")
    phone.sweep("B")
    from_this_table(phone, "Who noted what")
    lines = phone.page.locator(".journal > li")
    expect(lines.nth(0)).to_contain_text("Ana · this phone")
    expect(lines.nth(2)).to_contain_text("Cata")
    expect(lines.nth(2)).not_to_contain_text("phone")


def test_it_is_changed_from_the_page_of_the_table_and_the_place_is_kept_from_a_sheet(
    phone: Phone, other: Phone
) -> None:
    table = pairs(phone)
    other.join(table, "Beto")
    from_this_table(other, "This phone")
    expect(other.page.locator(".holders [aria-current=true]")).to_have_text("Beto")
    other.press("Leo")
    from_menu(other, "This table")
    expect(other.page.get_by_role("link", name="This phone")).to_contain_text("Leo")
    other.follow("Who noted what")
    other.follow("This phone is held by: Leo")
    other.press("Everybody's")
    expect(other.page.get_by_role("heading", name="Who noted what")).to_be_visible()
    expect(other.page.get_by_role("link", name="This phone is everybody's")).to_be_visible()


def test_a_form_that_is_open_goes_on_while_phones_join(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.follow("Close the deal")
    phone.say("cards", "A")
    other.join(table, "Beto")
    for item in ("coins", "seven_of_coins", "two_of_clubs"):
        phone.say(item, "A")
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()


def test_who_just_watches_gets_the_board_without_buttons_and_home_leads_there(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    other.page.goto(table)
    other.press("Just watching")
    other.page.locator("#board").wait_for()
    assert "/w/" in other.page.url
    expect(other.page.get_by_role("link", name="Close the deal")).to_have_count(0)
    other.page.goto("/")
    other.follow("Watch the match")
    other.page.locator("#board").wait_for()
    assert "/w/" in other.page.url
    phone.sweep("B")
    expect(other.page.locator(".sweep").last).to_contain_text("1")
