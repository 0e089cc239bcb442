"""Keys and phones' own marks are nowhere in the database: what an earlier version left becomes hashes, seals and marks.

A key still opens its table and the owner still sees it; a phone is known at each table, and at each by another mark.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import sqlalchemy as sa
from flask import Flask
from flask_migrate import downgrade, upgrade
from sqlalchemy import event

from scorekeeper.app import create_app
from scorekeeper.store import commands, leftovers, links, ownership, queries
from scorekeeper.store.db import MIGRATIONS, db, migrate_database, writing
from scorekeeper.store.digests import hash_of, mark_at
from scorekeeper.store.models import LINKS, Link, LostKey, Table, new_key
from scorekeeper.store.seals import LostSecret, seal, unseal

from ..conftest import SECRET
from ..helpers.databases import in_files, on_both

pytestmark = [on_both, pytest.mark.own_app]

AT = "2026-11-01 20:00:00"
ANA, BETO, CATA = "ana-" + "a" * 18, "beto" + "b" * 18, "cata" + "c" * 18
OTHER_SECRET = "another secret, which has sealed none of this"


def insert(rows: str, **values: Any) -> None:
    given = {name: json.dumps(value) if isinstance(value, dict | list) else value for name, value in values.items()}
    columns, marks = ", ".join(f'"{name}"' for name in given), ", ".join(f":{name}" for name in given)
    db.session.execute(sa.text(f"INSERT INTO {rows} ({columns}) VALUES ({marks})"), given)


class Before:
    """What an earlier version has stored: three tables, at which the same phones have written."""

    tables = (1, 2, 3)

    def __init__(self) -> None:
        self.keys = {(table, link): new_key() for table in self.tables for link in LINKS}
        self.forms = {table: str(uuid4()) for table in self.tables}
        self.payloads: dict[str, str] = {}
        for table in self.tables:
            keys = {f"{link}_key": self.keys[table, link] for link in LINKS}
            insert("tables", id=table, name="Los jueves", form_id=self.forms[table], created_at=AT, **keys)
            self._fill(table)
        keys = {f"{link}_key": f"gone {link}" for link in LINKS}
        insert("tables", id=9, name="Deleted", form_id="gone", created_at=AT, **keys)
        db.session.execute(sa.text("DELETE FROM tables WHERE id = 9"))
        if db.engine.dialect.name == "postgresql":
            db.session.execute(sa.text("SELECT setval(pg_get_serial_sequence('tables', 'id'), 9)"))
        db.session.commit()

    def _fill(self, table: int) -> None:
        for match in (1, 2):
            insert("matches", table_id=table, number=match, head=3, setup={"game": "Ñ"}, taken_up=match, created_at=AT)
            # As the last match of the evening left them, and the table's phone in the middle: the order decides.
            phones = {CATA: 3, ANA: 1, BETO: None} if match == 2 else None
            started = {"v": 5, "setup": {"game": "Ñ", "points": [0.5, 10**9]}, **({"phones": phones} if phones else {})}
            self._write(table, match, 1, "match_started", started, BETO)
            self._write(table, match, 2, "swept", {"v": 5, "deal": 1, "side": "A", "by": 1}, ANA)
            self._write(table, match, 3, "swept", {"v": 5, "deal": 1, "side": "B", "é": "\u2028"}, None)
        for number, mark in enumerate((BETO, ANA, CATA), 1):
            insert("phones", table_id=table, number=number, mark=mark)
        insert("heard_phones", table_id=table, device=ANA, used_at=AT, listened_at=AT)

    def _write(self, table: int, match: int, seq: int, kind: str, payload: Any, device: str | None) -> None:
        id = f"{table}-{match}-{seq}"
        self.payloads[id] = json.dumps(payload)
        whose = {"table_id": table, "match": match, "seq": seq, "created_at": AT}
        insert("entries", id=id, kind=kind, payload=payload, device=device, **whose)

    def found_later(self) -> dict[str, list[Any]]:
        """Return the rows that all of this becomes, but for the seals."""
        marks = {(table, phone): mark_at(phone, table) for table in self.tables for phone in (ANA, BETO, CATA)}
        entries = []
        for id, payload in self.payloads.items():
            table = int(id[0])
            after = payload
            for phone in (ANA, BETO, CATA):
                after = after.replace(f'"{phone}": ', f'"{marks[table, phone]}": ')
            device = {"1": BETO, "2": ANA}.get(id[-1])
            entries.append((table, id, after, marks[table, device] if device else None))
        of_keys = [(hash_of(link, key), link, table, key) for (table, link), key in self.keys.items()]
        of_forms = [(hash_of("form", form), "form", table, None) for table, form in self.forms.items()]
        numbers = enumerate((BETO, ANA, CATA), 1)
        return {
            "links": sorted([*of_keys, *of_forms]),
            "entries": sorted(entries),
            "phones": sorted((table, at, marks[table, one]) for at, one in numbers for table in self.tables),
            "heard_phones": [(table, marks[table, ANA]) for table in self.tables],
        }

    def secrets(self) -> list[str]:
        """Return everything that must not stay."""
        return [*self.keys.values(), *self.forms.values(), ANA, BETO, CATA]


def found() -> dict[str, list[Any]]:
    """Return the rows as they are now, each seal as what is in it."""

    def rows(query: str) -> list[Any]:
        return [tuple(row) for row in db.session.execute(sa.text(query))]

    opened = [(*row[:3], row[3] and unseal(row[3])) for row in rows("SELECT hash, kind, table_id, sealed FROM links")]
    return {
        "links": sorted(opened),
        "entries": sorted(rows("SELECT table_id, id, CAST(payload AS TEXT), device FROM entries")),
        "phones": sorted(rows("SELECT table_id, number, mark FROM phones")),
        "heard_phones": sorted(rows("SELECT table_id, device FROM heard_phones")),
    }


@pytest.fixture
def before(app: Flask, in_the_app: None) -> Before:
    """A database as the version before left it."""
    downgrade(directory=str(MIGRATIONS), revision="0008")
    return Before()


class TestTheUpdate:
    def test_every_key_opens_its_table_and_is_shown_to_its_owner(self, app: Flask, before: Before) -> None:
        migrate_database(app)
        for (number, link), key in before.keys.items():
            table = queries.table_by_key(link, key)
            assert table is not None
            assert table.id == number
            assert {other: table.key_of(other) for other in LINKS} == {o: before.keys[number, o] for o in LINKS}
            assert all(queries.table_by_key(other, key) is None for other in LINKS if other != link)
        opened = [commands.table_of_form(before.forms[number]) for number in before.tables]
        assert [table and table.id for table in opened] == list(before.tables)

    def test_rewrites_the_marks_of_phones_and_nothing_else(self, app: Flask, before: Before) -> None:
        migrate_database(app)
        assert found() == before.found_later()

    def test_leaves_no_key_and_no_mark_in_the_files(
        self, app: Flask, before: Before, files: Callable[[], Iterator[Path]]
    ) -> None:
        if db.engine.dialect.name == "postgresql":
            # Its planner keeps samples of what is in the columns.
            db.session.execute(sa.text("ANALYZE"))
        db.session.commit()
        assert in_files(before.secrets(), files) or db.engine.dialect.name == "sqlite"
        migrate_database(app)
        assert in_files(before.secrets(), files) == set()

    def test_gives_no_number_of_a_deleted_table_again(self, app: Flask, before: Before) -> None:
        migrate_database(app)
        with writing():
            assert commands.open_table("Los viernes", str(uuid4())).id == 10
        migrate_database(app)
        downgrade(directory=str(MIGRATIONS), revision="0008")
        upgrade(directory=str(MIGRATIONS))
        with writing():
            assert commands.open_table("Los sábados", str(uuid4())).id == 11

    def test_takes_no_row_with_it(self, app: Flask, before: Before) -> None:
        migrate_database(app)
        with writing():
            ownership.delete_table(db.session.get_one(Table, 1))
        for rows in ("tables", "links", "entries", "matches", "phones", "heard_phones"):
            own = "id" if rows == "tables" else "table_id"
            left = set(db.session.scalars(sa.text(f"SELECT {own} FROM {rows}")))
            assert left == {2, 3}, rows

    def test_killed_anywhere_and_begun_again_comes_to_the_same(
        self, app: Flask, before: Before, files: Callable[[], Iterator[Path]]
    ) -> None:
        db.session.remove()
        db.engine.dispose()
        for statement in ("INSERT INTO links", "UPDATE entries SET payload", "UPDATE alembic_version"):
            assert killed(app, statement) == -signal.SIGKILL
        with db.engine.connect() as connection:
            assert sa.inspect(connection).has_table("links") is False
        db.engine.dispose()
        assert killed(app, "none of them") == -signal.SIGKILL, "between the update and the wiping of what it leaves"
        assert found() == before.found_later()
        assert in_files(before.secrets(), files) != set()
        db.session.remove()
        migrate_database(app)
        assert in_files(before.secrets(), files) == set()
        assert found() == before.found_later()

    def test_is_refused_where_no_secret_was_there_before(
        self, app: Flask, before: Before, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        db.session.commit()
        monkeypatch.delenv("SECRET_KEY", raising=False)
        address = app.config["SQLALCHEMY_DATABASE_URI"]
        for _time in ("first", "again: the first has made none by the way"):
            without = create_app({"INSTANCE": tmp_path / "another", "SQLALCHEMY_DATABASE_URI": address})
            with pytest.raises(LostSecret, match="secret_key back"):
                migrate_database(without)
        assert not (tmp_path / "another" / "secret_key").exists()
        assert not sa.inspect(db.engine).has_table("links")
        assert db.session.scalar(sa.text("SELECT play_key FROM tables WHERE id = 1")) == before.keys[1, "play"]

    def test_makes_a_secret_where_there_is_nothing_to_seal(
        self, app: Flask, before: Before, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        db.session.execute(sa.text("DELETE FROM entries"))
        db.session.execute(sa.text("DELETE FROM tables"))
        db.session.commit()
        monkeypatch.delenv("SECRET_KEY", raising=False)
        address = app.config["SQLALCHEMY_DATABASE_URI"]
        fresh = create_app({"INSTANCE": tmp_path / "another", "SQLALCHEMY_DATABASE_URI": address})
        migrate_database(fresh)
        assert (tmp_path / "another" / "secret_key").read_text() == fresh.config["SECRET_KEY"]
        assert sa.inspect(db.engine).has_table("links")

    def test_goes_back_with_its_keys(self, app: Flask, before: Before) -> None:
        migrate_database(app)
        downgrade(directory=str(MIGRATIONS), revision="0008")
        rows = db.session.execute(sa.text("SELECT id, owner_key, play_key, watch_key FROM tables ORDER BY id"))
        assert [tuple(row) for row in rows] == [(at, *(before.keys[at, o] for o in LINKS)) for at in before.tables]

    def test_goes_back_only_with_the_secret_that_has_sealed(
        self, app: Flask, before: Before, caplog: pytest.LogCaptureFixture
    ) -> None:
        migrate_database(app)
        app.config["SECRET_KEY"] = OTHER_SECRET
        with pytest.raises(SystemExit):
            downgrade(directory=str(MIGRATIONS), revision="0008")
        assert "The app's secret does not open" in caplog.text
        assert queries.table_by_play_key(before.keys[1, "play"]) is not None


KILLED = """
import os, signal, sys
from sqlalchemy import event
from scorekeeper.app import create_app
from scorekeeper.store import leftovers
from scorekeeper.store.db import db, migrate_database
app = create_app({"INSTANCE": sys.argv[1], "SECRET_KEY": sys.argv[2]})
def die(*_given):
    os.kill(os.getpid(), signal.SIGKILL)
