"""The schema can be spread over several PostgreSQL servers by ``table_id``, as Citus asks for it.

There each unique key of a spread table holds the column by which it is spread, and rows are tied only to rows that lie
beside them, or to a table that every server has whole.
"""

from __future__ import annotations

import pytest
from sqlalchemy import Column, PrimaryKeyConstraint, UniqueConstraint

from scorekeeper.store import models
from scorekeeper.store.db import Base

SPREAD_BY = {
    models.Table.__tablename__: "id",
    models.Link.__tablename__: "hash",
    models.Import.__tablename__: "id",
    models.ImportMatch.__tablename__: "import_id",
}
"""The column by which a table is spread where it is not ``table_id``: a link is found before its table is known, and a
file is read before it has one."""
WHOLE = {models.DailyWork.__tablename__}
"""Tables that every server has whole: a row for each kind of work, written once a day."""
APART = {
    (models.Link.__tablename__, models.Table.__tablename__),
    (models.Import.__tablename__, models.Table.__tablename__),
}
"""Foreign keys that the schema has and that must be dropped before it is spread: both ends lie anywhere."""
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


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_tied_to_rows_that_lie_beside_them(name: str) -> None:
    for tie in TABLES[name].foreign_key_constraints:
        other = tie.referred_table.name
        if (name, other) in APART:
            continue
        pairs = {(element.parent, element.column) for element in tie.elements}
        assert (spread_by(name), spread_by(other)) in pairs, f"{name} is tied to {other} across servers"


def test_what_lies_apart_is_still_in_the_schema() -> None:
    tied = {(name, tie.referred_table.name) for name, table in TABLES.items() for tie in table.foreign_key_constraints}
    assert tied >= APART
