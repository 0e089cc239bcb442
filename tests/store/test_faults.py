"""The database goes away and comes back under the app: what waits for it waits for a while, and goes on by itself."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import Engine, event, text
from werkzeug.test import TestResponse

from scorekeeper.app import create_app
from scorekeeper.config import load
from scorekeeper.store import commands, connection, faults, prepared, queries
from scorekeeper.store.db import db, migrate_database, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, entries_of
from scorekeeper.store.models import Table

from ..conftest import SECRET
from ..helpers.databases import Postgres, on_both, on_postgresql, on_sqlite, postgres
from .conftest import start

pytestmark = [on_both, pytest.mark.own_app, pytest.mark.whole]


def write() -> None:
    with writing():
        commands.open_table("Los viernes", str(uuid4()))


def cause(do: Callable[[], object]) -> str | None:
    """Return the cause of the fault that this meets."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        do()
    db.session.rollback()
    return faults.cause_of(caught.value)


@on_sqlite
def test_a_writer_that_hangs_does_not_hang_the_others(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app.extensions["scorekeeper.queue"], "_seconds", 0.05)
    descriptor = os.open(Path(app.config["INSTANCE"]) / "write.lock", os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        assert cause(write) == faults.LOCKED
        assert queries.table_by_play_key(table.play_key) is not None, "whoever reads waits for nobody"
    finally:
        os.close(descriptor)
    write()


@on_sqlite
def test_a_lock_of_another_program_is_waited_for_and_then_reported(app: Flask, table: Table) -> None:
    db.session.remove()

    @event.listens_for(db.engine, "connect")
    def hasty(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout = 50")

    db.engine.dispose()
    with closing(sqlite3.connect(db.engine.url.database or "")) as another:
        another.execute("BEGIN IMMEDIATE")
        assert cause(write) == faults.LOCKED
        another.rollback()
    write()


@on_sqlite
def test_a_full_disk_writes_nothing_and_goes_on_when_there_is_room(app: Flask, table: Table) -> None:
    def room(pages: int) -> None:
        db.session.connection().exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    db.session.remove()
    db.engine.dispose()
    sizes = {"pages": 1}
    event.listen(db.engine, "connect", lambda one, _record: one.execute(f"PRAGMA max_page_count = {sizes['pages']}"))

    def many() -> None:
        with writing():
            for _turn in range(200):
                commands.open_table("x" * 60, str(uuid4()))

    assert cause(many) == faults.FULL
    assert db.session.query(Table).count() == 1
    room(1_000_000)
    many()


@on_sqlite
def test_a_missing_file_is_not_created_empty(app: Flask, table: Table, tmp_path: Path) -> None:
    key = table.play_key
    db.session.remove()
    db.engine.dispose()
    (tmp_path / "scorekeeper.db").rename(tmp_path / "away")
    assert cause(lambda: queries.table_by_play_key(key)) == faults.AWAY
    assert not (tmp_path / "scorekeeper.db").exists()
    (tmp_path / "away").rename(tmp_path / "scorekeeper.db")
    assert queries.table_by_play_key(key) is not None


@on_sqlite
def test_a_read_only_database_can_be_read_and_later_written(
    app: Flask, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = db.engine.url.database or ""
    db.session.remove()
    db.engine.dispose()

    real, refusing = sqlite3.connect, [True]

    class Full(sqlite3.Connection):
        """As on a disk on which the index of the journal finds no room."""

        def execute(self, statement: str, *more: object) -> sqlite3.Cursor:
            if statement == "PRAGMA schema_version" and refusing:
                fault = sqlite3.OperationalError("disk I/O error")
                fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
                raise fault
            return super().execute(statement, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(connection.sqlite3, "connect", lambda *where, **how: real(*where, **{"factory": Full, **how}))
    for _turn in range(2):
        assert db.session.query(Table).count() == 1
        db.session.remove()
    assert cause(write) == faults.READ_ONLY
    db.session.remove()
    refusing.clear()
    write()
    assert db.session.query(Table).count() == 2, "no connection stays that reads the file as it was"

    db.session.remove()
    with closing(real(file)) as another:
        # Where a journal is there, the file alone is not all that was written.
        another.execute("SELECT count(*) FROM tables").fetchone()
        db.engine.dispose()
        refusing.append(True)
        assert cause(lambda: db.session.query(Table).count()) == faults.FULL


READ_ONLY_FOR_A_MOMENT = """
import os, sqlite3, sys
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4
from sqlalchemy.exc import SQLAlchemyError
from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
folder = sys.argv[1]
app = create_app({"INSTANCE": folder})

def write(_turn):
    with app.app_context():
        try:
            with writing():
                commands.open_table("x", str(uuid4()))
        except (SQLAlchemyError, OSError) as error:
            return str(error)

assert write(0) is None
# As another process of the app has it open, the journal stays beside it.
another = sqlite3.connect(os.path.join(folder, "scorekeeper.db"))
another.execute("SELECT count(*) FROM tables").fetchone()
with app.app_context():
    db.engine.dispose()
if os.geteuid() == 0:
    # No rights are ever taken from root.
    for path in (folder, *(os.path.join(folder, name) for name in os.listdir(folder))):
        os.chown(path, 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
files = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("scorekeeper.db")]
def rights(file, of_folder):
    for path in files:
        if os.path.exists(path):
            os.chmod(path, file)
    os.chmod(folder, of_folder)

rights(0o400, 0o500)
with ThreadPoolExecutor(8) as phones:
    failed = [one for one in phones.map(write, range(24)) if one]
    rights(0o600, 0o700)
    after = [one for _round in range(4) for one in phones.map(write, range(24)) if one]
print(len(failed), len(after))
"""


@pytest.mark.whole
@on_sqlite
def test_rights_that_were_taken_and_given_back_leave_no_connection_without_them(app: Flask, table: Table) -> None:
    db.session.remove()
    db.engine.dispose()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(db.engine.url.database or "", folder)
        done = subprocess.run(
            [sys.executable, "-c", READ_ONLY_FOR_A_MOMENT, folder],
            env={**os.environ, "PYTHONPATH": os.getcwd(), "SECRET_KEY": SECRET},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    failed, after = map(int, done.stdout.split())
    assert failed == 24
    assert after == 0


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A PostgreSQL of its own, to be stopped."""
    with postgres() as server:
        yield server


@pytest.fixture
def served(server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    """The app on it, without a context: each request has its own, as under a server."""
    with server.database() as url:
        monkeypatch.setenv("DATABASE_URL", url)
        app = create_app({"INSTANCE": tmp_path / "on it", "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False})
        migrate_database(app)
        yield app
        with app.app_context():
            db.session.remove()
            db.engine.dispose()


@pytest.fixture
def on_it(served: Flask) -> Iterator[Flask]:
    with served.app_context():
        yield served
        db.session.remove()


@pytest.mark.whole
@on_postgresql
def test_connections_that_the_server_has_cut_cost_one_try_at_most(server: Postgres, on_it: Flask) -> None:
    write()
    server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    db.session.rollback()
    write()
    assert db.session.query(Table).count() == 2


def cut(server: Postgres) -> None:
    """End every connection to the server but the one that asks for it, and wait until they have ended."""
    others = "backend_type = 'client backend' AND pid <> pg_backend_pid()"
    server.run(f"SELECT pg_terminate_backend(pid, 9000) FROM pg_stat_activity WHERE {others}")


def table_in(app: Flask) -> tuple[str, Engine]:
    """Write a table; return its play key, and the engine."""
    with app.app_context():
        write()
        return db.session.query(Table).one().play_key, db.engine


@pytest.mark.whole
@on_postgresql
@pytest.mark.parametrize("nth", [1, 4])
def test_a_connection_cut_during_a_request_is_reported(server: Postgres, served: Flask, nth: int) -> None:
    key, engine = table_in(served)
    seen: list[str] = []

    def count(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        seen.append(statement)
        if len(seen) == nth:
            cut(server)

    event.listen(engine, "before_cursor_execute", count)
    answer = served.test_client().get(f"/t/{key}/history")
    assert (answer.status_code, answer.headers["X-Scorekeeper"]) == (503, "1")
    assert int(answer.headers["Retry-After"]) > 0
    assert served.test_client().get(f"/t/{key}/history").status_code == 200


def shown_by_facts(app: Flask) -> tuple[Callable[[], TestResponse], Engine]:
    """Return what asks for a page that is found by one statement now, and the engine."""
    key, engine = table_in(app)
    with app.app_context():
        table = db.session.query(Table).one()
        with writing():
            start(table)
        db.session.remove()
    phone = app.test_client()
    for _time in range(3):
        assert phone.get(f"/t/{key}/history").status_code == 200
    return lambda: phone.get(f"/t/{key}/history"), engine


@contextmanager
def counted_facts() -> Iterator[list[str]]:
    """Collect the statements that find a page."""
    asked: list[str] = []
    prepared.LISTENERS.append(asked.append)
    try:
        yield asked
    finally:
        prepared.LISTENERS.remove(asked.append)


@pytest.mark.whole
@on_postgresql
def test_a_connection_cut_while_a_page_is_found_by_one_statement_is_thrown_away_and_reported(
    server: Postgres, served: Flask
) -> None:
    ask, engine = shown_by_facts(served)
    lent: list[object] = []

    def end(_connection: object, record: object, _proxy: object) -> None:
        lent.append(record)
        if len(lent) == 1:
            cut(server)

    event.listen(engine, "checkout", end)
    answer = ask()
    assert (answer.status_code, answer.headers["X-Scorekeeper"]) == (503, "1")
    assert int(answer.headers["Retry-After"]) > 0
    assert engine.pool.checkedout() == 0, "the dead connection was given back"  # type: ignore[attr-defined]
    with counted_facts() as asked:
        assert ask().status_code == 200
    assert len(asked) == 1
    event.remove(engine, "checkout", end)


@on_postgresql
def test_a_write_whose_connection_is_cut_is_reported_and_written_once_when_sent_again(
    server: Postgres, on_it: Flask
) -> None:
    with writing():
        match = start(commands.open_table("Los viernes", str(uuid4())))
    tap = NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})

    def send() -> int:
        return commands.write(match, lambda: commands.draft(match, [tap]))

    assert send() == 2
    tap = NewEntry(kinds.SWEPT, {"deal": 1, "side": "B", "count": 1})
    assert match.head == 2
    prepared.LISTENERS.append(cuts := lambda _statement: cut(server))
    try:
        assert cause(send) == faults.AWAY
    finally:
        prepared.LISTENERS.remove(cuts)
    assert match.head == 2
    assert send() == 3
    assert send() == 0
    assert [entry.seq for entry in entries_of(match)] == [1, 2, 3]


@on_postgresql
def test_a_connection_cut_at_the_commit_is_reported(server: Postgres, on_it: Flask) -> None:
    def end(_connection: object) -> None:
        cut(server)

    event.listen(db.engine, "commit", end)
    assert cause(write) == faults.AWAY
    event.remove(db.engine, "commit", end)
    write()
    assert db.session.query(Table).count() == 1


@pytest.mark.whole
@on_postgresql
def test_a_server_that_is_frozen_is_not_waited_for(
    server: Postgres, on_it: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.limits.SILENCE_SECONDS", 0.5)
    write()
    pid = db.session.scalar(text("SELECT pg_backend_pid()"))
    os.kill(pid, signal.SIGSTOP)
    try:
        assert cause(lambda: db.session.query(Table).count()) == faults.AWAY
    finally:
        os.kill(pid, signal.SIGCONT)
    monkeypatch.undo()
    assert db.session.query(Table).count() == 1


@on_postgresql
def test_a_row_that_another_holds_is_waited_for_a_while(server: Postgres, on_it: Flask) -> None:
    write()
    with db.engine.connect() as another, another.begin():
        another.execute(text("SELECT id FROM tables FOR UPDATE"))
        db.session.execute(text("SET lock_timeout = '50ms'"))
        assert cause(lambda: db.session.execute(text("SELECT id FROM tables FOR UPDATE"))) == faults.LOCKED


@pytest.mark.whole
@on_postgresql
def test_every_connection_has_its_times(server: Postgres, on_it: Flask) -> None:
    shown = {name: db.session.scalar(text(f"SHOW {name}")) for name in ("statement_timeout", "lock_timeout")}
    assert shown == {"statement_timeout": "5s", "lock_timeout": "4s"}


@pytest.mark.whole
@on_postgresql
def test_a_crowd_waits_for_the_connections_there_are(
    server: Postgres, tmp_path: Path, on_it: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_POOL", "2")
    app = create_app({"INSTANCE": tmp_path / "crowd", "SECRET_KEY": SECRET})

    def one(_turn: int) -> None:
        with app.app_context():
            write()

    with ThreadPoolExecutor(16) as phones:
        list(phones.map(one, range(64)))
    with app.app_context():
        assert db.session.query(Table).count() == 64
        assert db.engine.pool.checkedin() <= 2  # type: ignore[attr-defined]
        db.session.remove()
        db.engine.dispose()


@on_postgresql
def test_a_pool_that_is_used_up_is_a_fault_that_passes(
    server: Postgres, tmp_path: Path, on_it: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorekeeper.limits.POOL_SECONDS", 0.05)
    app = create_app({"INSTANCE": tmp_path / "crowd", "SECRET_KEY": SECRET, "POOL": 1})
    with app.app_context():
        with db.engine.connect():
            assert cause(lambda: db.session.query(Table).count()) == faults.CROWDED
        assert db.session.query(Table).count() == 0
        db.session.remove()
        db.engine.dispose()


@pytest.mark.whole
@on_postgresql
def test_a_server_that_lets_nobody_in_is_a_fault_that_passes(server: Postgres, on_it: Flask) -> None:
    name = db.engine.url.database or ""
    write()
    db.session.remove()
    db.engine.dispose()
    server.run("ALTER DATABASE {} ALLOW_CONNECTIONS false", name)
    assert cause(lambda: db.session.query(Table).count()) == faults.AWAY
    server.run("ALTER DATABASE {} ALLOW_CONNECTIONS true", name)
    assert db.session.query(Table).count() == 1


@pytest.mark.whole
@on_postgresql
def test_the_server_can_be_stopped_and_started_under_the_app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with postgres(durable=True) as server:
        monkeypatch.setenv("DATABASE_URL", server.make("stopped"))
        app = create_app({"INSTANCE": tmp_path / "on it", "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False})
        migrate_database(app)
        phone = app.test_client()
        with app.app_context():
            write()
            key = db.session.query(Table).one().play_key
            db.session.remove()
        assert phone.get(f"/t/{key}/history").status_code == 200
        server.halt()
        answers = [phone.get(f"/t/{key}/history") for _turn in range(5)]
        assert [answer.status_code for answer in answers] == [503] * 5
        assert phone.get("/prime").status_code == 200
        server.go_on()
        assert phone.get(f"/t/{key}/history").status_code == 200
        with app.app_context():
            write()
            db.session.remove()
            db.engine.dispose()


@on_postgresql
def test_a_process_asks_for_no_more_connections_than_it_may(tmp_path: Path) -> None:
    app = Flask("x")
    app.config.update(load({"INSTANCE": tmp_path}, environ={"DATABASE_URL": "postgresql://me@db/scores"}))
    options = connection.engine_options(app)
    assert (options["pool_size"], options["max_overflow"]) == (16, 16)
    assert options["hide_parameters"]
