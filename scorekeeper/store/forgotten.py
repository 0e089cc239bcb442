"""People who were forgotten: their renamings are read without a name, and blanked for good after a day."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, TypeVar, cast

from sqlalchemy import bindparam, literal_column, select, update

from ..limits import FORGET_HOURS
from .cleaning import clean_up
from .db import Base, db, note_written
from .journal import kinds
from .models import Entry, Player, now

Payload = TypeVar("Payload", bound=Mapping[str, Any])
_PLAYERS = Base.metadata.tables[Player.__tablename__].c
_ENTRIES = Base.metadata.tables[Entry.__tablename__]
RESTORABLE = timedelta(hours=FORGET_HOURS)
"""Time in which a person who was forgotten can be brought back."""
FORGOTTEN = select(_PLAYERS.number).where(_PLAYERS.table_id == bindparam("table"), _PLAYERS.forgotten_at.is_not(None))
PAST_RETURN = (
    select(_PLAYERS.number)
    .where(_PLAYERS.table_id == bindparam("table"), _PLAYERS.forgotten_at < bindparam("before"), _PLAYERS.name != "")
    .with_for_update(skip_locked=True)
)
"""Every write asks for these players, so the statement is built once; an index holds only the forgotten.

A player whom another transaction has locked is left to the next write.
"""
RENAMINGS = (
    select(_ENTRIES.c.match, _ENTRIES.c.seq, _ENTRIES.c.kind, _ENTRIES.c.payload)
    # Written out, so that the database sees that its index of renamings holds all of them.
    .where(_ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.kind == literal_column(f"'{kinds.PLAYER_RENAMED}'"))
    .order_by(_ENTRIES.c.match, _ENTRIES.c.seq)
)
SET_PAYLOAD = (
    update(_ENTRIES)
    .where(
        _ENTRIES.c.table_id == bindparam("of_table"),
        _ENTRIES.c.match == bindparam("of_match"),
        _ENTRIES.c.seq == bindparam("of_seq"),
    )
    .values(payload=bindparam("blanked"))
)
SET_NAMELESS = (
    update(_PLAYERS.number.table)
    .where(_PLAYERS.table_id == bindparam("of_table"), _PLAYERS.number == bindparam("of_number"))
    .values(name="")
)


def forgotten_players(table_id: int) -> frozenset[int]:
    """Return the numbers of all players of a table who were forgotten, also of those merged into others."""
    return frozenset(db.session.scalars(FORGOTTEN, {"table": table_id}))


def without_forgotten(kind: str, payload: Payload, forgotten: Collection[int]) -> Payload:
    """Return the payload of an entry as it is read: a renaming of a forgotten player is from "" to "".

    All other payloads are returned as they are.
    """
    if kind != kinds.PLAYER_RENAMED or payload.get("player") not in forgotten:
        return payload
    return cast(Payload, {**payload, "from": "", "to": ""})


def renamings_of(table_id: int, players: Collection[int]) -> list[Any]:
    """Return the renamings of these players (match, seq, kind and payload), in deleted matches too."""
    rows = db.session.execute(RENAMINGS, {"table": table_id})
    return [row for row in rows if row.payload["player"] in players]


def blank(table_id: int) -> None:
    """Remove for good the names of who was forgotten more than a day ago, from its rows and its stored renamings.

    Call inside ``writing()``. It is the one change of stored payloads that a person can cause; deleted matches are
    changed too.
    """
    due = db.session.scalars(PAST_RETURN, {"table": table_id, "before": now() - RESTORABLE}).all()
    if not due:
        return
    note_written(table_id)
    blanked = [
        {"of_match": row.match, "of_seq": row.seq, "blanked": without_forgotten(row.kind, row.payload, due)}
        for row in renamings_of(table_id, due)
    ]
    if blanked:
        db.session.execute(SET_PAYLOAD, [{"of_table": table_id, **row} for row in blanked])
    db.session.execute(SET_NAMELESS, [{"of_table": table_id, "of_number": number} for number in due])
    clean_up()
