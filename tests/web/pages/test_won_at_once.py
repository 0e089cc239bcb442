"""A match won or lost by one deal, whatever the totals: every page and text says the reason."""

from __future__ import annotations

import pytest
from flask import Flask

from ..conftest import Player, open_table

ALL_COINS = "Ana wins: all ten denari"
NO_CAPTURE = "Ana wins: Beto captured nothing"


@pytest.fixture
def all_coins(app: Flask) -> Player:
    """A match of cirulla in which Ana has taken every coin, and Beto all other cards."""
    table = open_table(app, game="cirulla")
    coins = [f"{rank}O" for rank in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)]
    assert table.close(pile__A=[*coins, "1C"], rest="B").status == 303
    return table


@pytest.fixture
def no_capture(app: Flask) -> Player:
    """A match of La escoba in which Ana has taken every card."""
    table = open_table(app, game="la_escoba")
    assert table.close(rest="A", accept=["pile_modulus"]).status == 303
    return table


def test_the_board_the_sheet_the_match_and_the_text_say_why(all_coins: Player, no_capture: Player) -> None:
    for table, reason in ((all_coins, ALL_COINS), (no_capture, NO_CAPTURE)):
        for page in ("", "/board", table.deal(), "/matches/1"):
            assert reason in table.get(page).words, page
        for page in ("/matches/1/text", table.deal() + "/text", "/matches/1/picture"):
            assert reason in table.get(page).html, page


def test_the_sheet_and_its_text_say_which_deal_did_it(all_coins: Player, no_capture: Player) -> None:
    won = "Ana has all ten denari: that wins the match at once."
    lost = "Beto captured nothing: that loses the match at once."
    for table, sentence in ((all_coins, won), (no_capture, lost)):
        assert sentence in table.get(table.deal()).words
        assert sentence in table.get(table.deal() + "/text").html


def test_a_match_won_by_points_needs_no_reason(app: Flask) -> None:
    table = open_table(app, opt__target="1")
    assert table.close(rest="A", accept=["pile_modulus"]).status == 303
    assert "Ana wins" in table.get("").words
    assert "Ana wins:" not in table.get("").words
    assert "match at once" not in table.get(table.deal()).words
