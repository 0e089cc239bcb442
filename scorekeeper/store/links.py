"""The links of a table: made, renewed, and compared by their hashes. Only they lead from a key to a table.

A key is in the database only as its hash, and sealed, because the owner's page shows it. The form that opened a table
leads to it likewise, and is never shown. Call what writes inside ``writing()``.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import CursorResult, and_, bindparam, delete, insert, select, update

from .db import Base, db, note_written, writing
from .digests import hash_of
from .models import HASH_LENGTH, LINKS, Link, Table, new_key
from .seals import seal, sealed_anew

FORM = "form"
"""The kind of a row that leads from a form to the table that it has opened."""
PIECE = 500
"""Keys that are sealed anew in one transaction, for some hundredths of a second."""
TURNS, PAUSE = 20, 0.5
"""How often all keys are gone through while others write in their tables, and the seconds between."""
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


def present_hash(table: Table, kind: str) -> str:
    """Return the hash of one of the table's links, also where its key is lost. Raises ``NoResultFound``."""
    own = _LINKS.c.table_id == table.id, _LINKS.c.kind == kind
    hash: str = db.session.execute(select(_LINKS.c.hash).where(*own)).scalar_one()
    return hash


def renew(table: Table, kind: str, former: str, key: str) -> bool:
    """Replace one of the table's links, and return whether it was ``former``: its key, or the hash of it."""
    hash = former if len(former) == HASH_LENGTH else hash_of(kind, former)
    own = _LINKS.c.table_id == table.id, _LINKS.c.kind == kind, _LINKS.c.hash == hash
    table.forget_key(kind)
    renewed = db.session.execute(update(_LINKS).where(*own).values(seal_of(kind, key)))
    if not cast(CursorResult[Any], renewed).rowcount:
        return False
    note_written(table.id)
    table.know_key(kind, key)
    return True


def forget_form(table: Table) -> None:
    """Let the form that opened a table lead nowhere."""
    db.session.execute(delete(_LINKS).where(_LINKS.c.table_id == table.id, _LINKS.c.kind == FORM))


def is_owned_by(table: Table, keys: Iterable[str]) -> bool:
    """Return whether one of some keys is that of the table's owner link, which is known from then on."""
    owner = table.owner_hash
    own = which_open(table, "owner", keys) if owner is None else [k for k in keys if hash_of("owner", k) == owner]
    if own:
        table.know_key("owner", own[0])
    return bool(own)


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


class SealedAnew(NamedTuple):
    """The count of sealed keys, by what became of them."""

    anew: int
    """Keys that are now sealed under the app's secret, and were under an earlier one."""
    lost: int
    """Keys that no secret of the app opens."""
    left: int
    """Keys under an earlier secret of tables in which others wrote all the while."""


def seal_anew() -> SealedAnew:
    """Seal every key under the app's secret, in pieces, also while the app runs. Call outside ``writing()``.

    A kill anywhere does no harm: what is done is done, and earlier secrets open the rest.
    """
    done = 0
    for turn in range(TURNS):
        time.sleep(PAUSE if turn else 0)
        lost = left = 0
        for piece in _sealed_keys():
            renewed = {hash: (sealed, sealed_anew(sealed)) for hash, sealed in piece}
            lost += sum(anew is None for _before, anew in renewed.values())
            other = {hash: each for hash, each in renewed.items() if each[1] not in (None, each[0])}
            replaced = _replaced(other) if other else 0
            done, left = done + replaced, left + len(other) - replaced
        if not left:
            break
    return SealedAnew(done, lost, left)


def _sealed_keys() -> Iterator[Sequence[tuple[str, str]]]:
    """Yield all hashes with their seals, in pieces, each read in a transaction of its own."""
    last = ""
    while True:
        query = select(_LINKS.c.hash, _LINKS.c.sealed).where(_LINKS.c.hash > last, _LINKS.c.sealed.is_not(None))
        piece = [(row.hash, row.sealed) for row in db.session.execute(query.order_by(_LINKS.c.hash).limit(PIECE))]
        db.session.rollback()
        if not piece:
            return
        yield piece
        last = piece[-1][0]


def _replaced(seals: Mapping[str, tuple[str, str | None]]) -> int:
    """Replace seals by others, and return how many; one that changed meanwhile is left.

    Rows that another transaction has locked are left, too: so this and the deletion of a table never wait for each
    other in a circle.
    """
    with writing():
        query = select(_LINKS.c.hash, _LINKS.c.sealed).where(_LINKS.c.hash.in_(seals))
        locked = db.session.execute(query.with_for_update(skip_locked=True))
        rows = [{"of": row.hash, "anew": seals[row.hash][1]} for row in locked if row.sealed == seals[row.hash][0]]
        if rows:
            changed = update(_LINKS).where(_LINKS.c.hash == bindparam("of")).values(sealed=bindparam("anew"))
            db.session.execute(changed, rows)
    return len(rows)


def _row(table: Table, kind: str, key: str) -> dict[str, Any]:
    table.know_key(kind, key)
    return {"kind": kind, "table_id": table.id, **seal_of(kind, key)}
