"""Keys and phones' own marks are nowhere in the database: it has hashes, seals and marks of each table.

A key still opens its table and the owner still sees it; a phone is known at each table, and at each by another mark.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
import sqlalchemy as sa
from flask import Flask
from sqlalchemy import event

from scorekeeper.store import commands, links, ownership, queries
from scorekeeper.store.db import db, writing
from scorekeeper.store.digests import mark_at
from scorekeeper.store.models import Link, LostKey, Table, new_key
from scorekeeper.store.seals import seal

from ..conftest import SECRET

pytestmark = pytest.mark.own_app

ANA, BETO = "ana-" + "a" * 18, "beto" + "b" * 18
OTHER_SECRET = "another secret, which has sealed none of this"


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
