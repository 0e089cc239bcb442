"""What is noted while a deal is played gives points at once, whoever gets the cards."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules

SIDES = ["A", "B"]
CHORIZO = {"game": "chorizo", "sides": SIDES}


def noted(**deal: Any) -> dict[str, Any]:
    return rules.points_noted({**CHORIZO, "deal": {"dealer": "A", **deal}})


def test_nothing_noted_gives_nothing() -> None:
    assert noted() == {"A": 0, "B": 0}


def test_each_sweep_is_a_point() -> None:
    assert noted(sweeps={"A": 2, "B": 1}) == {"A": 2, "B": 1}


def test_a_declaration_counts_what_its_cards_are_worth() -> None:
    declared = [{"side": "B", "cards": ["1C", "2C", "3C"]}]
    worth = rules.score({**CHORIZO, "deal": {"declarations": declared}})
    points = sum(line["points"]["B"] for line in worth["lines"] if line["points"] and line["reason"] == "declared")
    assert points > 0
    assert noted(declarations=declared) == {"A": 0, "B": points}


def test_an_opening_of_fifteen_is_the_dealers() -> None:
    assert noted(layout=["1C", "3O", "4E", "7B"]) == {"A": 1, "B": 0}


def test_what_is_noted_is_part_of_what_the_whole_deal_comes_to() -> None:
    deal = {"dealer": "A", "sweeps": {"A": 2, "B": 1}, "awards": dict.fromkeys(
        ("cards", "coins", "seven_of_coins", "two_of_clubs", "prime"), "B")}  # fmt: skip
    whole = rules.score({**CHORIZO, "deal": deal})["points"]
    assert noted(sweeps=deal["sweeps"])["A"] == whole["A"]


@pytest.mark.parametrize("game", ["brisca", "carioca", "free"])
def test_a_game_in_which_nothing_is_noted_gives_nothing(game: str) -> None:
    assert rules.points_noted({"game": game, "sides": SIDES, "deal": {}}) == {"A": 0, "B": 0}


def test_a_damaged_request_is_refused_as_by_every_question() -> None:
    with pytest.raises(rules.Malformed):
        rules.points_noted({"game": "chorizo", "sides": "A", "deal": {}})
