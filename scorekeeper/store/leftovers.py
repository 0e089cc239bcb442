"""The old bytes of rewritten rows in the files of the database: noted in their transaction, wiped after it.

A database leaves the bytes of a changed row where they are until it needs the room. The note is part of the database,
so that the next start goes on where one was killed.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from ..limits import CONNECT_SECONDS
from .faults import LOCKED, Unreachable, text_of

REWRITTEN = ("tables", "entries", "phones", "heard_phones", "pg_catalog.pg_statistic")
"""The tables of PostgreSQL that are written anew: the last one has samples of what was in the columns of the others."""

log = logging.getLogger(__name__)


def note(connection: Connection) -> None:
    """Note that rows were rewritten of which nothing may stay; call in their transaction."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA user_version = 1")
    else:
        connection.exec_driver_sql("COMMENT ON TABLE links IS 'rewritten rows are still in the files'")


def wipe(engine: Engine) -> None:
    """Wipe what is noted, outside a transaction. Where that cannot be now, the log says so and the note stays."""
    try:
        if engine.dialect.name == "sqlite":
            _wipe_file(engine)
        else:
            _wipe_tables(engine)
    except (SQLAlchemyError, sqlite3.Error, OSError, Unreachable) as error:
        log.warning(
            "The database's files still have old keys in them, which the next start wipes (%s).", text_of(error)
        )


def _wipe_file(engine: Engine) -> None:
    with closing(engine.raw_connection()) as connection:
        own = connection.driver_connection
        assert own is not None
        if own.execute("PRAGMA user_version").fetchone() == (0,):
            # What a process deleted that was killed before its journal was empty (``cleaning``).
            with suppress(sqlite3.Error):
                own.execute("PRAGMA busy_timeout = 0")
                empty_journal(own)
            return
        own.execute("VACUUM")
        if not empty_journal(own):
            raise Unreachable(LOCKED)
        own.execute("PRAGMA user_version = 0")


def empty_journal(connection: sqlite3.Connection) -> bool:
    """Bring what is in the journal into the file and empty it, and return whether nobody was in the way."""
    (is_busy, _pages, _moved) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


def _wipe_tables(engine: Engine) -> None:
    # However long it takes, nobody is at a table meanwhile.
    with patient(engine) as connection:
        if connection.execute("SELECT obj_description(to_regclass('links'), 'pg_class')").fetchone() == (None,):
            return
        for name in REWRITTEN:
            # With new samples first: they take the place of those of the old rows.
            connection.execute(f"VACUUM ({'FULL' if name.startswith('pg_') else 'FULL, ANALYZE'}) {name}")
        connection.execute("COMMENT ON TABLE links IS NULL")


@contextmanager
def patient(engine: Engine) -> Iterator[Any]:
    """Yield a connection to PostgreSQL outside the pool, without a transaction and without a time limit.

    Those of the pool give up on a statement that takes seconds. Raises ``SQLAlchemyError``.
    """
    import psycopg

    address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        with psycopg.connect(address, autocommit=True, connect_timeout=CONNECT_SECONDS) as connection:
            connection.execute("SET statement_timeout = 0")
            yield connection
    except psycopg.Error as error:
        raise SQLAlchemyError(str(error)) from error
