"""Keys of links as hashes, and sealed; marks of phones at one table each. No key and no phone's own mark stays.

The keys are sealed under the secret of the app that migrates. What the rows held before is still in the files of the
database: ``leftovers`` wipes it once this is committed.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from alembic import op
from flask import current_app

from scorekeeper import file_modes
from scorekeeper.store import leftovers
from scorekeeper.store.digests import hash_of, mark_at
from scorekeeper.store.seals import LostSecret, seal, unseal

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

BATCH = 500
"""Rows that are read and written together: a large database must not be held in memory."""
MARKS = 100
"""Marks of a table that one statement rewrites."""

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
KINDS = ("owner", "play", "watch")
COLUMNS = {**{f"{kind}_key": 22 for kind in KINDS}, "form_id": 36}
"""The columns that go, with their lengths."""
OF_EXPIRY = ("opened_in", "expires_on")
"""The columns that come: when a table was opened last, and when it expires."""
TABLES = sa.table("tables", sa.column("id", BIG), *(sa.column(name, sa.String) for name in COLUMNS))
LINKS = sa.table(
    "links", sa.column("table_id", BIG), *(sa.column(name, sa.String) for name in ("hash", "kind", "sealed"))
)
ENTRIES = sa.table(
    "entries",
    sa.column("table_id", BIG),
    sa.column("id", sa.String),
    sa.column("match", sa.Integer),
    sa.column("seq", sa.Integer),
    sa.column("kind", sa.String),
    sa.column("payload", sa.JSON),
    sa.column("device", sa.String),
)
PHONES = sa.table("phones", sa.column("table_id", BIG), sa.column("mark", sa.String))
HEARD = sa.table("heard_phones", sa.column("table_id", BIG), sa.column("device", sa.String))


def upgrade() -> None:
    """Make the links of the keys, drop the keys, and give every phone another mark at each table.

    Raises ``LostSecret`` where there are keys, and no secret was there before this process.
    """
    bind = op.get_bind()
    if current_app.config["SECRET_IS_LOST"] and bind.execute(sa.select(TABLES.c.id).limit(1)).first():
        raise LostSecret(_words_without_secret())
    if bind.dialect.name == "postgresql":
        # Whoever still writes as before waits, and then finds that the columns are gone.
        op.execute("LOCK TABLE tables, entries, phones, heard_phones IN ACCESS EXCLUSIVE MODE")
        # Each statement is about one table: without samples of its rows the planner would read those of all.
        op.execute("SET LOCAL enable_seqscan = off")
    op.create_table(
        "links",
        sa.Column("hash", sa.String(length=43), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("table_id", BIG, nullable=False),
        sa.Column("sealed", sa.String(length=160), nullable=True),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_links")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=op.f("fk_links_table_id_tables"), ondelete="CASCADE"
        ),
    )
    is_used = False
    for rows in _tables():
        is_used = True
        bind.execute(sa.insert(LINKS), [link for row in rows for link in _links_of(row)])
        for row in rows:
            _mark_phones(row.id)
    op.create_index("ix_links_table_id", "links", ["table_id", "kind"])
    op.add_column("tables", sa.Column("deletions", sa.Integer(), nullable=False, server_default="0"))
    with _tables_anew() as tables:
        for name in COLUMNS:
            tables.drop_constraint(f"uq_tables_{name}", type_="unique")
            tables.drop_column(name)
        for name in OF_EXPIRY:
            tables.add_column(sa.Column(name, sa.Date(), nullable=True))
    # Nobody has noted when they were opened last: they count from today.
    bind.execute(sa.update(sa.table("tables", sa.column("opened_in", sa.Date))).values(opened_in=_this_month()))
    op.create_index("ix_tables_opened_in", "tables", ["opened_in"])
    op.create_table(
        "daily_work",
        sa.Column("work", sa.String(length=16), nullable=False),
        sa.Column("done_on", sa.Date(), nullable=False),
        sa.PrimaryKeyConstraint("work", name=op.f("pk_daily_work")),
    )
    if is_used:
        leftovers.note(bind)


def downgrade() -> None:
    """Put the keys back into their columns. Marks of phones stay as they are: earlier versions know no phone by them.

    Raises ``RuntimeError`` where no secret opens a seal.
    """
    bind = op.get_bind()
    op.drop_table("daily_work")
    op.drop_index("ix_tables_opened_in", table_name="tables")
    with _tables_anew() as tables:
        for name in OF_EXPIRY:
            tables.drop_column(name)
        for name, length in COLUMNS.items():
            tables.add_column(sa.Column(name, sa.String(length=length), nullable=True))
    change = (
        sa.update(TABLES)
        .where(TABLES.c.id == sa.bindparam("of_table"))
        .values({name: sa.bindparam(f"new_{name}") for name in COLUMNS})
    )
    for rows in _tables(TABLES.c.id):
        bind.execute(change, [_columns_of(row.id) for row in rows])
    with _tables_anew() as tables:
        for name, length in COLUMNS.items():
            tables.alter_column(name, existing_type=sa.String(length=length), nullable=False)
            tables.create_unique_constraint(f"uq_tables_{name}", [name])
        tables.drop_column("deletions")
    op.drop_table("links")


def _words_without_secret() -> str:
    file = Path(current_app.config["INSTANCE"]) / file_modes.SECRET
    return (
        "This update seals the keys of the tables under the secret of the app, and there is none: set the "
        f"SECRET_KEY that the app runs with, or put {file} back. If it is lost: 'scorekeeper migrate "
        "--new-secret' makes another one; links go on opening for whoever has them, and phones join anew by them."
    )


def _this_month() -> date:
    return datetime.now(UTC).date().replace(day=1)


class _tables_anew:
    """A change of the table of tables, which SQLite makes anew: the numbers of deleted ones must not be given again."""

    def __enter__(self) -> Any:
        self.is_sqlite = op.get_bind().dialect.name == "sqlite"
        self.last = self._last() if self.is_sqlite else None
        how: dict[str, Any] = {"table_kwargs": {"sqlite_autoincrement": True}} if self.is_sqlite else {}
        self.change = op.batch_alter_table("tables", recreate="always" if self.is_sqlite else "auto", **how)
        return self.change.__enter__()

    def __exit__(self, *error: Any) -> None:
        self.change.__exit__(*error)
        if self.last is not None and error[0] is None:
            bind = op.get_bind()
            bind.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = 'tables'")
            bind.exec_driver_sql("INSERT INTO sqlite_sequence (name, seq) VALUES ('tables', ?)", (self.last,))

    def _last(self) -> int | None:
        found: int | None = (
            op.get_bind().exec_driver_sql("SELECT seq FROM sqlite_sequence WHERE name = 'tables'").scalar()
        )
        return found


def _tables(*columns: Any) -> Iterator[Any]:
    """Yield the rows of all tables, several at a time."""
    read, last = sa.select(*(columns or TABLES.c)).order_by(TABLES.c.id).limit(BATCH), -1
    while rows := op.get_bind().execute(read.where(TABLES.c.id > last)).all():
        last = rows[-1].id
        yield rows


def _links_of(row: Any) -> Iterator[dict[str, Any]]:
    for kind in KINDS:
        key = getattr(row, f"{kind}_key")
        yield {"hash": hash_of(kind, key), "kind": kind, "table_id": row.id, "sealed": seal(key)}
    yield {"hash": hash_of("form", row.form_id), "kind": "form", "table_id": row.id, "sealed": None}


def _columns_of(table_id: int) -> dict[str, Any]:
    read = sa.select(LINKS).where(LINKS.c.table_id == table_id, LINKS.c.kind.in_(KINDS))
    sealed = {row.kind: row.sealed for row in op.get_bind().execute(read)}
    # Of a form only the hash is left, and it opens nothing in an earlier version.
    found: dict[str, Any] = {"of_table": table_id, "new_form_id": str(uuid4())}
    for kind in KINDS:
        key = unseal(sealed.get(kind) or "")
        if key is None:
            raise RuntimeError("The app's secret does not open its links: an earlier version could not, either.")
        found[f"new_{kind}_key"] = key
    return found


def _mark_phones(table_id: int) -> None:
    """Rewrite all marks of a table: who wrote, whose phones a match took over, which have numbers, which were there."""
    for rows, column in ((ENTRIES, "device"), (PHONES, "mark"), (HEARD, "device")):
        _rewrite(table_id, rows, column)
    bind = op.get_bind()
    change = (
        sa.update(ENTRIES)
        .where(ENTRIES.c.table_id == table_id, ENTRIES.c.id == sa.bindparam("of_id"))
        .values(payload=sa.bindparam("new_payload", type_=sa.JSON))
    )
    started = sa.select(ENTRIES.c.match, ENTRIES.c.id, ENTRIES.c.payload).where(
        ENTRIES.c.table_id == table_id, ENTRIES.c.kind == "match_started"
    )
    last = 0
    while rows := bind.execute(
        started.where(ENTRIES.c.match > last).order_by(ENTRIES.c.match).limit(BATCH)
    ).all():
        last = rows[-1].match
        changed = [
            {"of_id": row.id, "new_payload": _with_marks(row.payload, table_id)}
            for row in rows
            if row.payload.get("phones")
        ]
        if changed:
            bind.execute(change, changed)


def _with_marks(payload: dict[str, Any], table_id: int) -> dict[str, Any]:
    phones = {mark_at(phone, table_id): holder for phone, holder in payload["phones"].items()}
    return {**payload, "phones": phones}


def _rewrite(table_id: int, rows: Any, column: str) -> None:
    bind, own = op.get_bind(), rows.c[column]
    of_table = rows.c.table_id == table_id
    known = list(bind.scalars(sa.select(own).distinct().where(of_table, own.is_not(None)).order_by(own)))
    for start in range(0, len(known), MARKS):
        several = known[start : start + MARKS]
        marks = {phone: mark_at(phone, table_id) for phone in several}
        bind.execute(
            sa.update(rows).where(of_table, own.in_(several)).values({column: sa.case(marks, value=own, else_=own)})
        )
