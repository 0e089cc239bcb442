"""The schema can be spread over several PostgreSQL servers by ``table_id``, as Citus asks for it.

There each unique key of a spread table holds the column by which it is spread, and rows are tied only to rows that lie
beside them, or to a table that every server has whole.
"""

from __future__ import annotations

from importlib import import_module
from itertools import product
from pathlib import Path
from pkgutil import walk_packages
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import Column, PrimaryKeyConstraint, UniqueConstraint
from sqlalchemy.dialects.postgresql import psycopg

import scorekeeper.store
from scorekeeper.store import expiry, models, ownership, plain_writes, queries, summaries
from scorekeeper.store.db import Base, db, writing
from scorekeeper.store.prepared import prepared

from .helpers.spread import Recorder, stays
from .web.conftest import ON_TRUST, Player, join, open_table, with_fields

SPREAD_BY = {models.Table.__tablename__: "id", models.Link.__tablename__: "hash"}
"""The column by which a table is spread where it is not ``table_id``: a link is found before its table is known."""
WHOLE = {each.__tablename__ for each in (models.DailyWork, models.Import, models.ImportMatch)}
"""Tables that every server has whole: some rows of all tables together, and files that wait to be taken in."""
APART = {
    (models.Link.__tablename__, models.Table.__tablename__),
    (models.Import.__tablename__, models.Table.__tablename__),
}
"""Foreign keys that the schema has and that are dropped before it is spread: their ends may lie on two servers."""
TABLES = {name: table for name, table in Base.metadata.tables.items() if name not in WHOLE}


def spread_by(name: str) -> Column[object]:
    return TABLES[name].c[SPREAD_BY.get(name, "table_id")]


@pytest.mark.parametrize("name", TABLES)
def test_each_unique_key_holds_the_column_by_which_its_table_is_spread(name: str) -> None:
    table, column = TABLES[name], spread_by(name)
    keys = [set(key.columns) for key in table.constraints if isinstance(key, PrimaryKeyConstraint | UniqueConstraint)]
    keys += [set(index.columns) for index in table.indexes if index.unique]
    assert keys
    assert all(column in key for key in keys)
    assert not column.nullable


@pytest.mark.parametrize("name", Base.metadata.tables)
def test_rows_are_tied_to_rows_that_lie_beside_them(name: str) -> None:
    for tie in Base.metadata.tables[name].foreign_key_constraints:
        other = tie.referred_table.name
        if other in WHOLE or (name, other) in APART:
            continue
        pairs = {(element.parent, element.column) for element in tie.elements}
        assert (spread_by(name), spread_by(other)) in pairs, f"{name} is tied to {other} across servers"


def test_the_foreign_keys_that_are_dropped_are_in_the_schema() -> None:
    tables = Base.metadata.tables.items()
    tied = {(name, tie.referred_table.name) for name, table in tables for tie in table.foreign_key_constraints}
    assert tied >= APART


SPREAD = {name: spread_by(name).name for name in TABLES}
ONE_TABLE = (
    "SELECT matches.head FROM matches WHERE matches.table_id = ? AND matches.number = ?",
    "SELECT matches.head FROM matches WHERE matches.table_id = %(table)s::BIGINT",
    "SELECT m.head FROM matches AS m JOIN tables ON tables.id = m.table_id WHERE tables.id = ?",
    "SELECT a.game FROM match_summaries AS a, matches AS b WHERE a.table_id = b.table_id AND b.table_id = ?",
    "INSERT INTO entries (table_id, id, seq) VALUES (?, ?, ?)",
    "UPDATE matches SET head=? WHERE matches.table_id = ? AND matches.number = ?",
    "DELETE FROM seats WHERE seats.table_id = ?",
    "UPDATE matches SET head=? WHERE matches.table_id = ?"
    " AND (SELECT tables.moved_to FROM tables WHERE tables.id = ?) IS NULL",
    "SELECT links.table_id FROM links WHERE links.hash = ?",
    "SELECT daily_work.done_on FROM daily_work",
    "SAVEPOINT one",
)
SEVERAL = (
    "SELECT matches.head FROM matches WHERE matches.number = ?",
    "SELECT matches.head FROM matches WHERE matches.table_id IN (?, ?)",
    "SELECT m.head FROM matches AS m JOIN tables ON tables.id = m.number WHERE tables.id = ?",
    "SELECT tables.id FROM tables JOIN links ON links.table_id = tables.id WHERE links.hash = ?",
    "SELECT a.game FROM match_summaries AS a, matches AS b WHERE b.table_id = ?",
    "INSERT INTO entries (id, seq) VALUES (?, ?)",
    "UPDATE matches SET table_id = ? WHERE matches.number = ?",
    "UPDATE matches SET head=? WHERE matches.table_id = ?"
    " AND (SELECT tables.moved_to FROM tables WHERE tables.name = ?) IS NULL",
    "UPDATE links SET hash=?, sealed=? WHERE links.table_id = ? AND links.hash = ?",
    "DELETE FROM links WHERE links.table_id = ?",
)


@pytest.mark.parametrize("statement", ONE_TABLE)
def test_a_statement_that_names_its_table_stays_there(statement: str) -> None:
    assert stays(statement, SPREAD)


@pytest.mark.parametrize("statement", SEVERAL)
def test_a_statement_that_reaches_several_tables_is_found(statement: str) -> None:
    assert not stays(statement, SPREAD)


