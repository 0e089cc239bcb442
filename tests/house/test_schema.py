"""All that a table has is keyed by the table (docs/distributed.md): its rows lie together, wherever they lie.

Each unique key holds the column by which its rows would be spread over several servers, and rows are tied only to rows
that lie beside them, or to a table that every server has whole.
"""

from __future__ import annotations

from sqlalchemy import Column, PrimaryKeyConstraint, UniqueConstraint

from scorekeeper.store import models
from scorekeeper.store.db import Base

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
TIES = [(name, tie) for name, table in Base.metadata.tables.items() for tie in table.foreign_key_constraints]


def spread_by(name: str) -> Column[object]:
    return TABLES[name].c[SPREAD_BY.get(name, "table_id")]


def test_each_unique_key_holds_the_column_by_which_its_table_is_spread() -> None:
    for name, table in TABLES.items():
        column = spread_by(name)
        keys = [
            set(each.columns) for each in table.constraints if isinstance(each, PrimaryKeyConstraint | UniqueConstraint)
        ]
        keys += [set(index.columns) for index in table.indexes if index.unique]
        assert keys, name
        assert all(column in key for key in keys), name
        assert not column.nullable, name


def test_rows_are_tied_to_rows_that_lie_beside_them() -> None:
    for name, tie in TIES:
        other = tie.referred_table.name
        if other not in WHOLE and (name, other) not in APART:
            pairs = {(element.parent, element.column) for element in tie.elements}
            assert (spread_by(name), spread_by(other)) in pairs, f"{name} is tied to {other} across servers"
    assert {(name, tie.referred_table.name) for name, tie in TIES} >= APART
