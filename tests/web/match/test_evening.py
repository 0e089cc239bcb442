"""The end of a match says how its two sides stand this evening, in the order in which their totals stand above it."""

from __future__ import annotations

import pytest
from flask import Flask

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


def test_one_match_is_no_evening_yet(table: Player) -> None:
    win(table, 1, "A")
    assert "this evening" not in table.get().words


def test_the_matches_are_in_the_order_of_the_sides_whoever_is_ahead(table: Player) -> None:
    for match, side in enumerate("ABB", 1):
        win(table, match, side)
    for page in ("", table.deal(match=3)):
        assert "this evening 1–2" in table.get(page).words


def test_a_level_evening_is_told_too(table: Player) -> None:
    win(table, 1, "A")
    win(table, 2, "B")
    assert "this evening 1–1" in table.get().words


def test_a_board_that_was_shown_before_follows_a_correction_of_another_match(table: Player) -> None:
    win(table, 1, "A")
    win(table, 2, "A")
    assert "this evening 2–0" in table.get().words
    assert table.close(match=1, rest="B", accept=["pile_modulus"]).status == 303
    assert "this evening 1–1" in table.get().words
