"""Every address that a table has: those of its three links, of its matches and deals, of its players."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from sqlalchemy import select

from scorekeeper import rules
from scorekeeper.store import queries
from scorekeeper.store.db import db
from scorekeeper.store.models import Match, Table
from scorekeeper.store.standings import standing_of

BOTH = ("", "/board", "/history", "/watch.svg")
PLAYING = ("/faces", "/share", "/owner", "/qr.svg", "/matches/new")
OWNING = ("", "/renew/play", "/renew/watch", "/renew/owner", "/delete", "/qr/play.svg", "/qr/owner.png")
OF_A_MATCH = ("", "/text")
OF_THE_FIRST_MATCH = ("/text?add=watch", "/result.png")
OF_A_DEAL = ("", "/text")
MOST_DEALS = 4
"""Deals of a match whose pages are opened: the first ones, the last one and the one being played."""


GAMES = frozenset(game["id"] for game in rules.games()["games"])
"""Names of the tables where one game is played again and again: of their matches some are looked at more closely."""


def addresses(table: Table) -> list[str]:
    """Return the addresses of a table; call inside the app's context."""
    return list(_addresses(table))


def _addresses(table: Table) -> Iterator[str]:
    names = queries.player_names(table)
    matches = list(db.session.scalars(select(Match).where(Match.table_id == table.id).order_by(Match.number)))
    for link, key in (("t", table.play_key), ("w", table.watch_key)):
        start = f"/{link}/{key}"
        yield from (start + rest for rest in BOTH)
        if link == "t":
            yield from (start + rest for rest in PLAYING)
            saved = queries.saved_rules(queries.newest_setups(table))
            yield from (f"{start}/matches/new?rules={quote(name)}" for name in saved)
        yield from (f"{start}/players/{number}" for number in (*names, 99))
        for match in matches:
            closely = table.name not in GAMES or match.number % 5 == 1
            yield from _of_match(f"{start}/matches/{match.number}", match, link == "t", closely)
    yield from (f"/o/{table.owner_key}{rest}" for rest in OWNING)


def _of_match(start: str, match: Match, may_write: bool, closely: bool) -> Iterator[str]:
    state = standing_of(match).state
    if not may_write:
        yield start
        yield f"{start}/deals/1"
        return
    yield from (start + rest for rest in OF_A_MATCH)
    if match.number == 1:
        yield from (start + rest for rest in OF_THE_FIRST_MATCH)
    if closely:
        yield from (start + rest for rest in ("/journal", "/picture"))
    closed = [deal.number for deal in state.closed]
    for number in dict.fromkeys((*closed[:MOST_DEALS], *closed[-1:])):
        yield from (f"{start}/deals/{number}{rest}" for rest in OF_A_DEAL)
    for number in closed[-1:]:
        yield from (f"{start}/deals/{number}{rest}" for rest in ("/versions", "/meanwhile"))
        if closely:
            yield f"{start}/deals/{number}/close"
    current = f"{start}/deals/{state.current.number}"
    yield current
    if closely:
        yield from (current + rest for rest in ("/close", "/declare", "/layout", "/penalty"))
    if len(state.entries) > 50:
        yield f"{start}/journal?before={state.entries[-50].seq}"
