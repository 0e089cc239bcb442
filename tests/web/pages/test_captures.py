"""What a card may take in a match: asked at its address, answered by its own rules."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import Player, open_table

ADDRESS = "/matches/1/captures"


def with_house_rules(app: Flask, game: str, **options: object) -> Player:
    """Open a table of two that plays a game with these options, all others as usual."""
    fields = {f"opt-{option}": json.dumps(value) for option, value in options.items()}
    return open_table(app, game=game, **fields)


def ask(player: Player, **asked: Any) -> Page:
    """Ask what a card takes in the first match, as the address asks it."""
    return player.get(f"{ADDRESS}?{urlencode(asked, doseq=True)}")


def test_the_board_leads_there_and_back(ana: Player) -> None:
    assert "What can it take?" in ana.get().words
    assert f'href="/t/{ana.key}{ADDRESS}"' in ana.get().html
    assert f'href="/t/{ana.key}"' in ask(ana).html


def test_the_house_rules_of_the_match_answer(app: Flask) -> None:
    by_sums = {"layout": ["5O", "2C"], "card": "7E"}
    equal_only = with_house_rules(app, "scopa", obligation="rank_only")

    assert "must take" in ask(with_house_rules(app, "scopa"), **by_sums).words
    assert "a sum may be left lying" in ask(equal_only, **by_sums).words


def test_the_preset_of_the_match_has_its_wild_cards(app: Flask) -> None:
    lies = {"layout": ["12O", "5C"], "card": "6E"}
    montevideo = open_table(app, preset="montevideo")

    assert "one of 2 sets" in ask(montevideo, **lies).words
    assert "4 + 5 + 6 = 15" in ask(montevideo, **lies, **{"as-12O": "4"}).words
    assert "takes nothing" in ask(open_table(app, preset="flores"), **lies).words


def test_a_wild_card_has_the_value_that_it_was_declared_with(app: Flask) -> None:
    table = open_table(app, game="cirulla", shape="2x1")
    table.declare("A", "1E", "2C", "7C", **{"as-7C": "3"})

    assert ask(table).form("captures")["as-7C"] == "3"
    assert ask(table, **{"as-7C": ""}).form("captures")["as-7C"] == ""


def test_nothing_is_chosen_there_and_the_rules_are_named(app: Flask) -> None:
    page = ask(open_table(app, preset="catsatcards"))

    assert "By the rules of this match: Chorizo CatsAtCards" in page.words
    assert {"game", "preset", "drawn"}.isdisjoint(page.form("captures"))
    assert not [name for name in page.form("captures") if name.startswith("opt-")]


def test_the_address_cannot_change_the_rules(app: Flask) -> None:
    asked = {"game": "escopa", "preset": "catsatcards", "opt-obligation": '"free"', "layout": "5C", "card": "10E"}

    assert "takes nothing" in ask(open_table(app), **asked).words
    assert "must take" in ask(open_table(app), **{**asked, "layout": "7C"}).words


@pytest.mark.parametrize("game", ["brisca", "free"])
def test_a_game_without_captures_has_none(app: Flask, game: str) -> None:
    table = open_table(app, game=game)

    assert ADDRESS not in table.get().html
    assert ask(table, card="7E").status == 404


def test_a_watcher_may_ask_too(app: Flask, ana: Player) -> None:
    with app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        watch = table.watch_key
    page = Page(app.test_client().get(f"/w/{watch}{ADDRESS}?layout=7O&card=10C"))

    assert page.status == 200
    assert "can take" in page.words
    assert ana.key not in page.html
    assert f'action="/w/{watch}{ADDRESS}"' in page.html


def test_what_cannot_be_is_refused_and_nothing_tapped_is_lost(ana: Player) -> None:
    page = ask(ana, layout=["7O", "7O"], card="6O")

    assert page.status == 422
    assert "7 of coins is twice on the table" in page.words
    assert set(page.form("captures").getlist("layout")) == {"7O"}
