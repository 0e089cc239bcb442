"""Games of rounds by thumb: Carioca by one keypad or by the cards left, the free pad by taps and by numbers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from . import waiting
from .conftest import Phone
from .test_no_signal import journal, nothing_waits
from .waiting import happens

NINE = ("Ana", "Beto", "Cata", "Dora", "Ema", "Fito", "Gina", "Hugo", "Ines")
TEN = (*NINE, "Juan")


def open_closing(phone: Phone) -> None:
    phone.follow("Close the round")
    phone.page.wait_for_url("**/close")
    expect(phone.page.locator(".hand.selected")).to_have_count(1)


def type_points(phone: Phone, points: int, *, go_on: bool = True) -> None:
    """Type points on the page's keys into the row that is selected, and go on to the next one by the check mark."""
    for digit in str(abs(points)):
        phone.page.locator(f".hand-keys[data-keys=points] [data-type='{digit}']").tap()
    if points < 0:
        phone.page.locator("[data-type='sign']").tap()
    if go_on:
        phone.page.locator(".hand-keys[data-keys=points] [data-type='next']").tap()


def tap_cards(phone: Phone, *ranks: str) -> None:
    phone.page.get_by_role("button", name="Cards", exact=True).tap()
    for rank in ranks:
        phone.page.locator(f".hand-keys[data-keys=cards] [data-type='{rank}']").tap()


def save(phone: Phone) -> None:
    phone.press("Save the round")
    phone.wait_for_sheet()


def selected(phone: Phone) -> str:
    return str(phone.page.locator(".hand.selected").get_attribute("data-side"))


