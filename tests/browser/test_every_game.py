"""Every game can be started and closed on a phone: on trust, by cards, by numbers; the sheet is the engine's."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from scorekeeper import rules

from ..helpers.simulator import GAMES, LINE_UPS, play
from .conftest import Phone

NAMES = ("Ana", "Beto", "Cata", "Leo")
RARE = ("all_coins", "all_sevens", "few_cards", "fifty_cards", "grande", "piccola", "cappotto")
"""What usually goes to nobody."""


def start(phone: Phone, game: str) -> int:
    """Start a match with as few players as the game takes; give the players per side."""
    sides, players = LINE_UPS[game][0]
    names = NAMES[: sides * players]
    chosen = {} if game == "chorizo" else {"game": game}
    phone.start(*names, **chosen, **({"shape": "2x2"} if players == 2 else {}))
    return players


def shown_points(phone: Phone) -> list[int]:
    return [int(number) for number in phone.page.locator(".sheet-sum b").all_inner_texts()]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_started_and_closed_on_trust_and_by_cards(phone: Phone, game: str) -> None:
    players = start(phone, game)
    phone.follow("Close the deal")
    phone.page.locator(".grid-row").first.wait_for()
    items = phone.page.locator(".grid-row:not(.sweeps-row) .cell:nth-of-type(1) input").evaluate_all(
        "inputs => inputs.map((input) => input.name.slice('award-'.length))"
    )
    awards: dict[str, Any] = {}
    for item in items:
        if phone.page.locator(f"[id^='mark-{item}-'] .evidence").count():
            continue
        taker = "nobody" if item in RARE else "A"
        awards[item] = None if taker == "nobody" else "A"
        with phone.page.expect_response("**/close") as answer:
            phone.page.locator(f"[name='award-{item}'][value='{taker}']").tap()
        if "hx-redirect" in answer.value.headers:
            break
        phone.page.locator(f"#mark-{item}-{taker} .evidence").wait_for(state="attached")
    phone.wait_for_sheet()
    table = {"game": game, "sides": ["A", "B"], "players_per_side": players}
    told = rules.score({**table, "deal": {"dealer": "A", "awards": awards, "sweeps": {}}})
    assert told["status"] == "complete"
    assert shown_points(phone) == list(told["points"].values())
    assert phone.fits()

    if not phone.page.get_by_role("link", name=re.compile("Next deal")).count():
        return
    phone.follow("Next deal")
    phone.follow("Close the deal")
    random = Random(game)
    played = play(game, 2, players, random)
    while played.is_redealt or not all(played.request["deal"]["piles"].values()):
        played = play(game, 2, players, random)
    deal = played.request["deal"]
    piles = {
        side: [*pile, *(deal["leftover"] if side == deal["last_capturer"] else [])]
        for side, pile in deal["piles"].items()
    }
    phone.page.locator("#show-cards > summary").tap()
    for card in piles["A"]:
        phone.page.locator(f"[name='pile-A'][value='{card}']").tap()
    given = {"as": {"7C": deal["as"]["7C"]}} if "as" in deal else {}
    if given:
        phone.page.locator("details.wilds > summary").tap()
        phone.page.locator("[name='as-7C']").select_option(given["as"]["7C"])
    phone.page.locator("[name='rest'][value='B']").tap()
    phone.wait_for_sheet()
    by_cards = rules.score({**table, "deal": {"dealer": "B", "piles": piles, **given}})
    assert shown_points(phone) == list(by_cards["points"].values())


def test_a_game_of_brisca_by_card_points(phone: Phone) -> None:
    phone.start("Ana", "Beto", game="brisca")
    for points in (61, 70, 105):
        phone.follow("Close the deal")
        phone.page.fill("#card_points-A", str(points))
        expect(phone.page.locator("#close-foot")).to_contain_text("Save the deal")
        phone.press("Save the deal")
        phone.wait_for_sheet()
        if points != 105:
            phone.follow("Next deal")
    assert phone.totals() == ["3", "0"]
    expect(phone.page.locator(".winner")).to_contain_text("Ana")


def test_sixty_each_asks_for_the_cards(phone: Phone) -> None:
    phone.start("Ana", "Beto", game="brisca")
    phone.follow("Close the deal")
    phone.page.fill("#card_points-A", "60")
    expect(phone.page.locator("#close-foot .question")).to_contain_text("How many cards has Ana?")
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
    expect(phone.page.locator("#close-foot")).to_contain_text("Ana")
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
