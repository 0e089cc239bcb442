"""A note or a closing that ends nothing is written in a few statements, and leaves what the long way would leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import event, select
from sqlalchemy.exc import DBAPIError

from scorekeeper.store import commands, moved, plain_writes, prepared, summaries
from scorekeeper.store.db import Base, Gone, db, writing
from scorekeeper.store.deleted import hide
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, Stale, entries_of
from scorekeeper.store.models import Match, Table
from scorekeeper.store.moved import Moved
from scorekeeper.store.standings import standing_after, standing_of

from ..helpers.databases import on_both
from .conftest import start
from .test_at_once import at_once

pytestmark = on_both


def closing(deal: int, **sweeps: int) -> NewEntry:
    return NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"sweeps": {"A": 0, "B": 0, **sweeps}}})


def sweep(deal: int = 1) -> NewEntry:
    return NewEntry(kinds.SWEPT, {"deal": deal, "side": "A", "count": 1})


def write(match: Match, *new: NewEntry, **how: Any) -> int:
    return commands.write(match, lambda: commands.draft(match, new, **how))


def rows_of(match: Match) -> list[list[Any]]:
    """Return what history reads of a match: its summary, who sat in it, and what the line-ups came to."""
    tables = [Base.metadata.tables[name] for name in ("match_summaries", "seats", "line_ups")]
    return [
        [tuple(row) for row in db.session.execute(select(rows).where(rows.c.table_id == match.table_id))]
        for rows in tables
    ]


@contextmanager
def statements() -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        seen.append(statement)

    event.listen(db.engine, "before_cursor_execute", note)
    prepared.LISTENERS.append(seen.append)
    try:
        yield seen
    finally:
        prepared.LISTENERS.remove(seen.append)
        event.remove(db.engine, "before_cursor_execute", note)


def test_a_closing_that_ends_nothing_reads_no_row_of_its_match_again(match: Match) -> None:
    write(match, closing(1, A=1))
    assert match.head == 2
    with statements() as seen:
        write(match, closing(2, B=1))
    changing = [one for one in seen if "INSERT" in one or "UPDATE" in one.replace("FOR UPDATE", "")]
    assert len(changing) == (1 if db.engine.dialect.name == "postgresql" else 4), seen
    assert not any("FROM match_summaries" in one and one.startswith("SELECT") for one in seen), seen
    assert not any("FROM entries" in one and one.startswith("SELECT") for one in seen), seen


def test_a_plain_write_leaves_the_rows_that_the_long_way_leaves(table: Table, match: Match) -> None:
    ana = closing(1, A=2)
    for new in (
        [sweep()],
        [ana],
        [NewEntry(kinds.DISPUTED, {"deal": 1, "entry": ana.id, "side": "B"})],
        [NewEntry(kinds.DEAL_CLOSED, {"deal": 2, "facts": {}, "redeal": "same"})],
        [closing(3, B=3)],
        [NewEntry(kinds.MATCH_NOTED, {"note": "rain", "stakes": ""})],
    ):
        write(match, *new, author="A", device="mark-of-a-phone")
        written, standing = rows_of(match), standing_of(match)
        assert standing == standing_after(None, entries_of(match))
        with writing():
            summaries.project(match, standing)
        assert rows_of(match) == written


def test_what_ends_a_match_or_seats_others_goes_the_long_way(
    table: Table, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    plainly: list[str] = []
    whole = plain_writes.write_plainly

    def noted(key: Any, entry: Any, *told: Any, **how: Any) -> bool:
        plainly.append(entry.kind)
        return whole(key, entry, *told, **how)

    monkeypatch.setattr(commands, "write_plainly", noted)
    write(match, NewEntry(kinds.SUBSTITUTED, {"deal": 1, "player": 3, "other": 1}))
    write(match, closing(1, A=2))
    write(match, NewEntry(kinds.MATCH_ENDED, {"leader": True}))
    write(match, NewEntry(kinds.MATCH_RESUMED, {}))
    assert plainly == []
    [summary] = rows_of(match)[0]
    assert "won" in summary


def test_the_same_entry_from_two_phones_at_once_is_one(app: Flask, match: Match) -> None:
    own, number = match.table_id, match.number
    for deal in range(1, 5):
        once = closing(deal, A=deal)

        def post(once: NewEntry = once, drawn_from: int = deal) -> int:
            return write(db.session.get_one(Match, (own, number)), once, drawn_from=drawn_from)

        assert sorted(at_once(app, post, post)) == [0, deal + 1]
    assert [entry.seq for entry in entries_of(match)] == [1, 2, 3, 4, 5]
    assert standing_of(match).result["totals"] == {"A": 10, "B": 0}


@contextmanager
def refused_commits() -> Iterator[None]:
    """Let no transaction with an entry be committed."""

    def fail(_connection: object) -> None:
        raise RuntimeError("the disk is full")

    if db.engine.dialect.name == "sqlite":
        event.listen(db.engine, "commit", fail)
        yield
        event.remove(db.engine, "commit", fail)
        return
    with db.engine.begin() as server:
        server.exec_driver_sql(
            "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$"
        )
        server.exec_driver_sql(
            "CREATE CONSTRAINT TRIGGER refusing AFTER INSERT ON entries DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION refuse()"
        )
    yield
    with db.engine.begin() as server:
        server.exec_driver_sql("DROP TRIGGER refusing ON entries")
        server.exec_driver_sql("DROP FUNCTION refuse")


def test_an_entry_whose_commit_fails_is_not_acknowledged_and_leaves_nothing(
    app: Flask, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(match, closing(1, A=1))
    lost, news = closing(2, B=1), list[int]()
    monkeypatch.setitem(app.extensions, "scorekeeper.news", news.append)
    with refused_commits(), pytest.raises((RuntimeError, DBAPIError), match="the disk is full"):
        write(match, lost)
    assert news == []
    assert match.head == 2
    assert standing_of(match).result["totals"] == {"A": 1, "B": 0}
    assert write(match, lost) == 3
    assert news == [match.table_id]
    assert standing_of(match).result["totals"] == {"A": 1, "B": 1}


def test_an_id_of_another_match_is_refused_with_what_was_written_since(table: Table, match: Match) -> None:
    once = sweep()
    write(match, once)
    with writing():
        other = start(table)
    write(other, sweep())
    with pytest.raises(Stale) as refused:
        write(other, once, drawn_from=1)
    assert [entry.seq for entry in refused.value.since] == [2]
    assert other.head == 2


def test_nothing_is_written_to_a_match_that_was_deleted_or_a_table_that_has_moved(table: Table, match: Match) -> None:
    write(match, sweep())
    draft = commands.draft(match, [sweep()])
    with writing():
        moved.close(table, "https://example.org/t/other")
    with pytest.raises(Moved):
        commands.write(match, lambda: draft)
    with writing():
        moved.open_again(table)
        hide(table, match)
    with pytest.raises(Gone):
        commands.write(match, lambda: draft)
    assert match.head == 2


def test_a_phone_that_writes_again_keeps_its_number(match: Match) -> None:
    for device in ("one", "two", "one", "two"):
        write(match, sweep(), device=device)
    phones = Base.metadata.tables["phones"]
    found = db.session.execute(select(phones.c.mark, phones.c.number).where(phones.c.table_id == match.table_id))
    assert sorted(map(tuple, found)) == [("one", 1), ("two", 2)]


def test_an_entry_posted_again_is_known_with_a_cached_standing_and_without(app: Flask, match: Match) -> None:
    once = NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1}, id=str(uuid4()))
    assert write(match, once) == 2
    assert write(match, once) == 0
    app.extensions.pop("scorekeeper.standings")
    assert write(match, once) == 0
    assert match.head == 2
