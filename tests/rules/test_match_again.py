"""A match scored again gives the same answer, without working every deal out again."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.fishing.game import FishingGame

MATCH: dict[str, Any] = {"game": "scopa", "sides": ["A", "B"], "options": {"target": 99}}


def deal(sweeps: Any) -> dict[str, Any]:
    return {"awards": {"cards": "A"}, "sweeps": {"A": sweeps}}


def test_only_the_deal_that_is_new_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rules.match({**MATCH, "deals": [deal(3), deal(4)]})
    scored = []
    score = FishingGame.score

    def counted(game: FishingGame, told: Any, *more: Any) -> Any:
        scored.append(told["sweeps"]["A"])
        return score(game, told, *more)

    monkeypatch.setattr(FishingGame, "score", counted)
    after = rules.match({**MATCH, "deals": [deal(3), deal(4), deal(5)]})
    assert scored == [5]
    assert after["sheets"][:2] == before["sheets"]


def test_what_only_looks_alike_is_another_deal() -> None:
    assert rules.match({**MATCH, "deals": [deal(1)]})["status"] == "playing"
    with pytest.raises(rules.Malformed):
        rules.match({**MATCH, "deals": [deal(True)]})


def test_a_deal_that_was_looked_at_is_not_worked_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rules.score({**MATCH, "deal": {**deal(6), "dealer": "B"}})
    monkeypatch.setattr(FishingGame, "score", None)
    rules.match({**MATCH, "deals": [{**deal(6), "dealer": "B"}]})


def test_a_sheet_that_depends_on_what_came_before_is_scored_for_its_place() -> None:
    carioca = {"game": "carioca", "sides": ["A", "B"]}
    round_of = {"cards": {"A": [], "B": ["4O", "5O"]}}
    first, second = rules.match({**carioca, "deals": [round_of, round_of]})["sheets"]
    assert rules.score({**carioca, "deal": round_of})["lines"] == first["lines"]
    assert second["status"] == first["status"]


def test_a_frozen_answer_says_the_same() -> None:
    asked = {**MATCH, "deals": [deal(3), deal(4)]}
    assert rules.match(asked, frozen=True) == rules.match(asked)


def test_an_answer_may_be_changed_by_whoever_asked() -> None:
    asked = {**MATCH, "deals": [deal(2)]}
    given = rules.match(asked)
    given["sheets"][0]["lines"].clear()
    assert rules.match(asked)["sheets"][0]["lines"]
