"""The matches of a table in several files that have not come yet."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, select

from ...limits import FILE_ENTRIES
from ..db import db
from ..models import Match, Table
from .writing import entries_of_table


class Missing(NamedTuple):
    """The numbers of matches that a further part may bring."""

    first: int
    last: int
    is_likely: bool
    """True if so much has come already that there is probably another part. Else they may have been deleted."""


def may_be_added(table: Table) -> bool:
    """Return whether a table was made of a file, and nothing else was written there since."""
    return table.imported_at is not None and entries_of_table(table.id) == table.imported_entries


def missing(table: Table) -> Missing | None:
    """Return the matches behind those that are there; None if there are none, or no part can be added any more."""
    if table.imported_at is None:
        return None
    last = db.session.scalar(select(func.max(Match.number)).where(Match.table_id == table.id)) or 0
    if last >= table.last_match or not may_be_added(table):
        return None
    return Missing(last + 1, table.last_match, table.imported_entries >= FILE_ENTRIES // 2)
