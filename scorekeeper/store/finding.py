"""The matches of a table that somebody looks for, by game, players, time and state, in the order of the history.

Each choice is read by an index that begins with what is chosen, so that a page of it costs the same however many other
matches there are.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import ColumnElement, Integer, Select, func, literal, literal_column, or_, select, tuple_, union

from ..limits import OPEN_DOUBTS
from . import queries
from .db import Base, db
from .doubts import DROPPED
from .history_rows import ANY_SIDES, GONE
from .models import LineUp, MatchSummary, Seat, Table, now
from .who import Merged, Players, as_now, once, read, ways, written

STATES = ("playing", "won", "ended", "doubt")
"""The states by which matches can be chosen; ``doubt`` is a match with a deal in doubt, whatever else it is."""
YEAR, MONTH, DAY = (len(span) for span in ("2026", "2026-05", "2026-05-03"))
"""Letters of the name of a year, a month and a day."""
_SPAN = re.compile("[0-9]{4}(-[0-9]{2}){0,2}")
QUERIES = 16
"""Queries for players under several numbers, which are read one by one up to here: each is read in its order."""
Place = tuple[date, int]
"""An evening and the number of a match in it."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__]
_SEATS = Base.metadata.tables[Seat.__tablename__]
_LINE_UPS = Base.metadata.tables[LineUp.__tablename__].c
_ALSO = _SEATS.alias()
WHO = _LINE_UPS.who + literal_column("''")
"""Who it is in a row of line-ups, to group by: by the bare column SQLite would read all rows in an index's order."""


@dataclass(frozen=True)
class Chosen:
    """A choice of matches of a table: all, or those of a game, of players, a span, a state, or several of these.

    Its players are named by those whom they turned out to be.
    """

    game: str | None = None
    players: Players = ()
    """A player, or partners who play together; anybody if there is none."""
    person: int | None = None
    """A player who sits in the match too, on whatever side."""
    span: str = ""
    """The year, month or day of their evenings: ``2026``, ``2026-05``, ``2026-05-03``; all if it is empty."""
    state: str = ""

    @property
    def seated(self) -> list[Players]:
        """All who sit in each of these matches: partners, then the player."""
        alone = () if self.person is None else (self.person,)
        return [who for who in (self.players, alone) if who]

    @property
    def days(self) -> tuple[date, date] | None:
        """The first and the last day of the span; None for all."""
        return days_of(self.span) if self.span else None


ALL = Chosen()


def days_of(span: str) -> tuple[date, date]:
    """Return the first and the last day of a year, a month or a day. Raises ``ValueError`` if it is none of these."""
    if not _SPAN.fullmatch(span):
        raise ValueError(span)
    first = date.fromisoformat(f"{span}-01-01"[:DAY])
    if len(span) == YEAR:
        return first, date(first.year, 12, 31)
    return first, first.replace(day=monthrange(first.year, first.month)[1]) if len(span) == MONTH else first


def history(
    table: Table, chosen: Chosen, before: int | None, merged: Merged, *, size: int
) -> tuple[list[MatchSummary], int | None]:
    """Return ``size`` of the chosen matches, ordered as by ``queries.history``, and the next page's ``before``."""
    if chosen == ALL:
        return queries.history(table, before, size=size)
    place = queries.place_of(table, before) if before is not None else None
    if before is not None and place is None:
        return [], None
    # One match more shows whether another page follows.
    places = _places(table, chosen, place, merged, size + 1)
    numbers = [match for _evening, match in places]
    wanted = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match.in_(numbers[:size]))
    # Put in order here: SQLite would read all matches in this order to find these.
    found = {summary.match: summary for summary in db.session.scalars(wanted)} if numbers else {}
    more = numbers[size - 1] if len(numbers) > size else None
    return [found[number] for number in numbers[:size] if number in found], more


def is_any(table: Table, chosen: Chosen, merged: Merged) -> bool:
    """Return whether a table has any of the chosen matches."""
    return bool(_places(table, chosen, None, merged, 1))


