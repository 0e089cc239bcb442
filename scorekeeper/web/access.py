"""Who may see what: a key in the address opens its table; this phone remembers the tables it has opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import Flask, abort, current_app, g, request, session
from flask_babel import gettext as _

from ..store import queries
from ..store.models import Match, Table, new_key

REMEMBERED = 30

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

    app.jinja_env.globals.update(visitor=visitor)


def table_or_404(key: str) -> Table:
    """Return the table that ``key`` opens; a foreign or dead key is a 404. A table to play at is kept on this phone."""
    may_write = visitor().may_write
    table = queries.table_by_play_key(key) if may_write else queries.table_by_watch_key(key)
    if table is None:
        forget(key)
        abort(
            404, description=_("This link does not lead to a table, or no longer does. Ask the table for its new link.")
        )
    if may_write:
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
