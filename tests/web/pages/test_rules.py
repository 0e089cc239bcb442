"""The rules of a game, a preset and a match: one template, told from what the engine scores with."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import rules
from scorekeeper.store import queries
from scorekeeper.web.words.examples import Asked, examples_of

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table

GAMES = {game["id"]: game for game in rules.games()["games"]}
NAMES = ("Ana", "Beto", "Leo", "Cata", "Dani", "Eva", "Fito", "Gabi", "Hugo", "Iris")
IDS = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b|%\(|\bNone\b|\bundefined\b")
"""What an id of the engine looks like among words, or a gap that nothing filled."""
ADDRESS = "/matches/1/rules"


def asked_of(game: str, preset: str = "", sides: int = 0, players: int = 1, **options: Any) -> Asked:
    """Return a table as a request names it, with the first line-up of the preset unless one is given."""
    preset = preset or GAMES[game]["default_preset"]
    seat = GAMES[game]["preset_seats"][preset][0]
    count, each = (sides, players) if sides else (seat["sides"], seat["players_per_side"])
    labels = list("ABCDEFGHIJ"[:count])
    return {"game": game, "preset": preset, "options": options, "sides": labels, "players_per_side": each}


def opened(app: Flask, game: str, sides: int = 2, each: int = 1, **fields: Any) -> Player:
    """Open a table of this line-up."""
    names = {f"player__{seat}": name for seat, name in enumerate(NAMES[: sides * each])}
    return open_table(app, game=game, shape=f"{sides}x{each}", **names, **fields)


@pytest.mark.parametrize(
    ("game", "preset"),
    [
        *((id, game["default_preset"]) for id, game in GAMES.items()),
        ("chorizo", "montevideo"),
        ("la_escoba", "verdulera"),
        ("brisca", "chiamata_a_punti"),
    ],
)
def test_a_game_is_told_without_an_id_of_the_engine(client: FlaskClient, game: str, preset: str) -> None:
    page = Page(client.get(f"/rules/{game}?preset={preset}", headers={"Accept-Language": "es"}))

    assert page.status == 200
    assert IDS.findall(page.words) == []


@pytest.mark.parametrize(
    ("game", "preset", "sides", "each"),
    [
        ("chorizo", "flores", 4, 1),
        ("scopone", "scopone", 2, 2),
        ("brisca", "brisca", 2, 3),
        ("brisca", "chiamata", 5, 1),
        ("carioca", "carioca", 3, 1),
        ("free", "free", 10, 1),
    ],
)
def test_a_line_up_has_the_rules_of_its_match(app: Flask, game: str, preset: str, sides: int, each: int) -> None:
    page = opened(app, game, sides, each, preset=preset).get(ADDRESS)

    assert page.status == 200
    assert IDS.findall(page.words) == []
    assert game == "free" or "the player at the dealer's right gets the first cards" in page.words
    assert game == "free" or ("Partners" in page.words) == (each > 1)


def test_the_preset_of_the_address_is_told(client: FlaskClient) -> None:
    words = Page(client.get("/rules/chorizo?preset=capagorry")).words

    assert "Three opening cards of one suit bring the dealer 3 points, four bring 4." in words
    assert "Chorizo three equal cards 10" in words
    assert "The usual rules" in words
    assert "With a wild card on the table the deal is void. The same dealer deals again." in words


class TestOfAMatch:
    """The page of the rules of a match."""

    def test_the_options_of_the_match_are_told(self, app: Flask) -> None:
        fields = {"opt-obligation": json.dumps("free"), "opt-pts_one_of_coins": "3", "opt-target": "31"}
        words = open_table(app, **fields).get(ADDRESS).words

        assert "Nobody has to take." in words
        assert "It may take them, or leave them lying." in words
        assert "One of coins whoever has it in the pile 3 only here" in words
        assert "somebody reaches 31" in words

    def test_the_usual_rules_are_called_so(self, ana: Player) -> None:
        words = ana.get(ADDRESS).words

        assert "The usual rules, nothing changed." in words
        assert "only here" not in words
        assert "Chorizo, Flores : Ana · Beto" in words

    def test_the_sheet_leads_there_and_back(self, ana: Player) -> None:
        ana.close(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
        sheet = f"/t/{ana.key}/matches/1/deals/1"

        assert f'href="/t/{ana.key}{ADDRESS}?deal=1"' in ana.get("/matches/1/deals/1").html
        assert f'href="/t/{ana.key}{ADDRESS}?deal=1#item-prime"' in ana.get("/matches/1/deals/1").html
        assert f'class="back" href="{sheet}"' in ana.get(f"{ADDRESS}?deal=1").html
        assert 'id="item-prime"' in ana.get(f"{ADDRESS}?deal=1").html

    @pytest.mark.parametrize("deal", ["x", "9" * 400])
    def test_what_is_no_deal_is_refused(self, ana: Player, deal: str) -> None:
        assert ana.get(f"{ADDRESS}?{urlencode({'deal': deal})}").status == 400

    def test_a_watcher_reads_them_too(self, app: Flask, ana: Player) -> None:
        with app.app_context():
            table = queries.table_by_play_key(ana.key)
            assert table is not None
            watch = table.watch_key
        page = Page(app.test_client().get(f"/w/{watch}{ADDRESS}"))

        assert page.status == 200
        assert ana.key not in page.html


def sets(asked: Asked) -> dict[tuple[str, str], list[tuple[str, int]]]:
    """Return what each played card may take with the sweeps, by the table and the card."""
    return {
        (" ".join(each["layout"]), each["card"]): [(" ".join(takes), sweeps) for takes, _sum, sweeps in each["sets"]]
        for each in examples_of(asked)["taking"]
    }


def scored(asked: Asked, kind: str = "scoring") -> list[dict[str, dict[str, float]]]:
    """Return the points of the lines of each ended deal that is an example."""
    return [{line["item"]: line["points"] for line in each["lines"]} for each in examples_of(asked)[kind]]


class TestExamples:
    """What the engine says of the cases, under the usual rules: docs/rules.md 8."""

    def test_what_is_taken_by_fifteens(self) -> None:
        chorizo = sets(asked_of("chorizo"))
        assert chorizo["1O 3C 4E 7B", "4O"] == [("4E 7B", 0), ("1O 3C 7B", 0)]
        assert chorizo["7B", "10O"] == [("7B", 1)]
        escopa = sets(asked_of("escopa"))
        assert escopa["12O 11C 3E", "10B"] == [("12O 11C 3E", 2)]
        assert escopa["12O 12C 11E 10O", "10B"] == [("12O 12C 11E 10O", 3)]

    def test_what_is_taken_by_equals_and_sums(self) -> None:
        scopa = sets(asked_of("scopa"))
        assert scopa["7O 3C 4E", "7B"] == [("7O", 0)]
        assert scopa["7O 7B", "7E"] == [("7O", 0), ("7B", 0)]
        assert scopa["5O 2C 4E 3B", "7E"] == [("5O 2C", 0), ("4E 3B", 0)]
        assert scopa["5O 2C", "7E"] == [("5O 2C", 0)]
        assert sets(asked_of("scopone_scientifico"))["5O 2C", "7E"] == [("5O 2C", 1)]
        assert sets(asked_of("chkobba"))["11O 1C", "10E"] == [("11O 1C", 1)]
        d_assi = sets(asked_of("scopa_d_assi"))
        assert d_assi["12O 5C 3E", "1B"] == [("12O 5C 3E", 0)]
        assert d_assi["12O 1C 3E", "1B"] == [("1C", 0)]

    @pytest.mark.parametrize(
        ("game", "points"),
        [
            ("la_escoba", [4, 3, 3, 0]),
            ("cirulla", [3, 6, 5, 2, 0]),
        ],
    )
    def test_points_of_the_first_side(self, game: str, points: list[int]) -> None:
        assert [sum(line["A"] for line in lines.values()) for lines in scored(asked_of(game))] == points

    def test_brisca_and_its_kin(self) -> None:
        assert scored(asked_of("brisca", pts_over_hundred=2))[2]["over_hundred"] == {"A": 2, "B": 0}
        assert scored(asked_of("brisca", "mariaje"))[0]["game_point"] == {"A": 1, "B": 0}
        assert [line["bid"] for line in scored(asked_of("brisca", "rematada"))] == [
            {"A": 110, "B": 0, "C": 0},
            {"A": 0, "B": 55, "C": 55},
        ]
        assert [line["game_point"]["A"] for line in scored(asked_of("brisca", "mexican"))] == [1, 0]
        caller = [line["bid"]["A"] for line in scored(asked_of("brisca", "chiamata"))]
        assert caller == [2, -2, 4]

    def test_carioca(self) -> None:
        left, out = scored(asked_of("carioca", sides=4))
        assert left["hand_cards"]["B"] + left["steal"]["B"] == 39
        assert out["out_at_once"]["A"] + out["perfect_cut"]["A"] == -40

    @pytest.mark.parametrize("game", ["chorizo", "cirulla", "brisca", "carioca"])
    def test_a_game_of_each_family_shows_some(self, client: FlaskClient, game: str) -> None:
        page = Page(client.get(f"/rules/{game}"))
        drawn = page.html.count('<ul class="examples">')

        assert drawn == len(examples_of(asked_of(game, sides=4 if game == "carioca" else 0)))
        assert page.words.count("For example") == drawn >= 1


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("chorizo", "Between 2 players that makes 6 batches. In each of them the dealer plays last."),
        ("cirulla", "The best there can be, with four sevens: 84."),
        ("la_escoba", "loses four points, and one more for each time that anybody emptied the table"),
        ("scopa", "Each pile adds up to an even number"),
        ("brisca", "17 tricks until the stock is gone, 20 in all."),
        ("carioca", "3 straights 12 cards 13 53"),
    ],
)
def test_what_settles_a_dispute_is_told(client: FlaskClient, game: str, told: str) -> None:
    assert told in Page(client.get(f"/rules/{game}")).words


@pytest.mark.parametrize(("method", "is_asked"), [("italian", True), ("sevens_count", False)])
def test_a_primiera_asks_for_four_suits_unless_it_counts_sevens(app: Flask, method: str, is_asked: bool) -> None:
    table = open_table(app, game="scopa", opt__prime_method=f'"{method}"')
    words = table.get(ADDRESS).words
    assert ("It needs all four suits." in words) is is_asked
    assert "A suit that is missing adds nothing." not in words
