"""What the entries of one push take is counted, and what goes beyond waits for the next push."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS, ENTRIES_A_WEIGHT, PUSH_WEIGHT, STEPS_A_WEIGHT
from scorekeeper.store.journal.entries import JournalEntry
from scorekeeper.store.models import now
from scorekeeper.strict_json import write_json
from scorekeeper.web.api import sync
from scorekeeper.web.api.sync import PushWork

from ...helpers.cold import forget
from ...helpers.costly import COSTLIEST
from ..conftest import Player, open_table

MANY = 15
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


@pytest.mark.whole
def test_every_push_gets_on(four: Player) -> None:
    waiting, pushes = closings(4), 0
    while waiting:
        became, _steps = push(four, waiting)
        waiting = [one for one, status in zip(waiting, became, strict=True) if status == "later"]
        pushes += 1
        assert pushes <= 4

    assert four.kinds() == ["match_started"]


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


def test_a_closing_weighs_more_than_a_tap_and_a_match_is_read_once() -> None:
    work, weights = PushWork(), []
    for kind in ("swept", "swept", "deal_closed", ""):
        work.add(kind, match=1, entries=10 * ENTRIES_A_WEIGHT)
        weights.append(work.weight)
    assert weights == [11, 12, 32, 33]


def test_an_answer_tells_the_newest_of_what_was_written_meanwhile_in_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    since = [
        JournalEntry(str(seq), seq, "swept", {"deal": 1, "side": "A", "count": 1}, None, now()) for seq in range(60)
    ]
    stale = [sync.EntryResult(id, sync.STALE, since=since) for id in "ab"]

    def told() -> list[list[int]]:
        return [[entry["seq"] for entry in answer["since"]] for answer in sync._in_json(stale, ())]  # type: ignore[attr-defined]

    assert told() == [list(range(10, 60))] * 2
    monkeypatch.setattr(sync, "PULLED_BYTES", 70 * len(write_json(sync.as_json(since[-1], ()))))
    assert [len(one) for one in told()] == [50, 20], "together they are no longer than one answer may be"


def test_a_clock_that_is_ten_years_off_is_not_believed() -> None:
    asked = [now() + timedelta(days=days) for days in (3650, 3670, -3670)]
    assert [sync._ahead(moment.isoformat()) is None for moment in asked] == [False, True, True]