def look(_connection, _cursor, statement, *_more):
    if sys.argv[3] in statement:
        die()
with app.app_context():
    event.listen(db.engine, "after_cursor_execute", look)
leftovers.wipe = die
migrate_database(app)
"""


def killed(app: Flask, statement: str) -> int:
    """Migrate in a process of its own, which is killed after the first such statement, or else before it wipes."""
    how = [sys.executable, "-c", KILLED, app.config["INSTANCE"], SECRET, statement]
    return subprocess.run(how, env=dict(os.environ)).returncode


class TestAKey:
    def test_of_another_table_s_seal_is_not_shown(self, table: Table) -> None:
        with writing():
            other = commands.open_table("Los viernes", str(uuid4()))
            own = db.session.scalars(sa.select(Link).where(Link.table_id == table.id, Link.kind == "owner")).one()
            own.sealed = seal(other.owner_key)
        table.forget_key("owner")
        with pytest.raises(LostKey):
            _ = table.owner_key

    def test_whose_secret_is_lost_opens_and_is_not_shown(self, app: Flask, table: Table) -> None:
        play, own = table.play_key, table.id
        app.config["SECRET_KEY"] = OTHER_SECRET
        db.session.remove()
        opened = queries.table_by_play_key(play)
        assert opened is not None
        assert (opened.id, opened.play_key) == (own, play)
        with pytest.raises(LostKey):
            _ = opened.watch_key
        app.config["SECRET_KEY_FALLBACKS"] = [SECRET]
        assert len(opened.watch_key) == len(play)

    def test_is_renewed_once_however_often_it_is_asked_for(self, table: Table) -> None:
        former, key = table.watch_key, new_key()
        for _time in range(2):
            with writing():
                ownership.renew_key(table, "watch", former, key)
            assert table.watch_key == key
        with writing():
            ownership.renew_key(table, "watch", former)
        assert table.watch_key == key
        assert queries.table_by_key("watch", former) is None
        assert queries.table_by_key("watch", key) is table

    def test_that_is_known_is_neither_read_nor_unsealed(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        key = table.play_key
        db.session.remove()
        asked: list[str] = []
        event.listen(db.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
        monkeypatch.setattr("scorekeeper.store.models.unseal", None)
        opened = queries.table_by_play_key(key)
        assert opened is not None
        assert opened.play_key == key
        assert len([statement for statement in asked if statement.startswith("SELECT")]) == 1

    @pytest.mark.parametrize("key", ["", "\0", "\ud800", "x" * 100_000])
    def test_may_be_anything_and_opens_nothing(self, table: Table, key: str) -> None:
        assert queries.table_by_play_key(key) is None
        assert queries.tables_by_keys("play", [key, table.play_key]) == [table]

    def test_leads_to_the_table_only_by_its_link(self, table: Table) -> None:
        assert links.which_open(table, "owner", [table.play_key, table.owner_key]) == [table.owner_key]


class TestAMark:
    def test_is_another_one_at_every_table(self) -> None:
        marks = {mark_at(phone, table) for phone in (ANA, BETO) for table in range(1, 50)}
        assert len(marks) == 2 * 49
        assert {len(mark) for mark in marks} == {22}

    def test_of_a_long_one_is_that_of_its_first_letters(self) -> None:
        assert mark_at(ANA + "more", 1) == mark_at(ANA, 1)


def test_what_cannot_be_wiped_now_is_said_and_tried_again(
    app: Flask, before: Before, files: Callable[[], Iterator[Path]], monkeypatch: pytest.MonkeyPatch, caplog: Any
) -> None:
    def no_room(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(leftovers, "_wipe_file", no_room)
        full.setattr(leftovers, "_wipe_tables", no_room)
        migrate_database(app)
    assert "No space left" in caplog.text
    migrate_database(app)
    assert in_files(before.secrets(), files) == set()
