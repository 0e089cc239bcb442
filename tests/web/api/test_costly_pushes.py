"""What the entries of one push take is counted, and what goes beyond waits for the next push."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS, PUSH_WEIGHT, STEPS_A_WEIGHT
from scorekeeper.rules import budget

from ...helpers.cold import forget
from ...helpers.costly import COSTLIEST
from ..conftest import Player, open_table

MANY = 15
MATCHES = import_module("scorekeeper.rules.match")
(FOUR,) = (one for one in COSTLIEST if one["game"] == "baciga" and len(one["sides"]) == 4)


@pytest.fixture
def four(app: Flask) -> Player:
    """A table of four sides."""
    names = {f"player-{seat}": name for seat, name in enumerate(["Ana", "Bruno", "Carla", "Dora"])}
    return open_table(app, game="baciga", shape="4x1", **names)


def closings(number: int) -> list[dict[str, Any]]:
    """Costly closings of one deal, each another one."""
    deal = {name: facts for name, facts in FOUR["deal"].items() if name != "accept"}
    return [
        {
            "id": str(uuid4()),
            "match": 1,
            "kind": "deal_closed",
            "deal": 1,
            "payload": {"facts": {**deal, "sweeps": {"A": turn, "B": 0, "C": 0, "D": 0}}},
            "drawn_from": 1,
        }
        for turn in range(number)
    ]


def push(phone: Player, entries: list[dict[str, Any]]) -> tuple[list[str], int]:
    """Push entries to a process that has judged none of them; return what became of each, and the steps taken."""
    forget()
    with rules.tallied() as tally:
        answer = phone.client.post("/api/v1/entries", json={"table": phone.key, "entries": entries})
    assert answer.json is not None
    return [one["status"] for one in answer.json["answers"]], tally.steps


def test_a_push_of_costly_closings_stays_within_the_steps_of_a_request(four: Player) -> None:
    became, steps = push(four, closings(MANY))

    assert became[0] == "refused", "the first is always tried"
    assert became[-1] == "later"
    assert became == sorted(became, key=["refused", "later"].index)
    assert steps <= PUSH_WEIGHT * STEPS_A_WEIGHT + DEAL_STEPS


def test_every_push_gets_on(four: Player) -> None:
    waiting, pushes = closings(4), 0
    while waiting:
        became, _steps = push(four, waiting)
        waiting = [one for one, status in zip(waiting, became, strict=True) if status == "later"]
        pushes += 1
        assert pushes <= 4

    assert four.kinds() == ["match_started"]


@pytest.mark.parametrize("is_whole", [False, True])
def test_a_pushed_closing_is_judged_once(four: Player, monkeypatch: pytest.MonkeyPatch, is_whole: bool) -> None:
    judged: Counter[str] = Counter()
    score_deal = MATCHES.score_deal

    def counted(table: Any, deal: Any, earlier: int) -> Any:
        # What only reads the facts has no steps to take.
        if budget.current().steps:
            judged[repr(sorted(deal["sweeps"].items()))] += 1
        return score_deal(table, deal, earlier)

    monkeypatch.setattr(MATCHES, "score_deal", counted)
    pushed = closings(3)
    if is_whole:
        for one in pushed:
            awards = dict.fromkeys((row.item for row in _needs()), "A")
            one["payload"]["facts"] = {"sweeps": one["payload"]["facts"]["sweeps"], "awards": awards}
    became, _steps = push(four, pushed)

    assert became[0] == ("written" if is_whole else "refused")
    assert judged
    assert set(judged.values()) == {1}


def _needs() -> Any:
    table = rules.read_table({"game": "baciga", "sides": list("ABCD")}, rules.Problems())
    assert table is not None
    return rules.describe_deal(table).rows


def test_a_long_match_weighs_on_a_push(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    pad = open_table(app, game="free")

    def tap(kind: str, deal: int, **fields: list[str]) -> dict[str, Any]:
        return {"id": str(uuid4()), "match": 1, "kind": kind, "deal": deal, "fields": fields, "drawn_from": 10**6}

    def close(deal: int) -> dict[str, Any]:
        return tap("deal_closed", deal, **{"points-A": ["1"], "points-B": ["0"]})

    taps = [tap("points_noted", 1, side=["A"], points=["1"]) for _ in range(20)]
    assert push(pad, taps)[0] == ["written"] * 20
    assert push(pad, [close(1), close(2)])[0] == ["written"] * 2
    monkeypatch.setattr("scorekeeper.web.api.sync.ENTRIES_A_WEIGHT", 0.2)

    # Each of them is the first of its push, or comes after one that has read the whole match.
    assert push(pad, [close(3), close(4)])[0] == ["written", "later"]
    assert push(pad, [tap("points_noted", 4, side=["A"], points=["1"]) for _ in range(2)])[0] == ["written", "later"]