def evenings(table: Table, chosen: Chosen, merged: Merged, most: int) -> list[date]:
    """Return the first evenings of the chosen matches, at most ``most``, the oldest first."""
    found = [
        select(rows.c.evening).where(*conditions).distinct().order_by(rows.c.evening).limit(most)
        for rows, conditions in _sources(table, chosen, None, merged)
    ]
    return sorted(row.evening for row in _all_of(found))[:most]


def _places(table: Table, chosen: Chosen, before: Place | None, merged: Merged, most: int) -> list[Place]:
    """Return the places of the chosen matches before a place, the last first, at most ``most``."""
    found = [
        select(rows.c.evening, rows.c.match)
        .where(*conditions)
        .order_by(rows.c.evening.desc(), rows.c.match.desc())
        .limit(most)
        for rows, conditions in _sources(table, chosen, before, merged)
    ]
    return sorted(((row.evening, row.match) for row in _all_of(found)), reverse=True)[:most]


def _all_of(each_part: list[Select[Any]]) -> list[Any]:
    """Return the rows of several queries, each in its own order and up to its own bound."""
    if len(each_part) == 1:
        return list(db.session.execute(each_part[0]))
    return list(db.session.execute(union(*(select(part.subquery()) for part in each_part))))


def _sources(
    table: Table, chosen: Chosen, before: Place | None, merged: Merged
) -> list[tuple[Any, list[ColumnElement[bool]]]]:
    """Return where the chosen matches are read, with the conditions: each source has an index in their order."""
    if not chosen.seated:
        return [(_SUMMARIES, _conditions(_SUMMARIES, table, chosen, before))]
    first, *others = (ways(players, merged) for players in chosen.seated)
    also = [
        select(1)
        .where(_ALSO.c.table_id == _SEATS.c.table_id, _ALSO.c.match == _SEATS.c.match)
        .where(_ALSO.c.who.in_([written(way) for way in other]))
        .exists()
        for other in others
    ]
    names = [written(way) for way in first]
    shares = [share for at in range(QUERIES) if (share := names[at::QUERIES])]
    conditions = [*_conditions(_SEATS, table, chosen, before), *also]
    return [(_SEATS, [_one_of(_SEATS.c.who, share), *conditions]) for share in shares]


def _one_of(column: ColumnElement[str], names: list[str]) -> ColumnElement[bool]:
    # SQLite does not read "in" a list of one in the order of an index.
    return column == names[0] if len(names) == 1 else column.in_(names)


def _conditions(rows: Any, table: Table, chosen: Chosen, before: Place | None) -> list[ColumnElement[bool]]:
    """Return the conditions for the chosen matches in summaries or seats, but for who played."""
    found: list[ColumnElement[bool]] = [rows.c.table_id == table.id]
    if chosen.game is not None:
        found.append(rows.c.game == chosen.game)
    if chosen.state and chosen.state != "doubt":
        found.append(rows.c.status == chosen.state)
    elif rows is _SEATS:
        found.append(rows.c.status != GONE)
    if chosen.state == "doubt":
        found.append(rows.c.match.in_(_in_doubt(table)))
    last = date.max
    if chosen.days is not None:
        first, last = chosen.days
        found.append(rows.c.evening >= first)
    # Only one of the two ends is asked for: an index would be read from the other one.
    if before is not None and before[0] <= last:
        found.append(tuple_(rows.c.evening, rows.c.match) < before)
    elif chosen.days is not None:
        found.append(rows.c.evening <= last)
    return found


def _in_doubt(table: Table) -> Any:
    """Return the query for the numbers of the matches with a deal in doubt by now, those last spoken of."""
    columns = _SUMMARIES.c
    query = select(columns.match).where(columns.table_id == table.id, columns.doubt_at > now() - DROPPED)
    return query.order_by(columns.doubt_at.desc()).limit(OPEN_DOUBTS)


