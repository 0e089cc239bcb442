"""The cookie of this phone: the keys of the tables that it has opened, who holds it, its own mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from secrets import token_hex
from typing import Any, NamedTuple

from flask import g, session

from ...limits import COOKIE_BYTES
from ...store import links, queries
from ...store.digests import mark_at
from ...store.models import LostKey, Table, new_key, now
from . import gone
from .cookies import NEXT, OWNED, TOKEN, bytes_of

HOLDERS_BYTES = 16
"""Bytes of the cookie that are left for who holds the phone at each table that it remembers."""
SPARE_BYTES = 50
"""Bytes that are left for a longer name of the cookie, and because one key takes some bytes more than another."""
COOKIE_FIELDS = {"owner": OWNED, "play": "tables", "watch": "watched"}
"""The field of the cookie with the keys of each kind of link."""
HOLDERS = "sides"
"""The field with the players who hold this phone, by table: none of them where it is everybody's.

Players and not sides, because sides change from match to match.
"""
ASKED = "asked"
"""The field with the tables, by their ids, that this phone has joined without saying who holds it."""
MONTH = "month"
"""The field with the month in which the cookie was last renewed, so that it never expires on a phone in use."""


TO_COME = {NEXT: new_key(), "device": new_key(), TOKEN: token_hex(20), MONTH: "2001-01", "_permanent": True}
"""Examples of all that a phone's cookie may get besides, for which there must always be room."""


class RememberedTable(NamedTuple):
    """A table that this phone has opened, and whether the phone has its owner link."""

    table: Table
    is_owned: bool
    link: str = "play"
    """The kind of link that it opens the table with: ``play`` or ``watch``."""


def remember(key: str, link: str = "play") -> bool:
    """Put a key first among those of this phone, and return whether it is among them.

    A cookie has room for some sixty tables with their owner links, or a hundred others. Where it is full a new key is
    not remembered, and no other is pushed off: the pages say so, and this phone chooses what to forget. A watch link is
    remembered only by ``only_watch``.
    """
    if link == "watch":
        return False
    if link == "owner" and session.get(NEXT) == key:
        session.pop(NEXT)
    if key not in _keys_of(link) and not has_room((link, key)):
        g.is_full = True
        return False
    # Read once there is room: keys that open nothing any more have made it.
    keys = _keys_of(link)
    month = f"{now():%Y-%m}"
    if keys[:1] != [key] or session.get(MONTH) != month:
        session.permanent = True
        session[MONTH] = month
        session[COOKIE_FIELDS[link]] = [key, *(other for other in keys if other != key)]
    return True


def remember_made(table: Table) -> bool:
    """Remember the links of a table that was made on this phone, and return whether both fit."""
    owns, plays = remember(table.owner_key, "owner"), remember(table.play_key, "play")
    return owns and plays


def has_room(*more: tuple[str, str]) -> bool:
    """Return whether this phone can remember more keys, each with the kind of its link.

    Where it cannot, it first forgets keys that open nothing any more.
    """
    return _fits(*more) or (_forget_dead() and _fits(*more))


def has_room_for_table() -> bool:
    """Return whether this phone can remember a new table with its owner link."""
    # With a watch link more, so that there is room also where the keys of the table take some bytes more than these.
    return has_room(("play", new_key()), ("owner", new_key()), ("watch", new_key()))


def _fits(*more: tuple[str, str]) -> bool:
    content = {**TO_COME, **session}
    for link, key in more:
        content[COOKIE_FIELDS[link]] = [key, *content.get(COOKIE_FIELDS[link], [])]
    tables = len({*content.get("tables", ()), *content.get("watched", ())})
    without_holders = max(0, tables - len(content.get(HOLDERS, ())))
    return bytes_of(content) + SPARE_BYTES + HOLDERS_BYTES * without_holders <= COOKIE_BYTES


def _forget_dead() -> bool:
    """Forget the keys that open no table, with what is noted of tables without a key; return whether there were any."""
    tables: set[str] = set()
    is_less = False
    for link, field in COOKIE_FIELDS.items():
        opened = queries.tables_by_keys(link, _keys_of(link))
        alive = [table.key_of(link) for table in opened]
        tables |= {str(table.id) for table in opened}
        if alive != _keys_of(link):
            gone.name_dead_links((link, key) for key in _keys_of(link) if key not in alive)
            session[field], is_less = alive, True
    noted = session.get(HOLDERS, {})
    if any(id not in tables for id in noted):
        session[HOLDERS], is_less = {id: held for id, held in noted.items() if id in tables}, True
    return is_less


def forget(key: str, link: str = "play") -> None:
    """Remove a key from those of this phone."""
    keys = _keys_of(link)
    if key in keys:
        session[COOKIE_FIELDS[link]] = [other for other in keys if other != key]


def keys_here(table: Table) -> list[tuple[str, str]]:
    """Return the keys of this phone that open the table, each with the kind of its link."""
    return [(link, key) for link in COOKIE_FIELDS for key in links.which_open(table, link, my_keys(link))]


def links_shown(table: Table, *, plays: bool = True) -> list[tuple[str, str]]:
    """Return the links of a table of which a phone may have pages, each with its key, but none that no secret opens.

    A phone that does not play must not learn the link to play here: that may be newer than the one it once had.
    """
    found = []
    for link in ("play", "watch") if plays else ("watch",):
        with suppress(LostKey):
            found.append((link, queries.key_of(table, link)))
    return found


def forget_table(table: Table, keys: Iterable[tuple[str, str]]) -> None:
    """Remove the table's ``keys_here`` from this phone, and who holds it there."""
    for link, key in keys:
        forget(key, link)
    _forget_holders(table)


