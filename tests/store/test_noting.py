"""What is noted while a deal is played: the match stands as a fold over the whole journal would say, at once."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper.store import commands, standings
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, entries_of
from scorekeeper.store.journal.replay import replay
from scorekeeper.store.models import Match
from scorekeeper.store.standings import score_match, standing_of

AWARDS = {"awards": {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}}
TOLD: list[tuple[str, dict[str, Any]]] = [
    (kinds.SWEPT, {"deal": 1, "side": "A", "count": 1}),
    (kinds.LAYOUT_NOTED, {"deal": 1, "layout_result": "15"}),
    (kinds.DECLARED, {"deal": 1, "side": "B", "items": ["flush"]}),
    (kinds.TABLE_RENAMED, {"from": "x", "to": "y"}),
    (kinds.PENALISED, {"deal": 1, "item": "wrong_capture", "side": "B"}),
    (kinds.SWEPT, {"deal": 2, "side": "A", "count": 2}),
    (kinds.DEAL_CLOSED, {"deal": 1, "facts": AWARDS}),
    (kinds.SWEPT, {"deal": 2, "side": "B", "count": 1}),
]


def test_a_noted_standing_equals_the_replay_of_the_whole_journal(match: Match) -> None:
    for kind, payload in TOLD:
        with writing():
            commands.record(match, [NewEntry(kind, payload)])
        db.session.expire_all()
        afresh = replay(entries_of(match))
        assert standing_of(match).state == afresh, kind
        assert standing_of(match).result == score_match(afresh), kind


def test_a_tap_scores_no_deal(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_of(match)
    asked: list[int] = []
    monkeypatch.setattr(standings.rules, "match", lambda *_told, **_more: asked.append(1))
    for count in range(1, 4):
        with writing():
            commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])
        assert standing_of(match).state.current.facts() == {"sweeps": {"A": count}}
    assert not asked


def test_what_is_rolled_back_is_not_kept(match: Match) -> None:
    head = match.head

    def fail() -> None:
        with writing():
            commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert standing_of(match).state.head == head
    assert standing_of(match).state.current.facts() == {}
