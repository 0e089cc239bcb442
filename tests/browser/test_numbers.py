"""A game that is told in numbers: Brisca by card points."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone
from .waiting import tap


def test_a_game_of_brisca_by_card_points(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    for points in (61, 70, 105):
        phone.follow("Close the deal")
        phone.page.fill("#card_points-A", str(points))
        expect(phone.page.locator("#close-foot")).to_contain_text("Save the deal")
        phone.press("Save the deal")
        phone.wait_for_sheet()
        if points != 105:
            tap(phone.page.locator(".foot .gold"))
    assert phone.totals() == ["3", "0"]
    expect(phone.page.locator(".winner")).to_contain_text("Ana")


def test_sixty_each_asks_for_the_cards(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.fill("#card_points-A", "60")
    expect(phone.page.locator("#close-foot")).to_contain_text("How many cards does Ana have?")
    phone.page.fill("#cards-B", "22")
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.totals() == ["0", "1"]


def test_card_points_are_counted_while_the_pile_is_tapped_in(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.locator("#show-cards > summary").tap()
    for suit in "OCEB":
        for rank in ("1", "3"):
            phone.page.locator(f"[name='pile-A'][value='{rank}{suit}']").tap()
    expect(phone.page.locator("#sum-A")).to_contain_text("84 card points · 8 cards")
    expect(phone.page.locator("#close-foot")).to_contain_text("This deal 1–0")
    tap(phone.page.locator("#cards-save button"))
    phone.wait_for_sheet()
    assert phone.totals() == ["1", "0"]
