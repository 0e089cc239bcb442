"""A table that can be taken along and searched: zones, numbers of phones, evenings, who sat where, what line-ups came to.

What follows from the summaries is worked out by the app, as ``scorekeeper rebuild`` does it again at any time.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from scorekeeper.store.history_rows import Counted, rows_of

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TIME = sa.DateTime(timezone=True)
ENTRIES = sa.table(
    "entries",
    sa.column("table_id", BIG),
    sa.column("match", sa.Integer),
    sa.column("seq", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("payload", sa.JSON),
    sa.column("device", sa.String),
)
PHONES = sa.table(
    "phones", sa.column("table_id", BIG), sa.column("number", sa.Integer), sa.column("mark", sa.String)
)
SUMMARIES = sa.table(
    "match_summaries",
    sa.column("table_id", BIG),
    sa.column("match", sa.Integer),
    sa.column("game", sa.String),
    sa.column("status", sa.String),
    sa.column("sides", sa.JSON),
    sa.column("totals", sa.JSON),
    sa.column("winners", sa.JSON),
    sa.column("doubt_decides", sa.Boolean),
    sa.column("started_at", TIME),
    sa.column("ended_at", TIME),
    sa.column("counted_at", TIME),
    sa.column("evening", sa.Date),
)
SEATS = sa.table(
    "seats",
    sa.column("table_id", BIG),
    sa.column("who", sa.String),
    sa.column("match", sa.Integer),
    sa.column("evening", sa.Date),
    sa.column("game", sa.String),
    sa.column("status", sa.String),
)
LINE_UPS = sa.table(
    "line_ups",
    sa.column("table_id", BIG),
    *(sa.column(name, sa.String) for name in ("span", "sides", "game", "who")),
    *(sa.column(name, sa.BigInteger) for name in ("matches", "played", "won", "ahead")),
)
PARTIAL = {
    "ix_players_forgotten": ("players", ["table_id", "forgotten_at"], "forgotten_at IS NOT NULL"),
    "ix_entries_player_renamed": ("entries", ["table_id", "match", "seq"], "kind = 'player_renamed'"),
}
"""Indexes that hold some rows only: who was forgotten, and the renamings that blank a name."""


def upgrade() -> None:
    """Add the columns and tables, number the phones, and put every match in its evening; no table has a zone yet."""
    _add_columns()
    _make_tables()
    bind = op.get_bind()
    tables = list(bind.execute(sa.select(sa.column("id")).select_from(sa.table("tables")).order_by(sa.text("id"))))
    for (table_id,) in tables:
        numbered = [
            {"table_id": table_id, "number": number, "mark": mark} for number, mark in enumerate(_marks(table_id), 1)
        ]
        if numbered:
            bind.execute(sa.insert(PHONES), numbered)
        _put_in_evenings(table_id)
    with op.batch_alter_table("match_summaries") as summaries:
        summaries.alter_column("counted_at", existing_type=TIME, nullable=False)
        summaries.alter_column("evening", existing_type=sa.Date(), nullable=False)
    for name, columns in {
        "evening": ["table_id", "evening", "match"],
        "counted_at": ["table_id", "counted_at"],
        "game": ["table_id", "game", "evening", "match"],
        "status": ["table_id", "status", "evening", "match"],
        "game_status": ["table_id", "game", "status", "evening", "match"],
    }.items():
        op.create_index(f"ix_match_summaries_{name}", "match_summaries", columns)
    on_sqlite = op.get_bind().dialect.name == "sqlite"
    may_turn = sa.text("doubt_decides = 1" if on_sqlite else "doubt_decides = true")
    of_doubt = {
        "doubt": (["table_id", "evening", "match"], may_turn),
        "doubt_at": (["table_id", "doubt_at"], sa.text("doubt_at IS NOT NULL")),
    }
    for name, (columns, only) in of_doubt.items():
        op.create_index(
            f"ix_match_summaries_{name}", "match_summaries", columns, sqlite_where=only, postgresql_where=only
        )


def downgrade() -> None:
    """Take out again what was added: but for zones, guests and who is whom, it follows from what stays."""
    for name in ("evening", "counted_at", "game", "status", "game_status", "doubt", "doubt_at"):
        op.drop_index(f"ix_match_summaries_{name}", "match_summaries")
    for name, (table, _columns, _condition) in PARTIAL.items():
        op.drop_index(name, table)
    for name in ("import_matches", "imports", "line_ups", "seats", "phones"):
        op.drop_table(name)
    for table, columns in {
        "match_summaries": ("evening", "counted_at"),
        "players": ("forgotten_at", "into", "guest"),
        "tables": ("moved_to", "imported_entries", "imported_at", "zone"),
    }.items():
        for column in columns:
            op.drop_column(table, column)


def _add_columns() -> None:
    op.add_column("tables", sa.Column("zone", sa.String(length=40), nullable=True))
    op.add_column("tables", sa.Column("imported_at", TIME, nullable=True))
    op.add_column("tables", sa.Column("imported_entries", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("moved_to", sa.String(length=500), nullable=True))
    op.add_column("players", sa.Column("guest", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("players", sa.Column("into", sa.Integer(), nullable=True))
    op.add_column("players", sa.Column("forgotten_at", TIME, nullable=True))
    for name, (table, columns, condition) in PARTIAL.items():
        only = sa.text(condition)
        op.create_index(name, table, columns, sqlite_where=only, postgresql_where=only)
    op.add_column("match_summaries", sa.Column("counted_at", TIME, nullable=True))
    op.add_column("match_summaries", sa.Column("evening", sa.Date(), nullable=True))


def _of_table(name: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["table_id"], ["tables.id"], name=op.f(f"fk_{name}_table_id_tables"), ondelete="CASCADE"
    )


def _make_tables() -> None:
    op.create_table(
        "phones",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("mark", sa.String(length=22), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_phones")),
        sa.UniqueConstraint("table_id", "mark", name=op.f("uq_phones_table_id")),
        _of_table("phones"),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", BIG, nullable=False, autoincrement=False),
        sa.Column("who", sa.String(length=120), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("evening", sa.Date(), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("status", sa.String(length=8), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "who", "match", name=op.f("pk_seats")),
        sa.ForeignKeyConstraint(
            ["table_id", "match"],
            ["matches.table_id", "matches.number"],
            name=op.f("fk_seats_table_id_matches"),
            ondelete="CASCADE",
        ),
    )
    for name, columns in {"evening": [], "game": ["game"], "status": ["status"], "game_status": ["game", "status"]}.items():
        op.create_index(f"ix_seats_{name}", "seats", ["table_id", "who", *columns, "evening", "match"])
    op.create_index("ix_seats_match", "seats", ["table_id", "match"])
    op.create_table(
        "line_ups",
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("span", sa.String(length=7), nullable=False),
        sa.Column("sides", sa.String(length=240), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("who", sa.String(length=120), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("won", sa.Integer(), nullable=False),
        sa.Column("ahead", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "span", "sides", "game", "who", name=op.f("pk_line_ups")),
        _of_table("line_ups"),
    )
    op.create_index("ix_line_ups_who", "line_ups", ["table_id", "who", "span", "sides"])
    op.create_table(
        "imports",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("touched_at", TIME, nullable=False),
        sa.Column("head", sa.JSON(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("table_id", BIG, nullable=True),
        sa.Column("adds", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("problem", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("done_at", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_imports")),
        _of_table("imports"),
    )
    op.create_index("ix_imports_table_id", "imports", ["table_id"])
    op.create_index("ix_imports_touched_at", "imports", ["touched_at"])
    op.create_table(
        "import_matches",
        sa.Column("import_id", sa.String(length=36), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, autoincrement=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("checked", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("sheets", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("import_id", "number", name=op.f("pk_import_matches")),
        sa.ForeignKeyConstraint(
            ["import_id"], ["imports.id"], name=op.f("fk_import_matches_import_id_imports"), ondelete="CASCADE"
        ),
    )


def _marks(table_id: int) -> list[str]:
    """Return the marks of all phones of a table, in the order in which they came into its journals."""
    read = sa.select(
        ENTRIES.c.device, sa.case((ENTRIES.c.kind == "match_started", ENTRIES.c.payload)).label("payload")
    ).where(ENTRIES.c.table_id == table_id, sa.or_(ENTRIES.c.device.is_not(None), ENTRIES.c.kind == "match_started"))
    marks: dict[str, None] = {}
    for row in op.get_bind().execute(read.order_by(ENTRIES.c.match, ENTRIES.c.seq)):
        for mark in (row.device, *((row.payload or {}).get("phones") or ())):
            if mark:
                marks[mark] = None
    return list(marks)


def _put_in_evenings(table_id: int) -> None:
    bind = op.get_bind()
    columns = [name for name in Counted._fields if name not in ("counted_at", "evening")]
    read = sa.select(*(SUMMARIES.c[name] for name in columns), SUMMARIES.c.started_at, SUMMARIES.c.ended_at)
    counted = sorted(
        (_counted(row, columns) for row in bind.execute(read.where(SUMMARIES.c.table_id == table_id))),
        key=lambda one: (one.counted_at, one.match),
    )
    found = rows_of(table_id, counted, None)
    which = (SUMMARIES.c.table_id == table_id, SUMMARIES.c.match == sa.bindparam("of_match"))
    values = {"counted_at": sa.bindparam("moment"), "evening": sa.bindparam("day")}
    when = [
        {"of_match": one.match, "moment": one.counted_at, "day": day}
        for one, (_match, day) in zip(counted, found.evenings, strict=True)
    ]
    for statement, rows in (
        (sa.update(SUMMARIES).where(*which).values(values), when),
        (sa.insert(SEATS), found.seats),
        (sa.insert(LINE_UPS), found.line_ups),
    ):
        if rows:
            bind.execute(statement, rows)


def _counted(row: Any, columns: list[str]) -> Counted:
    moment: datetime = row.ended_at or row.started_at
    moment = moment.replace(microsecond=0) if moment.tzinfo else moment.replace(microsecond=0, tzinfo=UTC)
    return Counted(**{name: getattr(row, name) for name in columns}, counted_at=moment, evening=date.min)
