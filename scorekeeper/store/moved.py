"""A table that has moved to another address: from then on it is only read, until its owner opens it again."""

from __future__ import annotations

from sqlalchemy import select

from .db import db, lock, lock_rows
from .live import announce
from .models import Match, Table


class Moved(Exception):
    """The table has moved, so nothing is written there any more."""


def close(table: Table, address: str) -> None:
    """Let a table be only read from now on, as it has moved to ``address``. Call inside ``writing()``.

    It waits for those who write to a match at this moment; who comes later gets ``Moved``.
    """
    lock(table)
    lock_rows(select(Match.number).where(Match.table_id == table.id).order_by(Match.number))
    table.moved_to = address
    db.session.flush()
    announce(table.id)


def open_again(table: Table) -> None:
    """Let a table that had moved be written again. Call inside ``writing()``."""
    lock(table)
    table.moved_to = None
    db.session.flush()
    announce(table.id)