BY_LINK = "a link is found by its hash, and what it leads to lies elsewhere"
OF_A_TABLE = "the links of a table lie apart, each by its hash"
ONCE_A_DAY = "the work of a day looks for tables that nobody opens"
BY_OPERATOR = "a command of the operator goes through all tables"
FROM_SEQUENCE = "the id of a new table comes from the database, which knows the server by it"
DOCUMENT = (Path(__file__).parents[1] / "docs" / "distributed.md").read_text(encoding="utf-8")
KNOWN = {
    "queries.table_by_key": BY_LINK,
    "queries.tables_by_keys": BY_LINK,
    "commands.table_of_form": BY_LINK,
    "direct._first": BY_LINK,
    "models.Table._unsealed": OF_A_TABLE,
    "links.present_hash": OF_A_TABLE,
    "links.which_open": OF_A_TABLE,
    "links.forget_form": OF_A_TABLE,
    "links.renew": OF_A_TABLE,
    "ownership.delete_table": OF_A_TABLE,
    "queries.played_as": "the start page names the games of the tables that a phone knows",
    "expiry.begin": ONCE_A_DAY,
    "expiry._batches": ONCE_A_DAY,
    "expiry.expired": ONCE_A_DAY,
    "summaries.rebuild": BY_OPERATOR,
    "links.seal_anew": BY_OPERATOR,
    "links._sealed_keys": BY_OPERATOR,
    "links._replaced": BY_OPERATOR,
    "db._migrate": BY_OPERATOR,
    "commands.open_table": FROM_SEQUENCE,
    "writing.make_table": FROM_SEQUENCE,
}
"""The functions whose statements do not stay at one table, each with the reason."""
FILLED = {
    "number": 1,
    "deal": 1,
    "which": "play",
    "kind": "svg",
    "home": "es",
    "id": "chorizo",
    "name": "192",
    "filename": "app.css",
}


def look_at_every_page(app: Flask, phone: Player) -> None:
    """Ask for every page there is, by each link of a table that has been played at."""
    with app.app_context():
        table = queries.table_by_play_key(phone.key)
        assert table is not None
        keys = {"t": table.play_key, "w": table.watch_key, "o": table.owner_key}
    addresses = app.url_map.bind("localhost")
    for rule, link in product(app.url_map.iter_rules(), keys):
        if "GET" not in (rule.methods or ()) or rule.endpoint in ("static", "live.stream"):
            continue
        values = {name: FILLED[name] for name in rule.arguments - {"link", "key"}}
        of_table = {"key": keys["o" if rule.rule.startswith("/o/") else link]} if "key" in rule.arguments else {}
        with_link = {"link": "t" if link == "o" else link} if "link" in rule.arguments else {}
        phone.client.get(addresses.build(rule.endpoint, {**values, **of_table, **with_link}))


def push(phone: Player, **entry: Any) -> None:
    """Push an entry, and read what there is of its match."""
    entry = {"id": str(uuid4()), "match": 1, **entry}
    assert phone.client.post("/api/v1/entries", json={"table": phone.key, "entries": [entry]}).status_code == 200
    for path in ("entries?match=1", "standing?match=1", "matches", "sheet?match=1&deal=1"):
        phone.client.get(f"/api/v1/{path}", headers={"Authorization": f"Bearer {phone.key}"})


def live_an_evening(app: Flask) -> None:
    """Open a table, play and dispute, look at everything, and delete a match and then the table."""
    ana = open_table(app)
    beto = join(app, ana)
    ana.sweep("A")
    push(beto, kind="swept", deal=1, fields={"side": ["B"]})
    drawn = with_fields(beto.closing(1), {"others": "B", "step": "save"})
    assert ana.close(**ON_TRUST).status == 303
    beto.post(ana.deal() + "/close", drawn)
    ana.close(2, **ON_TRUST)
    ana.stop()
    look_at_every_page(app, ana)
    with app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        own = table.id
        list(summaries.rebuild())
        today = models.now().date()
        expiry.note_opening(own)
        expiry.announce(24, today)
        expiry.expired(24, today, is_announced=True)
        with writing():
            ownership.delete_table(db.session.get_one(models.Table, own))
        db.session.remove()


def test_only_the_known_functions_leave_their_table(app: Flask) -> None:
    with app.app_context():
        recorder = Recorder(SPREAD)
        engine = db.engine
    with recorder.recording(engine):
        live_an_evening(app)
    assert recorder.taken > 500
    assert {name: statement for name, statement in recorder.crossing.items() if name not in KNOWN} == {}


@pytest.mark.parametrize("name", ["LOCK", "MOVE", "MOVE_SCORED", "ADD", "SCORE", "MOVE_MOMENT"])
def test_each_part_of_a_plain_write_stays_at_its_table_on_postgresql(name: str) -> None:
    assert stays(prepared(getattr(plain_writes, name), psycopg.dialect()).text, SPREAD)


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_to_leave_its_table_is_still_there(name: str) -> None:
    module, _dot, function = name.partition(".")
    found = [
        each.name
        for each in walk_packages(scorekeeper.store.__path__, "scorekeeper.store.")
        if each.name.rpartition(".")[2] == module and "migrations" not in each.name
    ]
    assert found, name
    thing: Any = import_module(found[0])
    for part in function.split("."):
        thing = getattr(thing, part)
    assert callable(thing)


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known_to_leave_its_table_is_in_the_document(name: str) -> None:
    assert f"`{name}`" in DOCUMENT
