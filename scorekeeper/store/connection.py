"""Open connections to the database.

On SQLite a commit is on the disk before it is acknowledged. Every wait has a bound, and a broken connection is closed.
"""

from __future__ import annotations

import select
import sqlite3
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Flask
from sqlalchemy import URL, event, make_url
from sqlalchemy.engine import Connection, Engine, ExceptionContext
from sqlalchemy.exc import InvalidatePoolError

from .. import limits
from . import faults

RESTED = 1.0
"""Seconds after which a connection to a server that nobody used is asked whether it still answers."""
SQLITE_POOL = {"pool_size": 16, "max_overflow": 48}
"""Many, because connections to a file take nothing from other programs, unlike those to a server."""


def engine_options(app: Flask) -> dict[str, Any]:
    """Return SQLAlchemy's engine options for the database in the settings.

    ``POOL`` is the most connections of a process to PostgreSQL. ``PATIENCE`` multiplies every time limit.
    """
    patience = app.config["PATIENCE"]
    # The log must show no keys, names or entries, so no parameters of statements.
    options: dict[str, Any] = {"hide_parameters": True, "pool_timeout": limits.POOL_SECONDS * patience}
    if is_sqlite(app):
        return {**options, **SQLITE_POOL, "connect_args": {"timeout": limits.BUSY_SECONDS * patience}}
    most = app.config["POOL"]
    pooled = max(1, most // 2)
    return {
        **options,
        "pool_size": pooled,
        "max_overflow": most - pooled,
        "connect_args": {"connect_timeout": limits.CONNECT_SECONDS * patience},
    }


def is_sqlite(app: Flask) -> bool:
    """Return whether the app's database is SQLite."""
    return make_url(app.config["SQLALCHEMY_DATABASE_URI"]).get_backend_name() == "sqlite"


def prepare(engine: Engine, patience: int) -> None:
    """Register the functions that prepare every connection of the engine."""
    if engine.dialect.name == "sqlite":
        _prepare_sqlite(engine)
    elif engine.dialect.driver == "psycopg":
        _prepare_postgresql(engine, patience)


def sqlite_address(database: str) -> str:
    """Return the address by which SQLite opens a file, and fails if it is missing."""
    return f"file:{quote(database)}?mode=rw"


class Frozen(sqlite3.Connection):
    """A connection to a file that takes no change for now. It reads without locks, so it serves only one request."""


def open_sqlite(database: str, **how: Any) -> sqlite3.Connection:
    """Open a database file; only for reading if the disk is read-only or has no room for SQLite's journal.

    SQLite reads the database by its journal's index, a file beside it that is made when the database is first opened.
    If it cannot be made and there is no journal, nobody can write, and the file alone is the whole database. Raises
    ``sqlite3.Error``.
    """
    connection: sqlite3.Connection = sqlite3.connect(sqlite_address(database), uri=True, **how)
    try:
        # The journal is opened with the first look into the file.
        connection.execute("PRAGMA schema_version").fetchone()
    except sqlite3.Error as error:
        connection.close()
        if not faults.takes_no_change(error) or has_journal(database):
            raise
        connection = sqlite3.connect(f"file:{quote(database)}?mode=ro&immutable=1", uri=True, factory=Frozen, **how)
    return connection


def has_journal(database: str) -> bool:
    """Return whether a journal beside the database holds changes that the database does not have yet."""
    journals = (Path(f"{database}{end}") for end in ("-wal", "-journal"))
    return any(journal.exists() and journal.stat().st_size for journal in journals)


def _prepare_sqlite(engine: Engine) -> None:
    """Make the app begin each transaction itself: in the driver's own mode two writers can lose updates."""

    @event.listens_for(engine, "do_connect")
    def open_existing(_dialect: Any, _record: Any, cargs: list[Any], cparams: dict[str, Any]) -> Any:
        [database] = cargs
        return None if database == ":memory:" or cparams.get("uri") else open_sqlite(database, **cparams)

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.Error as error:
            # A restored copy has another mode until it can be written to.
            if not faults.takes_no_change(error):
                raise
        # What is deleted is overwritten with zeros; not every build of SQLite does so by itself.
        for pragma in ("synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "checkin")
    def close_frozen(connection: Any, record: Any) -> None:
        if isinstance(connection, Frozen):
            record.invalidate()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("sqlite_begin") == "IMMEDIATE"
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    @event.listens_for(engine, "handle_error")
    def close_unusable(context: ExceptionContext) -> None:
        # A disconnect makes the pool close the connection.
        if faults.primary_code(context.original_exception) in faults.UNUSABLE:
            context.is_disconnect = True


def _impatient_kind(patience: int) -> Any:
    import psycopg

    class Impatient(psycopg.Connection[Any]):
        """A connection that gives up on a silent server, which does not enforce ``statement_timeout``."""

        def wait(self, gen: Any, *how: Any, **named: Any) -> Any:
            """Wait for an operation of the driver. Raises ``OperationalError`` when the server is silent."""
            return super().wait(self._in_time(gen, time.monotonic() + limits.SILENCE_SECONDS * patience), *how, **named)

        def _in_time(self, operation: Generator[Any, Any, Any], until: float) -> Generator[Any, Any, Any]:
            # The generator yields what to wait for on the socket, and gets whether it became ready.
            try:
                wanted = next(operation)
                while True:
                    ready = yield wanted
                    if not ready and time.monotonic() > until:
                        operation.close()
                        self.close()
                        raise psycopg.OperationalError("the server gives no sign")
                    wanted = operation.send(ready)
            except StopIteration as done:
                return done.value

    return Impatient


def impatient(url: URL, patience: int) -> Any:
    """Return a connection to a PostgreSQL server outside the pool, in no transaction. It gives up on a silent server.

    Raises the driver's ``OperationalError``.
    """
    address = url.set(drivername="postgresql").render_as_string(hide_password=False)
    seconds = limits.CONNECT_SECONDS * patience
    return _impatient_kind(patience).connect(address, autocommit=True, connect_timeout=seconds)


def _prepare_postgresql(engine: Engine, patience: int) -> None:
    kind = _impatient_kind(patience)

    @event.listens_for(engine, "do_connect")
    def connect(_dialect: Any, _record: Any, cargs: list[Any], cparams: dict[str, Any]) -> Any:
        return kind.connect(*cargs, **cparams)

    _prepare_looks(engine)

    @event.listens_for(engine, "connect")
    def set_timeouts(connection: Any, _record: Any) -> None:
        # By statements: a connection pooler may refuse them as connection options.
        times = {"statement_timeout": limits.STATEMENT_SECONDS, "lock_timeout": limits.LOCK_SECONDS}
        with connection.cursor() as cursor:
            for name, seconds in times.items():
                cursor.execute(f"SET {name} = '{seconds * patience}s'")
        connection.commit()


def _prepare_looks(engine: Engine) -> None:
    """Make the pool look at a connection before it lends it, without a round trip for one that was just used.

    What the server has sent meanwhile, above all that it has ended the connection, lies on the socket.
    """

    @event.listens_for(engine, "checkin")
    def rest(connection: Any, record: Any) -> None:
        record.info["rests_since"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def look(connection: Any, record: Any, _proxy: Any) -> None:
        since = record.info.pop("rests_since", None)
        if since is None or not (time.monotonic() - since > RESTED or _has_news(connection)):
            return
        try:
            engine.dialect.do_ping(connection)
        except Exception as fault:
            # The others were probably cut with it: the pool opens new ones.
            raise InvalidatePoolError from fault


def _has_news(connection: Any) -> bool:
    """Return whether something has come for a connection of which nothing was asked, or it is closed."""
    if connection.closed:
        return True
    look = select.poll()
    look.register(connection.fileno(), select.POLLIN)
    return bool(look.poll(0))
