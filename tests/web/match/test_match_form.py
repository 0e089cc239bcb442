"""House rules are chosen once, kept under a name at the table, printed with the match and frozen in it."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.web.match.match_form import ends_named, group_titles
from scorekeeper.web.words.deal_nouns import played_round
from scorekeeper.web.words.names import games

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


def test_the_last_hand_is_called_where_that_was_agreed(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "la_escoba", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    ana.post("/matches/new", with_fields(drawn, {"step": "save"}))

    assert "Últimas" in ana.get().words


def test_every_option_is_in_a_group_that_has_words(app: Flask) -> None:
    with app.test_request_context():
        titles = group_titles()
        assert all(titles.values())
        options = [(game, option) for game in games().values() for option in game["options"]]
        assert {option["group"] for _game, option in options} <= {*titles, "goal", "derived"}
        derived = [(game, option["id"]) for game, option in options if option["group"] == "derived"]
        assert all(id == "sides" or ends_named(game)[id] for game, id in derived)


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
    assert again["opt-rounds-own"] == "Poker"
    assert again["opt-rounds-2"] == "y"
    assert again["opt-card_values-A"] == "15"
    assert again["opt-card_values-own"] == "X 50"


def test_extra_rounds_of_carioca_are_played_after_the_seventh_and_before_the_last(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "carioca", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    ana.post("/matches/new", with_fields(drawn, {"opt-rounds-own": "Poker, Escala real", "step": "save"}))
    table = rules.read_table(ana.standing(2).state.engine_setup(), rules.Problems())
    assert table is not None
    played = [found.contract for number in range(1, 12) if (found := played_round(table, number)) is not None]

    assert played[5:] == ["1 trio + 2 straights", "4 trios", "Poker", "royal straight", "3 straights"]


def test_a_cycle_of_deals_is_offered_only_where_deals_are_won_by_card_points(ana: Player) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "brisca", "step": "refresh"})
    drawn = ana.post("/matches/new", form).form("agree")
    assert drawn["opt-match_mode"] == '"game_points"'

    drawn = ana.post("/matches/new", with_fields(drawn, {"preset": "mexican", "step": "refresh"})).form("agree")
    assert "opt-match_mode" not in drawn
    assert ana.post("/matches/new", with_fields(drawn, {"step": "save"})).status == 303
    assert ana.standing(2).state.setup.options["match_mode"] == "game_points"


def drawn_for(ana: Player, **asked: str) -> dict[str, str]:
    """Return the form of a new match once it was drawn for what is asked."""
    form = with_fields(ana.get("/matches/new").form("agree"), {**asked, "step": "refresh"})
    return ana.post("/matches/new", form).form("agree")


@pytest.mark.parametrize(
    ("game", "preset", "numbers"),
    [
        ("scopa", "scopa", [11, 16, 21]),
        ("brisca", "chiamata", [3, 5, 7, 11]),
        ("free", "free", []),
    ],
)
def test_targets_that_tables_play_to_are_offered_as_chips(
    ana: Player, game: str, preset: str, numbers: list[int]
) -> None:
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": game, "preset": preset, "step": "refresh"})
    page = ana.post("/matches/new", form).html

    assert re.findall(r'data-number="(\d+)"', page) == [str(number) for number in numbers]


def test_a_call_is_set_up_to_eleven_points_and_the_engine_stays_at_three(ana: Player) -> None:
    drawn = drawn_for(ana, game="brisca", preset="chiamata", shape="5x1")
    assert drawn["opt-match_to"] == "11"

    five = {f"player-{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo", "Cata", "Eva"))}
    ana.post("/matches/new", with_fields(drawn, {**five, "step": "save"}))
    assert ana.standing(2).state.setup.options["match_to"] == 11
    assert " to 11" in ana.get().words
    usual = rules.read_table({"game": "brisca", "preset": "chiamata", "sides": [*"ABCDE"]}, rules.Problems())
    assert usual is not None
    assert usual.options["match_to"] == 3


def test_rounds_of_carioca_are_ticked_in_the_set_up_and_offered_again(ana: Player) -> None:
    drawn = drawn_for(ana, game="carioca")
    ana.post("/matches/new", with_fields(drawn, {"opt-rounds-0": "y", "opt-rounds-2": "y", "step": "save"}))

    assert ana.standing(2).state.setup.options["rounds"] == {"extra": ["escala sucia", "escala real"]}
    again = ana.get("/matches/new").form("agree")
    assert ("opt-rounds-0" in again, "opt-rounds-1" in again, "opt-rounds-2" in again) == (True, False, True)
    assert again.get("opt-rounds-own", "") == ""


def test_a_run_of_all_ranks_is_dealt_thirteen_cards(ana: Player) -> None:
    drawn = drawn_for(ana, game="carioca")
    ana.post("/matches/new", with_fields(drawn, {"opt-rounds-2": "y", "step": "save"}))
    table = rules.read_table(ana.standing(2).state.engine_setup(), rules.Problems())
    assert table is not None
    found = played_round(table, 8)

    assert found is not None
    assert (found.contract, found.cards, found.cut) == ("royal straight", 13, 27)
    page = ana.get("/matches/2/rules").words
    assert "Royal straight (escala real): thirteen cards from ace to king, all of one suit." in page


def test_extra_rounds_are_not_offered_where_the_cards_do_not_carry_them(ana: Player) -> None:
    nine = {f"player-{seat}": f"P{seat}" for seat in range(9)}
    form = with_fields(ana.get("/matches/new").form("agree"), {"game": "carioca", "shape": "9x1", **nine})
    page = ana.post("/matches/new", with_fields(form, {"step": "refresh"}))

    assert "opt-rounds-own" in page.html
    assert "opt-rounds-0" not in page.html


@pytest.mark.parametrize(
    ("tapped", "value"),
    [
        ({"opt-card_values-X": "25"}, {"X": 25, "A": 20}),
        ({"opt-card_values-X": "25", "opt-card_values-own": "K 12"}, {"X": 25, "K": 12}),
        ({"opt-card_values-X": "25", "opt-card_values-own": "X 50"}, {"X": 50, "A": 20}),
    ],
)
def test_what_joker_and_ace_cost_is_tapped(ana: Player, tapped: dict[str, str], value: dict[str, int]) -> None:
    drawn = drawn_for(ana, game="carioca")
    assert (drawn["opt-card_values-X"], drawn["opt-card_values-A"]) == ("30", "20")
    ana.post("/matches/new", with_fields(drawn, {**tapped, "step": "save"}))
    values = ana.standing(2).state.setup.options["card_values"]

    assert {rank: values[rank] for rank in value} == value


def test_a_worth_that_is_not_offered_is_refused_and_what_was_chosen_stays(ana: Player) -> None:
    drawn = drawn_for(ana, game="carioca")
    for wrong in ("99", "x", "15"):
        fields = {"opt-card_values-X": wrong, "opt-rounds-0": "y", "step": "save"}
        page = ana.post("/matches/new", with_fields(drawn, fields))

        assert page.status == 422
        assert "opt-rounds-0" in page.form("agree")
