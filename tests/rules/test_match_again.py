"""A match scored again gives the same answer, without working every deal out again."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.fishing import FishingGame

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
