"""What this phone remembers in its cookie: the keys of the tables that it has opened, and its own mark."""

from __future__ import annotations

from typing import NamedTuple

from flask import session

from ...store import queries
from ...store.models import Table, new_key, now

REMEMBERED = 30
"""Keys of each kind that a phone remembers at most: all of them fit into one cookie."""
COOKIE_FIELDS = {"owner": "owned", "play": "tables"}
"""The field of the cookie with the keys of each kind of link. Watch links are not remembered."""
NEXT = "next_owner_key"
"""The field with a key that is not valid yet, see ``next_owner_key``."""
MONTH = "month"
"""The field with the month in which the cookie was last renewed, so that it never expires on a phone in use."""


class RememberedTable(NamedTuple):
    """A table that this phone has opened, and whether the phone has its owner link."""

    table: Table
    is_owned: bool


def remember(key: str, link: str = "play") -> None:
    """Put a key first among those of this phone. A watch link is not remembered."""
    if link not in COOKIE_FIELDS:
        return
    keys = my_keys(link)
    if link == "owner" and session.get(NEXT) == key:
        session.pop(NEXT)
    month = f"{now():%Y-%m}"
    if keys[:1] != [key] or session.get(MONTH) != month:
        session.permanent = True
        session[MONTH] = month
        session[COOKIE_FIELDS[link]] = [key, *(other for other in keys if other != key)][:REMEMBERED]


def forget(key: str, link: str = "play") -> None:
    """Remove a key from those of this phone."""
    keys = my_keys(link)
    if key in keys:
        session[COOKIE_FIELDS[link]] = [other for other in keys if other != key]


def forget_table(table: Table) -> None:
    """Remove every key of the table from those of this phone."""
    for link in COOKIE_FIELDS:
        forget(queries.key_of(table, link), link)


def my_keys(link: str = "play") -> list[str]:
    """Return the keys of that kind, last opened first; for owner links also the next key, as it may be valid by now."""
    keys: list[str] = session.get(COOKIE_FIELDS.get(link, ""), [])
    return [*keys, session[NEXT]] if link == "owner" and NEXT in session else keys


def next_owner_key() -> str:
    """Return the key that the next owner link renewed on this phone will have.

    The phone has the key before it is valid. Otherwise a lost answer would lock the owner out: the old link would be
    dead, and the new key unknown.
    """
    if NEXT in session and queries.table_by_key("owner", session[NEXT]):
        remember(session.pop(NEXT), "owner")
    session.permanent = True
    key: str = session.setdefault(NEXT, new_key())
    return key


def is_mine(table: Table) -> bool:
    """Say whether this phone has the owner link of the table."""
    return table.owner_key in my_keys("owner")


def my_tables() -> list[RememberedTable]:
    """Return the tables of this phone, each once: by play links, last opened first, then by owner links alone."""
    by_id: dict[int, RememberedTable] = {}
    for link in ("play", "owner"):
        for table in queries.tables_by_keys(link, my_keys(link)):
            by_id.setdefault(table.id, RememberedTable(table, is_mine(table)))
    return list(by_id.values())


def phone_marks() -> list[str]:
    """Return what identifies this phone: its mark and the secret of its forms, at least one of them.

    A phone that has written nothing yet has no mark, only the secret. Without either it gets a mark now.
    """
    token = session.get("csrf_token")
    known = [session["device"]] if "device" in session else []
    marks = [*known, *([token] if isinstance(token, str) else [])]
    return marks or [device()]


def device() -> str:
    """Return this phone's mark, a random name that the journal stores with each entry; it is made on first use."""
    if "device" not in session:
        session.permanent = True
        session["device"] = new_key()
    mark: str = session["device"]
    return mark
