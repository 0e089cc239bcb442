"""The app for the tests: one of the process for each database, emptied after every test; or one of a test alone.

An app of its own is for a test that changes what the others rely on: it moves the database file, migrates it, cuts
connections, or adds an address. Mark it ``@pytest.mark.own_app``, with the settings that it wants.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
from flask import Flask
from jinja2 import BytecodeCache
from sqlalchemy import make_url

from scorekeeper import events
from scorekeeper.app import create_app
from scorekeeper.limits import EVENT_LINES
from scorekeeper.logs import Sparing
from scorekeeper.store.cleaning import init_cleaning
from scorekeeper.store.db import db
from scorekeeper.store.live import init_live
from scorekeeper.store.lru import LruCache

SECRET = "a secret for the tests, long enough"
UNBRAKED = {"BRAKES": "off"}
"""All tests come from one address, and some open hundreds of tables. Tests of the brakes make an app that has them."""


def app_in(instance: Path, compiled: BytecodeCache, **settings: Any) -> Flask:
    """Return an app on the database of a folder, or on that of ``DATABASE_URL``."""
    usual = {"INSTANCE": instance, "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False, "TESTING": True, **UNBRAKED}
    app = create_app({**usual, **settings})
    app.jinja_env.bytecode_cache = compiled
    return app


def close(app: Flask) -> None:
    """Close the app's connections. What would still be cleaned of its database goes with that."""
    _give_up_cleaning(app)
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


def forget_events() -> None:
    """Log events as a process that has just begun: a process logs only so many lines a minute."""
    events._kinds, events._brakes = Sparing(lines=EVENT_LINES), Sparing()


class SharedApp:
    """The app of this process on one database, and what it was like before the first test."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.is_used = False
        self._config, self._extensions = dict(app.config), dict(app.extensions)
        url = make_url(app.config["SQLALCHEMY_DATABASE_URI"])
        self._rows = SqliteRows(str(url.database)) if url.get_backend_name() == "sqlite" else PostgresRows(url)

    def empty(self) -> None:
        """Make it what it was before the first test: no rows, nothing remembered, the same settings.

        A number of a table is never given again, so that nothing late is taken for news of another test's table.
        """
        self.is_used = False
        _give_up_cleaning(self.app)
        self.app.extensions["scorekeeper.hub"].stop()
        _put_back(self.app.config, self._config)
        _put_back(self.app.extensions, self._extensions)
        for kept in self._extensions.values():
            if isinstance(kept, LruCache):
                kept.forget(lambda _key: True)
            elif isinstance(kept, Sparing):
                kept._counted.clear()
        with self.app.app_context():
            init_cleaning(self.app)
            init_live(self.app)
        self._rows.delete()

    def close(self) -> None:
        """Close its connections."""
        self._rows.close()
        close(self.app)


def _give_up_cleaning(app: Flask) -> None:
    app.extensions["scorekeeper.cleaner"]._clean = lambda: True


def _put_back(now: dict[str, Any], before: dict[str, Any]) -> None:
    for name in now.keys() - before.keys():
        del now[name]
    now.update(before)


def _filled(tables: Iterable[str]) -> str:
    """Return the statement that names those of the tables that have rows."""
    return " UNION ALL ".join(f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {table})" for table in tables)


TABLES = [table.name for table in db.metadata.sorted_tables]
FILLED = _filled(TABLES)


class SqliteRows:
    """All rows of a SQLite database. Nothing refers to a row that stays, so no reference is looked at."""

    def __init__(self, file: str) -> None:
        self._connection = sqlite3.connect(file, isolation_level=None, timeout=60)
        self._connection.execute("PRAGMA synchronous = OFF")

    def delete(self) -> None:
        """Delete them."""
        if not (filled := self._connection.execute(FILLED).fetchall()):
            return
        deletions = "; ".join(f"DELETE FROM {table}" for (table,) in filled)
        self._connection.executescript(f"BEGIN IMMEDIATE; {deletions}; COMMIT")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class PostgresRows:
    """All rows of a PostgreSQL database."""

    def __init__(self, url: Any) -> None:
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)

    def delete(self) -> None:
        """Delete them. A connection each time: tests cut those that there are."""
        with closing(psycopg.connect(self._address, autocommit=True)) as connection:
            if filled := connection.execute(FILLED).fetchall():
                deletions = "; ".join(f"DELETE FROM {table}" for (table,) in filled)
                # As a replica, it looks at no reference.
                connection.execute(f"SET session_replication_role = replica; SET lock_timeout = '20s'; {deletions}")

    def close(self) -> None:
        """Do nothing: no connection is kept."""
