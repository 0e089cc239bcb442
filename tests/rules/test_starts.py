"""What a table agrees on before it plays: judged without a deal, so that a game whose deals need more can start."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules

GAMES = {game["id"]: game for game in rules.games()["games"]}


def table(game: str, sides: int = 2, each: int = 1, **more: Any) -> dict[str, Any]:
    """Return the request of a table."""
    return {"game": game, "sides": [str(side) for side in range(sides)], "players_per_side": each, **more}


@pytest.mark.parametrize("game", GAMES)
def test_every_preset_can_be_agreed_on_with_its_line_ups_and_no_other(game: str) -> None:
    every = GAMES[game]["seats"]
    for preset, seats in GAMES[game]["preset_seats"].items():
        assert all(line_up in every for line_up in seats)
        for line_up in every:
            fewer = {"rounds": 7} if game == "carioca" else {}
            asked = table(game, line_up["sides"], line_up["players_per_side"], preset=preset, options=fewer)
            options, problems = rules.agree(asked)
            assert (options is not None) == (line_up in seats)
            assert problems.fatal == (line_up not in seats)


def test_what_is_agreed_is_what_deals_are_scored_with() -> None:
    asked = table("chorizo", preset="capagorry", options={"target": 31})
    options, _problems = rules.agree(asked)
    assert options == rules.score({**asked, "deal": {}})["options"]


def test_nine_cannot_play_a_round_of_thirteen_cards() -> None:
    options, problems = rules.agree(table("carioca", 9))
    assert options is None
    assert [(problem.code, problem.where) for problem in problems] == [("too_many_players", "options.rounds")]


def test_settings_have_the_bounds_of_a_request() -> None:
    with pytest.raises(rules.Malformed):
        rules.agree({"game": "free", "sides": ["A" * 100_000, "B"]})
    with pytest.raises(rules.Malformed):
        rules.agree({"game": 7, "sides": ["A", "B"]})


class TestEndedByHand:
    @pytest.mark.parametrize(
        ("options", "totals", "winners"),
        [
            ({}, (12, 7, -5), ["0"]),
            ({"winner": "lowest"}, (12, 7, -5), ["2"]),
            ({}, (12, 12, 0), []),
            ({"tie": "shared"}, (12, 12, 0), ["0", "1"]),
            ({"tie": "shared"}, (0, 0, 0), []),
            ({"end": "target", "target": 20}, (12, 7, -5), []),
            ({"end": "rounds", "rounds": 9}, (12, 7, -5), []),
        ],
    )
    def test_who_is_ahead_wins_where_the_rules_name_no_end(
        self, options: dict[str, Any], totals: tuple[int, ...], winners: list[str]
    ) -> None:
        asked = table("free", 3, options=options)
        assert rules.leaders_by_hand(asked, dict(zip("012", totals, strict=True))) == winners
