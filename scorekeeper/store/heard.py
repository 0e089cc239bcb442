"""The phones at a table: when each was last used there, and when its open page last listened by itself.

One row a phone, written at most every five minutes. It only decides who has a voice (``voices``), so a row that cannot
be written is left out without a message, and nobody waits for it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from flask import current_app
from sqlalchemy import delete, insert, select, update

from ..limits import PHONES_REMEMBERED
from .db import Base, db, turn_if_free
from .lru import LruCache
from .models import HeardPhone, now

VOICE = timedelta(minutes=15)
"""Time for which a phone counts as being at the table after its last use."""
LISTENING = timedelta(hours=1)
"""Additional time while its open page listens by itself."""
WRITTEN_EVERY = timedelta(minutes=5)
SILENT = 2 * WRITTEN_EVERY
"""A page that listens gives a sign within this time."""
FORGOTTEN = 2 * (VOICE + LISTENING)
"""Time after which a row decides nothing."""

_HEARD = Base.metadata.tables[HeardPhone.__tablename__]


def phones_heard(table_id: int) -> dict[str, datetime]:
    """Return until when each phone counts as being at a table, by the marks of the phones."""
    rows = db.session.execute(select(_HEARD).where(_HEARD.c.table_id == table_id))
    return {row.device: _until(row.used_at, row.listened_at) for row in rows}


def _until(used_at: datetime, listened_at: datetime) -> datetime:
    """Return until when a phone that was used and listened at these moments counts as being at the table."""
    return max(used_at + VOICE, min(listened_at + SILENT, used_at + VOICE + LISTENING))


def note(table_id: int, device: str, *, is_used: bool) -> None:
    """Note a request of a phone at a table: somebody used it, or its open page listens by itself.

    Call it after the answer is sent. It writes only if nobody else does, and gives up soon. A phone that has only
    listened gets no row. Raises the errors of the database.
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
    with turn_if_free() as has_turn:
        if not has_turn:
            noted.put(key, moment - WRITTEN_EVERY)
        elif row is not None:
            db.session.execute(update(_HEARD).where(*own).values(times))
        else:
            # Each new row removes the old ones, so there are never many.
            gone = (_HEARD.c.table_id == table_id, _HEARD.c.used_at < moment - FORGOTTEN)
            db.session.execute(delete(_HEARD).where(*gone))
            db.session.execute(insert(_HEARD).values({"table_id": table_id, "device": device, **times}))
        db.session.commit()


def _noted() -> LruCache[datetime]:
    """Return when this process last noted each phone: most requests then do not ask the database."""
    noted: LruCache[datetime] = current_app.extensions.setdefault("scorekeeper.heard", LruCache(PHONES_REMEMBERED))
    return noted
