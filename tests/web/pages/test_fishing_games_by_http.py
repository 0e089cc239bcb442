"""What single games of fishing say and take on their pages, beside what all of them do."""

from __future__ import annotations

from uuid import uuid4

from flask import Flask

from ..conftest import Player, open_table, with_fields


def knock(table: Player, item: str) -> None:
    """Say by one button that the first side knocks."""
    path = table.deal() + "/declare"
    assert table.post(path, with_fields(table.get(path).form("declare"), {"knock": f"A:{item}"})).status == 303


def test_a_knock_is_one_button_and_the_next_of_a_player_is_of_the_next_batch(app: Flask) -> None:
    table = open_table(app, game="cirulla", shape="2x1")
    knock(table, "low_hand")
    assert "Ana: bussata of nine" in table.get().words
    knock(table, "three_of_a_kind")
    assert [entry.payload["batch"] for entry in table.entries()[1:]] == [1, 2]


def test_a_penalty_says_its_price_before_it_is_given(app: Flask) -> None:
    table = open_table(app, game="la_escoba", shape="2x1")
    table.sweep("A")
    table.sweep("B")
    assert "minus 4, and 1 for each sweep of this deal: now 6" in table.get(table.deal() + "/penalty").words


def test_where_the_lowest_total_wins_board_and_sheet_say_so(app: Flask) -> None:
    table = open_table(app, game="la_escoba", preset="desescoba")
    assert "lowest wins" in table.get().words
    table.close(others="A")
    assert "The lowest total wins." in table.get(table.deal()).words


def test_a_capture_of_thirty_is_two_sweeps_by_one_button(app: Flask) -> None:
    table = open_table(app, game="escopa", shape="2x1")
    assert 'aria-label="30: 2 escopas for Ana"' in table.get().html
    table.post(table.deal() + "/sweep", {"id": str(uuid4()), "side": "A", "count": "2"})
    assert table.standing().state.current.facts()["sweeps"] == {"A": 2}
