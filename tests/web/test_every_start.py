"""Every preset of every game, and every line-up, starts, and its first deal is closed, by reading the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask

from scorekeeper import rules

from ..helpers.reading import Page
from .conftest import Player, with_fields

GAMES = {game["id"]: game for game in rules.games()["games"]}
FIRST = ("chorizo", "brisca", "carioca", "free")
"""A game of each family."""
NAMES = ("Ana", "Beto", "Cata", "Dani", "Eva", "Fede", "Gina", "Hugo", "Ines", "Juan")
RARE = ("all_coins", "all_sevens", "few_cards", "fifty_cards", "grande", "piccola", "cappotto")
"""What usually goes to nobody."""


def starts(game: str) -> Iterator[tuple[str, int, int]]:
    """Yield each preset of a game with each of its line-ups."""
    for preset in GAMES[game]["presets"]:
        for seats in GAMES[game]["preset_seats"][preset]:
            yield preset, seats["sides"], seats["players_per_side"]


def usual_starts(game: str) -> list[tuple[str, int, int]]:
    """Return each preset with its first line-up, and the default preset with its last."""
    first = {start[0]: start for start in reversed([*starts(game)])}
    return list(dict.fromkeys([*reversed(first.values()), of_default(game)[-1]]))


def of_default(game: str) -> list[tuple[str, int, int]]:
    """Return the default preset of a game with each of its line-ups."""
    return [start for start in starts(game) if start[0] == GAMES[game]["default_preset"]]


def start(app: Flask, game: str, preset: str, sides: int, each: int) -> Player:
    """Start a match as a person without script does: one choice after the other, then the names, then the button."""
    client = app.test_client()
    form = Page(client.get("/tables/new")).form("agree")
    for choice in ({"game": game}, {"preset": preset}, {"shape": f"{sides}x{each}"}):
        drawn = Page(client.post("/tables/new", data=with_fields(form, {**choice, "step": "refresh"})))
        assert drawn.status == 200
        form = drawn.form("agree")
    offered = re.findall(r'name="shape" type="radio" value="(\w+)"', drawn.html)
    seats = sorted(GAMES[game]["preset_seats"][preset], key=lambda each: each["players_per_side"])
    assert offered == [f"{each['sides']}x{each['players_per_side']}" for each in seats]
    names = {f"player-{seat}": NAMES[seat] for seat in range(sides * each)}
    # Nine cannot play the round in which everybody gets thirteen cards.
    fewer = {"opt-rounds": "7"} if (game, sides) == ("carioca", 9) else {}
    page = Page(client.post("/tables/new", data=with_fields(form, {**names, **fewer, "step": "save"})))
    assert page.status == 303, page.words
    return Player(app, client, page.location.removeprefix("/t/"))


def told(family: str, preset: str, labels: list[str], items: list[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return what a table types into the closing form, and the deal that this says."""
    if family == "free":
        points = {label: 7 * place for place, label in enumerate(labels)}
        return numbers("points", points), {"points": points}
    if family == "rummy":
        left = dict.fromkeys(labels[1:], 10)
        return {"went_out": "A", **numbers("left_points", left)}, {"went_out": "A", "left_points": left}
    if preset.startswith("chiamata"):
        points = {"A": 50, "B": 20}
        deal = {"bid": {"side": "A"}, "partner": "B", "card_points": points}
        return {"bidder": "A", "partner": "B", **numbers("card_points", points)}, deal
    if family == "tricks":
        points = dict(zip(labels, (106, 14) if len(labels) == 2 else (106, 10, 4), strict=True))
        is_bid = preset == "rematada"
        bids = {"bidder": "A", "bid": "100", "last_trick": "B", "married": "none"} if is_bid else {}
        bid: dict[str, Any] = (
            {"bid": {"side": "A", "points": 100}, "last_trick": "B", "marriages": []} if is_bid else {}
        )
        return {**bids, **numbers("card_points", points)}, {**bid, "card_points": points}
    awards = {item: None if item in RARE else "A" for item in items}
    return {f"award-{item}": side or "nobody" for item, side in awards.items()}, {"awards": awards}


def numbers(name: str, of_sides: dict[str, int]) -> dict[str, str]:
    """Return the fields of a number that each side has."""
    return {f"{name}-{label}": str(number) for label, number in of_sides.items()}


def starts_and_plays(app: Flask, game: str, preset: str, sides: int, each: int) -> Player:
    """Start a match, close its first deal, and compare the sheet with the engine's answer to the same deal."""
    table = start(app, game, preset, sides, each)
    board = table.get()
    assert board.status == 200
    assert all(name in board.words for name in NAMES[: sides * each])
    drawn = table.get(table.deal() + "/close")
    items = list(dict.fromkeys(re.findall(r'name="award-(\w+)"', drawn.html)))
    labels = [chr(ord("A") + side) for side in range(sides)]
    fields, deal = told(GAMES[game]["family"], preset, labels, items)
    saved = table.post(table.deal() + "/close", with_fields(drawn.form("closing"), {**fields, "step": "save"}))
    assert saved.status == 303, (preset, sides, each, saved.words)
    sheet = Page(table.client.get(saved.location))
    asked = {"game": game, "preset": preset, "sides": labels, "players_per_side": each}
    score = rules.score({**asked, "deal": {"dealer": "A", **deal}})
    assert score["status"] == "complete", (preset, sides, each, score)
    summed = re.findall(r"sheet-sum.*?</li>", sheet.html, re.DOTALL)
    beside = re.findall(r'gain[^>]*><b class="number">([^<]+)<', sheet.html)
    points = re.findall(r">(−?[\d.]+)</span>", summed[0]) if summed else beside
    expected = list(score["points"].values())
    if GAMES[game]["family"] in ("rummy", "free") and not summed:
        # The sheet is a ranking: whoever leads stands first.
        expected.sort(reverse=game == "free" and sides > 2)
    assert [float(one.replace("−", "-")) for one in points] == expected
    return table


@pytest.mark.parametrize(
    "game", [*FIRST, *(pytest.param(game, marks=pytest.mark.whole) for game in GAMES if game not in FIRST)]
)
def test_every_preset_starts_and_plays(app: Flask, game: str) -> None:
    for preset, sides, each in usual_starts(game):
        starts_and_plays(app, game, preset, sides, each)


@pytest.mark.whole
@pytest.mark.parametrize("game", [game for game in GAMES if len(of_default(game)) > 2])
def test_a_game_starts_and_plays_with_every_line_up(app: Flask, game: str) -> None:
    for preset, sides, each in of_default(game)[1:-1]:
        starts_and_plays(app, game, preset, sides, each)
