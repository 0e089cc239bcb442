"""The database: its connection, its write transactions, its constraint names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from alembic import command
from flask import Flask, current_app
from flask_migrate import Migrate
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import MetaData, inspect
from sqlalchemy.exc import InvalidRequestError
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.orm.exc import ObjectDeletedError

from .. import file_modes
from .connection import is_sqlite
from .locks import Queue

MIGRATIONS = Path(__file__).parent / "migrations"
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


def database_file() -> Path:
    """Return the file of the SQLite database."""
    return Path(str(db.engine.url.database))


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


def savepoint() -> AbstractContextManager[Any]:
    """Return a place inside ``writing()`` to come back to, where another host may write the same row at once.

    On SQLite nobody writes at once, and a full disk there ends the transaction with every place in it.
    """
    return nullcontext() if db.engine.dialect.name == "sqlite" else db.session.begin_nested()


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
    On SQLite writers also queue at a lock file, as its own busy handler sleeps between tries. Raises ``Gone``, and
    ``Unreachable`` when it was not this writer's turn in time.
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
    queue: Queue = current_app.extensions["scorekeeper.queue"]
    with queue.turn():
        yield


def migrate_database(app: Flask, revision: str = "head") -> None:
    """Bring the database to the newest shape (or that of an earlier ``revision``), making it where there is none.

    Raises ``CommandError`` where a newer version of the app has made it.
    """
    with app.app_context():
        if is_sqlite(app):
            # By ourselves: SQLite would let everybody read it.
            file_modes.make_file(database_file())
        command.upgrade(migrate.get_config(str(MIGRATIONS)), revision)