def of_line_ups(chosen: Chosen, table: Table, spans: list[str], merged: Merged) -> list[ColumnElement[bool]]:
    """Return the conditions for the rows of line-ups with the chosen game and players in some spans."""
    found = [_LINE_UPS.table_id == table.id, _one_of(_LINE_UPS.span, spans)]
    if chosen.game is not None:
        found.append(_LINE_UPS.game == chosen.game)
    if not chosen.seated:
        return [*found, _LINE_UPS.sides == ANY_SIDES]
    for players in chosen.seated:
        also = Base.metadata.tables[LineUp.__tablename__].alias()
        names = [written(way) for way in ways(players, merged)]
        theirs = select(also.c.sides).where(also.c.table_id == table.id, _one_of(also.c.span, spans))
        found.append(_LINE_UPS.sides.in_(theirs.where(also.c.who.in_(names), also.c.sides != ANY_SIDES)))
    return found


def games_in(table: Table) -> list[str]:
    """Return the games that a table has played, in the order of their ids."""
    of_all = (_LINE_UPS.table_id == table.id, _LINE_UPS.span == "", _LINE_UPS.sides == ANY_SIDES)
    return sorted(db.session.scalars(select(_LINE_UPS.game).where(*of_all).distinct()))


def has_pairs(table: Table) -> bool:
    """Return whether anybody has played together at a table."""
    of_all = (_LINE_UPS.table_id == table.id, _LINE_UPS.span == "", _LINE_UPS.sides == ANY_SIDES)
    return bool(db.session.scalar(select(select(1).where(*of_all, _LINE_UPS.who.contains("-")).exists())))


def pairs_in(table: Table, merged: Merged, *, most: int, of: int | None = None) -> list[Players]:
    """Return the partners of a table, or those of a player, who played together most, at most ``most`` of them."""
    together = [_LINE_UPS.table_id == table.id, _LINE_UPS.span == "", _LINE_UPS.sides == ANY_SIDES]
    together.append(_LINE_UPS.who.contains("-"))
    if of is not None:
        numbers = once([of], merged)
        parts = [who for number in numbers for who in (f"{number}-%", f"%-{number}", f"%-{number}-%")]
        together.append(or_(*(_LINE_UPS.who.like(part) for part in parts)))
    matches = func.sum(_LINE_UPS.matches)
    query = select(WHO.label("who"), matches.label("matches")).where(*together).group_by(WHO)
    counted: dict[Players, int] = {}
    for row in db.session.execute(query.order_by(matches.desc(), WHO).limit(most)):
        players = as_now(read(row.who), merged)
        counted[players] = counted.get(players, 0) + int(row.matches)
    return sorted(counted, key=lambda players: (-counted[players], players))


def years_in(table: Table) -> list[str]:
    """Return the years in which a table has played, the newest first."""
    return _spans_back(table, "", lambda newest: func.substr(newest, 1, YEAR), steps=date.max.year)


def months_in(table: Table, within: str, most: int) -> list[str]:
    """Return the newest months, within a year or ever, in which a table has played, at most ``most``, newest first."""
    # Each year of which there are months has a row of its own.
    spans = _spans_back(table, within, lambda newest: newest, steps=2 * most)
    return [span for span in spans if len(span) == MONTH][:most]


def _spans_back(table: Table, within: str, name: Any, steps: int) -> list[str]:
    """Return names of spans in which a table has played, each found by the index from the one after it."""

    def newest(*before: ColumnElement[bool]) -> Any:
        inside = _LINE_UPS.span >= within if within else _LINE_UPS.span > ""
        of_table = select(func.max(_LINE_UPS.span)).where(_LINE_UPS.table_id == table.id, inside, *before)
        return of_table.scalar_subquery()

    end = [_LINE_UPS.span <= f"{within}-99"] if within else []

    found = select(name(newest(*end)).label("span"), literal(1, Integer).label("step")).cte(recursive=True)
    following = name(newest(_LINE_UPS.span < found.c.span).correlate(found))
    further = select(following, found.c.step + 1).where(found.c.span.is_not(None), found.c.step < steps)
    spans = found.union_all(further.select_from(found))
    return list(db.session.scalars(select(spans.c.span).where(spans.c.span.is_not(None)).order_by(spans.c.span.desc())))
