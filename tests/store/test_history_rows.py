"""The rows that follow from the summaries are moved with every write to what they would be if all were made again."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from scorekeeper.store import commands, deleted, history_rows, ownership, people, queries, ranking, summaries
from scorekeeper.store.db import Gone, db, writing
from scorekeeper.store.finding import ALL
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalEntry, NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import LineUp, Match, MatchSummary, Seat, Table
from scorekeeper.store.standings import standing_of

from ..helpers import draws
from ..helpers.databases import on_both
from ..helpers.evenings import REFUSALS
from .conftest import resolved
from .test_finding import all_of, ranked_by_hand

pytestmark = on_both

Found = TypeVar("Found")
ZONES = ("America/Montevideo", "Pacific/Kiritimati", "Europe/Rome")
# In New Year's night, and around a change of the clocks of Rome.
NIGHTS = (datetime(2025, 12, 31, 20, tzinfo=UTC), datetime(2026, 3, 28, 20, tzinfo=UTC))
moments = st.builds(
    lambda night, hours: night + timedelta(hours=hours), st.sampled_from(NIGHTS), st.sampled_from([0, 3, 5, 8, 8, 14])
)
numbers = st.integers(0, 9)
players = st.integers(1, 5)
a_deal = st.tuples(numbers, st.sampled_from("AB"), moments)
HOW: dict[str, st.SearchStrategy[Any]] = {
    "start": st.tuples(moments, st.sampled_from([[1, 2], [1, 2], [3, 2], [3, 4], [4, 1, 2]])),
    "type": st.sampled_from([date(2025, 12, 31), date(2026, 1, 1), date(2026, 3, 29)]),
    "close": a_deal,
    "correct": a_deal,
    **dict.fromkeys(("take_back", "dispute", "substitute", "end", "resume", "hide", "restore"), numbers),
    "zone": st.sampled_from(ZONES),
    "merge": st.tuples(players, players),
    "separate": players,
}
"""All acts, and how each can be done."""
OFTEN = ("start", "start", "close", "close", "close", "close", "correct", "take_back")
acts = st.lists(
    st.sampled_from((*HOW, *OFTEN)).flatmap(lambda act: st.tuples(st.just(act), HOW[act])), min_size=4, max_size=20
)
POINTS = {"A": {"A": 9, "B": 2}, "B": {"A": 2, "B": 9}}
"""What a deal brings that one side wins, and with it the match."""


def rows_of(table: Table) -> list[list[Any]]:
    found = []
    for rows in (MatchSummary, Seat, LineUp):
        its = select(*rows.__table__.c).where(rows.table_id == table.id)
        found.append(sorted(map(tuple, db.session.execute(its))))
    return found


def make_anew(table: Table) -> None:
    shown = select(Match).where(Match.table_id == table.id, Match.deleted_at.is_(None)).order_by(Match.number)
    for match in db.session.scalars(shown):
        summaries.project(match, standing_of(match))
    history_rows.file_anew(table.id, table.zone)


def start_at(table: Table, moment: datetime, players: list[int]) -> None:
    """Start a match as if it had been started then."""
    agreed = Setup("chorizo", "flores", resolved(target=9), sides_of([[number] for number in players]), 0)
    match = commands.start_match(table, str(uuid4()), agreed, beside_newer=True)
    summaries.drop(match)
    match.created_at = moment
    db.session.flush()
    summaries.project(match, standing_of(match))


def type_in(table: Table, day: date) -> None:
    agreed = Setup("brisca", None, {}, sides_of([[1], [2]]), 0)
    commands.type_result(table, str(uuid4()), agreed, commands.TypedResult(day, {"A": 3, "B": 1}, ["A"]))


def one_of(found: list[Found], pick: int) -> Found:
    """Return one of those that were found. Raises ``Gone`` if there are none."""
    if not found:
        raise Gone
    return found[pick % len(found)]


class Acts:
    """What is done at a table; what cannot be done is refused."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def do(self, act: str, how: Any) -> None:
        with suppress(*REFUSALS), writing():
            getattr(self, act)(how)

    def start(self, how: tuple[datetime, list[int]]) -> None:
        start_at(self.table, *how)

    def type(self, day: date) -> None:
        type_in(self.table, day)

    def zone(self, zone: str) -> None:
        ownership.set_zone(self.table, zone)

    def _matches(self) -> list[Match]:
        found = db.session.scalars(select(Match).where(Match.table_id == self.table.id).order_by(Match.number))
        return list(found)

    def _match(self, pick: int) -> Match:
        """Return one of the matches that were played."""
        return one_of([match for match in self._matches() if match.taken_up], pick)

    def hide(self, pick: int) -> None:
        deleted.hide(self.table, one_of(self._matches(), pick))

    def restore(self, pick: int) -> None:
        deleted.bring_back(self.table, one_of(self._matches(), pick).number)

    def close(self, how: tuple[int, str, datetime]) -> None:
        pick, winner, moment = how
        match = self._match(pick)
        commands.record(match, [_closing(standing_of(match).state.current.number, winner, moment)])

    def correct(self, how: tuple[int, str, datetime]) -> None:
        pick, winner, moment = how
        match, last = self._last_closing(pick)
        voided = NewEntry(kinds.VOIDED, {"entry": last.id})
        commands.record(match, [voided, _closing(last.payload["deal"], winner, moment)])

    def _last_closing(self, pick: int) -> tuple[Match, JournalEntry]:
        found = ((match, standing_of(match).state.closed) for match in self._matches())
        return one_of([(match, deals[-1].closed) for match, deals in found if deals and deals[-1].closed], pick)

    def take_back(self, pick: int) -> None:
        match, last = self._last_closing(pick)
        commands.undo(match, last.id)

    def dispute(self, pick: int) -> None:
        match, last = self._last_closing(pick)
        said: Any = {"deal": last.payload["deal"], "entry": last.id, "side": "A"}
        commands.record(match, [NewEntry(kinds.DISPUTED, said)])

    def substitute(self, pick: int) -> None:
        """Let a fifth player take the seat of whoever sits first."""
        match = self._match(pick)
        state = standing_of(match).state
        now: Any = {"deal": state.current.number, "player": 5, "other": state.setup_to_come.sides[0].players[0]}
        commands.record(match, [NewEntry(kinds.SUBSTITUTED, now)])

    def end(self, pick: int) -> None:
        commands.record(self._match(pick), [NewEntry(kinds.MATCH_ENDED, {})])

    def resume(self, pick: int) -> None:
        commands.record(self._match(pick), [NewEntry(kinds.MATCH_RESUMED, {})])

    def merge(self, how: tuple[int, int]) -> None:
        people.merge(self.table, *how, str(uuid4()))

    def separate(self, number: int) -> None:
        people.separate(self.table, number, str(uuid4()))


