"""Access: the key in an address opens its table, by the play link or only to watch.

A phone remembers the tables that it has opened, see ``remembered``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from flask import Flask, abort, current_app, g, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from ...store import queries
from ...store.models import Match, Table
from .heard import hear
from .remembered import ask_holder, forget, remember
from .zones import follow_zone, give_zone

PLAY, WATCH = "t", "w"
LINKS = f"/<any({PLAY}, {WATCH}):link>/<key>"
"""How the addresses of a table begin. The watch link (``w``) opens only pages marked ``for_watchers``."""

ViewFunction = TypeVar("ViewFunction", bound=Callable[..., Any])


@dataclass(frozen=True)
class Visitor:
    """The visitor of a page by a link of a table, and what that link allows."""

    link: str

    @property
    def may_write(self) -> bool:
        """True if the link is the play link."""
        return self.link == PLAY

    def key(self, table: Table) -> str:
        """Return the key of the visitor's own link. No page may show a watcher another key."""
        return table.play_key if self.may_write else table.watch_key


def visitor() -> Visitor:
    """Return the visitor of this request."""
    return Visitor(g.get("link", PLAY))


def for_watchers(view: ViewFunction) -> ViewFunction:
    """Mark a view that the watch link may open, too."""
    view.for_watchers = True  # type: ignore[attr-defined]
    return view


def init_access(app: Flask) -> None:
    """Refuse watchers every view that is not marked for them, and build addresses with the visitor's kind of link."""

    @app.url_value_preprocessor
    def note_link(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        g.link = (values or {}).pop("link", PLAY)

    @app.before_request
    def refuse_writing() -> None:
        view = current_app.view_functions.get(request.endpoint or "")
        if not visitor().may_write and not getattr(view, "for_watchers", False):
            abort(403)

    @app.url_defaults
    def same_link(endpoint: str, values: dict[str, Any]) -> None:
        # An address with the visitor's own key uses the visitor's link; with any other key it is a play link.
        if app.url_map.is_endpoint_expecting(endpoint, "link"):
            here = (request.view_args or {}).get("key") if request else None
            values.setdefault("link", g.link if here and values.get("key") == here else PLAY)


class DeadLink(NotFound):
    """No table has this key, or none has it any more."""


def dead_link() -> str:
    """Return the sentences that say that a link is dead, and what to do."""
    return _("This link does not lead to a table, or no longer does: ask whoever keeps the table for the new one.")


def table_or_404(key: str) -> Table:
    """Return the table that ``key`` opens by the visitor's kind of link, and remember it. A dead key is a 404."""
    return opened("play" if visitor().may_write else "watch", key)


def owner_or_404(key: str) -> Table:
    """Return the table of this owner key. The phone remembers the owner link and the play link. A dead key is a 404."""
    table = opened("owner", key)
    remember(table.play_key)
    return table


def opened(link: str, key: str) -> Table:
    """Return the table whose link of that kind has this key, and remember it on this phone.

    A phone that joins by the play link is asked who holds it. Raises ``DeadLink`` where there is none; the phone then
    forgets the key.
    """
    table = queries.table_by_key(link, key)
    if table is None:
        forget(key, link)
        raise DeadLink(dead_link())
    follow_zone(table)
    if request.method == "POST" and link != "watch":
        give_zone(table)
    if link == "play":
        ask_holder(table)
        hear(table)
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
