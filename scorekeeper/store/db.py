"""The database: its connection, its write transactions, its constraint names."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask, current_app
from flask_migrate import Migrate, upgrade
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import MetaData, event, inspect
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.orm.exc import ObjectDeletedError

MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 5
POOL = {"pool_size": 16, "max_overflow": 48}
ONCE_COMMITTED = "once committed"
"""Where the session keeps what waits for its write transaction to be committed."""


class Base(DeclarativeBase):
    """Declares the tables, with constraint names that a migration can name again on every database."""

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


def init_store(app: Flask) -> None:
    """Bind the database to ``app``; on SQLite also set it to lose nothing that it has acknowledged."""
    from . import models  # noqa: F401  (the tables must be declared before anything asks for them)
    from .changes import init_changes

    url = app.config["SQLALCHEMY_DATABASE_URI"]
    if url.startswith("sqlite"):
        app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", {"connect_args": {"timeout": BUSY_SECONDS}, **POOL})
    else:
        app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", {"pool_pre_ping": True, **POOL})
    db.init_app(app)
    migrate.init_app(app, db, render_as_batch=True)
    with app.app_context():
        if db.engine.dialect.name == "sqlite":
            _prepare_sqlite(db.engine)
        init_changes(app)


def _prepare_sqlite(engine: Engine) -> None:
    """Take transactions out of the driver's hands: its own mode lets two writers lose each other's updates."""

    @event.listens_for(engine, "connect")
    def connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("sqlite_begin") == "IMMEDIATE"
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


class Gone(Exception):
    """What was to be written to was deleted meanwhile."""


def lock(row: Any) -> None:
    """Read the row anew and hold it until the transaction ends; call inside ``writing()``. Raises ``Gone``."""
    if db.engine.dialect.name == "sqlite" and not inspect(row).expired:
        # Read since the transaction began, and on SQLite nobody else has written since.
        return
    try:
        db.session.refresh(row, with_for_update=True)
    except InvalidRequestError as error:
        raise Gone from error


def once_committed(do: Callable[[], None]) -> None:
    """Do something as soon as what the session has read is true for everybody: now, unless inside ``writing()``.

    Of a transaction that is rolled back nothing is done.
    """
    waiting: list[Callable[[], None]] | None = db.session.info.get(ONCE_COMMITTED)
    do() if waiting is None else waiting.append(do)


@contextmanager
def writing() -> Iterator[None]:
    """Hold the one write transaction: commit at the end, roll back on any error.

    What the session read before is forgotten first: a decision taken inside rests on what is true inside.
    On SQLite writers also queue at a lock file, as its own busy handler sleeps between tries. Raises ``Gone``.
    """
    db.session.rollback()
    waiting: list[Callable[[], None]] = []
    with _queue():
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


@contextmanager
def _queue() -> Iterator[None]:
    if db.engine.dialect.name != "sqlite":
        yield
        return
    descriptor = os.open(Path(current_app.config["INSTANCE"]) / "write.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def migrate_database(app: Flask) -> None:
    """Bring the database to the newest shape, making it where there is none."""
    with app.app_context():
        upgrade(directory=str(MIGRATIONS))
