"""What every test may ask for: an app on an empty database, a visitor's client.

``make quick`` runs tests/rules, tests/house and a walk through the pages; ``make test`` all tests but those marked
``whole``; ``make test-all`` those, too. They repeat what another test has said once: for every preset and line-up, with
more hostile requests. A rule, a page or a worked case is never ``whole``: whoever changes it finds out in
``make test``. Of drawn cases it draws a third (helpers/draws.py).

The app is one for all tests of a process (helpers/apps.py), on SQLite unless the test says otherwise
(helpers/databases.py).
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache

from scorekeeper.store.db import db, migrate_database

from .helpers.apps import SECRET as SECRET
from .helpers.apps import UNBRAKED as UNBRAKED
from .helpers.apps import SharedApp, app_in, close, forget_events
from .helpers.databases import DATABASES, Postgres, postgres

SHARED: dict[str, SharedApp] = {}
"""The apps of this process by their databases, each from the first test on that asks for it."""
MakeApp = Callable[..., Flask]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Take the databases in turn that the mark ``databases`` of a test, or else of its module, names."""
    mark = metafunc.definition.get_closest_marker("databases")
    if mark is None or "database" not in metafunc.fixturenames:
        return
    names = [name for one in metafunc.definition.iter_markers("parametrize") for name in one.args[0]]
    if "database" not in "".join(names):
        metafunc.parametrize("database", mark.args, indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Generator[None, object, object]:
    """Empty the apps once all that the test has changed is undone."""
    try:
        return (yield)
    finally:
        for shared in SHARED.values():
            if shared.is_used:
                shared.empty()


@pytest.fixture(autouse=True)
def a_minute_of_its_own() -> None:
    """Each test logs events as a process that has just begun."""
    forget_events()


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """The templates as Python, compiled once for all tests."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache) -> Path:
    """A SQLite database migrated once, to be copied."""
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("DATABASE_URL", raising=False)
        instance = tmp_path_factory.mktemp("migrated")
        app = app_in(instance, compiled)
    migrate_database(app)
    with app.app_context():
        db.session.connection().exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    close(app)
    return instance / "scorekeeper.db"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL server, one for each process of the tests."""
    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def migrated_postgres(
    postgres_server: Postgres, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Postgres:
    """A PostgreSQL server whose database ``migrated`` was migrated once, to be copied."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", postgres_server.make("migrated"))
        app = app_in(tmp_path_factory.mktemp("migrated"), compiled)
    migrate_database(app)
    close(app)
    return postgres_server


@pytest.fixture(scope="session")
def on_sqlite(
    migrated: Path, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Iterator[SharedApp]:
    """The app of this process on SQLite."""
    instance = tmp_path_factory.mktemp("instance")
    shutil.copy(migrated, instance / "scorekeeper.db")
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("DATABASE_URL", raising=False)
        SHARED["sqlite"] = SharedApp(app_in(instance, compiled))
    yield SHARED["sqlite"]
    SHARED.pop("sqlite").close()


@pytest.fixture(scope="session")
def on_postgresql(
    migrated_postgres: Postgres, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache
) -> Iterator[SharedApp]:
    """The app of this process on PostgreSQL."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", migrated_postgres.make("shared", "migrated"))
        SHARED["postgresql"] = SharedApp(app_in(tmp_path_factory.mktemp("instance"), compiled))
    yield SHARED["postgresql"]
    SHARED.pop("postgresql").close()


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """On which database the app runs."""
    name: str = getattr(request, "param", DATABASES[0])
    return name


@pytest.fixture
def database_url(
    database: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str | None]:
    """The address of a database of this test alone, migrated and empty, in the environment as a host would set it.

    None is SQLite's own, in the test's folder.
    """
    if database == "sqlite":
        shutil.copy(request.getfixturevalue("migrated"), tmp_path / "scorekeeper.db")
        monkeypatch.delenv("DATABASE_URL", raising=False)
        yield None
    else:
        server: Postgres = request.getfixturevalue("migrated_postgres")
        with server.database("migrated") as url:
            monkeypatch.setenv("DATABASE_URL", url)
            yield url


@pytest.fixture
def make_app(tmp_path: Path, database_url: str | None, compiled: FileSystemBytecodeCache) -> Iterator[MakeApp]:
    """Makes apps of this test alone, with these settings, all on one database of its own."""
    apps: list[Flask] = []

    def make(**settings: Any) -> Flask:
        apps.append(app_in(tmp_path, compiled, **settings))
        return apps[-1]

    yield make
    for app in apps:
        close(app)


@pytest.fixture
def app(database: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The app on an empty database: that of this process, or one of this test alone where it is marked ``own_app``."""
    own = request.node.get_closest_marker("own_app")
    if own is not None:
        make: MakeApp = request.getfixturevalue("make_app")
        return make(**own.kwargs)
    app = shared(database, request)
    if database == "sqlite":
        monkeypatch.delenv("DATABASE_URL", raising=False)
    else:
        monkeypatch.setenv("DATABASE_URL", app.config["SQLALCHEMY_DATABASE_URI"])
    return app


@pytest.fixture
def elsewhere(database: str, request: pytest.FixtureRequest) -> Flask:
    """Another server, on the other database."""
    return shared(next(name for name in DATABASES if name != database), request)


def shared(database: str, request: pytest.FixtureRequest) -> Flask:
    """Return the app of this process on a database; it is emptied after the test."""
    one: SharedApp = request.getfixturevalue(f"on_{database}")
    one.is_used = True
    return one.app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A visitor's browser."""
    return app.test_client()
