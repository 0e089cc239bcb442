"""Which game a match is: every page that names it says how it is played, and only after that whose table it is."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask

from ..conftest import Player, open_table, with_fields

PAIRS = {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo", "Cata"))} | {"shape": "2x2"}
FIVE = {**PAIRS, "player__4": "Eva", "shape": "5x1"}
CHILEAN = {"game": "la_escoba", "preset": "chile"}


def bar_of(table: Player, language: str = "en") -> list[str]:
    """Return the title of the board: the game, and what stands quietly behind it."""
    page = table.get(headers={"Accept-Language": language})
    found = re.search(r"<h1><bdi>(.*?)</bdi> <span>· (.*?)</span></h1>", page.html)
    assert found is not None, page.words
    return list(found.groups())


@pytest.mark.parametrize(
    ("fields", "spanish", "english"),
    [
        ({}, "Chorizo a 21", "Chorizo to 21"),
        (CHILEAN, "La escoba chilena a 21", "La escoba of Chile to 21"),
        ({"game": "la_escoba", "preset": "verdulera"}, "Verdulera a 20", "Verdulera to 20"),
        ({"game": "brisca", "preset": "chiamata", **FIVE, "opt__match_to": "11"}, "Chiamata a 11", "Chiamata to 11"),
        ({"game": "brisca", "opt__match_mode": '"cycle_points"'}, "Brisca, 4 manos", "Brisca, 4 deals"),
        ({"game": "carioca"}, "Carioca, 8 rondas", "Carioca, 8 rounds"),
        ({"game": "free", "game_name": "Truco"}, "Truco", "Truco"),
    ],
)
def test_the_bar_says_first_which_game_is_played(
    app: Flask, fields: dict[str, Any], spanish: str, english: str
) -> None:
    table = open_table(app, table_name="Los jueves", **fields)
    assert bar_of(table) == [english, "Los jueves"]
    assert bar_of(table, "es") == [spanish, "Los jueves"]


def test_a_table_without_a_name_is_called_by_who_plays_now(app: Flask) -> None:
    table = open_table(app, opt__target="1", **PAIRS)
    assert bar_of(table) == ["Chorizo to 1", "Ana, Beto, Leo, Cata"]
    form = table.get("/matches/new").form("agree")
    other = {"player-0": "Leo", "player-1": "Zoe", "player-2": "Ana", "player-3": "Beto"}
    assert table.post("/matches/new", with_fields(form, {**other, "step": "save"})).status == 303
    assert bar_of(table) == ["Chorizo to 1", "Leo, Zoe, Ana, Beto"]


def test_a_long_name_of_players_that_was_cut_is_no_name_of_the_table(app: Flask) -> None:
    long = {"player__0": "Bartolomé de los Ríos", "player__1": "María de las Mercedes"}
    assert bar_of(open_table(app, **long))[1] == "Bartolomé de los Ríos, María de las Mercedes"


@pytest.mark.parametrize(
    "path",
    ["/board", "/matches/1/deals/1", "/matches/1/text", "/history"],
)
def test_wherever_a_match_is_named_it_is_the_same_game(app: Flask, path: str) -> None:
    table = open_table(app, **CHILEAN)
    form = table.get(table.deal() + "/close?as=points").form("closing")
    points = {"points-A": "4", "points-B": "2", "step": "save"}
    assert table.post(table.deal() + "/close", with_fields(form, points)).status == 303
    assert "La escoba of Chile" in table.get(path).html


def test_the_start_page_says_how_a_game_is_played(app: Flask) -> None:
    table = open_table(app, **CHILEAN)
    assert "La escoba of Chile" in table.client.get("/").text


@pytest.mark.parametrize(("preset", "words"), [("chiamata", "Chiamata to 11"), ("brisca", "Brisca to 3")])
def test_the_set_up_has_the_name_that_the_board_will_have(app: Flask, preset: str, words: str) -> None:
    page = app.test_client().get(f"/tables/new?game=brisca&preset={preset}").text
    summary = re.search(r'id="game-and-rules".*?<b>(.*?)</b>', page, re.DOTALL)
    assert summary is not None
    assert re.sub("<[^>]*>", "", summary[1]) == words
