"""Who may speak for a side: agree, dispute, propose, settle, and take back what was said.

A side has a voice while a phone of one of its players is at the table: then only its own phones speak for it. Anybody
notes what is played; only agreeing needs a voice. All of this is asked when something is written, and never when a
journal is read: what was said stays said.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from .heard import VOICE, phones_heard
from .journal import kinds
from .journal.entries import JournalEntry, JournalError
from .journal.replay import DealState, MatchState
from .journal.setup import Side
from .models import now

CLOSINGS = frozenset({kinds.DEAL_CLOSED, kinds.DEAL_CONTESTED})
SAYS = kinds.STATEMENTS | CLOSINGS
"""The kinds by which somebody says something about a closed deal."""
OF_RULES = frozenset({kinds.RULES_PROPOSED, kinds.RULES_ACCEPTED, kinds.RULES_DECLINED})
"""The kinds by which somebody says something about other options."""
SPEAKS = (SAYS | OF_RULES) - CLOSINGS
"""The kinds that speak for the side that they name."""
TELLS = CLOSINGS | {kinds.CONFIRMED, kinds.PROPOSED, kinds.RULES_PROPOSED}
"""The kinds that speak for the side of the phone where they name none: anybody may write them, in nobody's name."""
MATTERS = SAYS | OF_RULES | {kinds.RULES_CHANGED}
"""The kinds that are not voided by just anybody."""


@dataclass(frozen=True)
class Speaker:
    """Who writes: the side that the phone is with, and the mark of the phone; None where it is not known."""

    side: str | None = None
    device: str | None = None


class NotTheirVoice(JournalError):
    """A side speaks for itself: it has a phone at the table, and this is another.

    ``side`` is its label. ``until`` is when its phone counts as gone if nobody touches it again, None where the phone
    itself has spoken for another side in this matter.
    """

    def __init__(self, side: str, until: datetime | None = None) -> None:
        super().__init__(f"side {side} has a voice of its own")
        self.side, self.until = side, until


@dataclass(frozen=True)
class Voices:
    """Which phones are at the table of a match now, and so which sides have a voice.

    ``at`` holds the moment until which each phone counts as being there, by its mark.
    """

    state: MatchState
    at: dict[str, datetime]
    moment: datetime

    def own_phones(self, label: str) -> list[str]:
        """Return the marks of the phones that players of a side hold, by what entries of the match say."""
        players = {player for side in self._sides if side.label == label for player in side.players}
        return [device for device, player in self.state.phones.items() if player in players]

    @cached_property
    def _sides(self) -> list[Side]:
        # Seats may have changed since a deal was closed: whoever played for the side then or plays now is of it.
        return [
            side for setup in {id(deal.setup): deal.setup for deal in self.state.deals}.values() for side in setup.sides
        ]

    def until(self, label: str, except_device: str | None = None) -> datetime | None:
        """Return until when a side has a voice if nobody touches its phones again; None where it has none now.

        ``except_device`` is a phone that does not count.
        """
        of_side = [self.at[one] for one in self.own_phones(label) if one != except_device and one in self.at]
        return max((moment for moment in of_side if moment > self.moment), default=None)

    def labels(self, except_device: str | None = None) -> list[str]:
        """Return the sides that have a voice, by a phone other than ``except_device``."""
        return [label for label in self.state.setup.labels if self.until(label, except_device) is not None]

    def speaks_for_all(self, by: Speaker, since: int) -> bool:
        """Say whether this is the table's phone, and was before the entry of seq ``since`` was written."""
        phone = self.state.table_phone
        return phone is not None and phone.device == by.device and phone.since < since

    def may_speak(self, by: Speaker, label: str, matter: Matter) -> bool:
        """Say whether somebody may speak for a side in a matter."""
        if self.speaks_for_all(by, matter.since) or self.until(label, by.device) is None:
            return True
        return by.side == label and by.device is not None and matter.said_on(by.device) <= {label}

    def refuse_to_speak(self, by: Speaker, label: str, matter: Matter) -> None:
        """Raise ``NotTheirVoice`` where somebody may not speak for a side in a matter."""
        if not self.may_speak(by, label, matter):
            raise NotTheirVoice(label, None if by.side == label else self.until(label, by.device))

    def may_take_back(self, by: Speaker, entry: JournalEntry, matter: Matter) -> bool:
        """Say whether somebody may void what was said in a matter: whoever said it, or else that side."""
        side = entry.payload.get("side") or entry.author
        if by.device is None:
            return side is None and entry.device is None
        if side is not None and not self.may_speak(by, side, matter):
            return False
        is_own = by.device == entry.device or (side is not None and by.side == side)
        return is_own or self.speaks_for_all(by, matter.since)


@dataclass(frozen=True)
class Matter:
    """What is being talked about: a closed deal, or other options.

    ``since`` is the seq of the entry that it began with: the first closing of the deal, or the proposal.
    """

    since: int
    said: tuple[JournalEntry, ...]
    """All that was said in it, also what was taken back."""

    def said_on(self, device: str) -> set[str]:
        """Return the sides for which a phone spoke in it while a player held the phone."""
        return {entry.author for entry in self.said if entry.device == device and entry.author}


def about_deal(state: MatchState, deal: DealState) -> Matter:
    """Return the matter of a deal."""
    said = tuple(entry for entry in state.entries if entry.kind in SAYS and entry.payload.get("deal") == deal.number)
    return Matter(next((entry.seq for entry in said if entry.kind in CLOSINGS), state.head + 1), said)


def about_rules(state: MatchState, proposal: str | None = None) -> Matter:
    """Return the matter of other options: of a proposal by its id, or of the one that was made last."""
    said = [entry for entry in state.entries if entry.kind in OF_RULES]
    proposed = [entry for entry in said if entry.kind == kinds.RULES_PROPOSED and proposal in (None, entry.id)]
    if not proposed:
        return Matter(state.head + 1, ())
    return Matter(proposed[-1].seq, tuple(entry for entry in said if entry.seq >= proposed[-1].seq))


def voices_of(table_id: int, state: MatchState) -> Voices:
    """Return which phones are at the table now: by what they asked the server for, and by what they wrote."""
    moment = now()
    at = phones_heard(table_id)
    for entry in reversed(state.entries):
        if entry.created_at + VOICE <= moment:
            break
        if entry.device is not None:
            at[entry.device] = max(at.get(entry.device, moment), entry.created_at + VOICE)
    return Voices(state, at, moment)
