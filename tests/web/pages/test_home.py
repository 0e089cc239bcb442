"""The start page of a phone with tables: which is in play, who won the others, and when."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask

from scorekeeper.store import queries
from scorekeeper.store.models import now

from ...helpers.moments import play_at
from ..conftest import Player, open_table, with_fields

DAYS_AGO = [(0, "today"), (1, "yesterday"), (3, "on ")]


def ago(table: Player, days: int) -> None:
    """Let the match of a table have been played so many days ago."""
    with table.app.app_context():
        row = queries.table_by_play_key(table.key)
        assert row is not None
        play_at(row, {1: now() - timedelta(days=days)})


def cut_ahead(table: Player) -> None:
    """Close a deal with plain points, and cut the match: the first side, which is ahead, wins."""
    path = f"{table.deal()}/close"
    points = {"points-A": "5", "points-B": "3", "step": "save"}
    table.post(path, with_fields(table.get(f"{path}?as=points").form("closing"), points))
    table.stop(leader=True)


@pytest.mark.parametrize(("days", "words"), DAYS_AGO)
def test_a_match_that_is_over_is_on_top_with_who_won_it_when(ana: Player, days: int, words: str) -> None:
    cut_ahead(ana)
    ago(ana, days)
    page = ana.client.get("/").text
    assert f'<p class="result">Ana won {words}' in page
    assert "To the table" in page
    assert "Go on playing" not in page


def test_two_who_won_together_won_in_spanish_too(app: Flask) -> None:
    table = open_table(app, shape="2x2", player__0="Ana", player__1="Beto", player__2="Leo", player__3="Cata")
    cut_ahead(table)
    ago(table, 1)
    table.client.post("/language", data={"language": "es", "back": "/"})
    assert "ayer ganaron Ana y Leo" in table.client.get("/").text


@pytest.mark.parametrize(
    ("days", "words"), [(0, "Chorizo · being played, 0–0"), (1, "Chorizo · unfinished yesterday, 0–0")]
)
def test_the_row_of_another_table_says_when_it_was_left(app: Flask, ana: Player, days: int, words: str) -> None:
    ago(ana, days)
    newer = open_table(app)
    ana.client.get(f"/t/{newer.key}")
    assert words in ana.client.get("/").text
