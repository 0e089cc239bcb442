"""The hall, furnished once for each database and process; every test works on a copy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import FileSystemBytecodeCache

from scorekeeper.store.db import db

from ..helpers.apps import app_in, close
from ..helpers.databases import Postgres
from .hall import Hall, furnish, open_hall
from .watching import Watcher


@pytest.fixture(scope="session")
def furnished(migrated: Path, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache) -> Path:
    """The hall as a SQLite file."""
    instance = tmp_path_factory.mktemp("hall")
    shutil.copy(migrated, instance / "scorekeeper.db")
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("DATABASE_URL", raising=False)
        app = app_in(instance, compiled)
    furnish(app)
    with app.app_context():
        db.session.connection().exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    close(app)
    return instance / "scorekeeper.db"


@pytest.fixture(scope="session")
def furnished_postgres(
    migrated_postgres: Postgres, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Postgres:
    """A PostgreSQL server whose database ``hall`` holds the hall."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", migrated_postgres.make("hall", "migrated"))
        app = app_in(tmp_path_factory.mktemp("hall"), compiled)
    furnish(app)
    close(app)
    return migrated_postgres


@pytest.fixture
def database_url(
    database: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str | None]:
    """The address of a database of this test alone, which holds the hall."""
    if database == "sqlite":
        shutil.copy(request.getfixturevalue("furnished"), tmp_path / "scorekeeper.db")
        monkeypatch.delenv("DATABASE_URL", raising=False)
        yield None
        return
    server: Postgres = request.getfixturevalue("furnished_postgres")
    with server.database("hall") as url:
        monkeypatch.setenv("DATABASE_URL", url)
        yield url


@pytest.fixture
def hall(
    tmp_path: Path, database_url: str | None, compiled: FileSystemBytecodeCache, request: pytest.FixtureRequest
) -> Iterator[Hall]:
    """The hall, whose live streams end at once, so that asking for one does not wait."""
    app = app_in(tmp_path, compiled, LIVE_SECONDS=0)
    yield open_hall(app)
    close(app)


@pytest.fixture
def watcher(hall: Hall) -> Iterator[Watcher]:
    """Who sends the requests and looks at every answer."""
    with Watcher(hall) as one:
        yield one
