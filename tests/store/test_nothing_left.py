"""What is deleted for good, renewed or forgotten is in no file of SQLite any more, and nobody has waited for that.

PostgreSQL finds nothing of it, and its samples have nothing; bytes in its files go when it needs their room.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest
import sqlalchemy as sa
from flask import Flask

from scorekeeper.limits import DELETED_HOURS, FORGET_HOURS
from scorekeeper.store import cleaning, commands, deleted, ownership, people, queries
from scorekeeper.store.cleaning import Cleaner
from scorekeeper.store.db import database_file, db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import LINKS, Link, Match, Player, Table, new_key, now
from scorekeeper.store.standings import standing_of

from ..helpers.databases import in_files, on_both
from .conftest import start

pytestmark = [on_both, pytest.mark.own_app, pytest.mark.whole]

Files = Callable[[], Iterator[Path]]
PATIENCE = 60
OTHERS = 12
"""Tables around the one that goes: where rows lie among others, their bytes are moved about."""


@pytest.fixture(autouse=True)
def at_once(app: Flask) -> None:
    """Let PostgreSQL be cleaned more often than once a minute."""
    app.extensions["scorekeeper.cleaner"].seconds = 0


def tap(match: Match, times: int = 1) -> None:
    for turn in range(times):
        with writing():
            commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "AB"[turn % 2]})])


def played(number: int) -> Table:
    """Return a table at which some taps were noted, and whose first player has another name by now."""
    with writing():
        table = commands.open_table(f"Tisch{number:03}q", str(uuid4()))
        match = start(table, names=(f"Anastasia{number:03}q", f"Bartolomeo{number:03}q"))
    tap(match, 12)
    with writing():
        ownership.rename_player(table, 1, f"Nastja{number:03}q", str(uuid4()))
    return table


def words_of(table: Table, number: int) -> set[str]:
    """Return the names, and what leads to the table, as it is in the rows."""
    links = db.session.execute(sa.select(Link.hash, Link.sealed).where(Link.table_id == table.id)).all()
    names = {f"{name}{number:03}q" for name in ("Tisch", "Anastasia", "Bartolomeo", "Nastja")}
    return names | {text for link in links for text in link if text}


def is_cleaned() -> bool:
    db.session.rollback()
    return cleaning.wait_until_clean(PATIENCE)


def sampled() -> str:
    """Return what PostgreSQL has noted of the columns; nothing on SQLite."""
    if db.engine.dialect.name == "sqlite":
        return ""
    return str(db.session.execute(sa.text("SELECT * FROM pg_stats WHERE schemaname = 'public'")).all())


def assert_nothing_of(words: set[str], files: Files) -> None:
    assert not any(word in sampled() for word in words)
    if db.engine.dialect.name == "sqlite":
        assert in_files(words, files) == set()


def test_nothing_is_left_of_a_deleted_table(app: Flask, files: Files) -> None:
    tables = [played(number) for number in range(OTHERS)]
    words, others = words_of(tables[5], 5), words_of(tables[6], 6)
    if db.engine.dialect.name == "postgresql":
        db.session.rollback()
        with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("ANALYZE")
        assert "Tisch005q" in sampled(), "the planner has samples"
        db.session.rollback()
    assert in_files(words, files) == words or db.engine.dialect.name == "postgresql"
    with writing():
        ownership.delete_table(tables[5])
    assert is_cleaned()
    assert_nothing_of(words, files)
    assert in_files(others, files) == others or db.engine.dialect.name == "postgresql"


def test_nothing_is_left_of_a_renewed_link(app: Flask, files: Files) -> None:
    table = [played(number) for number in range(OTHERS)][7]
    words: set[str] = set()
    for link in LINKS:
        former = sa.select(Link.hash, Link.sealed).where(Link.kind == link, Link.table_id == table.id)
        words |= set(db.session.execute(former).one())
        key = queries.key_of(table, link)
        with writing():
            ownership.renew_key(table, link, key, new_key())
    assert is_cleaned()
    assert_nothing_of(words, files)
    assert queries.table_by_key("owner", queries.key_of(table, "owner")) is not None


def test_nothing_is_left_of_a_match_that_was_deleted_a_day_ago(app: Flask, match: Match, files: Files) -> None:
    with writing():
        setup = {**match.setup, "rules_name": "Hausregel der Tante"}
        commands.record(match, [NewEntry(kinds.MATCH_NOTED, {"note": "Tante Rosa lacht", "stakes": ""})])
        db.session.execute(sa.update(Match).values(setup=setup))
        other = start(db.session.get_one(Table, match.table_id))
        deleted.hide(db.session.get_one(Table, match.table_id), match)
        match.deleted_at = now() - timedelta(hours=DELETED_HOURS + 1)
    tap(other)
    assert is_cleaned()
    assert_nothing_of({"Hausregel der Tante", "Tante Rosa lacht"}, files)


def test_nothing_is_left_of_a_person_who_was_forgotten_a_day_ago(app: Flask, table: Table, files: Files) -> None:
    with writing():
        match = start(table, names=("Anastasia", "Beto"))
    with writing():
        ownership.rename_player(table, 1, "Nastja", str(uuid4()))
    with writing():
        people.forget(table, 1, str(uuid4()))
        person = db.session.get_one(Player, (table.id, 1))
        person.forgotten_at = now() - timedelta(hours=FORGET_HOURS + 1)
        table.name = "Los jueves"
    tap(match)
    assert is_cleaned()
    assert_nothing_of({"Anastasia", "Nastja"}, files)


def test_nothing_of_a_deleted_table_is_left_in_the_process(app: Flask) -> None:
    tables = [played(number) for number in range(2)]
    for table in tables:
        match = queries.current_match(table)
        assert match is not None
        standing_of(match)
    number = tables[0].id
    with writing():
        ownership.delete_table(tables[0])
    cached = app.extensions["scorekeeper.standings"]._values
    assert {table_id for table_id, _match in cached} == {tables[1].id} != {number}


class TestOnSqlite:
    @pytest.fixture
    def database(self) -> str:
        return "sqlite"

    def test_every_connection_overwrites_what_it_deletes(self) -> None:
        assert db.session.execute(sa.text("PRAGMA secure_delete")).scalar() == 1

    def test_who_reads_is_not_waited_for_and_nothing_stays_once_they_are_done(self, app: Flask, files: Files) -> None:
        table = played(1)
        words = words_of(table, 1)
        db.session.rollback()
        with closing(sqlite3.connect(database_file(), isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM entries").fetchone()
            with writing():
                ownership.delete_table(table)
            # Written at once, and read: nobody waits for the reader, nor for who cleans up.
            tap(start_another())
            assert in_files(words, files), "the reader still sees it"
            reader.execute("COMMIT")
        assert is_cleaned()
        assert in_files(words, files) == set()

    def test_who_writes_is_not_waited_for(self, app: Flask) -> None:
        file, queue = database_file(), app.extensions["scorekeeper.queue"]
        with writing():
            assert not cleaning.empty_journal_of(file, queue)
        assert cleaning.empty_journal_of(file, queue)

    def test_a_database_that_is_gone_is_let_alone(self, app: Flask, tmp_path: Path) -> None:
        assert cleaning.empty_journal_of(tmp_path / "gone.db", app.extensions["scorekeeper.queue"])


def start_another() -> Match:
    with writing():
        return start(commands.open_table("Los viernes", str(uuid4())))


class TestTheCleaner:
    @pytest.fixture
    def database(self) -> str:
        return "sqlite"

    def test_tries_again_until_it_could(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cleaning, "PAUSES", (0.0,) * 9)
        tries: list[int] = []

        def clean() -> bool:
            tries.append(1)
            if len(tries) == 2:
                raise OSError("no room")
            return len(tries) == 4

        cleaner = Cleaner(clean)
        cleaner.want()
        assert cleaner.wait(PATIENCE)
        assert len(tries) == 4

    def test_does_for_several_deletions_what_is_to_be_done_once(self) -> None:
        goes_on, times = threading.Event(), []

        def clean() -> bool:
            times.append(1)
            return goes_on.wait(PATIENCE)

        cleaner = Cleaner(clean)
        for _deletion in range(5):
            cleaner.want()
        goes_on.set()
        assert cleaner.wait(PATIENCE)
        assert 1 <= len(times) <= 2
