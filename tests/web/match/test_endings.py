"""When a match ends: the board says what the rules say, and the free pad ends at the number that is typed."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import Player, agreed, open_table

THREE = {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo"))}


def play(table: Player, number: int, **points: int) -> None:
    """Close a deal with these numbers."""
    assert table.close(number, **{name: str(value) for name, value in points.items()}).status == 303


class TestTheBoard:
    @pytest.mark.parametrize(
        ("fields", "said"),
        [
            ({"game": "brisca"}, "3 to go Deal 1 · Ana deals"),
            ({"game": "brisca", "preset": "rematada", "shape": "3x1", **THREE}, "Deal 1 · Ana deals Trumps"),
            ({"game": "brisca", "opt__match_mode": '"cycle_points"'}, "Deal 1 of 4 · Ana deals Trumps"),
            (
                {"game": "carioca"},
                "Round 1 of 8 · Ana deals · Beto cuts 2 trios · 11 cards · cut 23 · lowest wins Close",
            ),
            ({"game": "free", "opt__rounds": "6"}, "Round 1 of 6 +1"),
            ({"game": "free", "opt__target": "10"}, "10 to go Round 1"),
        ],
    )
    def test_it_says_how_far_the_match_goes(self, app: Flask, fields: dict[str, Any], said: str) -> None:
        words = open_table(app, **fields).get().words.replace("Close the deal", "What")
        assert said in words

    def test_it_says_where_the_points_of_this_deal_are_enough(self, app: Flask) -> None:
        table = open_table(app, opt__target="2")
        table.sweep("A")
        assert "1 this deal 2 to go" in table.get().words
        table.sweep("A")
        assert "+2 this deal enough, if it ends so" in table.get().words
        assert "0 this deal 2 to go" in table.get().words

    def test_every_board_counts_the_deals_of_a_match_of_so_many(self, app: Flask) -> None:
        table = open_table(app, game="carioca")
        for board in ("/faces", "/board"):
            assert "Round 1 of 8 · Ana deals · Beto cuts" in table.get(board).words


class TestTheFreePad:
    def test_a_target_that_is_typed_ends_the_match(self, app: Flask) -> None:
        table = open_table(app, game="free", opt__target="10")
        play(table, 1, points__A=12, points__B=7)
        assert "Ana wins" in table.get().words

    def test_a_match_has_one_end(self, client: FlaskClient) -> None:
        form = agreed(client, game="free", player__0="Ana", player__1="Beto", opt__target="10", opt__rounds="2")
        page = Page(client.post("/tables/new", data=form))
        assert page.status == 422
        assert "leave one of them empty" in page.words

    def test_who_is_ahead_wins_a_match_that_the_table_ends(self, app: Flask) -> None:
        table = open_table(app, game="free", shape="3x1", **THREE)
        play(table, 1, points__A=12, points__B=7, points__C=-5)
        board = table.get("/table")
        assert "End this match" in board.words
        table.post("/matches/1/end", board.form(action="/end"))
        assert "Ana wins" in table.get().words
        with app.app_context():
            found = queries.table_by_play_key(table.key)
            assert found is not None
            ((summary,), _more) = queries.history(found, size=1)
            assert (summary.status, summary.winners) == ("won", ["A"])

    @pytest.mark.parametrize("deals", [(), ((5, 5),)])
    def test_nobody_wins_before_a_deal_or_level(self, app: Flask, deals: tuple[tuple[int, int], ...]) -> None:
        table = open_table(app, game="free")
        for number, (ana, beto) in enumerate(deals, 1):
            play(table, number, points__A=ana, points__B=beto)
        table.post("/matches/1/end", table.get("/table").form(action="/end"))
        assert "The match was stopped" in table.get().words


def test_a_rematada_without_a_target_is_won_by_who_is_ahead(app: Flask) -> None:
    table = open_table(app, game="brisca", preset="rematada", **THREE)
    assert (
        table.close(
            bidder="B", bid="101", last_trick="A", married="none", card_points__B="90", card_points__A="30"
        ).status
        == 303
    )
    assert table.totals() == {"A": 50.5, "B": 0, "C": 50.5}
    assert "Ana +50.5, Beto 0, Leo +50.5" in table.get().words
    assert (
        table.close(2, bidder="A", bid="100", last_trick="A", card_points__A="110", card_points__B="10").status == 303
    )
    table.post("/matches/1/end", table.get("/table").form(action="/end"))
    assert "Ana wins" in table.get().words
