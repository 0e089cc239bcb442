"""Evenings: matches that were played less than six hours one after the other, also after midnight.

An evening has the day on which it began, in the zone of its table; two that began on one day are listed as one. A match
belongs to the evening in which it ended; one that goes on, to that in which it began.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam, select

from ..limits import EVENING_MATCHES
from .db import Base, db
from .doubts import is_in_doubt, next_dropped
from .models import MatchSummary, Table, now
from .who import Merged, Players, players_of

GAP = timedelta(hours=6)
"""A match that counts this long after the one before begins another evening."""
BEDTIME = timedelta(hours=5)
"""An evening that begins after midnight is that of the day before; nobody begins one at five in the morning."""
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
OF_EVENING = (
    select(
        _SUMMARIES.match,
        _SUMMARIES.sides,
        _SUMMARIES.winners,
        _SUMMARIES.counted_at,
        _SUMMARIES.doubt_at,
        _SUMMARIES.doubt_decides,
    )
    .where(
        _SUMMARIES.table_id == bindparam("table"),
        _SUMMARIES.evening
        == select(_SUMMARIES.evening)
        .where(_SUMMARIES.table_id == bindparam("table"), _SUMMARIES.match == bindparam("match"))
        .scalar_subquery(),
    )
    .order_by(_SUMMARIES.match.desc())
    .limit(EVENING_MATCHES)
)
"""The newest matches of the evening of a match, newest first. Every board asks for them, so it is built once."""
NEWEST = (
    select(_SUMMARIES.counted_at, _SUMMARIES.evening)
    .where(_SUMMARIES.table_id == bindparam("table"))
    .order_by(_SUMMARIES.counted_at.desc())
    .limit(1)
)


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
    """True if a match that begins now belongs to this evening."""
    until: datetime | None = None
    """When this turns by time alone; None if only what is written changes it."""


def is_zone(name: str) -> bool:
    """Return whether there is a time zone of this IANA name."""
    return name in zones()


@cache
def zones() -> frozenset[str]:
    """Return the IANA names of all time zones."""
    # The names of the package, so that every machine knows the same ones; "Factory" is no place.
    return frozenset(files("tzdata").joinpath("zones").read_text("utf-8").split()) - {"Factory"}


def in_zone(moment: datetime, zone: str | None) -> datetime:
    """Return a moment as the clocks of a zone show it; in UTC without one, or where this machine does not know it."""
    return moment.astimezone(ZoneInfo(zone) if zone and is_zone(zone) else UTC)


def day_of(moment: datetime, zone: str | None) -> date:
    """Return the day to which an evening belongs that begins at this moment."""
    return (in_zone(moment, zone).replace(tzinfo=None) - BEDTIME).date()


def next_bedtime(at: datetime) -> datetime:
    """Return the moment, in UTC, from which on the day of an evening is the next one, on the clock of ``at``."""
    day = (at.replace(tzinfo=None) - BEDTIME).date() + timedelta(days=1)
    return (datetime.combine(day, time(), at.tzinfo) + BEDTIME).astimezone(UTC)


def noon_of(day: date, zone: str | None) -> datetime:
    """Return twelve o'clock of a day in a zone, as a moment in UTC."""
    where = ZoneInfo(zone) if zone and is_zone(zone) else UTC
    return datetime.combine(day, time(12), where).astimezone(UTC)


def tonight(table: Table) -> date:
    """Return the day of the evening to which a match belongs that begins now."""
    return tonight_after(newest_of(table), table.zone)


def newest_of(table: Table) -> Any:
    """Return when the newest match of a table counts, and its evening, as ``NEWEST`` reads them; None without one."""
    return db.session.execute(NEWEST, {"table": table.id}).first()


def tonight_after(newest: Any, zone: str | None) -> date:
    """Return the day of the evening that a match belongs to that begins now, after the ``newest_of`` a table."""
    if newest is not None and timedelta() <= now() - newest.counted_at < GAP:
        day: date = newest.evening
        return day
    return day_of(now(), zone)


def tally(table: Table, match: int, merged: Merged) -> Evening:
    """Return the matches won in the evening of a match, by the players of each side."""
    rows = _played_on_from(match, db.session.execute(OF_EVENING, {"table": table.id, "match": match}).all())
    if not rows:
        return Evening(goes_on=False)
    seated: dict[Players, tuple[int, ...]] = {}
    won: dict[Players, int] = {}
    for row in rows:
        is_open = is_in_doubt(row.doubt_at, decides=row.doubt_decides)
        for side in row.sides:
            players = players_of(side, merged)
            seated.setdefault(players, tuple(merged.get(number, number) for number in side["players"]))
            if side["label"] in row.winners and not is_open:
                won[players] = won.get(players, 0) + 1
    # Two sides that played the whole evening are both named, the loser with nothing.
    if len(won) == 1 and len(rows) > 1 and all(len(row.sides) == 2 for row in rows) and len(seated) == 2:
        won = {**dict.fromkeys(seated, 0), **won}
    each = sorted((Won(seated[players], matches) for players, matches in won.items()), key=lambda one: -one.matches)
    ends = max(row.counted_at for row in rows) + GAP
    goes_on = now() < ends
    turns = [next_dropped(row.doubt_at for row in rows), ends if goes_on else None]
    return Evening(tuple(each), goes_on=goes_on, until=min((at for at in turns if at is not None), default=None))


def _played_on_from(match: int, of_day: Sequence[Any]) -> list[Any]:
    """Return those of a day's matches that are of the evening of this one, in the order given."""
    in_order = sorted(of_day, key=lambda row: row.counted_at)
    evening = 0
    evening_of: dict[int, int] = {}
    for before, row in zip([None, *in_order], in_order, strict=False):
        evening += before is not None and row.counted_at - before.counted_at >= GAP
        evening_of[row.match] = evening
    return [row for row in of_day if evening_of[row.match] == evening_of.get(match)]
