"""What every test may ask for: an app on its own database, a visitor's client. Which tests ``make quick`` runs.

The quick tests are those in ``tests/rules`` and directly in ``tests``, without the files named in ``SLOW_FILES``, and
the smoke tests of the pages. Every other test is marked ``slow``; so is a single test decorated with
``@pytest.mark.slow``. Together the quick ones take less than a minute: a new file that makes them longer than that is
named in ``SLOW_FILES``.

Which tests ``make test`` leaves to ``make test-all``: those marked ``whole``. They repeat what another test has said
once: on the second database, for every preset and line-up, with more hostile requests. A rule, a page or a worked case
is never ``whole``: whoever changes it finds out in ``make test``. Of drawn cases it draws a third (helpers/draws.py).

Where several processes share the tests, those of a file stay together, so that what a module sets up is set up once. So
do the files of ``SHARING``, which look at the same scored deals or furnish the same hall. Long files of ``APART`` are
shared out test by test, so that no process is left with one of them in the end.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jinja2 import FileSystemBytecodeCache
from werkzeug.routing import Rule

from scorekeeper import events
from scorekeeper.app import create_app
from scorekeeper.assets import Assets
from scorekeeper.limits import EVENT_LINES
from scorekeeper.logs import Sparing
from scorekeeper.store.db import db, migrate_database

from .helpers.databases import Postgres, postgres

SECRET = "a secret for the tests, long enough"
UNBRAKED = {"BRAKES": "off"}
"""All tests come from one address, and some open hundreds of tables. Tests of the brakes make an app that has them."""
TESTS = Path(__file__).parent
SMOKE = TESTS / "web" / "test_smoke.py"
SHARING = {
    **dict.fromkeys((f"rules/test_{name}.py" for name in ("cases", "contract_types", "options")), "cases"),
    **{path.relative_to(TESTS).as_posix(): "hostile" for path in (TESTS / "hostile").glob("test_*.py")},
}
"""Files whose tests stay together, with a name for them."""
APART = frozenset({"web/test_every_start.py", "web/test_one_winner.py"})
assert all((TESTS / path).is_file() for path in (*SHARING, *APART)), "a test has moved"
SLOW_FILES = frozenset(
    f"test_{name}.py"
    for name in (
        # These play whole deals, draw their cases, or go through all cases once more.
        "bounds",
        "budget",
        "contract_types",
        "counts",
        "evidence",
        "first_rules",
        "many_captures",
        "options",
        "partly_known",
        "properties",
        "questions",
        "simulated_deals",
        # These start processes, or the app many times.
        "commands",
        "cli_and_api",
        "hostile_requests",
        "server",
        "wheel",
    )
)


def is_slow(path: Path) -> bool:
    """Return whether all tests of a file are slow."""
    is_quick_folder = path.parent == TESTS or TESTS / "rules" in path.parents
    return path != SMOKE and (path.name in SLOW_FILES or not is_quick_folder)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave slow files unread where no slow test is wanted: to read them all takes ten seconds."""
    if "not slow" in config.option.markexpr and collection_path.is_file() and is_slow(collection_path):
        return True
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of slow files, before those that are not wanted are put aside by their marks.

    And name for each test those that it stays together with (``--dist loadgroup``).
    """
    for item in items:
        if is_slow(item.path):
            item.add_marker(pytest.mark.slow)
        path = item.path.relative_to(TESTS).as_posix()
        if path not in APART and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(SHARING.get(path, path)))


def compile_addresses_once() -> None:
    """Let all apps of a process share the code that builds addresses: to compile it is half of what an app costs."""
    compiled: dict[tuple[object, ...], Callable[..., tuple[str, str]]] = {}
    build = Rule._compile_builder

    def once(rule: Rule, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        key = rule.rule, append_unknown, tuple(rule._trace), repr(rule.defaults)
        if key not in compiled:
            compiled[key] = build(rule, append_unknown)
        return compiled[key]

    Rule._compile_builder = once  # type: ignore[method-assign]


compile_addresses_once()


def slim_files_once() -> None:
    """Let all apps of a process share the scripts and styles without comments: each test makes an app of its own."""
    slimmed: dict[tuple[Path, Path, int], bytes] = {}
    slim = Assets._content

    def once(assets: Assets, path: Path) -> bytes:
        key = assets._folder, path, path.stat().st_mtime_ns
        if key not in slimmed:
            slimmed[key] = slim(assets, path)
        return slimmed[key]

    Assets._content = once  # type: ignore[method-assign]


slim_files_once()


@pytest.fixture(autouse=True)
def a_minute_of_its_own() -> None:
    """Each test logs events as a process that has just begun: a process logs only so many lines a minute."""
    events._kinds, events._brakes = Sparing(lines=EVENT_LINES), Sparing()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database migrated once; each test works on a copy."""
    instance = tmp_path_factory.mktemp("migrated")
    app = create_app({"INSTANCE": instance, "SECRET_KEY": SECRET})
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
def migrated_postgres(postgres_server: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Postgres:
    """A PostgreSQL server whose database ``migrated`` was migrated once; each test works on a copy."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DATABASE_URL", postgres_server.make("migrated"))
        app = create_app({"INSTANCE": tmp_path_factory.mktemp("migrated"), "SECRET_KEY": SECRET})
    migrate_database(app)
    close(app)
    return postgres_server


@pytest.fixture
def database() -> str:
    """On which database the app runs; where the notebook is tested, conftest.py takes each in turn."""
    return "sqlite"


@pytest.fixture
def database_url(
    database: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[str | None]:
    """The address of a migrated, empty database, in the environment as a host would set it; None is SQLite's own."""
    if database == "sqlite":
        shutil.copy(request.getfixturevalue("migrated"), tmp_path / "scorekeeper.db")
        monkeypatch.delenv("DATABASE_URL", raising=False)
        yield None
    else:
        server: Postgres = request.getfixturevalue("migrated_postgres")
        with server.database("migrated") as url:
            monkeypatch.setenv("DATABASE_URL", url)
            yield url


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> FileSystemBytecodeCache:
    """The templates as Python, compiled once for all tests."""
    return FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))


@pytest.fixture
def app(tmp_path: Path, database_url: str | None, compiled: FileSystemBytecodeCache) -> Iterator[Flask]:
    """The app on an empty database."""
    app = app_in(tmp_path, compiled)
    yield app
    close(app)


def app_in(instance: Path, compiled: FileSystemBytecodeCache) -> Flask:
    """Return an app on the database of a folder, or on that of ``DATABASE_URL``."""
    settings = {"INSTANCE": instance, "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False, "TESTING": True}
    app = create_app({**settings, **UNBRAKED})
    app.jinja_env.bytecode_cache = compiled
    return app


def close(app: Flask) -> None:
    """Close the app's connections. What would still be cleaned of its database goes with that."""
    app.extensions["scorekeeper.cleaner"]._clean = lambda: True
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def elsewhere(
    database: str,
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    compiled: FileSystemBytecodeCache,
    migrated: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Flask]:
    """Another server, on the other database."""
    folder = tmp_path_factory.mktemp("elsewhere")
    if database == "sqlite":
        server: Postgres = request.getfixturevalue("migrated_postgres")
        with server.database("migrated") as url:
            monkeypatch.setenv("DATABASE_URL", url)
            app = app_in(folder, compiled)
            yield app
            close(app)
        return
    monkeypatch.delenv("DATABASE_URL", raising=False)
    (folder / "scorekeeper.db").write_bytes(migrated.read_bytes())
    app = app_in(folder, compiled)
    yield app
    close(app)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A visitor's browser."""
    return app.test_client()
