"""The hall, furnished once for each database and process; every test works on a copy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from scorekeeper.app import create_app
from scorekeeper.store.db import db

from ..conftest import SECRET, UNBRAKED
from ..helpers.databases import Postgres
from .hall import Hall, furnish, open_hall
from .watching import Watcher


def an_app(instance: Path, compiled: FileSystemBytecodeCache) -> Flask:
    """Return an app whose live streams end at once, so that asking for one does not wait."""
    settings = {"SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False, "TESTING": True, "LIVE_SECONDS": 0}
    app = create_app({"INSTANCE": instance, **settings, **UNBRAKED})
    app.jinja_env.bytecode_cache = compiled
    return app


def leave(app: Flask) -> None:
    """Close the app's connections."""
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture(scope="session")
def furnished(migrated: Path, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache) -> Path:
    """The hall as a SQLite file."""
    instance = tmp_path_factory.mktemp("hall")
    shutil.copy(migrated, instance / "scorekeeper.db")
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("DATABASE_URL", raising=False)
        app = an_app(instance, compiled)
    furnish(app)
    with app.app_context():
        db.session.connection().exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    leave(app)
    return instance / "scorekeeper.db"


@pytest.fixture(scope="session")
def furnished_postgres(
    migrated_postgres: Postgres, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Postgres:
    """A PostgreSQL server whose database ``hall`` holds the hall."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", migrated_postgres.make("hall", "migrated"))
        app = an_app(tmp_path_factory.mktemp("hall"), compiled)
    furnish(app)
    leave(app)
    return migrated_postgres


@pytest.fixture
def hall(
    database: str,
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    compiled: FileSystemBytecodeCache,
) -> Iterator[Hall]:
    """The hall on the test's database (``database``: SQLite, unless the test takes each in turn)."""
    if database == "sqlite":
        shutil.copy(request.getfixturevalue("furnished"), tmp_path / "scorekeeper.db")
        monkeypatch.delenv("DATABASE_URL", raising=False)
        app = an_app(tmp_path, compiled)
        yield open_hall(app)
        leave(app)
        return
    server: Postgres = request.getfixturevalue("furnished_postgres")
    with server.database("hall") as url:
        monkeypatch.setenv("DATABASE_URL", url)
        app = an_app(tmp_path, compiled)
        yield open_hall(app)
        leave(app)


@pytest.fixture
def watcher(hall: Hall) -> Iterator[Watcher]:
    """Who sends the requests and looks at every answer."""
    with Watcher(hall) as one:
        yield one
