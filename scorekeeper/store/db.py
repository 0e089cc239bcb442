"""The database: its session, write transactions, row locks and migrations."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from alembic import command
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask, current_app
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import MetaData, Select, event, inspect, text
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.orm.exc import ObjectDeletedError

from .. import file_modes
from . import leftovers
from .connection import is_sqlite
from .faults import cause_of
from .locks import Queue

MIGRATIONS = Path(__file__).parent / "migrations"
BEFORE_FIRST = "00"
"""The revisions of test versions before 1.0 began so, and none since does."""
ONCE_COMMITTED = "once committed"
"""The name in ``session.info`` of the list of functions to run after the commit; only inside ``writing()``."""
WRITTEN = "written tables"
"""The name in ``session.info`` of the ids of the tables that the transaction writes to."""
MOVE_MOMENT = text(
    "INSERT INTO moments (table_id, number) VALUES (:of_table, :at_least) ON CONFLICT (table_id) DO UPDATE "
    "SET number = CASE WHEN moments.number < :at_least THEN :at_least ELSE moments.number + 1 END"
)
"""Moves the moment of a table on: to the milliseconds of the clock, or to the next number where that is later.

So a number that was lost, because a copy of the database was put back, is not given again.
"""


class Base(DeclarativeBase):
    """Base of the models. Its naming convention gives constraints names that migrations can use on every database."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)
migrate = Migrate(directory=str(MIGRATIONS))


def database_file() -> Path:
    """Return the file of the SQLite database."""
    return Path(str(db.engine.url.database))


class OfOthers(Exception):
    """The database was made by another version of the app, or by another program; the message says so."""


class Gone(Exception):
    """The row to write to was deleted meanwhile."""


def note_written(table_id: int) -> None:
    """Note that this transaction writes to a table: with its commit the moment of the table moves on.

    What the session flushes is noted by itself; where a statement changes rows, it is noted by this.
    """
    db.session.info.setdefault(WRITTEN, set()).add(table_id)


def forget_written(table_id: int) -> None:
    """Note that this transaction has deleted a table: it has no moment any more."""
    db.session.info.get(WRITTEN, set()).discard(table_id)
    db.session.execute(text("DELETE FROM moments WHERE table_id = :of_table"), {"of_table": table_id})


def present_moment() -> int:
    """Return the moment of a table that is written to now, unless it had this one or a later one before."""
    return time.time_ns() // 1_000_000


def _note_flushed(session: Session, _flush: object) -> None:
    rows = (*session.new, *session.dirty, *session.deleted)
    found = {row.id if row.__tablename__ == "tables" else getattr(row, "table_id", None) for row in rows}
    session.info.setdefault(WRITTEN, set()).update(found - {None})


def _move_moments(session: Session) -> None:
    """Move the moments of the tables written to: the last statement of a transaction.

    So its locks come after all others, in the order of the ids, and no two writers wait for each other at them.
    """
    session.flush()
    if written := session.info.pop(WRITTEN, None):
        at_least = present_moment()
        moved = [{"of_table": table_id, "at_least": at_least} for table_id in sorted(written)]
        session.connection().execute(MOVE_MOMENT, moved[0] if len(moved) == 1 else moved)


event.listen(db.session, "after_flush", _note_flushed)
event.listen(db.session, "before_commit", _move_moments)


def lock(row: Any) -> None:
    """Read the row again and lock it until the transaction ends. Call inside ``writing()``. Raises ``Gone``."""
    if db.engine.dialect.name == "sqlite" and not inspect(row).expired:
        # The row was read inside this transaction, and SQLite has only one writer.
        return
    try:
        db.session.refresh(row, with_for_update=True)
    except InvalidRequestError as error:
        raise Gone from error


def lock_rows(rows: Select[Any]) -> None:
    """Lock the rows that a query names, in its order, until the transaction ends. Call inside ``writing()``.

    SQLite has only one writer.
    """
    if db.engine.dialect.name != "sqlite":
        db.session.execute(rows.with_for_update()).all()


def savepoint() -> AbstractContextManager[Any]:
    """Return a savepoint inside ``writing()``, for a row that another transaction may be inserting at the same moment.

    On SQLite it does nothing: there is only one writer, and a full disk ends the whole transaction with its savepoints.
    """
    return nullcontext() if db.engine.dialect.name == "sqlite" else db.session.begin_nested()


def once_committed(do: Callable[[], None]) -> None:
    """Run ``do`` after the commit, or at once when no write transaction is open. It never runs after a rollback."""
    waiting: list[Callable[[], None]] | None = db.session.info.get(ONCE_COMMITTED)
    do() if waiting is None else waiting.append(do)


@contextmanager
def writing(*, goes_on: bool = False) -> Iterator[None]:
    """Open a write transaction: it is committed at the end, and rolled back on any error.

    Rows that the session read before are read again, so that a decision inside follows from the newest state. Raises
    ``Gone`` if a row was deleted meanwhile, and ``Unreachable`` if this writer's turn did not come in time.

    On SQLite the transaction begins as ``IMMEDIATE``: one that begins by reading fails at its first write if another
    transaction has written meanwhile. Writers queue at a lock file first, because SQLite's own wait is a series of
    sleeps in which some of many writers never get their turn.

    With ``goes_on`` a server goes on with the transaction in which the session has read, which saves two round trips.
    The caller then relies on nothing read before, or reads it again (``read_again``).
    """
    if not (goes_on and _has_only_read()):
        db.session.rollback()
    db.session.info.pop(WRITTEN, None)
    waiting: list[Callable[[], None]] = []
    with _turn():
        db.session.info[ONCE_COMMITTED] = waiting
        try:
            if db.engine.dialect.name == "sqlite":
                db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
            yield
            db.session.commit()
        except ObjectDeletedError as error:
            db.session.rollback()
            raise Gone from error
        except BaseException:
            db.session.rollback()
            raise
        finally:
            db.session.info.pop(ONCE_COMMITTED, None)
    for do in waiting:
        do()


