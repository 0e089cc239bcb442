"""The score from across the room, from both sides of the table, and on a phone turned sideways."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .test_live import follow

pytestmark = pytest.mark.whole

TELEVISION = {"width": 1280, "height": 720}


def watch_link(phone: Phone) -> str:
    table = phone.page.url
    phone.page.goto(f"{table}/share")
    link = phone.page.locator("#watch-link").input_value()
    phone.page.goto(table)
    return link


def height(phone: Phone, selector: str) -> float:
    box = phone.page.locator(selector).first.bounding_box()
    assert box is not None
    return box["height"]


def font_size(phone: Phone) -> float:
    """Return how large the figures of the score are written."""
    number = phone.page.locator(".score-number").first
    return float(number.evaluate("one => parseFloat(getComputedStyle(one).fontSize)"))


def whole(phone: Phone) -> bool:
    """Say whether the page fits the screen, in width and in height."""
    return phone.fits() and bool(phone.page.evaluate("document.documentElement.scrollHeight <= window.innerHeight"))


def test_the_big_board_follows_and_has_nothing_to_tap(phone: Phone, other: Phone) -> None:
    phone.open_table("Ana", "Beto")
    other.page.set_viewport_size(TELEVISION)
    follow(other, watch_link(phone) + "/board")
    assert font_size(other) >= 0.54 * TELEVISION["height"]
    assert whole(other)
    for side in other.page.locator(".score-side").all():
        assert side.evaluate(
            "one => one.lastElementChild.getBoundingClientRect().bottom < one.getBoundingClientRect().bottom"
        )
    expect(other.page.locator("button:visible, .button:visible")).to_have_count(0)
    phone.follow("Close the deal")
    for item in ("cards", "coins", "seven_of_coins", "two_of_clubs"):
        phone.say(item, "A")
    phone.page.locator("[name='award-prime'][value='B']").tap()
    phone.wait_for_sheet()
    expect(other.page.locator(".score-number").first).to_have_text("7")
    expect(other.page.locator(".last-deal")).to_contain_text("Ana +7")
    expect(other.page.locator(".big-now")).to_contain_text("Beto deals")
    assert whole(other)


def test_either_side_taps_from_its_half(phone: Phone, other: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    follow(other, table)
    phone.page.goto(f"{table}/faces")
    assert whole(phone)
    assert height(phone, ".opposite .sweep") >= 112
    assert height(phone, ".near .sweep") >= 112
    turned = phone.page.locator(".opposite").evaluate("element => getComputedStyle(element).rotate")
    assert turned == "180deg"
    phone.page.locator(".opposite .sweep[value='B']").tap()
    expect(phone.page.locator(".said-last")).to_contain_text("Beto")
    for half in (".opposite", ".near"):
        expect(phone.page.locator(f"{half} .pill[data-side='B']")).to_contain_text("+1")
    expect(other.page.locator(".log")).to_contain_text("Beto")
    phone.page.locator(".undo").tap()
    expect(other.page.locator(".log li")).to_have_count(0)
    expect(phone.page.locator(".undo")).to_have_count(0)
    assert phone.page.url.endswith("/faces")
    other.sweep("A")
    expect(phone.page.locator(".said-last")).to_contain_text("Ana")


@pytest.mark.parametrize("width", [320])
def test_face_to_face_who_deals_is_read_whole(phone: Phone, width: int) -> None:
    phone.page.set_viewport_size({"width": width, "height": 640})
    table = phone.open_table("Ana", "Beto")
    phone.sweep("A")
    phone.page.goto(f"{table}/faces")
    dealer = phone.page.locator(".said-last > span")
    expect(dealer).to_have_text("Deal 1 · Ana deals")
    assert dealer.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")


@pytest.mark.whole
def test_each_half_has_the_zone_of_its_own_side_nearest_to_its_players(phone: Phone) -> None:
    table = phone.open_table("Ana", "Beto")
    phone.page.goto(f"{table}/faces")
    for half, side in ((".opposite", "B"), (".near", "A")):
        assert phone.page.locator(f"{half} .sweep").evaluate_all("all => all.map((one) => one.value)") == [side]
        own, others = (phone.page.locator(f"{half} .score-number").nth(place) for place in (0, 1))
        sizes = [each.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") for each in (own, others)]
        assert sizes[0] > sizes[1], "the own number is the large one"
    top, bottom = (phone.page.locator(f"{half} .sweep").bounding_box() for half in (".opposite", ".near"))
    assert top is not None
    assert bottom is not None
    assert top["y"] < 16
    assert bottom["y"] + bottom["height"] >= 620


@pytest.mark.whole
def test_a_phone_on_its_side_shows_the_board_between_the_thumbs(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    phone.page.set_viewport_size({"width": 640, "height": 360})
    left, right = (phone.page.locator(f".sweep[value='{side}']").bounding_box() for side in "AB")
    assert left is not None
    assert right is not None
    assert left["x"] < 32
    assert right["x"] + right["width"] > 608
    assert min(left["height"], right["height"]) >= 220
    close = phone.page.get_by_role("link", name="Close the deal").bounding_box()
    assert close is not None
    assert close["y"] + close["height"] <= 360, "all of it is on one screen"
    assert height(phone, ".score-number") >= 100
    assert phone.fits()
    phone.sweep("B")
