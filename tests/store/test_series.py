"""A best of three is counted from the summaries of its matches, on both databases."""

from __future__ import annotations

from uuid import uuid4

import pytest
from sqlalchemy import event

from scorekeeper.limits import SERIES_REACH
from scorekeeper.store import commands, deleted
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Match, Table
from scorekeeper.store.series import SeriesScore, places_in_series, score_of
from scorekeeper.store.standings import standing_of

from .conftest import resolved

POINTS = {"A": {"A": 9, "B": 2}, "B": {"A": 2, "B": 9}}
"""What the winner and the loser make in the only deal of a match to 9."""


def start(table: Table, *, after: Match | None = None, names: str = "Ana Beto", series: bool = False) -> Match:
    """Start a match of two to 9: the rematch of ``after``, or one of its own."""
    numbers = commands.seat_players(table, names.split())
    sides = sides_of([[number] for number in numbers])
    agreed = Setup("chorizo", "flores", resolved(target=9), sides, first_dealer=0)
    rematch_of = None if after is None else after.number
    how = {"rematch_of": rematch_of, "beside_newer": True, "best_of_three": series}
    return commands.start_match(table, str(uuid4()), agreed, **how)  # type: ignore[arg-type]


def win(match: Match, side: str) -> None:
    """Close the deal that wins the match for a side."""
    closing = NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"points": POINTS[side]}}, id=str(uuid4()))
    commands.record(match, [closing])


def play(table: Table, winners: str) -> list[Match]:
    """Play a series with these winners, each match the rematch of the one before."""
    matches: list[Match] = []
    for side in winners:
        matches.append(start(table, after=matches[-1] if matches else None, series=not matches))
        win(matches[-1], side)
    return matches


def score(match: Match) -> SeriesScore | None:
    return score_of(match.table_id, match.number, standing_of(match).state.series)


def won(match: Match) -> dict[str, int]:
    found = score(match)
    assert found is not None
    return dict(found.won)


@pytest.fixture
def level(table: Table) -> list[Match]:
    """Two matches of a series, one each."""
    with writing():
        return play(table, "AB")


def test_the_matches_won_are_counted_by_side(level: list[Match]) -> None:
    assert [won(match) for match in level] == [{"A": 1, "B": 1}] * 2


def test_labels_may_turn(table: Table, level: list[Match]) -> None:
    with writing():
        last = start(table, after=level[1], names="Beto Ana")
        win(last, "A")
    assert won(last) == {"A": 2, "B": 1}
    assert won(level[0]) == {"A": 1, "B": 2}


def test_a_match_of_others_between_is_none_of_it(table: Table, level: list[Match]) -> None:
    with writing():
        between = start(table, names="Dora Leo")
        win(between, "A")
        last = start(table, after=level[1])
    assert score(between) is None
    assert won(last) == {"A": 1, "B": 1}


def test_a_rematch_with_somebody_else_belongs_to_none(table: Table, level: list[Match]) -> None:
    with writing():
        other = start(table, after=level[1], names="Ana Dora")
    assert standing_of(other).state.series is None


def test_a_deleted_match_counts_for_nobody_until_it_is_back(table: Table, level: list[Match]) -> None:
    with writing():
        deleted.hide(table, level[0])
    assert won(level[1]) == {"A": 0, "B": 1}
    with writing():
        deleted.bring_back(table, level[0].number)
    assert won(level[1]) == {"A": 1, "B": 1}


def test_it_goes_on_without_its_first_match(table: Table, level: list[Match]) -> None:
    with writing():
        deleted.hide(table, level[0])
        last = start(table, after=level[1])
    assert standing_of(last).state.series == {"of": 3, "first": level[0].number}


def test_far_behind_its_first_match_a_rematch_belongs_to_none(table: Table, level: list[Match]) -> None:
    with writing():
        table.last_match = level[0].number + SERIES_REACH - 2
        db.session.flush()
        inside = start(table, after=level[1])
        assert standing_of(inside).state.series is not None
        commands.record(inside, [NewEntry(kinds.MATCH_ENDED, {}, id=str(uuid4()))])
        outside = start(table, after=level[1])
    assert standing_of(outside).state.series is None


def test_of_two_tables_each_has_its_own(table: Table, level: list[Match]) -> None:
    with writing():
        other = commands.open_table("Los viernes", str(uuid4()))
        first = start(other, series=True)
    assert first.number == level[0].number
    assert won(first) == {"A": 0, "B": 0}
    assert won(level[0]) == {"A": 1, "B": 1}


def test_the_places_of_matches_in_their_series_are_asked_for_at_once(table: Table, level: list[Match]) -> None:
    with writing():
        alone = start(table, names="Dora Leo")
    numbers = [match.number for match in (*level, alone)]
    asked: list[str] = []
    event.listen(db.engine, "before_cursor_execute", lambda _conn, _cursor, statement, *_more: asked.append(statement))
    assert places_in_series(table.id, numbers) == {numbers[0]: 1, numbers[1]: 2}
    assert sum("match_summaries" in statement for statement in asked) == 1
    # A page that shows the last ones only counts those before it too.
    assert places_in_series(table.id, numbers[1:]) == {numbers[1]: 2}
