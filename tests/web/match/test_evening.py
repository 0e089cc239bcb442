"""The end of a match, and the board of the next, say what each has won this evening."""

from __future__ import annotations

import pytest
from flask import Flask

from scorekeeper.store import evenings, queries

from ..conftest import Player, open_table


def win(table: Player, match: int, side: str) -> None:
    """Let a side win a match with its first deal; a match but the first is the rematch of the one before."""
    if match > 1:
        former = f"/matches/{match - 1}"
        assert table.post(f"{former}/rematch", table.get().form(action="/rematch")).status == 303
    assert table.close(match=match, rest=side, accept=["pile_modulus"]).status == 303


@pytest.fixture
def table(app: Flask) -> Player:
    """A table of Ana and Beto whose matches one deal wins."""
    return open_table(app, opt__target="1")


def test_whoever_has_won_most_comes_first(table: Player) -> None:
    for match, side in enumerate("ABB", 1):
        win(table, match, side)
    for page in ("", table.deal(match=3)):
        assert "Tonight: 1–2" in table.get(page).words


def test_the_board_of_the_next_match_tells_it_too(table: Player) -> None:
    for match, side in enumerate("AA", 1):
        win(table, match, side)
    table.post("/matches/2/rematch", table.get().form(action="/rematch"))
    assert "Tonight: Ana 2, Beto 0" in table.get().words


def test_the_loser_of_the_only_match_is_not_named(table: Player) -> None:
    win(table, 1, "A")
    with table.app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        assert evenings.tally(found, 1, {}).won == (((1,), 1),)


def test_a_board_that_was_shown_before_follows_a_correction_of_another_match(table: Player) -> None:
    win(table, 1, "A")
    win(table, 2, "A")
    assert "Tonight: 2–0" in table.get().words
    assert table.close(match=1, rest="B", accept=["pile_modulus"]).status == 303
    assert "Tonight: 1–1" in table.get().words
