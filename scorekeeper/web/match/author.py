"""The side that a phone is with, and the names of those who wrote an entry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from flask import session
from flask_babel import gettext as _

from ...store.agreement import author_of
from ...store.journal import JournalEntry
from ..base.remembered import device
from .view import MatchView

SIDES = "sides"
"""The field of this phone's cookie with the players that it is with, by table.

Players and not sides, because sides change from match to match.
"""
REMEMBERED = 30
"""Tables for which the cookie has them."""


def side_of_phone(match: MatchView) -> str | None:
    """Return the side that this phone is with in this match; None where it is shared by all."""
    players = session.get(SIDES, {}).get(str(match.table.id))
    return next((side.label for side in match.setup.sides if sorted(side.players) == players), None)


def remember_side(match: MatchView, label: str | None) -> None:
    """Remember the side that this phone is with; with None it is shared by all again."""
    others = {table: players for table, players in session.get(SIDES, {}).items() if table != str(match.table.id)}
    if label is not None:
        players = next(side.players for side in match.setup.sides if side.label == label)
        others = {**dict(list(others.items())[-REMEMBERED + 1 :]), str(match.table.id): sorted(players)}
    session.permanent = True
    session[SIDES] = others


def written_by(match: MatchView) -> dict[str, Any]:
    """Return the author of what this phone writes, as arguments for ``store.commands``."""
    return {"author": side_of_phone(match), "device": device()}


@dataclass(frozen=True)
class AuthorName:
    """The author of an entry in words: the name of the side, and which phone. Either is "" where it is not known."""

    side: str
    phone: str


class AuthorNames:
    """Names the authors of the entries of a match. Phones other than this one are numbered as they first wrote."""

    def __init__(self, match: MatchView, entries: Iterable[JournalEntry]) -> None:
        self.match = match
        self.own = session.get("device")
        seen = dict.fromkeys(entry.device for entry in entries if entry.device and entry.device != self.own)
        self.numbers = {mark: number for number, mark in enumerate(seen, 1)}

    def of(self, entry: JournalEntry) -> AuthorName:
        """Return the author of an entry in words."""
        label = author_of(entry).side
        return AuthorName(self.match.sides.get(label or "", label or ""), self._phone(entry.device))

    def _phone(self, mark: str | None) -> str:
        if mark is not None and mark == self.own:
            return str(_("this phone"))
        if mark not in self.numbers:
            return ""
        return str(
            _("another phone") if len(self.numbers) == 1 else _("phone %(number)d", number=self.numbers[mark] + 1)
        )
