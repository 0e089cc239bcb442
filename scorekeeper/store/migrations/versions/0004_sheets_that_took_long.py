"""A closing can keep its sheet; those of matches that would take too long to score again are stored here, once.

The engine of the app works them out. That is safe, because it is asked by what never changes: each match by the version
of the rules it was started under, each closing by the first tariff, which is the one it was judged by, and tests hold
both to the answers of then. A later engine that runs this finds the same sheets, and none is asked again about a closing
that keeps one.
"""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from scorekeeper.store.journal.entries import JournalEntry
from scorekeeper.store.slow_sheets import may_take_long, sheets_to_store

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

BATCH = 500
"""Matches that are looked at together. Their journals are read one by one, and only where they may take long."""

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
MATCHES = sa.table(
    "matches", sa.column("table_id", BIG), sa.column("number", sa.Integer), sa.column("setup", sa.JSON)
)
ENTRIES = sa.table(
    "entries",
    sa.column("table_id", BIG),
    sa.column("id", sa.String),
    sa.column("match", sa.Integer),
    sa.column("seq", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("payload", sa.JSON),
    sa.column("author", sa.String),
    sa.column("device", sa.String),
    sa.column("created_at", sa.DateTime(timezone=True)),
    sa.column("sheets", sa.JSON(none_as_null=True)),
)


def upgrade() -> None:
    """Add the column, and store the sheets of the matches that would take long."""
    op.add_column("entries", sa.Column("sheets", sa.JSON(none_as_null=True), nullable=True))
    store = (
        sa.update(ENTRIES)
        .where(ENTRIES.c.table_id == sa.bindparam("of_table"), ENTRIES.c.id == sa.bindparam("of_id"))
        .values(sheets=sa.bindparam("found", type_=sa.JSON))
    )
    for match in _matches():
        sheets = sheets_to_store(_journal(match)) if may_take_long(match.setup) else {}
        told = [{"of_table": match.table_id, "of_id": id, "found": found} for id, found in sheets.items()]
        if told:
            op.get_bind().execute(store, told)


def downgrade() -> None:
    """Take the stored sheets out again; they are worked out anew where they are asked for."""
    op.drop_column("entries", "sheets")


def _matches() -> Iterator[Any]:
    """Yield every match that has a journal, some rows at a time."""
    bind, last = op.get_bind(), (-1, -1)
    place = sa.tuple_(MATCHES.c.table_id, MATCHES.c.number)
    ordered = sa.select(MATCHES).order_by(MATCHES.c.table_id, MATCHES.c.number).limit(BATCH)
    while rows := bind.execute(ordered.where(place > sa.tuple_(*last))).all():
        last = (rows[-1].table_id, rows[-1].number)
        yield from rows


def _journal(match: Any) -> list[JournalEntry]:
    """Return the entries of a match in their order, without sheets: none is stored yet."""
    read = sa.select(ENTRIES).where(ENTRIES.c.table_id == match.table_id, ENTRIES.c.match == match.number)
    names = [name for name in JournalEntry._fields if name in ENTRIES.c and name != "sheets"]
    rows = op.get_bind().execute(read.order_by(ENTRIES.c.seq)).all()
    return [JournalEntry(**{name: getattr(row, name) for name in names}) for row in rows]
