"""Who may speak for a side: agree, dispute, propose, settle, and take back a statement.

A side has a voice while a phone of one of its players is at the table: then only its own phones speak for it. Notes of
the play need no voice. All of this is checked when an entry is written, and never when a journal is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from .heard import VOICE, phones_heard
from .journal import kinds
from .journal.entries import JournalEntry, JournalError
from .journal.match_setup import Side
from .journal.replay import DealState, MatchState
from .models import now

CLOSINGS = frozenset({kinds.DEAL_CLOSED, kinds.DEAL_CONTESTED})
SAYS = kinds.STATEMENTS | CLOSINGS
"""The kinds of statements about a closed deal."""
OF_RULES = frozenset({kinds.RULES_PROPOSED, kinds.RULES_ACCEPTED, kinds.RULES_DECLINED})
"""The kinds of statements about other options."""
SPEAKS = (SAYS | OF_RULES) - CLOSINGS
"""The kinds that speak for the side that they name."""
OF_PHONE = CLOSINGS | {kinds.CONFIRMED, kinds.PROPOSED, kinds.RULES_PROPOSED}
"""The kinds that speak for the side of the phone if they name none. Every phone may write them, for no side."""
MATTERS = SAYS | OF_RULES | {kinds.RULES_CHANGED}
"""The kinds that not everybody may void."""


@dataclass(frozen=True)
class Speaker:
    """A writer: the side of the phone, and the mark of the phone; None where unknown."""

    side: str | None = None
    device: str | None = None


class NotTheirVoice(JournalError):
    """A side speaks for itself: it has a phone at the table, and this is another.

    ``side`` is its label. ``until`` is when its phone counts as gone if nobody uses it again; None if the refused phone
    is its own but has spoken for another side in this matter.
    """

    def __init__(self, side: str, until: datetime | None = None) -> None:
        super().__init__(f"side {side} has a voice of its own")
        self.side, self.until = side, until


@dataclass(frozen=True)
class Voices:
    """The phones at the table of a match now, and the sides that have a voice by them.

    ``at`` holds the moment until which each phone counts as being at the table, by its mark.
    """

    state: MatchState
    at: dict[str, datetime]
    moment: datetime

    def own_phones(self, label: str) -> list[str]:
        """Return the marks of the phones that players of a side hold by the entries of the match."""
        players = {player for side in self._sides if side.label == label for player in side.players}
        return [device for device, player in self.state.phones.items() if player in players]

    @cached_property
    def _sides(self) -> list[Side]:
        # The players of a side are all who played for it in a deal: seats may have changed.
        setups = {id(deal.setup): deal.setup for deal in self.state.deals}
        return [side for setup in setups.values() for side in setup.sides]

    def until(self, label: str, except_device: str | None = None) -> datetime | None:
        """Return until when a side has a voice if nobody uses its phones again; None if it has none now.

        ``except_device`` is a phone that does not count.
        """
        of_side = [self.at[one] for one in self.own_phones(label) if one != except_device and one in self.at]
        return max((moment for moment in of_side if moment > self.moment), default=None)

    def labels(self, except_device: str | None = None) -> list[str]:
        """Return the sides that have a voice, by a phone other than ``except_device``."""
        return [label for label in self.state.setup.labels if self.until(label, except_device) is not None]

    def speaks_for_all(self, by: Speaker, since: int) -> bool:
        """Return whether this is the table's phone, and was it before the entry ``since``."""
        phone = self.state.table_phone
        return phone is not None and phone.device == by.device and phone.since < since

    def may_speak(self, by: Speaker, label: str, matter: Matter) -> bool:
        """Return whether a writer may speak for a side in a matter."""
        if self.speaks_for_all(by, matter.since) or self.until(label, by.device) is None:
            return True
        return by.side == label and by.device is not None and matter.said_on(by.device) <= {label}

    def refuse_to_speak(self, by: Speaker, label: str, matter: Matter) -> None:
        """Raise ``NotTheirVoice`` if a writer may not speak for a side in a matter."""
        if not self.may_speak(by, label, matter):
            raise NotTheirVoice(label, None if by.side == label else self.until(label, by.device))

    def may_take_back(self, by: Speaker, entry: JournalEntry, matter: Matter) -> bool:
        """Return whether a writer may void an entry of a matter: its phone and its side may."""
        side = entry.payload.get("side") or entry.author
        if by.device is None:
            return side is None and entry.device is None
        if side is not None and not self.may_speak(by, side, matter):
            return False
        is_own = by.device == entry.device or (side is not None and by.side == side)
        return is_own or self.speaks_for_all(by, matter.since)


@dataclass(frozen=True)
class Matter:
    """The subject of statements: a closed deal, or other options.

    ``since`` is the seq of its first entry: the first closing of the deal, or the proposal.
    """

    since: int
    said: tuple[JournalEntry, ...]
    """Every statement in it, the voided ones, too."""

    def said_on(self, device: str) -> set[str]:
        """Return the sides for which a phone spoke in it while a player held it."""
        return {entry.author for entry in self.said if entry.device == device and entry.author}


def about_deal(state: MatchState, deal: DealState) -> Matter:
    """Return the matter of a deal."""
    said = tuple(entry for entry in state.entries if entry.kind in SAYS and entry.payload.get("deal") == deal.number)
    return Matter(next((entry.seq for entry in said if entry.kind in CLOSINGS), state.head + 1), said)


def about_rules(state: MatchState, proposal: str | None = None) -> Matter:
    """Return the matter of other options: of the proposal with this id, by default of the newest."""
    said = [entry for entry in state.entries if entry.kind in OF_RULES]
    proposed = [entry for entry in said if entry.kind == kinds.RULES_PROPOSED and proposal in (None, entry.id)]
    if not proposed:
        return Matter(state.head + 1, ())
    return Matter(proposed[-1].seq, tuple(entry for entry in said if entry.seq >= proposed[-1].seq))


def voices_of(table_id: int, state: MatchState) -> Voices:
    """Return the phones at the table now, by their requests and by their entries."""
    moment = now()
    at = phones_heard(table_id)
    for entry in reversed(state.entries):
        if entry.created_at + VOICE <= moment:
            break
        if entry.device is not None:
            at[entry.device] = max(at.get(entry.device, moment), entry.created_at + VOICE)
    return Voices(state, at, moment)
