"""The hall, furnished once for each database and process; a test that writes leaves the next one a new copy."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from scorekeeper.app import create_app
from scorekeeper.store.db import db

from ..conftest import SECRET, UNBRAKED
from ..helpers.databases import Postgres
from .hall import Hall, furnish, open_hall
from .watching import Watcher, rows_of


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
def database(request: pytest.FixtureRequest) -> str:
    """SQLite, unless the test takes each in turn."""
    name: str = getattr(request, "param", "sqlite")
    return name


@pytest.fixture(scope="session")
def halls() -> Iterator[dict[str, Flask]]:
    """The apps of this process in whose hall nobody has written yet, by their databases."""
    apps: dict[str, Flask] = {}
    yield apps
    for app in apps.values():
        leave(app)


@pytest.fixture
def hall(
    database: str,
    halls: dict[str, Flask],
    tmp_path: Path,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    compiled: FileSystemBytecodeCache,
) -> Iterator[Hall]:
    """The hall as it was furnished, on the test's database. Most requests write nothing, and leave it to the next."""
    if database not in halls:
        if database == "sqlite":
            shutil.copy(request.getfixturevalue("furnished"), tmp_path / "scorekeeper.db")
            monkeypatch.delenv("DATABASE_URL", raising=False)
        else:
            server: Postgres = request.getfixturevalue("furnished_postgres")
            name = f"hall_{uuid4().hex}"
            monkeypatch.setenv("DATABASE_URL", server.make(name, "hall"))
        halls[database] = an_app(tmp_path, compiled)
    found = open_hall(halls[database])
    rows = rows_of(found)
    before = rows.mark()
    yield found
    is_written = rows.mark() != before
    rows.close()
    if is_written:
        leave(halls.pop(database))


@pytest.fixture
def watcher(hall: Hall) -> Iterator[Watcher]:
    """Who sends the requests and looks at every answer."""
    with Watcher(hall) as one:
        yield one
