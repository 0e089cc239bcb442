"""Best of three: up to three matches in a row between the same sides, until one has won two.

Each match of a series names the first in its entry ``match_started``. What they come to is not stored anywhere: it
follows from their summaries, so a deleted match counts for nobody, and a correction counts at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, select

from ..limits import SERIES_REACH
from .db import Base, db
from .doubts import is_in_doubt, next_dropped
from .journal.kinds import MATCH_STARTED, StoredSeries
from .journal.match_setup import Side
from .models import Entry, MatchSummary, SummarySide

BEST_OF = 3
"""The matches of a series at most."""
_ENTRIES = Base.metadata.tables[Entry.__tablename__].c
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
_STARTED_IT = and_(
    _ENTRIES.table_id == _SUMMARIES.table_id,
    _ENTRIES.match == _SUMMARIES.match,
    _ENTRIES.seq == 1,
    _ENTRIES.kind == MATCH_STARTED,
)
MATCHES_FROM = (
    select(
        _SUMMARIES.match,
        _SUMMARIES.status,
        _SUMMARIES.sides,
        _SUMMARIES.winners,
        _SUMMARIES.doubt_at,
        _SUMMARIES.doubt_decides,
        _ENTRIES.payload,
    )
    .join(_ENTRIES.payload.table, _STARTED_IT)
    .where(
        _SUMMARIES.table_id == bindparam("table"),
        _SUMMARIES.match.between(bindparam("first"), bindparam("last")),
    )
    .order_by(_SUMMARIES.match)
)
"""The matches among which a series is; every board of one asks for them, so the statement is built once."""


class SeriesScore(NamedTuple):
    """The score of a series, as the board of one of its matches shows it."""

    won: tuple[tuple[str, int], ...]
    """The matches that each side has won, by the labels that the sides have in this match."""
    played: int
    """The matches that somebody has won, also those in doubt; at most ``most``."""
    most: int
    """The matches of the series at most."""
    open: int
    """Of those played, the ones whose winner is in doubt: they count for nobody until that is settled."""
    until: datetime | None = None
    """When this turns by time alone, because a doubt is dropped; None if only what is written changes it."""

    @property
    def winners(self) -> list[str]:
        """Return the labels of the sides that have won the series; [] while nobody has."""
        return [label for label, won in self.won if won >= _enough(self.most)]

    @property
    def is_over(self) -> bool:
        """Return whether the series is decided, or all its matches are played and none is in doubt."""
        return bool(self.winners) or (self.played >= self.most and not self.open)

    @property
    def goes_on(self) -> bool:
        """Return whether another match of it is to be played after those that are over."""
        return not self.is_over and self.played < self.most

    def of(self, label: str) -> int:
        """Return the matches that a side has won; 0 for one that came in during this match."""
        return dict(self.won).get(label, 0)


class _Sides:
    """The sides of a series: everybody who has played for each, as they take seats and labels from match to match."""

    def __init__(self, sides: Sequence[SummarySide]) -> None:
        self.players = [_everybody(side) for side in sides]

    def places(self, sides: Sequence[SummarySide]) -> dict[str, int] | None:
        """Return which side of the series each label of a match is; None if other sides have played it.

        A substitute plays for the side of the player who left. A latecomer is none of the series.
        """
        each = {side["label"]: _everybody(side) for side in sides}
        those = list(enumerate(self.players))
        met = [(label, place) for label, own in each.items() for place, others in those if own & others]
        found = dict(met)
        if len(met) != len(self.players) or len(found) != len(met) or len(set(found.values())) != len(met):
            return None
        for label, place in met:
            self.players[place] |= each[label]
        return found


def _everybody(side: SummarySide) -> set[int]:
    """Return the players of a side at the end of its match, and those who played deals of it."""
    return {*side["players"], *(stint["player"] for stint in side.get("stints", ()))}


def _enough(most: int) -> int:
    return most // 2 + 1


def _matches_of(table_id: int, series: StoredSeries) -> list[Any]:
    """Return the matches of a series that are not deleted, the first one first."""
    first = series["first"]
    rows = db.session.execute(MATCHES_FROM, {"table": table_id, "first": first, "last": first + SERIES_REACH - 1})
    return [row for row in rows if (row.payload.get("series") or {}).get("first") == first]


def score_of(table_id: int, match: int, series: StoredSeries | None) -> SeriesScore | None:
    """Return the score of the series of a match; None if it belongs to none, or others have played it.

    Matches behind the one that decides the series are not counted, as deals behind the end of a match: a correction, or
    a match that is brought back, may decide it earlier.
    """
    rows = _matches_of(table_id, series) if series is not None else []
    if series is None or not rows:
        return None
    sides, most = _Sides(rows[0].sides), series["of"]
    won, played, in_doubt = [0] * len(sides.players), 0, 0
    here: dict[str, int] | None = None
    for row in rows:
        places = sides.places(row.sides)
        if row.match == match:
            here = places
        if places is None or row.status != "won" or played >= most or max(won) >= _enough(most):
            continue
        played += 1
        if is_in_doubt(row.doubt_at, decides=row.doubt_decides):
            in_doubt += 1
            continue
        for label in row.winners:
            if label in places:
                won[places[label]] += 1
    if here is None:
        return None
    until = next_dropped(row.doubt_at for row in rows)
    return SeriesScore(tuple((label, won[place]) for label, place in here.items()), played, most, in_doubt, until)


def going_on(table_id: int, former: int, number: int, sides: Sequence[Side]) -> StoredSeries | None:
    """Return the series of match ``former`` if match ``number`` of these sides goes on with it; else None.

    It goes on between the same sides, whatever their labels, while nobody has won it and fewer matches were played, or
    are being played, than it has at most. A match that was stopped without a winner may be played again.
    """
    payload = db.session.scalar(
        select(_ENTRIES.payload).where(_ENTRIES.table_id == table_id, _ENTRIES.match == former, _ENTRIES.seq == 1)
    )
    series: StoredSeries | None = (payload or {}).get("series")
    score = score_of(table_id, former, series)
    if series is None or score is None or score.is_over or number >= series["first"] + SERIES_REACH:
        return None
    rows = _matches_of(table_id, series)
    before = next(row.sides for row in rows if row.match == former)
    is_same = {frozenset(side["players"]) for side in before} == {frozenset(side.players) for side in sides}
    has_room = sum(row.status != "ended" for row in rows) < series["of"]
    return {"of": series["of"], "first": series["first"]} if is_same and has_room else None


def places_in_series(table_id: int, matches: Iterable[int]) -> dict[int, int]:
    """Return which match of its series each of these is, from 1 on; those that belong to none are left out.

    A match that was stopped without a winner is none of the three, as it may be played again. Asks the database once.
    """
    asked = set(matches)
    near = {number for match in asked for number in range(match - SERIES_REACH + 1, match + 1)}
    first = _ENTRIES.payload["series"]["first"].as_integer()
    query = (
        select(_SUMMARIES.match, _SUMMARIES.status, _SUMMARIES.sides, first.label("first"))
        .join(_ENTRIES.payload.table, _STARTED_IT)
        .where(_SUMMARIES.table_id == table_id, _SUMMARIES.match.in_(near), first.is_not(None))
        .order_by(_SUMMARIES.match)
    )
    of_series: dict[int, list[Any]] = defaultdict(list)
    for row in db.session.execute(query):
        of_series[row.first].append(row)
    found: dict[int, int] = {}
    for rows in of_series.values():
        sides = _Sides(rows[0].sides)
        played = [row.match for row in rows if row.status != "ended" and sides.places(row.sides) is not None]
        found |= {match: place for place, match in enumerate(played, 1) if match in asked}
    return found
