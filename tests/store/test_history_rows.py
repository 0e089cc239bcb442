"""The rows that follow from the summaries are moved with every write to what they would be if all were made again."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.store import commands, deleted, history_rows, ownership, summaries
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import LineUp, Match, MatchSummary, Seat, Table
from scorekeeper.store.standings import standing_of

ZONES = ("America/Montevideo", "Pacific/Kiritimati", "Europe/Rome")
# In New Year's night, and around a change of the clocks of Rome.
NIGHTS = (datetime(2025, 12, 31, 20, tzinfo=UTC), datetime(2026, 3, 28, 20, tzinfo=UTC))
moments = st.builds(
    lambda night, hours: night + timedelta(hours=hours), st.sampled_from(NIGHTS), st.sampled_from([0, 3, 5, 8, 8, 14])
)
acts = st.lists(
    st.one_of(
        st.tuples(st.just("start"), moments),
        st.tuples(st.just("type"), st.sampled_from([date(2025, 12, 31), date(2026, 1, 1), date(2026, 3, 29)])),
        st.tuples(st.sampled_from(["hide", "restore"]), st.integers(0, 9)),
        st.tuples(st.just("zone"), st.sampled_from(ZONES)),
    ),
    max_size=14,
)


def rows_of(table: Table) -> list[list[Any]]:
    evenings = select(MatchSummary.match, MatchSummary.evening).where(MatchSummary.table_id == table.id)
    found = [sorted(map(tuple, db.session.execute(evenings)))]
    for rows in (Seat, LineUp):
        its = select(*rows.__table__.c).where(rows.table_id == table.id)
        found.append(sorted(map(tuple, db.session.execute(its))))
    return found


def do(table: Table, act: str, how: Any) -> None:
    agreed = Setup("brisca", None, {}, sides_of([[1], [2]]), 0)
    if act == "start":
        match = commands.start_match(table, str(uuid4()), agreed)
        # As if it had been started then.
        summaries.drop(match)
        match.created_at = how
        db.session.flush()
        summaries.project(match, standing_of(match))
    elif act == "type":
        commands.type_result(table, str(uuid4()), agreed, commands.TypedResult(how, {"A": 3, "B": 1}, ["A"]))
    elif act == "zone":
        ownership.set_zone(table, how)
    elif table.last_match:
        number = 1 + how % table.last_match
        match = db.session.get_one(Match, (table.id, number))
        if act == "hide":
            deleted.hide(table, match)
        else:
            deleted.bring_back(table, number)


@given(acts)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_was_moved_is_what_would_be_made_anew(
    monkeypatch: pytest.MonkeyPatch, done: list[tuple[str, Any]]
) -> None:
    monkeypatch.setattr(history_rows, "CHAIN", 2)
    with writing():
        table = commands.open_table("Los jueves", str(uuid4()), ZONES[0])
        commands.seat_players(table, ["Ana", "Beto"])
    for act, how in done:
        with writing():
            do(table, act, how)
        moved = rows_of(table)
        with writing():
            history_rows.file_anew(table.id, table.zone)
        assert rows_of(table) == moved, (act, how)


def test_all_matches_of_one_moment_follow_the_evening_before_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_rows, "CHAIN", 2)
    with writing():
        commands.seat_players(table, ["Ana", "Beto"])
    # Typed for noon; the match before them began at seven, and its evening after midnight is that of the day before.
    for _result in range(5):
        with writing():
            do(table, "type", date(2026, 1, 1))
    with writing():
        do(table, "start", datetime(2026, 1, 1, 7, tzinfo=UTC))
    with writing():
        do(table, "start", datetime(2026, 1, 1, 2, tzinfo=UTC))
    assert set(db.session.scalars(select(MatchSummary.evening))) == {date(2025, 12, 31)}
