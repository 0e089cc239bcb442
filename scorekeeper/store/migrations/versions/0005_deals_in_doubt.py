"""The summary of a match says whether a deal of it is in doubt, and whether that decides who won."""

from collections.abc import Iterator
from datetime import UTC
from typing import Any

import sqlalchemy as sa
from alembic import op

from scorekeeper.store.journal.entries import JournalEntry
from scorekeeper.store.journal.replay import replay
from scorekeeper.store.standings import BrokenMatch, Standing, score_match
from scorekeeper.store.summaries import doubt_of

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TALKED_ABOUT = ("disputed", "deal_contested", "proposed", "reopening_asked")
"""The kinds of entries without which no deal is in doubt."""
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
SUMMARIES = sa.table(
    "match_summaries",
    sa.column("table_id", BIG),
    sa.column("match", sa.Integer),
    sa.column("doubt_deal", sa.Integer),
    sa.column("doubt_at", sa.DateTime(timezone=True)),
    sa.column("doubt_decides", sa.Boolean),
)


def upgrade() -> None:
    """Add the columns, and fill them for the matches in which a deal was ever talked about."""
    op.add_column("match_summaries", sa.Column("doubt_deal", sa.Integer(), nullable=True))
    op.add_column("match_summaries", sa.Column("doubt_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column(
        "match_summaries", sa.Column("doubt_decides", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    for table_id, number in _matches():
        state = replay(_journal(table_id, number))
        try:
            doubt = doubt_of(Standing(state, score_match(state)))
        except BrokenMatch:
            continue
        which = (SUMMARIES.c.table_id == table_id, SUMMARIES.c.match == number)
        op.get_bind().execute(sa.update(SUMMARIES).where(*which).values(doubt))


def downgrade() -> None:
    """Take the columns out again: they follow from the journal."""
    for name in ("doubt_decides", "doubt_at", "doubt_deal"):
        op.drop_column("match_summaries", name)


def _matches() -> list[Any]:
    """Return the table and the number of each match in which a deal was ever talked about."""
    read = sa.select(ENTRIES.c.table_id, ENTRIES.c.match).where(ENTRIES.c.kind.in_(TALKED_ABOUT)).distinct()
    return list(op.get_bind().execute(read))


def _journal(table_id: int, number: int) -> Iterator[JournalEntry]:
    """Yield the entries of a match in their order."""
    read = sa.select(ENTRIES).where(ENTRIES.c.table_id == table_id, ENTRIES.c.match == number)
    for row in op.get_bind().execute(read.order_by(ENTRIES.c.seq)):
        created_at = row.created_at if row.created_at.tzinfo else row.created_at.replace(tzinfo=UTC)
        yield JournalEntry(**{**{name: getattr(row, name) for name in JournalEntry._fields}, "created_at": created_at})
