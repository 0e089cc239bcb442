"""Matches that the owner deletes: hidden at once, brought back for a day, and then gone for good."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select

from ..limits import DELETED_HOURS
from .db import Base, Gone, db, lock
from .live import announce
from .models import Match, MatchSummary, Table, now
from .standings import standing_of
from .summaries import project

KEPT = timedelta(hours=DELETED_HOURS)
_MATCHES = Base.metadata.tables[Match.__tablename__].c
PAST_RETURN = (
    select(_MATCHES.number)
    .where(_MATCHES.table_id == bindparam("table"), _MATCHES.deleted_at < bindparam("before"))
    .with_for_update(skip_locked=True)
)
"""Every write asks for these matches, so the statement is built once; an index holds only deleted ones.

One that somebody else is busy with is left to the next write: whoever deletes the whole table holds all its matches.
"""


def hide(table: Table, match: Match) -> None:
    """Delete a match: it is hidden from now on. Nothing happens where it is hidden already. Call inside ``writing()``.

    Raises ``Gone`` where its rows are gone.
    """
    lock(table)
    lock(match)
    if match.deleted_at is None:
        match.deleted_at = now()
        db.session.execute(
            delete(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.match == match.number)
        )
        announce(table.id)


def bring_back(table: Table, number: int) -> Match:
    """Show a deleted match again. Call inside ``writing()``. Raises ``Gone`` where it is gone for good."""
    lock(table)
    match = db.session.get(Match, (table.id, number))
    if match is None or (match.deleted_at is not None and match.deleted_at + KEPT <= now()):
        raise Gone
    lock(match)
    if match.deleted_at is not None:
        match.deleted_at = None
        project(match, standing_of(match))
        announce(table.id)
    return match


def newest_deletion(table: Table) -> tuple[int, datetime] | None:
    """Return the number of the match that was deleted last, and when; None where none can be brought back."""
    shown = select(_MATCHES.number, _MATCHES.deleted_at).where(
        _MATCHES.table_id == table.id, _MATCHES.deleted_at > now() - KEPT
    )
    row = db.session.execute(shown.order_by(_MATCHES.deleted_at.desc()).limit(1)).first()
    return None if row is None else (row.number, row.deleted_at)


def deleted_matches(table: Table) -> Sequence[Match]:
    """Return the matches of the table that can be brought back, the newest first."""
    hidden = select(Match).where(Match.table_id == table.id, Match.deleted_at > now() - KEPT)
    return db.session.scalars(hidden.order_by(Match.number.desc())).all()


def purge(table_id: int) -> None:
    """Remove the rows of matches that were deleted more than a day ago. Call inside ``writing()``."""
    for number in db.session.scalars(PAST_RETURN, {"table": table_id, "before": now() - KEPT}).all():
        # Its entries go with it (models.Entry).
        db.session.execute(delete(Match).where(Match.table_id == table_id, Match.number == number))
