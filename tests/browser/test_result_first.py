"""The three moments: after a tap, after a deal, after the last point, what people care about is on the first screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Route, expect

from .conftest import Phone
from .playing import close_with_points
from .room import LONG_NAMES
from .waiting import happens, tap

ON_TRUST = {"cards": "A", "coins": "A", "seven_of_coins": "A", "two_of_clubs": "A"}


def close(phone: Phone) -> None:
    """Close the deal with everything to Ana."""
    phone.follow("Close the deal")
    for item, taker in ON_TRUST.items():
        phone.say(item, taker)
    phone.page.locator("[name='award-prime'][value='A']").tap()
    phone.wait_for_sheet()


def is_on_the_first_screen(*those: Locator) -> bool:
    boxes = [each.bounding_box() for each in those]
    return all(box and box["y"] >= 0 and box["y"] + box["height"] <= 640 for box in boxes)


def test_the_points_of_the_deal_stand_beside_the_total_before_the_server_has_answered(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    page = phone.page
    held: list[Route] = []
    page.route("**/sweep", lambda route: held.append(route))
    page.locator(".sweep[value='A']").tap()
    pill = page.locator(".pill[data-side='A']")
    expect(pill).to_contain_text("+1")
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(1)
    happens(page, lambda: held)
    assert len(held) == 1
    held[0].continue_()
    expect(pill).not_to_have_class("sending")
    expect(pill).to_contain_text("+1 this deal")


def test_what_is_undone_is_taken_out_before_the_server_has_answered(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    page = phone.page
    for side in "AAB":
        phone.sweep(side)
    held: list[Route] = []
    page.route("**/undo/*", lambda route: held.append(route))
    pill, dots = page.locator(".pill[data-side='A']"), page.locator(".sweep[value='A'] .dots i")
    page.locator(".log .undo").nth(1).tap()
    expect(dots).to_have_count(1)
    expect(pill).to_contain_text("+1")
    expect(page.locator(".log .undone")).to_have_text(re.compile("Ana"))
    expect(page.locator(".log .undone")).to_have_count(1)
    happens(page, lambda: held)
    held[0].continue_()
    expect(page.locator(".log li")).to_have_count(2)
    expect(page.locator(".log .undone")).to_have_count(0)
    expect(dots).to_have_count(1)
    expect(pill).not_to_have_class(re.compile("sending"))


@pytest.mark.whole
def test_what_is_undone_without_signal_is_taken_out_while_it_waits_and_comes_back_if_that_is_given_up(
    phone: Phone,
) -> None:
    phone.open_table("Ana", "Beto")
    page = phone.page
    phone.sweep("A")
    page.context.set_offline(True)
    page.locator(".log .undo").tap()
    expect(page.locator("#waiting summary")).to_have_text("1 entry waits for signal")
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(0)
    expect(page.locator(".pill[data-side='A']")).to_have_class(re.compile("sending"))
    expect(page.locator(".log .undone")).to_have_count(1)
    page.locator("#waiting summary").tap()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name=re.compile("^Remove")).tap()
    expect(page.locator(".sweep[value='A'] .dots i")).to_have_count(1)
    expect(page.locator(".log .undone")).to_have_count(0)


def test_points_that_are_undone_are_taken_out_before_the_server_has_answered(phone: Phone) -> None:
    phone.open_table("Ana", "Beto", game="free")
    page = phone.page
    for points in ("+5", "+1"):
        tap(page.get_by_role("button", name=f"{points} for Ana", exact=True))
    expect(page.locator(".log li")).to_have_count(2)
    page.route("**/undo/*", lambda _route: None)
    page.locator(".log .undo").last.tap()
    expect(page.locator(".pill[data-side='A'] b")).to_have_text("−5")
    expect(page.locator(".score-number").first).to_have_text("1")
    expect(page.locator(".log .undone")).to_have_count(1)


def test_a_deal_ends_with_its_result_and_the_next_deal_one_tap_away(phone: Phone) -> None:
    phone.open_table("Guillermo", "Ana", "Washington", "Beto", shape="2x2")
    close(phone)
    page = phone.page
    assert phone.totals() == ["8", "0"]
    assert page.evaluate("scrollY") == 0
    following = page.get_by_role("link", name="Deal 2: Ana deals")
    assert is_on_the_first_screen(*page.locator(".score-number").all(), *page.locator(".gain").all(), following)
    phone.look("result")
    following.tap()
    expect(page.get_by_role("link", name="Close the deal")).to_be_visible()


def test_a_match_ends_with_the_winner_first(phone: Phone) -> None:
    phone.open_table("Ana", "Beto")
    page = phone.page
    close_with_points(phone, 24, 3)
    winner = page.locator(".winner")
    expect(winner).to_have_text("Ana wins")
    assert is_on_the_first_screen(
        winner, *page.locator(".score-number").all(), page.get_by_role("button", name="Rematch")
    )
    sizes = page.locator("h1, h2, p, b").evaluate_all(
        "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert max(sizes) == winner.evaluate("one => parseFloat(getComputedStyle(one).fontSize)"), "the largest words"
    phone.look("winner")


@pytest.mark.whole
def test_the_winner_and_every_way_to_go_on_are_on_one_screen(phone: Phone) -> None:
    table = phone.open_table("Guillermo", "María José", "Washington", "Pedro Ángel", shape="2x2")
    close_with_points(phone, 20, 24)
    page = phone.page
    page.goto(table)
    winner = page.locator(".winner")
    expect(winner).to_have_text("María José and Pedro Ángel win")
    assert phone.fits()
    ways = page.locator(".after-the-end .button").all()
    assert len(ways) == 5
    assert is_on_the_first_screen(winner, page.locator(".fan"), *ways)
    # A name is on one line, with the word before it.
    for line in page.locator(".winner .name").all():
        assert line.evaluate("one => one.getClientRects().length") == 1
        assert line.evaluate("one => one.scrollWidth <= one.clientWidth + 1")
    sizes = [
        one.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") for one in page.locator(".score-number").all()
    ]
    assert sizes[1] > 1.4 * sizes[0], "the winner's total is the larger one"
    expect(page.locator(".ended .tally")).to_have_count(2)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("names", "width", "height"),
    [
        pytest.param(("Ana", "Beto"), 277, 492, marks=pytest.mark.whole),
        (LONG_NAMES[:4], 320, 568),
        pytest.param(LONG_NAMES[:4], 640, 360, marks=pytest.mark.whole),
    ],
)
def test_the_winner_and_every_way_to_go_on_need_no_scroll(
    phone: Phone, names: tuple[str, ...], width: int, height: int
) -> None:
    table = phone.open_table(*names, shape="2x2" if len(names) == 4 else "1x1")
    close_with_points(phone, 20, 24)
    phone.page.set_viewport_size({"width": width, "height": height})
    phone.page.goto(table)
    phone.rest()
    assert phone.page.locator(".after-the-end .button").count() == 5
    assert phone.page.evaluate("document.documentElement.scrollHeight") <= height