def _closing(deal: int, winner: str, moment: datetime) -> NewEntry:
    facts: Any = {"points": POINTS[winner]}
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": facts, "at": moment.isoformat()})


@pytest.mark.whole
@given(acts)
@settings(max_examples=draws.examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_was_moved_is_what_would_be_made_anew(
    monkeypatch: pytest.MonkeyPatch, done: list[tuple[str, Any]]
) -> None:
    monkeypatch.setattr(history_rows, "CHAIN", 2)
    with writing():
        table = commands.open_table("Los jueves", str(uuid4()), ZONES[0])
        commands.seat_players(table, ["Ana", "Beto", "Anita", "Leo", "Sofi"])
        for seats in ([1, 2], [3, 4]):
            start_at(table, NIGHTS[0], seats)
    at_the_table = Acts(table)
    for act, how in done:
        at_the_table.do(act, how)
        moved = rows_of(table)
        with writing():
            make_anew(table)
        assert rows_of(table) == moved, (act, how)
    merged = queries.player_names(table).merged
    for together in (False, True):
        ranked = ranking.ranking(table, ALL, merged, together=together)
        found = {one.players: (one.played, one.won) for one in ranked}
        assert found == ranked_by_hand(all_of(table), ALL, merged, together=together)


def test_all_matches_of_one_moment_follow_the_evening_before_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_rows, "CHAIN", 2)
    with writing():
        commands.seat_players(table, ["Ana", "Beto"])
    # Typed for noon; the match before them began at seven, and its evening after midnight is that of the day before.
    for _result in range(5):
        with writing():
            type_in(table, date(2026, 1, 1))
    with writing():
        start_at(table, datetime(2026, 1, 1, 7, tzinfo=UTC), [1, 2])
    with writing():
        start_at(table, datetime(2026, 1, 1, 2, tzinfo=UTC), [1, 2])
    assert set(db.session.scalars(select(MatchSummary.evening))) == {date(2025, 12, 31)}
