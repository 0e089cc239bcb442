"""Who holds this phone and the side that it is with, and the names of those who wrote an entry."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from flask import Response, session
from flask_babel import gettext as _

from ...store import commands
from ...store.agreement import author_of
from ...store.journal import NOTED, PHONE_HELD, Full, JournalEntry, NewEntry
from ...store.models import Match, Table
from ...store.standings import standing_of
from ..base.access import visitor
from ..base.htmx import is_refresh, page, wants_fragment
from ..base.remembered import device, holders, is_asked, remember_holders, writer
from .view import MatchView


def side_of_phone(match: MatchView) -> str | None:
    """Return the side that this phone is with in this match; None where it is everybody's, or its player sits out."""
    players = set(holders(match.table))
    return next((side.label for side in match.setup.sides if players and players.issubset(side.players)), None)


def remember_side(match: MatchView, label: str | None) -> None:
    """Remember the side that this phone is with; with None it is everybody's again. Pages of today name a player."""
    remember_holders(match.table, next((side.players for side in match.setup.sides if side.label == label), ()))


def written_by(match: MatchView) -> dict[str, Any]:
    """Return the author of what this phone writes, as arguments for ``store.commands``."""
    return {"author": side_of_phone(match), **writer(match.table)}


def hold(match: MatchView, player: int | None) -> None:
    """Note that a player holds this phone from now on, nobody of them where it is everybody's. Once is enough.

    Where the match has no room for it, the phone alone remembers it.
    """
    remember_holders(match.table, () if player is None else (player,))
    mark, by = device(), written_by(match)

    def drafted() -> commands.Draft:
        if standing_of(match.row).state.phones.get(mark) == player:
            return commands.NOTHING
        return commands.draft(match.row, [NewEntry(PHONE_HELD, {"player": player})], **by)

    with suppress(Full):
        commands.write(match.row, drafted)


def question_first(table: Table, row: Match, look: str | None = None) -> Response | None:
    """Return the page that asks who holds this phone, where it has joined and nobody has said; else None.

    A refresh is never answered by it: whoever has a board open goes on.
    """
    if not (visitor().may_write and is_asked(table)) or is_refresh() or wants_fragment():
        return None
    return question(MatchView(table, row), look)


def question(match: MatchView, look: str | None = None, back: str = "") -> Response:
    """Return the page that asks who holds this phone; the answer leads ``back``, or to the board in its ``look``."""
    asked = is_asked(match.table)
    mine = None if asked else holders(match.table)
    response = page("this_phone/holder.html", match=match, look=look, back=back, asked=asked, mine=mine)
    # The same address shows the board once this is answered: the service worker must not store this page in its place.
    response.headers["X-Scorekeeper"] = "once"
    return response


@dataclass(frozen=True)
class AuthorName:
    """The author of an entry in words, either part "" where it is not known.

    ``side`` names who says it: the player who held the phone, else the side. ``phone`` says which phone, unless the
    first part tells that already.
    """

    side: str
    phone: str


class AuthorNames:
    """Names the authors of the entries of a match. Phones of nobody are numbered as they first wrote."""

    def __init__(self, match: MatchView, entries: Iterable[JournalEntry]) -> None:
        self.match = match
        self.own = session.get("device")
        unheld = (entry.device for entry in entries if entry.device and "by" not in entry.payload)
        seen = dict.fromkeys(mark for mark in unheld if mark != self.own)
        self.numbers = {mark: number for number, mark in enumerate(seen, 1)}

    def of(self, entry: JournalEntry) -> AuthorName:
        """Return the author of an entry in words.

        What was said for another side than that of the player who held the phone is that side's, on that phone.
        """
        # A note names the side that it is about, everything else the side that says it.
        label = entry.author if entry.kind in NOTED else author_of(entry).side
        side = self.match.all_sides.get(label or "", label or "")
        by = entry.payload.get("by")
        player = self.match.players.get(by, "") if by is not None else ""
        is_own = entry.device is not None and entry.device == self.own
        of_side = next((one.players for one in self.match.setup.sides if one.label == label), None)
        if player and (of_side is None or by in of_side):
            return AuthorName(player, str(_("this phone")) if is_own else "")
        if is_own:
            return AuthorName(side, str(_("this phone")))
        return AuthorName(side, str(_("on %(name)s's phone", name=player)) if player else self._phone(entry.device))

    def owner_of(self, entry: JournalEntry) -> str:
        """Return whose an entry is in one name: a player, a side or a phone; "" where nobody knows."""
        who = self.of(entry)
        return who.side or who.phone

    def _phone(self, mark: str | None) -> str:
        if mark not in self.numbers:
            return ""
        return str(
            _("another phone") if len(self.numbers) == 1 else _("phone %(number)d", number=self.numbers[mark] + 1)
        )
