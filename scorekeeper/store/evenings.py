"""Evenings: matches that began less than six hours after the one before, also after midnight.

A match that was taken up again on another day belongs to the evening in which it ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import and_, bindparam, select

from ..limits import EVENING_MATCHES, RANKED_MATCHES
from .db import Base, db
from .doubts import is_in_doubt
from .models import Match, MatchSummary, SummarySide, Table, now
from .ranking import Players, players_of

GAP = timedelta(hours=6)
"""A match that begins this long after the one before begins another evening."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
NEWEST = (
    select(
        _SUMMARIES.match,
        _SUMMARIES.sides,
        _SUMMARIES.winners,
        _SUMMARIES.started_at,
        _SUMMARIES.ended_at,
        _SUMMARIES.doubt_at,
        _SUMMARIES.doubt_decides,
    )
    .join(Match, and_(Match.table_id == _SUMMARIES.table_id, Match.number == _SUMMARIES.match))
    .where(Match.table_id == bindparam("table"))
    .order_by(Match.taken_up.desc(), Match.number.desc())
    .limit(EVENING_MATCHES)
)
"""The newest matches, newest first. Every board asks for them, so the statement is built once."""


class Begun(Protocol):
    """A match, or its summary."""

    @property
    def started_at(self) -> datetime:
        """When it began."""

    @property
    def ended_at(self) -> datetime | None:
        """When it ended; None while it goes on."""


BegunMatch = TypeVar("BegunMatch", bound=Begun)


class Won(NamedTuple):
    """The number of matches that a player, or players together, won in an evening."""

    players: tuple[int, ...]
    """In the order of their last seats."""
    matches: int


class Evening(NamedTuple):
    """The matches won in an evening."""

    won: tuple[Won, ...] = ()
    """The most matches first; empty if nobody has won a match."""
    goes_on: bool = True
    """Whether a match that begins now belongs to this evening."""


def counted_at(match: Begun) -> datetime:
    """Return the moment that puts a match in an evening: its end if that is ``GAP`` after its start, else its start."""
    ended = match.ended_at
    return ended if ended is not None and ended - match.started_at >= GAP else match.started_at


def by_evening(newest_first: Iterable[BegunMatch]) -> list[list[BegunMatch]]:
    """Return the matches in groups, one for each evening, the newest first."""
    evenings: list[list[BegunMatch]] = []
    for match in sorted(newest_first, key=counted_at, reverse=True):
        if evenings and counted_at(evenings[-1][-1]) - counted_at(match) < GAP:
            evenings[-1].append(match)
        else:
            evenings.append([match])
    return evenings


def tonight(newest_first: Sequence[Begun]) -> datetime:
    """Return when the present evening began; the present moment if there is none."""
    if not newest_first or now() - max(map(counted_at, newest_first)) >= GAP:
        return now()
    return counted_at(by_evening(newest_first)[0][-1])


def newest(table: Table) -> Sequence[Any]:
    """Return the columns that a tally needs of the newest matches of a table, newest first."""
    return db.session.execute(NEWEST, {"table": table.id}).all()


def tally(table: Table, match: int) -> Evening:
    """Return the matches won in the evening of a match, by the players of each side."""
    rows = newest(table)
    evening = next((group for group in by_evening(rows) if any(row.match == match for row in group)), [])
    if not evening:
        return Evening(goes_on=False)
    seated: dict[Players, tuple[int, ...]] = {}
    won: dict[Players, int] = {}
    for row in evening:
        is_open = is_in_doubt(row.doubt_at, decides=row.doubt_decides)
        for side in row.sides:
            players = players_of(side)
            seated.setdefault(players, tuple(side["players"]))
            if side["label"] in row.winners and not is_open:
                won[players] = won.get(players, 0) + 1
    # Two sides that played the whole evening are both named, the loser with nothing.
    if len(won) == 1 and len(evening) > 1 and all(len(row.sides) == 2 for row in evening) and len(seated) == 2:
        won = {**dict.fromkeys(seated, 0), **won}
    each = sorted((Won(seated[players], matches) for players, matches in won.items()), key=lambda one: -one.matches)
    return Evening(tuple(each), goes_on=now() - counted_at(evening[0]) < GAP)


def meetings(table: Table) -> dict[frozenset[Players], int]:
    """Return how often two sides have met at a table, over its newest matches."""
    query = select(_SUMMARIES.sides).where(_SUMMARIES.table_id == table.id)
    met: dict[frozenset[Players], int] = {}
    for sides in db.session.scalars(query.order_by(_SUMMARIES.match.desc()).limit(RANKED_MATCHES)):
        pairing = pairing_of(sides)
        met[pairing] = met.get(pairing, 0) + 1
    return met


def pairing_of(sides: Iterable[SummarySide]) -> frozenset[Players]:
    """Return who plays against whom, without their seats."""
    return frozenset(players_of(side) for side in sides)
