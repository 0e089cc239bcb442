"""What each fishing game does its own way, by thumb: void deals, knocks, the matta, fifteens, matches won at once."""

from __future__ import annotations

from playwright.sync_api import expect

from .conftest import Phone

PAIRS = ("Ana", "Beto", "Leo", "Cata")


def at_two(phone: Phone, game: str, **fields: str) -> str:
    """Open a table of two for a game, and return its address."""
    shape = {"shape": "2x1"} if game in ("cirulla", "escopa", "la_escoba") else {}
    return phone.open_table("Ana", "Beto", game=game, **fields, **shape)


def test_a_capture_of_thirty_is_two_escopas_in_one_tap(phone: Phone) -> None:
    at_two(phone, "escopa")
    phone.press("30: 2 escopas for Ana")
    expect(phone.page.locator(".sweep[value='A'] .dots i")).to_have_count(2)
    phone.press("30: 2 escopas for Ana")
    expect(phone.page.locator(".sweep[value='A'] .dots i")).to_have_count(4)
    phone.press("45: 3 escopas for Beto")
    expect(phone.page.locator(".sweep[value='B'] .dots i")).to_have_count(3)
    expect(phone.page.locator(".pill")).to_contain_text(["+4", "+3"])
    assert phone.fits()


def test_of_four_primes_the_open_picker_is_on_the_screen(phone: Phone) -> None:
    phone.open_table(*PAIRS, game="scopa", shape="4x1")
    phone.follow("Close the deal")
    phone.page.locator("button[value='prime']").tap()
    seven = phone.page.locator(".picks:visible .tile").first
    expect(seven).to_be_visible()
    box, foot = seven.bounding_box(), phone.page.locator("#prime-foot").bounding_box()
    assert box
    assert foot
    assert box["y"] + box["height"] <= foot["y"]
