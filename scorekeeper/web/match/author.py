"""Who holds this phone and the side that it is with, and the names of those who wrote an entry."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Any

from flask import Response
from flask_babel import gettext as _

from ...store import commands
from ...store.agreement import author_of
from ...store.journal import kinds
from ...store.journal.entries import Full, JournalEntry, NewEntry
from ...store.journal.replay import has_held, is_everybodys, table_phone_of
from ...store.models import Match, Table
from ...store.standings import standing_of
from ...store.voices import Speaker, Voices
from ...store.who import as_now
from ..base.access import visitor
from ..base.htmx import is_refresh, page, wants_fragment
from ..base.remembered import device, holder, holders, is_asked, known_device, remember_holders, writer
from .view import MatchView, shown_match


def side_of_phone(match: MatchView) -> str | None:
    """Return the side that this phone is with in this match; None if it is everybody's, or its player sits out."""
    return _side_of(match, set(holders(match.table)))


def _side_of(match: MatchView, players: set[int]) -> str | None:
    held = set(as_now(players, match.merged))
    sides = match.setup.sides if held else ()
    return next((side.label for side in sides if held.issubset(as_now(side.players, match.merged))), None)


def written_by(match: MatchView) -> dict[str, Any]:
    """Return the author of what this phone writes, as arguments for ``store.commands``."""
    return {"author": side_of_phone(match), **writer(match.table)}


def written_at(match: MatchView, player: int | None) -> dict[str, Any]:
    """Return the author of what this phone wrote while ``player`` held it, None for nobody, as ``written_by``.

    It is in that player's name only if this phone has noted that in the match, or is with the player now.
    """
    if player is not None and holder(match.table) == player:
        return written_by(match)
    mark = device(match.table)
    if player is None or not has_held(match.standing.state, mark, player):
        return {"author": None, "device": mark, "player": None}
    return {"author": _side_of(match, {player}), "device": mark, "player": player}


def speaker(match: MatchView) -> Speaker:
    """Return who writes on this phone: the side that it is with, and its mark; no mark where it has written nothing."""
    return Speaker(side_of_phone(match), known_device(match.table))


def hold(match: MatchView, player: int | None, *, watches: bool = False) -> None:
    """Note that a player holds this phone from now on; None: it is everybody's. Idempotent.

    ``watches``: its holder only watches. If the match has no room for the entry, the phone alone remembers it.
    """
    remember_holders(match.table, () if player is None else (player,))
    mark, by = device(match.table), written_by(match)
    held: kinds.AnyPayload = {"player": player, "watches": True} if watches else {"player": player}

    def drafted() -> commands.Draft:
        state = standing_of(match.row).state
        is_said = state.phones.get(mark) == player if player is not None or watches else is_everybodys(state, mark)
        return commands.NOTHING if is_said else commands.draft(match.row, [NewEntry(kinds.PHONE_HELD, held)], **by)

    with suppress(Full):
        commands.write(match.row, drafted)


def question_first(table: Table, row: Match, look: str | None = None) -> Response | None:
    """Return the page that asks who holds a phone that joined without saying so; else, and for a refresh, None."""
    if not (visitor().may_write and is_asked(table)) or is_refresh() or wants_fragment():
        return None
    return question(shown_match(table, row), look)


def question(match: MatchView, look: str | None = None, back: str = "") -> Response:
    """Return the page that asks who holds this phone; the answer leads ``back``, or to the board in its ``look``."""
    asked = is_asked(match.table)
    mine = None if asked else holders(match.table)
    response = page("this_phone/holder.html", match=match, look=look, back=back, asked=asked, mine=mine)
    # The same address shows the board once this is answered: the service worker must not store this page in its place.
    response.headers["X-Scorekeeper"] = "once"
    return response


def minutes_until(voices: Voices, label: str, except_device: str | None) -> int:
    """Return in how many minutes a side has no voice of its own any more if nobody touches its phones; 0 for now.

    ``except_device`` is a phone that does not count.
    """
    until = voices.until(label, except_device)
    return 0 if until is None else minutes_left(until, voices.moment)


def minutes_left(until: datetime, moment: datetime) -> int:
    """Return how many minutes are left, from 1."""
    return max(ceil((until - moment).total_seconds() / 60), 1)


def said_on(match: MatchView, entry: JournalEntry) -> str:
    """Return on whose phone something was said for a side, in words; "" if on its own, or not known."""
    label, by = author_of(entry).side, entry.payload.get("by")
    if label is None:
        return ""
    if by is not None:
        sides = (side for deal in match.standing.state.deals for side in deal.setup.sides)
        merged = match.merged
        own = any(merged.get(by, by) in as_now(side.players, merged) for side in sides if side.label == label)
        return "" if own else _("said on %(name)s's phone", name=match.players.get(by, ""))
    before = table_phone_of(match.standing.state.entries[: entry.seq])
    is_middle = before is not None and before.device == entry.device
    return _("said on the table's phone") if is_middle else ""


@dataclass(frozen=True)
class AuthorName:
    """The author of an entry in words, either part "" if it is not known.

    ``side`` names who says it: the player who held the phone, else the side. ``phone`` says which phone, unless
    ``side`` implies it.
    """

    side: str
    phone: str


class AuthorNames:
    """Names the authors of the entries of a match. Phones of nobody are numbered as they first wrote."""

    def __init__(self, match: MatchView, entries: Iterable[JournalEntry]) -> None:
        self.match = match
        self.own = known_device(match.table)
        unheld = (entry.device for entry in entries if entry.device and "by" not in entry.payload)
        seen = dict.fromkeys(mark for mark in unheld if mark != self.own)
        of_table = match.standing.state.table_phone
        self.of_table = of_table.device if of_table is not None else None
        self.numbers = {mark: number for number, mark in enumerate(seen, 1)}

    def of(self, entry: JournalEntry) -> AuthorName:
        """Return the author of an entry in words; one for another side is that side's, on the phone of the holder."""
        # A note names the side that it is about, everything else the side that says it.
        label = entry.author if entry.kind in kinds.NOTED else author_of(entry).side
        side = self.match.all_sides.get(label or "", label or "")
        by = entry.payload.get("by")
        player = self.match.players.get(by, "") if by is not None else ""
        is_own = entry.device is not None and entry.device == self.own
        of_side = next((one.players for one in self.match.setup.sides if one.label == label), None)
        if player and (of_side is None or by in of_side):
            return AuthorName(player, _("this phone") if is_own else "")
        if is_own:
            return AuthorName(side, _("this phone"))
        return AuthorName(side, _("on %(name)s's phone", name=player) if player else self._phone(entry.device))

    def owner_of(self, entry: JournalEntry) -> str:
        """Return whose an entry is in one name: a player, a side or a phone; "" if not known."""
        who = self.of(entry)
        return who.side or who.phone

    def _phone(self, mark: str | None) -> str:
        if mark not in self.numbers:
            return ""
        if mark == self.of_table:
            return _("the table's phone")
        return _("another phone") if len(self.numbers) == 1 else _("phone %(number)d", number=self.numbers[mark] + 1)
