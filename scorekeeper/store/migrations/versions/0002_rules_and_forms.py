"""Every match says under which rules it was started; the ids of old forms, which journals show, open nothing."""

from typing import Any
from uuid import NAMESPACE_OID, uuid4, uuid5

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BATCH = 500
"""Rows that are read and written together: a large journal must not be held in memory."""
FIRST_RULES = 1

BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = sa.table("tables", sa.column("id", BIG), sa.column("form_id", sa.String))
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
    sa.column("device", sa.String),
)
FIRST_ENTRY = sa.and_(ENTRIES.c.seq == 1, ENTRIES.c.kind == "match_started")
"""The entry that starts a match is its first: what a match is replayed from."""


def upgrade() -> None:
    """Say the rules where a match is read from, and give every table another form id."""
    _set_rules(lambda setup: {**setup, "rules": setup.get("rules", FIRST_RULES)})
    _renew_form_ids()


def downgrade() -> None:
    """Take the rules out again; the new form ids may stay, as they open nothing."""
    _set_rules(lambda setup: {name: value for name, value in setup.items() if name != "rules"})


def _set_rules(changed: Any) -> None:
    """Change the set-up of every match, and the copy of it in the entry that started it."""
    bind = op.get_bind()
    change_match = (
        sa.update(MATCHES)
        .where(MATCHES.c.table_id == sa.bindparam("of_table"), MATCHES.c.number == sa.bindparam("of_match"))
        .values(setup=sa.bindparam("new_setup", type_=sa.JSON))
    )
    change_entry = (
        sa.update(ENTRIES)
        .where(ENTRIES.c.table_id == sa.bindparam("of_table"), ENTRIES.c.id == sa.bindparam("of_id"))
        .values(payload=sa.bindparam("new_payload", type_=sa.JSON))
    )
    started = sa.and_(ENTRIES.c.table_id == MATCHES.c.table_id, ENTRIES.c.match == MATCHES.c.number, FIRST_ENTRY)
    read = sa.select(MATCHES, ENTRIES.c.id, ENTRIES.c.payload).select_from(MATCHES.outerjoin(ENTRIES, started))
    place = sa.tuple_(MATCHES.c.table_id, MATCHES.c.number)
    last = (-1, -1)
    while rows := bind.execute(
        read.where(place > sa.tuple_(*last)).order_by(MATCHES.c.table_id, MATCHES.c.number).limit(BATCH)
    ).all():
        last = (rows[-1].table_id, rows[-1].number)
        which = [{"of_table": row.table_id, "of_match": row.number, "new_setup": changed(row.setup)} for row in rows]
        bind.execute(change_match, which)
        told = [
            {
                "of_table": row.table_id,
                "of_id": row.id,
                "new_payload": {**row.payload, "setup": changed(row.payload["setup"])},
            }
            for row in rows
            if row.id is not None and "setup" in row.payload
        ]
        if told:
            bind.execute(change_entry, told)


def _renew_form_ids() -> None:
    """Give every table a form id that no journal shows.

    It follows from the phone that opened the table and the form, as for a table opened from now on, so that the form
    sent again by that phone still leads there; where the phone is not known it is a random one.
    """
    bind = op.get_bind()
    change = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("of_table")).values(form_id=sa.bindparam("new_id"))
    opened = sa.and_(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.match == 1, FIRST_ENTRY)
    read = sa.select(TABLES, ENTRIES.c.id.label("entry"), ENTRIES.c.device).select_from(
        TABLES.outerjoin(ENTRIES, opened)
    )
    last = -1
    while rows := bind.execute(read.where(TABLES.c.id > last).order_by(TABLES.c.id).limit(BATCH)).all():
        last = rows[-1].id
        bind.execute(change, [{"of_table": row.id, "new_id": _form_id(row)} for row in rows])


def _form_id(row: Any) -> str:
    if row.device and row.entry == row.form_id:
        return str(uuid5(NAMESPACE_OID, f"{row.device} {row.form_id.lower()}"))
    return str(uuid4())
