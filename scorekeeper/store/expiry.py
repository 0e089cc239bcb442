"""Tables that nobody opens any more: when each was opened last, when it expires, and its deletion then.

Of an opening only its month is noted, once. A table that nobody has opened for some whole months expires; it gets its
day two months before, at least, and phones that know the table show it. Any opening takes the day away again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Any

from flask import current_app
from sqlalchemy import ColumnElement, Select, case, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from ..limits import EXPIRY_ANNOUNCED_DAYS, EXPIRY_BATCH, EXPIRY_GAP_DAYS, PHONES_REMEMBERED
from .db import Base, Gone, db, savepoint, turn_if_free, writing
from .faults import Unreachable, cause_of, text_of
from .lru import LruCache
from .models import DailyWork, Table, now, this_month
from .ownership import delete_table

WORK = "expiry"
"""The name of this work among those of a day."""
TRIED_EVERY = timedelta(minutes=5)
"""Time after which a process tries again to note an opening that could not be noted."""

_TABLES = Base.metadata.tables[Table.__tablename__]
_DAILY = Base.metadata.tables[DailyWork.__tablename__]
_OWN_WORK = _DAILY.c.work == WORK

log = logging.getLogger(__name__)


def months_after(month: date, months: int) -> date:
    """Return the first day of the month that is so many months after a month, or before it if ``months`` is less than
    0; the first day that there is where it would be earlier."""
    years, index = divmod(month.month - 1 + months, 12)
    return date(month.year + years, index + 1, 1) if month.year + years > 0 else date.min


def is_noted(table: Table) -> bool:
    """Return whether the opening of a table needs no note: this month has one, and the table does not expire."""
    return table.opened_in is not None and table.opened_in >= this_month() and table.expires_on is None


def note_opening(table_id: int) -> None:
    """Note that a table is opened, and take away the day on which it expires.

    Call it after the answer is sent. It writes only if nobody else does, and gives up soon. Raises the errors of the
    database.
    """
    tried: LruCache[Any] = current_app.extensions.setdefault("scorekeeper.openings", LruCache(PHONES_REMEMBERED))
    moment, last = now(), tried.get(table_id)
    if last is not None and moment - last < TRIED_EVERY:
        return
    tried.put(table_id, moment)
    db.session.rollback()
    with turn_if_free() as is_free:
        if is_free:
            own, month = _TABLES.c.id == table_id, this_month()
            # Another host's clock may be ahead: no opening makes the last one earlier.
            latest = case((_TABLES.c.opened_in > month, _TABLES.c.opened_in), else_=month)
            db.session.execute(update(_TABLES).where(own).values(opened_in=latest, expires_on=None))
        else:
            tried.put(table_id, moment - TRIED_EVERY)
        db.session.commit()


def begin(today: date) -> bool:
    """Begin the work of a day, and return whether no process of any host has begun it yet.

    A day is begun too where that of the last work is still to come: the clock by which it was done was ahead. Only
    that of tomorrow counts as today's, because around midnight hosts differ by a day.

    After a gap of some days, forward or back, the tables lose the days on which they would expire: nobody could see
    them then, or the database is an older copy that was put back, or a clock is wrong.
    """
    with writing():
        last = _last_day()
        if last in (today, today + timedelta(days=1)):
            return False
        if last is None:
            try:
                with savepoint():
                    db.session.execute(insert(_DAILY).values(work=WORK, done_on=today))
            except IntegrityError:
                return False
        else:
            if last > today:
                log.warning(
                    "The daily work was done for %s, and today is %s: the clock of a host is wrong", last, today
                )
            db.session.execute(update(_DAILY).where(_OWN_WORK).values(done_on=today))
        if last is None or abs(today - last) > timedelta(days=EXPIRY_GAP_DAYS):
            db.session.execute(update(_TABLES).where(_TABLES.c.expires_on.is_not(None)).values(expires_on=None))
    return True


def announce(months: int, today: date) -> None:
    """Give each table that is to expire its day, two months before at least; and take it from those that are not.

    It ends where another day's work has begun meanwhile.
    """
    from_then = _unopened_for(months - 2, today)
    for rows in _batches(
        select(_TABLES.c.id, _TABLES.c.opened_in).where(_TABLES.c.expires_on.is_not(None), ~from_then)
    ):
        with writing():
            if not _is_day_of_work(today):
                return
            own = _TABLES.c.id.in_([row.id for row in rows])
            db.session.execute(update(_TABLES).where(own).values(expires_on=None))
    soonest = today + timedelta(days=EXPIRY_ANNOUNCED_DAYS)
    for rows in _batches(select(_TABLES.c.id, _TABLES.c.opened_in).where(_TABLES.c.expires_on.is_(None), from_then)):
        with writing():
            if not _is_day_of_work(today):
                return
            for month in {row.opened_in for row in rows}:
                # Whoever has opened it meanwhile has changed its month.
                own = _TABLES.c.id.in_([row.id for row in rows if row.opened_in == month])
                day = max(soonest, months_after(month, months + 1))
                change = update(_TABLES).where(own, _TABLES.c.opened_in == month).values(expires_on=day)
                db.session.execute(change)


def expired(months: int, today: date, *, is_announced: bool) -> list[int]:
    """Return the ids of the tables that nobody has opened for so many whole months.

    If ``is_announced``, only those whose day has come.
    """
    query = select(_TABLES.c.id).where(_is_expired(months, today, is_announced)).order_by(_TABLES.c.id)
    return list(db.session.scalars(query))


def delete_expired(
    months: int, today: date, *, is_announced: bool, pause: Callable[[float], object] = time.sleep
) -> int:
    """Delete the tables that are ``expired``, one a transaction, and return how many.

    After each it waits twice as long as that took: who writes meanwhile has most of the time. A table that somebody has
    opened by then stays, and one that cannot be deleted now waits for the next day. Of those whose day has come the
    rest stays where another day's work has begun meanwhile: by its clock the days of tables are other ones.
    """
    count = 0
    for table_id in expired(months, today, is_announced=is_announced):
        since = time.monotonic()
        try:
            with writing():
                if is_announced and not _is_day_of_work(today):
                    return count
                still = Table.id == table_id, _is_expired(months, today, is_announced)
                table = db.session.scalar(select(Table).where(*still).with_for_update())
                if table is not None:
                    delete_table(table, by="expiry")
                    count += 1
        except Gone:
            pass
        except (SQLAlchemyError, Unreachable) as fault:
            log.warning("An expired table could not be deleted: %s", text_of(fault))
            if cause_of(fault) is not None:
                # The database is away, or its disk is full.
                return count
        pause(2 * (time.monotonic() - since))
    return count


def daily_work(months: int, today: date) -> int | None:
    """Announce and delete, if that was not done today; return how many tables were deleted, or None."""
    if not begin(today):
        return None
    announce(months, today)
    return delete_expired(months, today, is_announced=True)


def _last_day() -> date | None:
    """Return the day of the last work, which stays so until the transaction ends."""
    return db.session.scalar(select(_DAILY.c.done_on).where(_OWN_WORK).with_for_update())


def _is_day_of_work(today: date) -> bool:
    return _last_day() == today


def _unopened_for(months: int, today: date) -> ColumnElement[bool]:
    """Return the condition that nobody has opened a table for so many whole months."""
    return _TABLES.c.opened_in < months_after(today.replace(day=1), -months)


def _is_expired(months: int, today: date, is_announced: bool) -> ColumnElement[bool]:
    unopened = _unopened_for(months, today)
    return unopened & (_TABLES.c.expires_on <= today) if is_announced else unopened


def _batches(rows: Select[Any]) -> Iterator[Any]:
    """Yield the rows of a query, several at a time, by their ids."""
    last = -1
    while batch := db.session.execute(rows.where(_TABLES.c.id > last).order_by(_TABLES.c.id).limit(EXPIRY_BATCH)).all():
        last = batch[-1].id
        yield batch
