"""Cards of the place: what lies on the table is what the phone shows, and each phone may show what it knows."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone
from .playing import from_this_table


def show_cards(phone: Phone, table: str) -> None:
    phone.page.goto(f"{table}/matches/1/deals/1/close")
    phone.rest()
    phone.page.locator("#show-cards > summary").tap()


def test_chkobba_is_counted_with_queen_and_jack_as_they_lie_there(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="chkobba")
    show_cards(phone, table)
    grid = phone.page.locator(".pile").first
    queen = grid.get_by_role("checkbox", name="queen of hearts, worth 8")
    queen.tap()
    grid.get_by_role("checkbox", name="jack of spades, worth 9").tap()
    expect(phone.page.locator("[data-sum='sum']").first).to_have_text("adds up to 17")
    figures = grid.locator(".tile-figure .tile-index").all_inner_texts()
    assert figures[:3] == ["Q", "J", "K"]
    assert phone.fits()


def test_the_suits_of_scopa_are_those_of_an_italian_pack(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="scopa")
    show_cards(phone, table)
    grid = phone.page.locator(".pile").first
    expect(grid.get_by_role("checkbox", name="cavallo di spade, worth 9")).to_have_count(1)
    assert "italian" in str(grid.locator(".tile-suit use").first.get_attribute("href"))


def test_a_phone_that_knows_other_cards_shows_those_and_the_other_phone_its_own(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto", game="chkobba")
    other.join(table)
    phone.page.goto(table)
    phone.rest()
    from_this_table(phone, "Cards")
    phone.page.get_by_role("button", name="Spanish cards").tap()
    expect(phone.page.get_by_role("link", name="Cards Spanish cards")).to_be_visible()
    phone.page.goto(table)
    expect(phone.page.locator(".sweep")).to_have_count(2)
    show_cards(phone, table)
    expect(phone.page.get_by_role("checkbox", name="11 of cups, worth 8").first).to_be_visible()
    show_cards(other, table)
    expect(other.page.get_by_role("checkbox", name="queen of hearts, worth 8").first).to_be_visible()
    assert phone.fits()
    assert other.fits()
