"""What deleted rows leave in the files of the database until it needs the room."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from ..limits import CONNECT_SECONDS


def empty_left_journal(engine: Engine) -> None:
    """Empty the journal that a process left which was killed before it had (``cleaning``). Nobody waits for it."""
    if engine.dialect.name != "sqlite":
        return
    with closing(engine.raw_connection()) as connection:
        own = connection.driver_connection
        assert own is not None
        with suppress(sqlite3.Error):
            own.execute("PRAGMA busy_timeout = 0")
            empty_journal(own)


def empty_journal(connection: sqlite3.Connection) -> bool:
    """Bring what is in the journal into the file and empty it, and return whether nobody was in the way."""
    (is_busy, _pages, _moved) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not is_busy


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
