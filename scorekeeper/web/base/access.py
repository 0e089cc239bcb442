"""Access: the key in an address opens its table, by the play link or only to watch.

A phone remembers the tables that it has opened, see ``remembered``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, abort, g, request, url_for
from flask_babel import gettext as _
from werkzeug.exceptions import Locked, NotFound

from ...store import queries
from ...store.models import Match, Table
from .brakes import wrong_key
from .gone import name_dead_links, name_missing_match, note_table
from .heard import hear
from .htmx import go, is_navigation
from .marks import for_moved, for_watchers
from .opened import note_opening
from .remembered import ask_holder, forget, joins, remember
from .zones import follow_zone, give_zone

PLAY, WATCH = "t", "w"
LINKS = f"/<any({PLAY}, {WATCH}):link>/<key>"
"""How the addresses of a table begin. The watch link (``w``) opens only pages marked ``for_watchers``."""


@dataclass(frozen=True)
class Visitor:
    """The visitor of a page by a link of a table, and what that link allows."""

    link: str

    has_moved: bool = False
    """True if the table has moved, so that it is only read."""

    @property
    def plays(self) -> bool:
        """True if the link is the play link."""
        return self.link == PLAY

    @property
    def may_write(self) -> bool:
        """True if the link is the play link of a table that has not moved."""
        return self.plays and not self.has_moved

    def key(self, table: Table) -> str:
        """Return the key of the visitor's own link. No page may show a watcher another key."""
        return table.play_key if self.plays else table.watch_key


def visitor() -> Visitor:
    """Return the visitor of this request."""
    return Visitor(g.get("link", PLAY), "moved_to" in g)


def init_access(app: Flask) -> None:
    """Refuse watchers every view that is not marked for them, and build addresses with the visitor's kind of link."""

    @app.url_value_preprocessor
    def note_link(_endpoint: str | None, values: dict[str, Any] | None) -> None:
        g.link = (values or {}).pop("link", PLAY)

    @app.before_request
    def refuse_writing() -> None:
        if not visitor().plays and not for_watchers.is_here():
            abort(403)

    @app.url_defaults
    def same_link(endpoint: str, values: dict[str, Any]) -> None:
        # An address with the visitor's own key uses the visitor's link; with any other key it is a play link.
        if app.url_map.is_endpoint_expecting(endpoint, "link"):
            here = (request.view_args or {}).get("key") if request else None
            values.setdefault("link", g.link if here and values.get("key") == here else PLAY)


class DeadLink(NotFound):
    """No table has this key, or none has it any more."""


class TableMoved(Locked):
    """The table has moved to another address, so nothing is written here."""


def moved_words(address: str) -> str:
    """Return the sentences that say where a table has moved, and what becomes of what is sent."""
    return _(
        "This table has moved to %(host)s, and is only read here. "
        "What was tapped is not noted: it stays on this phone.",
        host=host_of(address),
    )


def host_of(address: str) -> str:
    """Return the host of an address to which a table has moved."""
    return urlsplit(address).netloc


def dead_link() -> str:
    """Return the sentences that say that a link is dead, and what to do."""
    return _("This link does not lead to a table, or no longer does: ask whoever keeps the table for the new one.")


def table_or_404(key: str) -> Table:
    """Return the table that ``key`` opens by the visitor's kind of link, and remember it. A dead key is a 404."""
    return opened("play" if visitor().plays else "watch", key)


def owner_or_404(key: str) -> Table:
    """Return the table of this owner key. A dead key is a 404.

    The phone remembers the owner link, and the play link unless that is lost.
    """
    table = opened("owner", key)
    if table.can_show("play"):
        remember(table.play_key)
    return table


def opened(link: str, key: str) -> Table:
    """Return the table whose link of that kind has this key, and remember it on this phone.

    A phone that joins by the play link is asked who holds it. Raises ``DeadLink`` where there is none, or ``TooMany``
    where many such keys were tried; the phone then forgets the key. At a table that has moved only the views for
    watchers open, and those marked ``for_moved``: any other page leads to the table, and any other post raises
    ``TableMoved``.
    """
    table = queries.table_by_key(link, key)
    if table is None:
        if is_navigation():
            # A script that asks may be gone before it has cleared what the phone has stored: then the list of tables
            # still names the link.
            forget(key, link)
        wrong_key(key)
        name_dead_links([(link, key)])
        raise DeadLink(dead_link())
    note_table(table)
    note_opening(table)
    follow_zone(table)
    if table.moved_to is not None and link != "watch":
        remember(key, link)
        _only_read(table, table.moved_to, link)
        return table
    if request.method == "POST" and link != "watch":
        give_zone(table)
    is_joining = link == "play" and joins(table)
    if link == "play":
        hear(table)
    if remember(key, link) and is_joining:
        ask_holder(table)
    return table


def _only_read(table: Table, moved_to: str, link: str) -> None:
    g.moved_to = moved_to
    if for_watchers.is_here() or for_moved.is_here():
        return
    if request.method == "POST":
        raise TableMoved(moved_words(moved_to))
    pages = {"play": "tables.show", "owner": "owner.show"}
    abort(go(url_for(pages[link], key=queries.key_of(table, link))))


def match_or_404(key: str, number: int) -> tuple[Table, Match]:
    """Return the table of ``key`` and its match of that number, or answer 404."""
    table = table_or_404(key)
    return table, match_of(table, number)


def match_of(table: Table, number: int) -> Match:
    """Return the table's match of that number, or answer 404."""
    match = queries.match_by_number(table, number)
    if match is None:
        if request.view_args and "key" in request.view_args:
            name_missing_match(visitor().link, request.view_args["key"], number)
        abort(404, description=_("This table has no match with that number, or it was deleted."))
    return match
