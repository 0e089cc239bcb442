"""Which phones are at a table: when each was last used there, and when it last listened by itself.

One row a phone, written at most every five minutes. It decides nothing but who has a voice (``voices``), so where a row
cannot be written nothing is said, and nobody waits for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from flask import current_app
from sqlalchemy import delete, insert, select, text, update

from ..limits import PHONES_REMEMBERED
from .db import Base, db
from .locks import Queue
from .lru import LruCache
from .models import HeardPhone, now

VOICE = timedelta(minutes=15)
"""How long a phone counts as being at the table after somebody used it."""
LISTENING = timedelta(hours=1)
"""How much longer it does while its open page goes on listening by itself."""
WRITTEN_EVERY = timedelta(minutes=5)
SILENT = 2 * WRITTEN_EVERY
"""A page that listens is heard of again within this time."""
FORGOTTEN = 2 * (VOICE + LISTENING)
"""After so long a row decides nothing any more."""

_HEARD = Base.metadata.tables[HeardPhone.__tablename__]


def phones_heard(table_id: int) -> dict[str, datetime]:
    """Return until when each phone counts as being at a table, by the marks of the phones."""
    rows = db.session.execute(select(_HEARD).where(_HEARD.c.table_id == table_id))
    return {row.device: _until(row.used_at, row.listened_at) for row in rows}


def _until(used_at: datetime, listened_at: datetime) -> datetime:
    """Return until when a phone counts as being there that was used and listened at these moments."""
    return max(used_at + VOICE, min(listened_at + SILENT, used_at + VOICE + LISTENING))


def note(table_id: int, device: str, *, is_used: bool) -> None:
    """Note that a phone has asked for something of a table: somebody used it, or its open page listens by itself.

    Call it once the answer is sent. It takes its turn only where nobody else writes, and gives up soon. A phone that
    has only listened has no row: nobody was seen to use it. Raises what a database may raise.
    """
    moment, noted = now(), _noted()
    key = (table_id, device, is_used)
    last = noted.get(key)
    if last is not None and moment - last < WRITTEN_EVERY:
        return
    noted.put(key, moment)
    own = (_HEARD.c.table_id == table_id, _HEARD.c.device == device)
    row = db.session.execute(select(_HEARD).where(*own)).first()
    db.session.rollback()
    if row is None and not is_used:
        return
    if row is not None and moment - (row.used_at if is_used else row.listened_at) < WRITTEN_EVERY:
        return
    times = {"listened_at": moment, **({"used_at": moment} if is_used else {})}
    with _turn() as has_turn:
        if not has_turn:
            noted.put(key, moment - WRITTEN_EVERY)
        elif row is not None:
            db.session.execute(update(_HEARD).where(*own).values(times))
        else:
            # Whoever comes to a table clears away who has long been gone: there are never many rows.
            gone = (_HEARD.c.table_id == table_id, _HEARD.c.used_at < moment - FORGOTTEN)
            db.session.execute(delete(_HEARD).where(*gone))
            db.session.execute(insert(_HEARD).values({"table_id": table_id, "device": device, **times}))
        db.session.commit()


def _noted() -> LruCache[datetime]:
    """Return when this process last noted each phone: most requests need not even ask the database."""
    noted: LruCache[datetime] = current_app.extensions.setdefault("scorekeeper.heard", LruCache(PHONES_REMEMBERED))
    return noted


@contextmanager
def _turn() -> Iterator[bool]:
    """Hold the turn to write where it is free, and say whether it was."""
    if db.engine.dialect.name != "sqlite":
        db.session.execute(text("SET LOCAL lock_timeout = '200ms'"))
        db.session.execute(text("SET LOCAL statement_timeout = '1s'"))
        yield True
        return
    queue: Queue = current_app.extensions["scorekeeper.queue"]
    with queue.turn_at_once() as has_turn:
        if has_turn:
            db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
        yield has_turn
