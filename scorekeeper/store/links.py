"""The links of a table: made, renewed, and compared by their hashes. Only they lead from a key to a table.

A key is in the database only as its hash, and sealed, because the owner's page shows it. The form that opened a table
leads to it likewise, and is never shown. Call what writes inside ``writing()``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from sqlalchemy import CursorResult, and_, bindparam, delete, insert, select, update

from .db import Base, db
from .digests import hash_of
from .models import LINKS, Link, Table, new_key
from .seals import seal

FORM = "form"
"""The kind of a row that leads from a form to the table that it has opened."""
_LINKS = Base.metadata.tables[Link.__tablename__]
_OWNER = _LINKS.alias("owner")
TABLE_BY_HASH = (
    select(Table, _OWNER.c.hash)
    .join(Link, Link.table_id == Table.id)
    .outerjoin(_OWNER, and_(_OWNER.c.table_id == Table.id, _OWNER.c.kind == "owner"))
    .where(Link.hash == bindparam("hash"))
)
"""The statement that opens a table; with it comes the hash of the owner link. Every page runs it: it is built once."""


def make(table: Table, form_id: str | None = None) -> None:
    """Give a new table its links, and the form that has opened it, if one has.

    Raises ``IntegrityError`` if the form has opened another.
    """
    db.session.execute(insert(_LINKS), [_row(table, kind, new_key()) for kind in LINKS])
    if form_id is not None:
        lead_from(table, form_id)


def lead_from(table: Table, form_id: str) -> None:
    """Let a form lead to the table that it has opened. Raises ``IntegrityError`` if it leads to another."""
    row = {"hash": hash_of(FORM, form_id), "kind": FORM, "table_id": table.id}
    db.session.execute(insert(_LINKS), row)


def renew(table: Table, kind: str, former: str, key: str) -> bool:
    """Replace the key ``former`` of one of the table's links, and return whether it was that link's key."""
    own = _LINKS.c.table_id == table.id, _LINKS.c.kind == kind, _LINKS.c.hash == hash_of(kind, former)
    table.forget_key(kind)
    renewed = db.session.execute(update(_LINKS).where(*own).values(seal_of(kind, key)))
    if not cast(CursorResult[Any], renewed).rowcount:
        return False
    table.know_key(kind, key)
    return True


def forget_form(table: Table) -> None:
    """Let the form that opened a table lead nowhere."""
    db.session.execute(delete(_LINKS).where(_LINKS.c.table_id == table.id, _LINKS.c.kind == FORM))


def is_owned_by(table: Table, keys: Iterable[str]) -> bool:
    """Return whether one of some keys is that of the table's owner link."""
    owner = table.owner_hash
    if owner is None:
        return bool(which_open(table, "owner", keys))
    return any(hash_of("owner", key) == owner for key in keys)


def which_open(table: Table, kind: str, keys: Iterable[str]) -> list[str]:
    """Return which of some keys open the table by that kind of link."""
    hashes = {hash_of(kind, key): key for key in keys}
    if not hashes:
        return []
    query = select(_LINKS.c.hash).where(_LINKS.c.hash.in_(hashes), _LINKS.c.table_id == table.id)
    return [hashes[found] for found in db.session.scalars(query)]


def seal_of(kind: str, key: str) -> dict[str, str]:
    """Return what the database has of a key: its hash, and the key sealed."""
    return {"hash": hash_of(kind, key), "sealed": seal(key)}


def _row(table: Table, kind: str, key: str) -> dict[str, Any]:
    table.know_key(kind, key)
    return {"kind": kind, "table_id": table.id, **seal_of(kind, key)}
