"""House rules are chosen once, kept under a name at the table, printed with the match and frozen in it."""

from __future__ import annotations

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.web.match.match_form import ends_named, group_titles
from scorekeeper.web.words.deal_nouns import played_round
from scorekeeper.web.words.names import Game, games

from ..conftest import Player, with_fields


def start(ana: Player, **fields: str) -> None:
    """Start another match at the table with these fields."""
    form = with_fields(
        ana.get("/matches/new").form("agree"), {name.replace("__", "-"): v for name, v in fields.items()}
    )
    assert ana.post("/matches/new", form).status in (200, 303)


def test_named_rules_are_offered_again(ana: Player) -> None:
    start(ana, rules_name="Los jueves", opt__pts_seven_of_coins="2")
    start(ana, rules_name="", opt__pts_seven_of_coins="1")

    assert "Los jueves" in ana.get("/matches/new").words
    form = ana.get("/matches/new?rules=Los+jueves").form("agree")
    assert form["opt-pts_seven_of_coins"] == "2"
    assert form["rules_name"] == "Los jueves"
    assert form["player-0"] == "Ana"


def test_what_was_agreed_is_printed_with_the_match(ana: Player) -> None:
    start(ana, opt__pts_seven_of_coins="2")
    page = ana.get("/matches/2").words

    assert "How much is the seven of coins?" in page
    assert "The usual rules, nothing changed." in ana.get("/matches/1").words


def test_rules_that_nobody_kept_are_simply_not_there(ana: Player) -> None:
    assert ana.get("/matches/new?rules=none").status == 200


def test_the_last_hand_is_called_where_that_was_agreed(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "la_escoba", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    ana.post("/matches/new", with_fields(drawn, {"step": "save"}))

    assert "Últimas" in ana.get().words


@pytest.mark.parametrize("game", games().values(), ids=games())
def test_every_option_is_in_a_group_that_has_words(app: Flask, game: Game) -> None:
    with app.test_request_context():
        titles = group_titles()
        assert all(titles.values())
        for option in game["options"]:
            assert option["group"] in (*titles, "goal", "derived"), f"name the group of {option['id']}"
            assert option["group"] != "derived" or option["id"] == "sides" or ends_named(game)[option["id"]]


def test_carioca_takes_card_values_and_extra_rounds_of_ones_own(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "carioca", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    own = {"opt-card_values-own": "A 15, X 50", "opt-rounds-own": "Poker, Escala real", "step": "save"}
    ana.post("/matches/new", with_fields(drawn, own))
    options = ana.standing(2).state.setup.options

    assert options["card_values"]["A"] == 15
    assert options["card_values"]["X"] == 50
    assert options["card_values"]["K"] == 10
    assert options["rounds"] == {"extra": ["Poker", "Escala real"]}
    again = ana.get("/matches/new").form("agree")
    assert again["opt-rounds-own"] == "Poker, Escala real"


def test_extra_rounds_of_carioca_are_played_after_the_seventh_and_before_the_last(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "carioca", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    ana.post("/matches/new", with_fields(drawn, {"opt-rounds-own": "Poker, Escala real", "step": "save"}))
    table = rules.read_table(ana.standing(2).state.engine_setup(), rules.Problems())
    assert table is not None
    played = [found.contract for number in range(1, 12) if (found := played_round(table, number)) is not None]

    assert played[5:] == ["1 trio + 2 straights", "4 trios", "Poker", "Escala real", "3 straights"]


def test_a_card_that_carioca_does_not_have_is_refused_beside_its_field(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "carioca", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    page = ana.post("/matches/new", with_fields(drawn, {"opt-card_values-own": "Z 15", "step": "save"}))

    assert page.status == 422
    assert "opt-card_values-own" in page.html


def test_a_cycle_of_deals_is_offered_only_where_deals_are_won_by_card_points(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "brisca", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    assert drawn["opt-match_mode"] == '"game_points"'

    drawn = ana.post("/matches/new", with_fields(drawn, {"preset": "mexican", "step": "refresh"})).form("agree")
    assert "opt-match_mode" not in drawn
    assert ana.post("/matches/new", with_fields(drawn, {"step": "save"})).status == 303
    assert ana.standing(2).state.setup.options["match_mode"] == "game_points"