def my_keys(link: str = "play") -> list[str]:
    """Return the keys of that kind, last opened first; for owner links also the next key, as it may be valid by now."""
    keys = _keys_of(link)
    return [*keys, session[NEXT]] if link == "owner" and NEXT in session else keys


def _keys_of(link: str) -> list[str]:
    keys: list[str] = session.get(COOKIE_FIELDS.get(link, ""), [])
    return keys


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
    """Return whether this phone has the owner link of the table."""
    return links.is_owned_by(table, my_keys("owner"))


def my_tables() -> list[RememberedTable]:
    """Return the tables of this phone, each once: by play, by watch, by owner links alone; each last opened first."""
    by_id: dict[int, RememberedTable] = {}
    opened = {link: queries.tables_by_keys(link, my_keys(link)) for link in ("play", "watch", "owner")}
    owned = {table.id for table in opened["owner"]}
    for link, tables in opened.items():
        for table in tables:
            remembered = RememberedTable(table, table.id in owned, "watch" if link == "watch" else "play")
            by_id.setdefault(table.id, remembered)
    return list(by_id.values())


def dead_links(mine: Sequence[RememberedTable]) -> list[tuple[str, str]]:
    """Return the links to play and to watch that this phone knows and that open none of ``my_tables``."""
    each = [(link, key) for link in ("play", "watch") for key in my_keys(link)]
    return [(link, key) for link, key in each if not any(one.table.knows(link, key) for one in mine)]


def holders(table: Table) -> list[int]:
    """Return the numbers of the players who hold this phone at a table: one, or a whole side, or none."""
    return holders_at(table.id)


def holders_at(table_id: int) -> list[int]:
    """Return what ``holders`` returns for the table with this id."""
    players: list[int] = session.get(HOLDERS, {}).get(str(table_id), [])
    return players


def holder(table: Table) -> int | None:
    """Return the number of the player who holds this phone at a table, if it is one player."""
    players = holders(table)
    return players[0] if len(players) == 1 else None


def writer(table: Table) -> dict[str, Any]:
    """Return who writes on this phone at a table, as arguments for ``store.commands``."""
    return {"device": device(table), "player": holder(table)}


def remember_holders(table: Table, players: Iterable[int]) -> None:
    """Remember who holds this phone at a table: nobody of them where it is everybody's."""
    noted = {id: held for id, held in session.get(HOLDERS, {}).items() if id != str(table.id)}
    noted[str(table.id)] = sorted(players)
    # There is room for the tables that it remembers; others come and go.
    while len(noted) > 1 and bytes_of({**TO_COME, **session, HOLDERS: noted}) + SPARE_BYTES > COOKIE_BYTES:
        del noted[next(iter(noted))]
    session.permanent = True
    session[HOLDERS] = noted
    _ask_no_more(table)


def joins(table: Table) -> bool:
    """Return whether this phone has never been at a table."""
    is_known = table.play_key in my_keys("play") or str(table.id) in session.get(HOLDERS, {})
    return not is_known and not is_mine(table)


def ask_holder(table: Table) -> None:
    """Note that this phone joins a table and has not said yet who holds it."""
    session[ASKED] = [table.id, *_asked_of_others(table)]


def is_asked(table: Table) -> bool:
    """Return whether this phone has joined the table and has not said yet who holds it."""
    return is_asked_at(table.id)


def is_asked_at(table_id: int) -> bool:
    """Return what ``is_asked`` returns for the table with this id."""
    return table_id in session.get(ASKED, [])


def is_first(key: str) -> bool:
    """Return whether this key to play was opened last on this phone, and its cookie is of this month."""
    return _keys_of("play")[:1] == [key] and session.get(MONTH) == f"{now():%Y-%m}"


def only_watch(table: Table) -> None:
    """Forget the play link of a table and remember its watch link. A phone that opens the play link joins again."""
    forget(table.play_key)
    session.permanent = True
    if table.watch_key in _keys_of("watch") or has_room(("watch", table.watch_key)):
        others = [key for key in _keys_of("watch") if key != table.watch_key]
        session[COOKIE_FIELDS["watch"]] = [table.watch_key, *others]
    _forget_holders(table)


def _forget_holders(table: Table) -> None:
    if str(table.id) in session.get(HOLDERS, {}):
        session[HOLDERS] = {id: held for id, held in session[HOLDERS].items() if id != str(table.id)}
    _ask_no_more(table)


def _asked_of_others(table: Table) -> list[int]:
    return [id for id in session.get(ASKED, []) if id != table.id]


def _ask_no_more(table: Table) -> None:
    if is_asked(table):
        session[ASKED] = _asked_of_others(table)


def phone_marks() -> list[str]:
    """Return what identifies this phone: its mark and the secret of its forms, at least one of them.

    A phone that has written nothing yet has no mark, only the secret. Without either it gets a mark now.
    """
    token = session.get("csrf_token")
    known = [session["device"]] if "device" in session else []
    marks = [*known, *([token] if isinstance(token, str) else [])]
    return marks or [_own_mark()]


def device(table: Table) -> str:
    """Return this phone's mark at a table, which the journal stores with each entry; its own is made on first use."""
    return mark_at(_own_mark(), table.id)


def known_device(table: Table) -> str | None:
    """Return this phone's mark at a table; None where it has written nothing anywhere, and so has none."""
    return known_mark(table.id)


def known_mark(table_id: int) -> str | None:
    """Return what ``known_device`` returns for the table with this id."""
    return mark_at(session["device"], table_id) if "device" in session else None


def _own_mark() -> str:
    """Return the phone's own mark, which is in its cookie and nowhere else; it is made on first use."""
    if "device" not in session:
        session.permanent = True
        session["device"] = new_key()
    mark: str = session["device"]
    return mark
