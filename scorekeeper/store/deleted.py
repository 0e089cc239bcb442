"""Matches that the owner deletes: hidden at once, restorable for a day, then deleted for good."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial

from sqlalchemy import bindparam, delete, select

from .. import events
from ..limits import DELETED_HOURS
from .cleaning import clean_up
from .db import Base, Gone, db, lock, note_written, once_committed
from .live import announce
from .models import Match, Table, now
from .standings import standing_of
from .summaries import drop, project

RESTORABLE = timedelta(hours=DELETED_HOURS)
"""Time after its deletion in which a match can be brought back."""
_MATCHES = Base.metadata.tables[Match.__tablename__].c
PAST_RETURN = (
    select(_MATCHES.number)
    .where(_MATCHES.table_id == bindparam("table"), _MATCHES.deleted_at < bindparam("before"))
    # In their order, so that no two writers of a table wait for each other.
    .order_by(_MATCHES.number)
    .with_for_update(skip_locked=True)
)
"""Every write asks for these matches, so the statement is built once; an index holds only deleted ones.

A match that another transaction has locked is left to the next write.
"""


def hide(table: Table, match: Match) -> None:
    """Hide a match from now on, if it is not hidden yet. Call inside ``writing()``. Raises ``Gone``."""
    lock(table)
    lock(match)
    if match.deleted_at is None:
        match.deleted_at = now()
        table.deletions += 1
        drop(match)
        announce(table.id)
        once_committed(partial(events.note, "match_deleted", table=table.id, match=match.number))


def bring_back(table: Table, number: int) -> Match:
    """Show a deleted match again. Call inside ``writing()``. Raises ``Gone`` if it is deleted for good."""
    lock(table)
    match = db.session.get(Match, (table.id, number))
    if match is None or (match.deleted_at is not None and match.deleted_at + RESTORABLE <= now()):
        raise Gone
    lock(match)
    if match.deleted_at is not None:
        match.deleted_at = None
        project(match, standing_of(match))
        announce(table.id)
    return match


def newest_deletion(table: Table) -> tuple[int, datetime] | None:
    """Return the number of the match that was deleted last, and when; None if none can be brought back."""
    hidden = (_MATCHES.table_id == table.id, _MATCHES.deleted_at > now() - RESTORABLE)
    query = select(_MATCHES.number, _MATCHES.deleted_at).where(*hidden).order_by(_MATCHES.deleted_at.desc())
    row = db.session.execute(query.limit(1)).first()
    return None if row is None else (row.number, row.deleted_at)


def deleted_matches(table: Table) -> Sequence[Match]:
    """Return the matches of the table that can be brought back, the newest first."""
    hidden = select(Match).where(Match.table_id == table.id, Match.deleted_at > now() - RESTORABLE)
    return db.session.scalars(hidden.order_by(Match.number.desc())).all()


def which_are_deleted(table: Table, numbers: Collection[int]) -> tuple[list[int], list[int]]:
    """Return which of some numbers are of matches that can be brought back, and which of none, or of none any more."""
    query = select(_MATCHES.number, _MATCHES.deleted_at).where(
        _MATCHES.table_id == table.id, _MATCHES.number.in_(list(numbers))
    )
    found = {row.number: row.deleted_at for row in db.session.execute(query)}
    hidden = [number for number, deleted_at in found.items() if deleted_at is not None]
    past_return = {number for number in hidden if found[number] + RESTORABLE <= now()}
    gone = [number for number in numbers if number not in found or number in past_return]
    return [number for number in hidden if number not in past_return], gone


def purge(table_id: int) -> None:
    """Remove the rows of matches that were deleted more than a day ago. Call inside ``writing()``."""
    due = db.session.scalars(PAST_RETURN, {"table": table_id, "before": now() - RESTORABLE}).all()
    for number in due:
        # The database deletes its entries with it (models.Entry).
        db.session.execute(delete(Match).where(Match.table_id == table_id, Match.number == number))
    if due:
        note_written(table_id)
        clean_up()
