"""Games that are told in numbers: Brisca by card points, Carioca by ranks, the free pad by points of any sign."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone


def test_a_game_of_brisca_by_card_points(phone: Phone) -> None:
    phone.start("Ana", "Beto", game="brisca")
    for points in (61, 70, 105):
        phone.follow("Close the deal")
        phone.page.fill("#card_points-A", str(points))
        expect(phone.page.locator("#close-foot")).to_contain_text("Save the deal")
        phone.press("Save the deal")
        phone.wait_for_sheet()
        if points != 105:
            phone.page.locator(".foot .gold").tap()
    assert phone.totals() == ["3", "0"]
    expect(phone.page.locator(".winner")).to_contain_text("Ana")


def test_sixty_each_asks_for_the_cards(phone: Phone) -> None:
    phone.start("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.fill("#card_points-A", "60")
    expect(phone.page.locator("#close-foot")).to_contain_text("How many cards has Ana?")
    phone.page.fill("#cards-B", "22")
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.totals() == ["0", "1"]


def test_card_points_are_counted_while_the_pile_is_tapped_in(phone: Phone) -> None:
    phone.start("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.locator("summary", has_text="Show the cards").tap()
    for suit in "OCEB":
        for rank in ("1", "3"):
            phone.page.locator(f"[name='pile-A'][value='{rank}{suit}']").tap()
    expect(phone.page.locator("#close-foot")).to_contain_text("This deal 1–0")
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.totals() == ["1", "0"]


def test_a_round_of_carioca_by_tapping_ranks(phone: Phone) -> None:
    phone.start("Ana", "Beto", game="carioca")
    phone.follow("Close the deal")
    expect(phone.page.locator("main")).to_contain_text("2 trios")
    expect(phone.page.locator("main")).to_contain_text("perfect cut: 23")
    phone.page.wait_for_load_state()
    phone.page.locator("[name='went_out'][value='B']").tap()
    phone.page.locator("#left-A").tap()
    for rank in ("K", "5", "A"):
        phone.page.locator(f"[data-for='left-A'][data-key='{rank}']").tap()
    phone.page.locator("summary", has_text="Discards").tap()
    phone.page.fill("#steals-A", "2")
    expect(phone.page.locator("#close-foot")).to_contain_text("39")
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.totals() == ["39", "0"]


def test_the_free_pad_takes_negative_points_and_as_many_sides_as_sit_there(phone: Phone) -> None:
    phone.start("Ana", "Beto", "Cata", "Leo", "Mara", game="free", shape="5x1")
    phone.follow("Close the deal")
    phone.page.wait_for_load_state()
    for side, points in zip("ABCDE", ("7", "-3", "0", "12", "5"), strict=True):
        phone.page.fill(f"#points-{side}", points.lstrip("-"))
        if points.startswith("-"):
            phone.page.locator(f"[data-sign='points-{side}']").tap()
    expect(phone.page.locator("#close-foot")).to_contain_text("Save the deal")
    phone.press("Save the deal")
    phone.wait_for_sheet()
    assert phone.totals() == ["7", "-3", "0", "12", "5"]
    assert phone.fits()
