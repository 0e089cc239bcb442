"""The hall, furnished once for each database and process; a test that writes leaves the next one a new copy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from scorekeeper.store.db import db

from ..helpers.apps import app_in, close
from ..helpers.databases import Postgres
from .hall import Hall, furnish, open_hall
from .watching import Watcher, rows_of


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


@pytest.fixture(scope="session")
def halls() -> Iterator[dict[str, Flask]]:
    """The apps of this process in whose hall nobody has written yet, by their databases."""
    apps: dict[str, Flask] = {}
    yield apps
    for app in apps.values():
        close(app)


@pytest.fixture
def hall(
    database: str,
    halls: dict[str, Flask],
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    compiled: FileSystemBytecodeCache,
) -> Iterator[Hall]:
    """The hall as it was furnished, on the test's database. Most requests write nothing, and leave it to the next."""
    if database not in halls:
        folder = tmp_path_factory.mktemp("hall")
        if database == "sqlite":
            shutil.copy(request.getfixturevalue("furnished"), folder / "scorekeeper.db")
            monkeypatch.delenv("DATABASE_URL", raising=False)
        else:
            server: Postgres = request.getfixturevalue("furnished_postgres")
            name = f"hall_{uuid4().hex}"
            monkeypatch.setenv("DATABASE_URL", server.make(name, "hall"))
        halls[database] = app_in(folder, compiled, LIVE_SECONDS=0)
    found = open_hall(halls[database])
    rows = rows_of(found)
    before = rows.mark()
    yield found
    is_written = rows.mark() != before
    rows.close()
    if is_written:
        close(halls.pop(database))


@pytest.fixture
def watcher(hall: Hall) -> Iterator[Watcher]:
    """Who sends the requests and looks at every answer."""
    with Watcher(hall) as one:
        yield one
