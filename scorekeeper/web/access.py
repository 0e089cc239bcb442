"""Who may see what: a key in the address opens its table; this phone remembers the tables it has opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from flask import Flask, abort, current_app, g, request, session
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from ..store import queries
from ..store.models import Match, Table, new_key, now

REMEMBERED = 30
"""Keys of each kind that this phone keeps: all of them fit into one cookie."""

KEPT_AS = {"owner": "owned", "play": "tables"}
"""The name under which the cookie keeps the keys of each kind of link; a watched table is no table of this phone."""

NEXT = "next_owner_key"
MONTH = "month"
"""The month in which the cookie was last renewed: a phone in use forgets nothing."""

PLAY, WATCH = "t", "w"
LINKS = f"/<any({PLAY}, {WATCH}):link>/<key>"
"""Where the addresses of a table begin. Through the watch link only pages marked ``for_watchers`` open, to be read."""

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Visitor:
    """Whoever follows a link of a table, and what that link allows."""

    link: str

    @property
    def may_write(self) -> bool:
        """Say whether the link lets play, not only watch."""
        return self.link == PLAY

    def key(self, table: Table) -> str:
        """Return the key that the visitor has come with: no page may show a watcher another one."""
        return table.play_key if self.may_write else table.watch_key


def visitor() -> Visitor:
    """Return who asks."""
    return Visitor(g.get("link", PLAY))


def for_watchers(view: View) -> View:
    """Mark a view that the watch link may read too."""
    view.for_watchers = True  # type: ignore[attr-defined]
    return view


def init_access(app: Flask) -> None:
    """Keep watchers to what is marked for them; links of a page stay on the side of the link that it was entered by."""

    @app.url_value_preprocessor
    def note_link(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        g.link = (values or {}).pop("link", PLAY)

    @app.before_request
    def refuse_writing() -> None:
        view = current_app.view_functions.get(request.endpoint or "")
        if not visitor().may_write and not getattr(view, "for_watchers", False):
            abort(403)

    @app.url_defaults
    def keep_the_link(endpoint: str, values: dict[str, Any]) -> None:
        if app.url_map.is_endpoint_expecting(endpoint, "link"):
            here = (request.view_args or {}).get("key") if request else None
            values.setdefault("link", g.link if here and values.get("key") == here else PLAY)


class DeadLink(NotFound):
    """The key of the address opens nothing, or no longer does."""


class Mine(NamedTuple):
    """A table of this phone, and whether the phone holds its owner link."""

    table: Table
    is_kept: bool


def dead_link() -> str:
    """Say that a link is dead, and what to do."""
    return str(_("This link does not lead to a table, or no longer does: ask whoever keeps the table for the new one."))


def table_or_404(key: str) -> Table:
    """Return the table that ``key`` opens; a foreign or dead key is a 404. A table to play at is kept on this phone."""
    return opened("play" if visitor().may_write else "watch", key)


def owner_or_404(key: str) -> Table:
    """Return the table that ``key`` owns; this phone then has it among its tables, with all that an owner may do."""
    table = opened("owner", key)
    remember(table.play_key)
    return table


def opened(link: str, key: str) -> Table:
    """Return the table whose link of that kind has this key and remember it; raises ``DeadLink``."""
    table = queries.table_by_key(link, key)
    if table is None:
        forget(key, link)
        raise DeadLink(dead_link())
    remember(key, link)
    return table


def match_or_404(key: str, number: int) -> tuple[Table, Match]:
    """Return the table of ``key`` and its match of that number, or answer 404."""
    table = table_or_404(key)
    return table, match_of(table, number)


def match_of(table: Table, number: int) -> Match:
    """Return the table's match of that number, or answer 404."""
    match = queries.match_by_number(table, number)
    if match is None:
        abort(404, description=_("This table has no match with that number."))
    return match


def remember(key: str, link: str = "play") -> None:
    """Put the table first among those of this phone; one that is only watched is none of them."""
    if link not in KEPT_AS:
        return
    keys = my_keys(link)
    if link == "owner" and session.get(NEXT) == key:
        session.pop(NEXT)
    month = f"{now():%Y-%m}"
    if keys[:1] != [key] or session.get(MONTH) != month:
        session.permanent = True
        session[MONTH] = month
        session[KEPT_AS[link]] = [key, *(other for other in keys if other != key)][:REMEMBERED]


def forget(key: str, link: str = "play") -> None:
    """Take a key off this phone's list."""
    keys = my_keys(link)
    if key in keys:
        session[KEPT_AS[link]] = [other for other in keys if other != key]


def forget_table(table: Table) -> None:
    """Take every key of the table off this phone's lists."""
    for link in KEPT_AS:
        forget(queries.key_of(table, link), link)


def my_keys(link: str = "play") -> list[str]:
    """Return the keys of that kind that this phone has opened, last opened first."""
    keys: list[str] = session.get(KEPT_AS.get(link, ""), [])
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


def my_tables() -> list[Mine]:
    """Return the tables of this phone, last opened first, each once."""
    found: dict[int, Mine] = {}
    for link in ("play", "owner"):
        for table in queries.tables_by_keys(link, my_keys(link)):
            found.setdefault(table.id, Mine(table, is_mine(table)))
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