@pytest.mark.whole
def test_a_round_of_carioca_is_typed_on_one_keypad(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", "Leo", "Cata", game="carioca", shape="4x1")
    open_closing(phone)
    phone.page.locator("[name='went_out'][value='A']").tap()
    expect(phone.page.locator(".hand[data-side='A'] .hand-points")).not_to_be_visible()
    for side, points in (("B", 35), ("C", 120), ("D", 7)):
        assert selected(phone) == side, "the next row opens by itself"
        type_points(phone, points)
    expect(phone.page.locator("#after-C")).to_have_text("0 → 120 · 4th")
    expect(phone.page.locator("#close-foot")).to_contain_text("Ana leads, 0")
    assert phone.fits()
    save(phone)
    assert phone.totals() == ["0", "7", "35", "120"], "the lowest stands first"
    expect(phone.page.locator(".foot .gold")).to_have_text("Round 2: Beto deals")


@pytest.mark.whole
def test_the_cards_left_are_tapped_by_rank_with_their_sum_at_once(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="carioca")
    open_closing(phone)
    phone.page.locator("[name='out_at_once'][value='B']").tap()
    tap_cards(phone, "K", "5", "A", "X")
    row = phone.page.locator(".hand[data-side='A']")
    expect(row.locator(".left-sum")).to_have_text("65")
    expect(row.locator(".told-cards")).to_have_text("K 5 A ★")
    phone.page.locator(".hand-keys[data-keys=cards] [data-type='back']").tap()
    expect(row.locator(".left-sum")).to_have_text("35")
    phone.page.get_by_role("button", name="one steal more").tap()
    phone.page.get_by_role("button", name="one steal more").tap()
    expect(phone.page.locator("#after-A")).to_have_text("0 → 39 · 2nd")
    save(phone)
    assert phone.totals() == ["−30", "39"]
    expect(phone.page.locator("#lines")).to_contain_text("seen")


@pytest.mark.whole
def test_nine_players_close_a_round_on_two_screens(phone: Phone) -> None:
    # The eighth round cannot be dealt to so many.
    phone.open_table(*NINE, game="carioca", shape="9x1", typed={"opt-rounds": "7"})
    open_closing(phone)
    phone.page.locator("[name='went_out'][value='I']").tap()
    for points in range(10, 90, 10):
        type_points(phone, points)
    expect(phone.page.locator("#close-foot")).to_contain_text("Ines leads, 0")
    assert phone.fits()
    assert phone.page.evaluate("document.documentElement.scrollHeight") <= 2 * 640
    save(phone)
    assert phone.totals()[:3] == ["0", "10", "20"]


@pytest.mark.whole
@pytest.mark.parametrize("width", [320])
def test_totals_of_four_digits_fit_the_closing_and_the_columns(phone: Phone, width: int) -> None:
    phone.page.set_viewport_size({"width": width, "height": 640})
    phone.open_table(*TEN, game="free", shape="10x1")
    open_closing(phone)
    for seat in range(10):
        type_points(phone, -2250 if seat % 2 else 1500)
    expect(phone.page.locator("#after-J")).to_contain_text("−2250")
    for box in phone.page.locator(".hand-points input").all():
        assert box.evaluate("field => field.scrollWidth <= field.clientWidth")
    save(phone)
    waiting.tap(phone.page.locator(".foot .gold"))
    columns = phone.page.locator(".rounds-so-far")
    expect(columns).to_contain_text("−2250")
    assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_tap_is_taken_back_and_the_next_one_waits_behind_the_undo(phone: Phone, server: str) -> None:
    table = phone.open_table("Ana", "Beto", game="free")
    page = phone.page
    tap(phone, "A", "+5")
    expect(big(phone, "A")).to_have_text("5")
    held: list[Route] = []
    page.route("**/undo/*", lambda route: held.append(route))
    page.locator(".strip .notice").get_by_role("button").tap()
    expect(big(phone, "A")).to_have_text("0")
    happens(page, lambda: held)
    page.locator("form.pad").last.get_by_text("−1", exact=True).tap()
    expect(big(phone, "B")).to_have_text("−1")
    held[0].continue_()
    nothing_waits(page)
    expect(page.locator(".log li")).to_have_count(1)
    expect(big(phone, "B")).to_have_text("−1")
    kinds = [one["kind"] for one in journal(server, table)]
    assert kinds == ["match_started", "points_noted", "voided", "points_noted"]


def big(phone: Phone, side: str) -> Locator:
    """Return the big number of a side."""
    return phone.page.locator(f".score-number[data-side='{side}']").first


@pytest.mark.whole
@pytest.mark.parametrize("shape", ["2x2"])
def test_truco_to_30_with_buenas_ends_with_the_tap_that_gets_there(phone: Phone, other: Phone, shape: str) -> None:
    names = ("Ana", "Beto", "Leo", "Cata")[: 2 if shape == "2x1" else 4]
    start_pad(phone, *names, target="30", game_name="Truco", halves="y", shape=shape)
    other.join(phone.page.url)
    for _turn in range(3):
        tap(phone, "A", "+5")
    expect(big(other, "A")).to_have_text("15")
    expect(other.page.locator(".score-side.side-1 .to-go")).to_contain_text("15 malas")
    tap(other, "A", "+1")
    expect(big(phone, "A")).to_have_text("16")
    expect(phone.page.locator(".score-side.side-1 .to-go")).to_contain_text("1 buena")
    another(phone, "A", "14")
    expect(phone.page.locator(".winner")).to_contain_text("Ana")
    expect(other.page.locator(".winner")).to_contain_text("Ana")
    phone.page.get_by_role("button", name="It was not over: go on").tap()
    expect(big(phone, "A")).to_have_text("16")
    expect(big(other, "A")).to_have_text("16")


@pytest.mark.whole
def test_what_is_typed_on_the_keypad_stays_when_news_come_and_goes_with_its_tap(phone: Phone, other: Phone) -> None:
    start_pad(phone, "Ana", "Beto", target="30")
    other.join(phone.page.url)
    waiting.tap(phone.page.locator(".any-number > summary"))
    for key in "12":
        waiting.tap(phone.page.locator(f".any-number [data-figure='{key}']"))
    tap(other, "B", "+5")
    expect(big(phone, "B")).to_have_text("5")
    field = phone.page.locator(".any-number [name=points]")
    expect(field).to_be_visible()
    expect(field).to_have_value("12")
    waiting.tap(phone.page.locator(".any-sides [value='A']"))
    expect(big(phone, "A")).to_have_text("12")
    expect(field).not_to_be_visible()
    expect(field).to_have_value("")


@pytest.mark.whole
@pytest.mark.parametrize("shape", ["2x2", pytest.param("4x1", marks=pytest.mark.whole)])
def test_all_that_is_tapped_is_on_one_screen(phone: Phone, shape: str) -> None:
    names = ("Ana", "Beto", "Leo", "Cata")[: 2 if shape == "2x1" else 4]
    start_pad(phone, *names, target="30", game_name="Truco", halves="y", shape=shape)
    on_one_screen(phone, "form.pad .tap, .any-number > summary")


def on_one_screen(phone: Phone, what: str) -> None:
    """Hold that all of these are large enough for a thumb, and on the screen without a scroll."""
    phone.rest()
    for button in phone.page.locator(what).all():
        box = button.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 640
        assert min(box["width"], box["height"]) >= 44, box


@pytest.mark.whole
@pytest.mark.parametrize("sides", [4, pytest.param(3, marks=pytest.mark.whole)])
def test_face_to_face_each_side_has_its_taps(phone: Phone, sides: int) -> None:
    start_pad(phone, *TEN[:sides], target="30", halves="y")
    phone.page.goto(f"{phone.page.url}/faces")
    on_one_screen(phone, "form.pad .tap")
    assert phone.page.locator(".near form.pad").first.locator(".tap").all_inner_texts() == ["+1", "+5", "−1"]
    waiting.tap(phone.page.locator(".near form.pad").first.locator(".tap").last)
    expect(big(phone, "A")).to_have_text("−1")


def without_signal(phone: Phone) -> None:
    phone.page.context.set_offline(True)


def with_signal(phone: Phone) -> None:
    phone.page.context.set_offline(False)
    phone.page.evaluate("dispatchEvent(new Event('online'))")


def test_the_target_reached_without_signal_is_won_once_it_is_back_and_its_undo_opens_both(phone: Phone) -> None:
    start_pad(phone, "Ana", "Beto", target="10")
    tap(phone, "A", "+5")
    expect(big(phone, "A")).to_have_text("5")
    without_signal(phone)
    for _tap in range(5):
        phone.page.locator("form.pad").first.get_by_role("button", name="+1 for Ana").tap()
    expect(big(phone, "A")).to_have_text("10")
    with_signal(phone)
    expect(phone.page.locator(".winner")).to_contain_text("Ana")
    phone.press("It was not over: go on")
    expect(big(phone, "A")).to_have_text("9")
    tap(phone, "A", "+1")
    expect(phone.page.locator(".winner")).to_contain_text("Ana")


@pytest.mark.whole
def test_a_tap_that_comes_after_the_end_is_kept_with_the_reason(phone: Phone, other: Phone) -> None:
    start_pad(phone, "Ana", "Beto", target="10")
    other.join(phone.page.url)
    without_signal(phone)
    phone.page.locator("form.pad").last.get_by_role("button", name="+5 for Beto").tap()
    expect(big(phone, "B")).to_have_text("5")
    another(other, "A", "10")
    expect(other.page.locator(".winner")).to_contain_text("Ana")
    with_signal(phone)
    expect(phone.page.locator("#waiting")).to_contain_text("This match is over")
    expect(phone.page.locator("#waiting")).to_contain_text("+5 for Beto")
    expect(phone.page.locator(".winner")).to_contain_text("Ana")


def another(phone: Phone, side: str, points: str) -> None:
    """Type a number on the keypad and give it to a side."""
    waiting.tap(phone.page.locator(".any-number > summary"))
    for key in ("-" if points.startswith("-") else "") + points.lstrip("-"):
        waiting.tap(phone.page.locator(f".any-number [data-figure='{key}']"))
    waiting.tap(phone.page.locator(f".any-sides [value='{side}']"))


def start_pad(phone: Phone, *names: str, target: str = "", shape: str = "", **typed: str) -> None:
    typed |= {"opt-target": target} if target else {}
    phone.open_table(*names, game="free", shape=shape or f"{len(names)}x1", typed=typed)


def tap(phone: Phone, side: str, words: str) -> None:
    """Tap a zone of the pad, and wait until the server has it."""
    zone = phone.page.locator(f"form.pad:has([name='side'][value='{side}'])")
    with phone.page.expect_response(re.compile("/points")):
        waiting.tap(zone.get_by_text(words, exact=True))
