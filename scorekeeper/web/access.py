"""Who may see what: a key in the address opens its table; this phone remembers the tables it has opened."""

from __future__ import annotations

from flask import abort, session
from flask_babel import gettext as _

from ..store import queries
from ..store.models import Match, Table, new_key

REMEMBERED = 30


def table_or_404(key: str) -> Table:
    """Return the table that ``key`` lets play and remember it on this phone; a foreign or dead key is a 404."""
    table = queries.table_by_play_key(key)
    if table is None:
        forget(key)
        abort(
            404, description=_("This link does not lead to a table, or no longer does. Ask the table for its new link.")
        )
    remember(key)
    return table


def match_or_404(key: str, number: int) -> tuple[Table, Match]:
    """Return the table of ``key`` and its match of that number, or answer 404."""
    table = table_or_404(key)
    match = queries.match_by_number(table, number)
    if match is None:
        abort(404, description=_("This table has no match with that number."))
    return table, match


def remember(key: str) -> None:
    """Put the table first among those of this phone."""
    keys = my_keys()
    if keys[:1] != [key]:
        session.permanent = True
        session["tables"] = [key, *(other for other in keys if other != key)][:REMEMBERED]


def forget(key: str) -> None:
    """Take the table off this phone's list."""
    if key in my_keys():
        session["tables"] = [other for other in my_keys() if other != key]


def my_keys() -> list[str]:
    """Return the keys of the tables this phone has opened, last opened first."""
    keys: list[str] = session.get("tables", [])
    return keys


def device() -> str:
    """Return this phone's own mark, made when it first writes: the journal says which phone wrote what."""
    if "device" not in session:
        session.permanent = True
        session["device"] = new_key()
    mark: str = session["device"]
    return mark
