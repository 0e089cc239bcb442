"""A best of three by thumb: chosen in the set-up, played by rematches on two phones, and told on every screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import Phone
from .waiting import drawn, tap

pytestmark = pytest.mark.whole

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