def _has_only_read() -> bool:
    """Return whether the session has changed nothing, on a server where each statement sees the newest rows."""
    session = db.session()
    return db.engine.dialect.name == "postgresql" and not (session.new or session.dirty or session.deleted)


def read_again() -> None:
    """Read all rows again that the session read before, at their next use."""
    db.session.expire_all()


@contextmanager
def read_at_once() -> Iterator[None]:
    """Open a transaction in which every statement reads the database as it is at one moment; it writes nothing.

    Rows that the session read before are read again. No writer waits for it; but it must be short, because SQLite's
    journal grows until it ends, and it has a connection of the pool.
    """
    db.session.rollback()
    try:
        if db.engine.dialect.name == "postgresql":
            how = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
            db.session.connection(execution_options=how)
        yield
    finally:
        db.session.rollback()


def _turn() -> AbstractContextManager[None]:
    """Return the turn in the queue of SQLite's writers; other databases have no queue."""
    if db.engine.dialect.name != "sqlite":
        return nullcontext()
    queue: Queue = current_app.extensions["scorekeeper.queue"]
    return queue.turn()


@contextmanager
def turn_if_free() -> Iterator[bool]:
    """Hold the turn to write if it is free, for a note that nobody waits for; yield whether it is.

    Inside it the session writes and commits. It gives up soon where others hold what it needs.
    """
    if db.engine.dialect.name != "sqlite":
        db.session.execute(text("SET LOCAL lock_timeout = '200ms'"))
        db.session.execute(text("SET LOCAL statement_timeout = '1s'"))
        yield True
        return
    queue: Queue = current_app.extensions["scorekeeper.queue"]
    with queue.turn_at_once() as is_free:
        if is_free:
            db.session.connection(execution_options={"sqlite_begin": "IMMEDIATE"})
        yield is_free


def let_go(_error: BaseException | None) -> None:
    """End the session of a request; if the connection was lost meanwhile, close it and leave the answer unchanged.

    Flask-SQLAlchemy ends it too, but raises then, behind every handler and with the answer ready.
    """
    try:
        db.session.remove()
    except Exception as fault:
        if cause_of(fault) is None:
            raise
        with suppress(Exception):
            db.session().invalidate()
        db.session.registry.clear()


def migrate_database(app: Flask, revision: str = "head") -> None:
    """Migrate the database to ``revision``; a database that does not exist is created.

    Afterwards this process has closed the database, because a server forks its workers now: SQLite in a child takes the
    locks of its parent for its own, holds none, and loses its journal when the parent dies. Raises ``OfOthers``.
    """
    with app.app_context():
        try:
            _migrate(app, revision)
        finally:
            db.session.remove()
            db.engine.dispose()


def refuse_of_others(app: Flask) -> None:
    """Raise ``OfOthers`` where the database is there, and not of this version. Afterwards this process has closed it.

    One that cannot be read now is passed over.
    """
    with app.app_context():
        if is_sqlite(app) and not database_file().exists():
            return
        try:
            _refuse_of_others()
        except Exception as fault:
            if cause_of(fault) is None:
                raise
        finally:
            db.engine.dispose()


def _refuse_of_others() -> None:
    with db.engine.connect() as connection:
        # The tables first: another process may be making all of it now.
        tables = set(inspect(connection).get_table_names()) - {"alembic_version"}
        revisions = MigrationContext.configure(connection).get_current_heads()
    why = why_of_others(revisions)
    if why is not None:
        raise OfOthers(f"This database was made by {why}")
    if tables and not revisions:
        raise OfOthers("This database has tables, and is none of the scorekeeper's: name another, or an empty one.")


def why_of_others(revisions: Iterable[str]) -> str | None:
    """Return by which other version a database with these revisions was made, and what to do; None if by this one."""
    unknown = set(revisions) - {script.revision for script in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if not unknown:
        return None
    if any(revision.startswith(BEFORE_FIRST) for revision in unknown):
        return "a version before 1.0, which no other version reads: begin with a new database."
    return "a newer version of the scorekeeper: install that one, or restore a copy."


def _migrate(app: Flask, revision: str) -> None:
    # An existing file is not opened here: closing it would drop every lock that this process holds on it.
    if is_sqlite(app) and not database_file().exists():
        # SQLite would create a file that everybody can read.
        file_modes.make_file(database_file())
    _refuse_of_others()
    # A newest database gets no transaction that could write: the disk may be read-only.
    if revision != "head" or not is_newest():
        command.upgrade(migrate.get_config(str(MIGRATIONS)), revision)
    leftovers.empty_left_journal(db.engine)


def is_newest() -> bool:
    """Return whether the database has the newest shape."""
    newest = ScriptDirectory(str(MIGRATIONS)).get_heads()
    with db.engine.connect() as connection:
        return set(MigrationContext.configure(connection).get_current_heads()) == set(newest)
