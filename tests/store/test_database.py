"""The database loses nothing that it acknowledged, and can be made, copied and summed up again."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from flask import Flask

from scorekeeper.cli.main import main
from scorekeeper.config import UnsafeConfiguration, load
from scorekeeper.store import commands, queries, summaries
from scorekeeper.store.db import db, migrate_database, once_committed, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, append, entries_of
from scorekeeper.store.models import Match, MatchSummary, Table
from scorekeeper.store.standings import standing_of

from ..helpers.databases import Postgres, on_both, on_postgresql, on_sqlite

pytestmark = [on_both, pytest.mark.own_app]


@on_sqlite
def test_sqlite_writes_ahead_and_waits_for_the_disk(table: Table) -> None:
    connection = db.session.connection()
    assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_the_migrations_make_exactly_the_declared_tables(table: Table) -> None:
    context = MigrationContext.configure(db.session.connection())
    assert compare_metadata(context, db.metadata) == []


def test_what_was_rolled_back_leaves_no_standing_behind(match: Match) -> None:
    closed = {"deal": 1, "facts": {"sweeps": {"A": 3, "B": 1}}}
    with pytest.raises(ZeroDivisionError), writing():  # noqa: PT012
        commands.record(match, [NewEntry(kinds.DEAL_CLOSED, closed)])
        raise ZeroDivisionError
    with writing():
        commands.record(match, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"sweeps": {"A": 0, "B": 2}}})])
    assert standing_of(match).result["totals"] == {"A": 0, "B": 2}
    summary = db.session.get_one(MatchSummary, (match.table_id, match.number))
    assert summary.totals == {"A": 0, "B": 2}


def test_what_was_rolled_back_is_not_taken_for_what_another_process_writes_next(match: Match) -> None:
    with pytest.raises(ZeroDivisionError), writing():  # noqa: PT012
        commands.record(match, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"sweeps": {"A": 3, "B": 1}}})])
        raise ZeroDivisionError
    theirs = NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"sweeps": {"A": 0, "B": 2}}})
    with writing():
        # Another process keeps its own standings: in this one nothing is kept of what it writes.
        append(match, [theirs])
    assert standing_of(match).result["totals"] == {"A": 0, "B": 2}


def test_what_waits_for_the_commit_is_done_after_it_in_turn_and_once(app: Flask) -> None:
    done: list[str] = []
    once_committed(lambda: done.append("at once, outside"))
    with writing():
        once_committed(lambda: done.append("first"))
        once_committed(lambda: done.append("second"))
        assert done == ["at once, outside"]
    assert done == ["at once, outside", "first", "second"]
    with writing():
        pass
    assert done == ["at once, outside", "first", "second"]


def test_of_what_is_rolled_back_nothing_is_done_then_or_later(app: Flask) -> None:
    done: list[str] = []
    with pytest.raises(ZeroDivisionError), writing():  # noqa: PT012
        once_committed(lambda: done.append("never"))
        raise ZeroDivisionError
    with writing():
        pass
    assert done == []


def test_an_error_half_way_writes_nothing(match: Match) -> None:
    with pytest.raises(ZeroDivisionError), writing():  # noqa: PT012
        commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])
        raise ZeroDivisionError
    assert len(entries_of(match)) == 1


def test_rebuilding_makes_the_same_summaries(table: Table, match: Match) -> None:
    with writing():
        commands.record(match, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"sweeps": {"A": 3, "B": 1}}})])
    before = _row(table)
    with writing():
        db.session.query(MatchSummary).delete()
    assert list(summaries.rebuild()) == [(table.id, 1)]
    assert _row(table) == before
    assert before["totals"] == {"A": 3, "B": 1}


def _row(table: Table) -> dict[str, object]:
    [summary], more = queries.history(table, size=2)
    assert more is None
    return {column.name: getattr(summary, column.name) for column in MatchSummary.__table__.columns}


def test_history_comes_in_pages_newest_first(table: Table) -> None:
    from .conftest import start

    with writing():
        for _turn in range(5):
            start(table)
    pages, before = [], None
    while not pages or before:
        summaries, before = queries.history(table, before, size=2)
        pages.append([row.match for row in summaries])
    assert pages == [[5, 4], [3, 2], [1]]


def test_a_deleted_table_takes_all_its_rows_along(table: Table, match: Match) -> None:
    with writing():
        db.session.delete(db.session.get_one(Table, table.id))
    for name in ("players", "matches", "entries", "match_summaries"):
        assert db.session.connection().exec_driver_sql(f"SELECT count(*) FROM {name}").scalar() == 0


@on_sqlite
def test_backup_copies_everything_and_overwrites_nothing(
    app: Flask, match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", app.config["INSTANCE"])
    copy = tmp_path / "copy.db"
    assert main(["backup", str(copy)]) == 0
    with sqlite3.connect(copy) as connection:
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (1,)
    connection.close()
    assert main(["backup", str(copy)]) == 1
    assert "is there already" in capsys.readouterr().err


@on_postgresql
def test_backup_leaves_postgresql_to_its_own_tool(
    app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", app.config["INSTANCE"])
    assert main(["backup", str(tmp_path / "copy")]) == 1
    assert "pg_dump" in capsys.readouterr().err
    assert not (tmp_path / "copy").exists()


@on_postgresql
def test_on_postgresql_nothing_is_kept_or_locked_in_a_file(app: Flask, match: Match) -> None:
    kept = {path.name for path in Path(app.config["INSTANCE"]).iterdir()}
    assert kept.isdisjoint({"scorekeeper.db", "write.lock"})


def test_the_database_is_the_one_that_was_asked_for(app: Flask, database: str) -> None:
    assert db.engine.dialect.name == database


def test_a_time_comes_back_in_utc(match: Match) -> None:
    db.session.expire_all()
    assert match.created_at.utcoffset() == timedelta(0)


def test_a_migrated_database_is_migrated_again_for_nothing(app: Flask, match: Match) -> None:
    migrate_database(app)
    assert len(entries_of(match)) == 1


@pytest.mark.whole
def test_hosts_that_start_together_migrate_once(
    database: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        empty = tmp_path / "empty"
        monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(empty))
        if database == "postgresql":
            server: Postgres = request.getfixturevalue("postgres_server")
            monkeypatch.setenv("DATABASE_URL", stack.enter_context(server.database()))
        with ThreadPoolExecutor(3) as hosts:
            assert [line for errors in hosts.map(_migrate, range(3)) for line in errors] == []


def _migrate(_host: int) -> list[str]:
    """Migrate as a host does that starts; return what went wrong."""
    done = subprocess.run([sys.executable, "-m", "scorekeeper.cli", "migrate"], capture_output=True, text=True)
    return done.stderr.splitlines()[-1:] if done.returncode else []


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    first = load({"INSTANCE": tmp_path}, environ={})
    assert first["SECRET_KEY"] == load({"INSTANCE": tmp_path}, environ={})["SECRET_KEY"]
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


def test_a_short_secret_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsafeConfiguration, match="at least 32"):
        load({"INSTANCE": tmp_path}, environ={"SECRET_KEY": "short"})


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_addresses_name_the_driver_we_install(tmp_path: Path, scheme: str) -> None:
    settings = load({"INSTANCE": tmp_path}, environ={"DATABASE_URL": f"{scheme}://me@db/scores"})
    assert settings["SQLALCHEMY_DATABASE_URI"] == "postgresql+psycopg://me@db/scores"
