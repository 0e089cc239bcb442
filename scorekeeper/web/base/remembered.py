"""What this phone remembers in its cookie: the tables that it has opened, and its own mark."""

from __future__ import annotations

from typing import NamedTuple

from flask import session

from ...store import queries
from ...store.models import Table, new_key, now

REMEMBERED = 30
"""Keys of each kind that this phone keeps: all of them fit into one cookie."""


COOKIE_FIELDS = {"owner": "owned", "play": "tables"}
"""The name under which the cookie keeps the keys of each kind of link; a watched table is no table of this phone."""


NEXT = "next_owner_key"


MONTH = "month"
"""The month in which the cookie was last renewed: a phone in use forgets nothing."""


class RememberedTable(NamedTuple):
    """A table of this phone, and whether the phone holds its owner link."""

    table: Table
    is_owned: bool


def remember(key: str, link: str = "play") -> None:
    """Put the table first among those of this phone; one that is only watched is none of them."""
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
    """Take a key off this phone's list."""
    keys = my_keys(link)
    if key in keys:
        session[COOKIE_FIELDS[link]] = [other for other in keys if other != key]


def forget_table(table: Table) -> None:
    """Take every key of the table off this phone's lists."""
    for link in COOKIE_FIELDS:
        forget(queries.key_of(table, link), link)


def my_keys(link: str = "play") -> list[str]:
    """Return the keys of that kind that this phone has opened, last opened first."""
    keys: list[str] = session.get(COOKIE_FIELDS.get(link, ""), [])
    return [*keys, session[NEXT]] if link == "owner" and NEXT in session else keys


def next_owner_key() -> str:
    """Return the key of the next owner link that is made on this phone.

    The phone holds it before it is valid: an answer that is lost on the way must not lock the keeper out.
    """
    if NEXT in session and queries.table_by_key("owner", session[NEXT]):
        remember(session.pop(NEXT), "owner")
    session.permanent = True
    key: str = session.setdefault(NEXT, new_key())
    return key


def is_mine(table: Table) -> bool:
    """Say whether this phone holds the table's owner link."""
    return table.owner_key in my_keys("owner")


def my_tables() -> list[RememberedTable]:
    """Return the tables of this phone, last opened first, each once."""
    found: dict[int, RememberedTable] = {}
    for link in ("play", "owner"):
        for table in queries.tables_by_keys(link, my_keys(link)):
            found.setdefault(table.id, RememberedTable(table, is_mine(table)))
    return list(found.values())


def phone_marks() -> list[str]:
    """Return what only this phone's cookies hold, its mark first.

    A phone that has written nothing yet has no mark: it is known by the secret of its forms.
    """
    token = session.get("csrf_token")
    known = [session["device"]] if "device" in session else []
    marks = [*known, *([token] if isinstance(token, str) else [])]
    return marks or [device()]


def device() -> str:
    """Return this phone's own mark, made when it first writes: the journal says which phone wrote what."""
    if "device" not in session:
        session.permanent = True
        session["device"] = new_key()
    mark: str = session["device"]
    return mark
