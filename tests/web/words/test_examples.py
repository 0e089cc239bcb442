"""Worked examples of the rules are worked out in few steps, and come to what all the steps in the world come to."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules import contract
from scorekeeper.web.words.examples import examples_of

GAMES = [game for game in rules.games()["games"] if game["family"] != "free"]


def shown(line: contract.SettledLine) -> tuple[Any, ...]:
    """Return what a page shows of a line."""
    return line["item"], line["points"], line["reason"], line.get("values")


@pytest.mark.parametrize("game", GAMES, ids=[game["id"] for game in GAMES])
def test_an_example_says_what_the_whole_work_says(game: contract.GameDescription) -> None:
    seat = game["seats"][0]
    asked = {"game": game["id"], "sides": list("AB"[: seat["sides"]]), "players_per_side": seat["players_per_side"]}
    ended = [one for kind in examples_of(asked).values() for one in kind if "lines" in one]
    rule_set = rules.find_game(game["id"])
    assert rule_set is not None
    assert rule_set.sources, f"name the sources of {game['id']} in its file, scorekeeper/rules/games"
    assert rule_set.examples, f"name examples of {game['id']} in its file, scorekeeper/rules/games"
    of_two = [each for each in rule_set.examples if isinstance(each, rules.examples.Ended) and each.sides == 2]
    assert ended or not of_two
    for one in ended:
        sheet: Any = rules.score({**asked, "deal": one["given"]})
        whole = {line["item"]: line for line in sheet["lines"]}
        assert [shown(line) for line in one["lines"]] == [shown(whole[line["item"]]) for line in one["lines"]]
