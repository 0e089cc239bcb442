"""A best of three by thumb: chosen in the set-up, played by rematches on two phones, and told on every screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from .conftest import Phone, screens
from .playing import close_with_points
from .waiting import drawn, tap

WON = ".score .matches-won"


def choose_best_of_three(phone: Phone) -> None:
    """Tick it in the fold of the rules, which says so then."""
    fold = phone.page.locator("#game-and-rules")
    tap(fold.locator("> summary"))
    with drawn(phone.page, "**/new"):
        phone.page.get_by_text("Best of three", exact=True).tap()
    expect(fold.locator("> summary")).to_contain_text("Best of three")


def won(phone: Phone, *matches: int) -> None:
    """See the matches won beside the sides."""
    expect(phone.page.locator(WON)).to_have_text([f"{number} in the best of three" for number in matches])


def rematch(phone: Phone, words: str) -> None:
    """Start the next match on the sheet of the last deal."""
    tap(phone.page.get_by_role("button", name=words))
    phone.page.locator(".strip").wait_for()


def test_a_brisca_is_played_to_two_matches_against_one_on_two_phones(phone: Phone, other: Phone, third: Phone) -> None:
    phone.page.goto("/tables/new?game=brisca")
    choose_best_of_three(phone)
    phone.look("the set-up")
    for seat, name in enumerate(("Ana", "Beto")):
        phone.page.fill(f"#player-{seat}", name)
    phone.press("Start")
    expect(phone.page).to_have_url(re.compile(r"/t/[^/]+$"))
    table = phone.page.url
    other.join(table)
    third.join(table)
    third.page.goto(f"{table}/board")
    won(phone, 0, 0)
    screens("before the first match", phone, other, third)
    close_with_points(phone, 3, 1)
    expect(phone.page.locator(".ended")).to_contain_text("Best of three: 1–0")
    phone.look("after the first match")
    rematch(phone, "Rematch: Beto deals")
    for each in (phone, other, third):
        won(each, 1, 0)
    close_with_points(other, 0, 3)
    for each in (other, phone):
        expect(each.page.locator(".ended")).to_contain_text("one match each, the next decides")
    expect(third.page.locator(".big-top")).to_contain_text("one match each, the next decides")
    screens("one match each", phone, other, third)
    rematch(other, "Rematch: Ana deals")
    for each in (phone, other, third):
        won(each, 1, 1)
    screens("the last match", phone, other, third)
    close_with_points(phone, 3, 2)
    for each in (phone, other):
        expect(each.page.locator(".ended")).to_contain_text("Ana wins the best of three, 2–1")
    expect(third.page.locator(".big-top")).to_contain_text("Ana wins the best of three, 2–1")
    screens("two to one", phone, other, third)
    rematch(other, "Another series: Beto deals")
    for each in (other, third):
        won(each, 0, 0)


@pytest.mark.parametrize("shape", ["2x2"])
def test_the_score_has_room_beside_long_names_and_face_to_face(phone: Phone, shape: str) -> None:
    phone.page.goto(f"/tables/new?game=brisca&shape={shape}")
    choose_best_of_three(phone)
    names = ("Guillermo", "María José", "Washington", "Wolfeschlegelsteinhausen")[: 4 if shape == "2x2" else 3]
    for seat, name in enumerate(names):
        phone.page.fill(f"#player-{seat}", name)
    phone.press("Start")
    won(phone, *[0] * int(shape[0]))
    phone.look("long names")
    phone.page.goto(f"{phone.page.url}/faces")
    expect(phone.page.locator(WON)).to_have_count(2 * int(shape[0]))
    phone.look("face to face")
