"""A database of the first version becomes one of today: what was played is read as it was, old ids open nothing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

import pytest
import sqlalchemy as sa
from flask import Flask
from flask_migrate import downgrade, upgrade

from scorekeeper.store import commands, queries
from scorekeeper.store.db import MIGRATIONS, db
from scorekeeper.store.models import Link, Table
from scorekeeper.store.standings import standing_of

from ..helpers.databases import on_both
from .conftest import resolved

pytestmark = [on_both, pytest.mark.own_app]

TABLES, MATCHES = 3, 2
DEVICE = "d" * 22


def _setup() -> dict[str, Any]:
    sides = [{"label": "A", "players": [1]}, {"label": "B", "players": [2]}]
    return {"game": "chorizo", "preset": "flores", "options": resolved(), "sides": sides, "first_dealer": 0}


def _insert(rows: str, **values: Any) -> None:
    told = {key: json.dumps(value) if isinstance(value, dict | list) else value for key, value in values.items()}
    columns, marks = ", ".join(told), ", ".join(f":{key}" for key in told)
    db.session.execute(sa.text(f"INSERT INTO {rows} ({columns}) VALUES ({marks})"), told)


@pytest.fixture
def old(app: Flask, in_the_app: None) -> list[str]:
    """A database as the first version left it; gives the form ids of its tables, which are its first entries' too."""
    downgrade(directory=str(MIGRATIONS), revision="0001")
    forms, at = [str(uuid4()) for _table in range(TABLES)], "2026-11-01 20:00:00"
    for number, form in enumerate(forms, 1):
        keys = {f"{link}_key": f"{link}-{number}".ljust(22, "x") for link in ("owner", "play", "watch")}
        _insert("tables", id=number, name="Los jueves", form_id=form, created_at=at, **keys)
        for player, name in enumerate(("Ana", "Beto"), 1):
            _insert("players", table_id=number, number=player, name=name, created_at=at)
        for match in range(1, MATCHES + 1):
            whose = {"table_id": number, "match": match}
            _insert("matches", table_id=number, number=match, head=2, setup=_setup(), created_at=at)
            started = {"v": 1, "setup": _setup()}
            first = form if match == 1 else str(uuid4())
            device = DEVICE if number == 1 else None
            written = {"created_at": at, "device": device}
            _insert("entries", id=first, seq=1, kind="match_started", payload=started, **whose, **written)
            closed = {"v": 1, "deal": 1, "facts": {"sweeps": {"A": 2, "B": 1}}}
            _insert("entries", id=str(uuid4()), seq=2, kind="deal_closed", payload=closed, **whose, **written)
    db.session.commit()
    return forms


@pytest.fixture
def small_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The migrations, reading one row at a time: as a large journal is read in many turns."""
    folder = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, folder)
    version = folder / "versions" / "0002_rules_and_forms.py"
    version.write_text(version.read_text().replace("BATCH = 500", "BATCH = 2"))
    return str(folder)


def _rules() -> set[Any]:
    matches = db.session.execute(sa.text("SELECT setup FROM matches")).scalars()
    entries = db.session.execute(sa.text("SELECT payload FROM entries WHERE kind = 'match_started'")).scalars()
    read = [json.loads(one) if isinstance(one, str) else one for one in (*matches, *entries)]
    assert len(read) == 2 * TABLES * MATCHES
    return {one.get("setup", one).get("rules") for one in read}


@pytest.mark.parametrize("batches", [1, 2])
def test_every_match_says_that_it_was_started_under_the_first_rules(
    old: list[str], small_batches: str, batches: int
) -> None:
    assert _rules() == {None}
    db.session.rollback()
    upgrade(directory=small_batches if batches == 1 else str(MIGRATIONS))
    assert _rules() == {1}
    for number in range(1, TABLES + 1):
        match = queries.match_by_number(db.session.get_one(Table, number), 1)
        assert match is not None
        standing = standing_of(match)
        assert standing.state.setup.rules == 1
        assert standing.state.request()["rules"] == 1
        assert standing.result["totals"] == {"A": 2, "B": 1}


def test_no_id_that_a_journal_shows_is_a_table_s_form(old: list[str]) -> None:
    upgrade(directory=str(MIGRATIONS))
    assert commands.table_of_form(*old) is None
    assert db.session.scalar(sa.select(sa.func.count()).where(Link.kind == "form")) == TABLES
    again = commands.table_of_form(str(uuid5(NAMESPACE_OID, f"{DEVICE} {old[0]}")))
    assert again is not None, "the phone that opened it finds it again"
    assert again.id == 1


def test_the_newest_match_is_the_one_being_played_and_no_number_is_given_again(old: list[str]) -> None:
    upgrade(directory=str(MIGRATIONS))
    for table in db.session.scalars(sa.select(Table)):
        current = queries.current_match(table)
        assert current is not None
        assert (current.number, current.deleted_at, table.last_match) == (MATCHES, None, MATCHES)
    empty = Table(id=99, name="Nobody has played")
    db.session.add(empty)
    db.session.commit()
    assert (queries.current_match(empty), empty.last_match) == (None, 0)


def test_the_migrations_can_be_undone(old: list[str]) -> None:
    upgrade(directory=str(MIGRATIONS))
    db.session.rollback()
    downgrade(directory=str(MIGRATIONS), revision="0001")
    assert _rules() == {None}
