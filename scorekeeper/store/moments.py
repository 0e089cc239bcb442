"""The moment of a table: what a page of the table was drawn from, in one number, read before all that the page shows.

Every transaction that writes to a table moves its moment on (``db.note_written``), so a page that was drawn at the
present moment shows all that is written by now. What moves no page moves no moment: that a phone was heard, and when
a table was opened last.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, NamedTuple

from flask import current_app
from sqlalchemy import bindparam, func, select, true

from ..limits import TABLES_TURNING
from . import doubts, evenings
from .db import Base, db
from .deleted import RESTORABLE
from .lru import CacheVersion, LruCache
from .models import Match, MatchSummary, Moment, Table, now
from .queries import CURRENT_MATCH

_TABLES = Base.metadata.tables[Table.__tablename__].c
_MOMENTS = Base.metadata.tables[Moment.__tablename__].c
_MATCHES = Base.metadata.tables[Match.__tablename__].c
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__].c
_NUMBER = func.coalesce(
    select(_MOMENTS.number).where(_MOMENTS.table_id == bindparam("table")).scalar_subquery(), 0
).label("moment")
_CURRENT = CURRENT_MATCH.with_only_columns(_MATCHES.number, _MATCHES.head).subquery()
OF_TABLE = select(_NUMBER, _CURRENT.c.number, _CURRENT.c.head).select_from(
    select(bindparam("table")).subquery("asked").outerjoin(_CURRENT, true())
)
OF_MATCH = select(_NUMBER, _MATCHES.number, _MATCHES.head).where(
    _MATCHES.table_id == bindparam("table"), _MATCHES.number == bindparam("match"), _MATCHES.deleted_at.is_(None)
)
TURNS = select(
    select(func.min(_SUMMARIES.doubt_at))
    .where(_SUMMARIES.table_id == bindparam("table"), _SUMMARIES.doubt_at > bindparam("undropped"))
    .scalar_subquery(),
    select(func.min(_MATCHES.deleted_at))
    .where(_MATCHES.table_id == bindparam("table"), _MATCHES.deleted_at > bindparam("restorable"))
    .scalar_subquery(),
)
"""The moments of the doubt that is dropped next, and of the deleted match that is gone for good next."""
HEADS = 1 << 32
"""More than any number of a match, and any head."""


class Present(NamedTuple):
    """The moment of a table, with a match and the seq of its newest entry; None and None where there is no match."""

    moment: int
    match: int | None
    head: int | None

    def version(self, of: str) -> CacheVersion:
        """Return the version of what is drawn at this moment; ``of`` names what it is."""
        number = (self.moment * HEADS + (self.match or 0)) * HEADS + (self.head or 0)
        return CacheVersion(of, number)


class Turns(NamedTuple):
    """The part of a table that turns by time alone: what "tonight" follows from, and when something else turns next."""

    newest: Any
    """The newest match's moment and evening, as ``evenings.NEWEST`` reads them; None if there is no match."""
    doubt: datetime | None
    """The last word of the doubt that is dropped next; None if there is none."""
    deleted: datetime | None
    """When the match was deleted that is gone for good next; None if there is none."""

    @property
    def next(self) -> tuple[datetime | None, datetime | None]:
        """The two by which what is drawn now differs from what is drawn once one has turned."""
        return self.doubt, self.deleted

    @property
    def have_turned(self) -> bool:
        """True if one of the two has turned since they were read."""
        is_dropped = self.doubt is not None and doubts.is_dropped(self.doubt)
        return is_dropped or (self.deleted is not None and self.deleted + RESTORABLE <= now())

    def until(self, zone: str | None) -> datetime:
        """Return the moment at which the first of these, or the day of tonight, turns at a table of this zone."""
        present = now()
        turning = [
            evenings.next_bedtime(evenings.in_zone(present, zone)),
            None if self.newest is None else self.newest.counted_at + evenings.GAP,
            None if self.doubt is None else self.doubt + doubts.DROPPED,
            None if self.deleted is None else self.deleted + RESTORABLE,
        ]
        return min(at for at in turning if at is not None and at > present)


def of_table(table: Table) -> Present:
    """Return the moment of a table with its current match. Call it before all that is drawn at that moment."""
    return Present(*db.session.execute(OF_TABLE, {"table": table.id}).one())


def of_match(table: Table, number: int) -> Present | None:
    """Return the moment of a table with one of its matches; None if there is no such match, or it is deleted."""
    row = db.session.execute(OF_MATCH, {"table": table.id, "match": number}).first()
    return None if row is None else Present(*row)


def turns(table: Table, present: Present) -> Turns:
    """Return what turns by time alone; it is read once for each moment, and again when something has turned."""
    known: LruCache[Turns] = current_app.extensions.setdefault("scorekeeper.turns", LruCache(TABLES_TURNING))
    version = present.version("turns").number
    found = known.get(table.id, version)
    if found is None or found.have_turned:
        since = {"undropped": doubts.dropped_before(), "restorable": now() - RESTORABLE}
        row = db.session.execute(TURNS, {"table": table.id, **since}).one()
        found = Turns(evenings.newest_of(table), *row)
        known.put(table.id, found, version)
    return found


def tonight(table: Table, turning: Turns) -> date:
    """Return the day of the evening to which a match belongs that begins now, as ``evenings.tonight``."""
    return evenings.tonight_after(turning.newest, table.zone)
