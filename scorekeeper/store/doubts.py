"""Deals in doubt (in dispute, with two versions, or with an open proposal), and whether they decide a match.

They follow from the journal alone. A doubt without a statement for ``DROPPED`` counts as dropped; a later statement
brings it back. Callers compare that time when they read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice, product

from ..limits import AGREEMENTS_SHOWN, DOUBT_DAYS, DOUBT_ENDINGS
from .agreement import Agreement, agreement_of, version_of
from .journal.entries import JournalEntry
from .journal.replay import DealState, MatchState
from .models import MatchSummary, now
from .standings import BrokenMatch, Standing, standing_with

DROPPED = timedelta(days=DOUBT_DAYS)
"""Time after the last statement from which on a doubt counts as dropped."""


@dataclass(frozen=True)
class Doubt:
    """A deal in doubt, with the agreement about it."""

    deal: DealState
    agreement: Agreement
    last_word: datetime
    """When the last statement about it was made."""

    @property
    def others(self) -> list[JournalEntry]:
        """The versions beside the one that counts."""
        proposal = self.agreement.proposal
        named = list(self.deal.contested)
        if proposal is not None and not proposal.opens:
            named.append(version_of(self.deal, proposal.version) or proposal.entry)
        counts = self.deal.closed.id if self.deal.closed else None
        return [entry for entry in {entry.id: entry for entry in named}.values() if entry.id != counts]

    @property
    def names_no_version(self) -> bool:
        """True if a side disputes the deal, or proposes to open it, without another version."""
        proposal = self.agreement.proposal
        return bool(self.agreement.disputes) or (proposal is not None and proposal.opens)

    @property
    def is_dropped(self) -> bool:
        """True if it counts as dropped by now."""
        return is_dropped(self.last_word)


def dropped_before() -> datetime:
    """Return the moment up to which a doubt had its last statement that counts as dropped by now."""
    return now() - DROPPED


def is_dropped(last_word: datetime) -> bool:
    """Return whether a doubt with its last statement at this moment counts as dropped by now."""
    return now() - last_word >= DROPPED


def next_dropped(last_words: Iterable[datetime | None]) -> datetime | None:
    """Return when the next doubt of those with these last statements is dropped; None if none is."""
    return min((word + DROPPED for word in last_words if word is not None and not is_dropped(word)), default=None)


def is_in_doubt(last_word: datetime | None, *, decides: bool) -> bool:
    """Return whether the winner of a match is open by now, from the columns of its summary."""
    return decides and last_word is not None and not is_dropped(last_word)


def is_open(summary: MatchSummary) -> bool:
    """Return whether the winner of a won match is open by now because of a deal in doubt."""
    return summary.status == "won" and is_in_doubt(summary.doubt_at, decides=summary.doubt_decides)


def is_told(summary: MatchSummary) -> bool:
    """Return whether a deal of a match is in doubt by now, whether or not it decides who won."""
    return summary.doubt_at is not None and not is_dropped(summary.doubt_at)


def doubts_of(state: MatchState) -> list[Doubt]:
    """Return the newest closed deals in doubt, oldest first, those dropped by now included."""
    doubts = []
    # Nearly all deals have neither a second closing nor a statement.
    for deal in state.closed:
        if deal.closed is not None and (deal.rivals or deal.statements):
            agreement = agreement_of(state, deal)
            if deal.contested or agreement.disputes or agreement.proposal:
                said = (deal.closed, *deal.rivals, *deal.statements)
                doubts.append(Doubt(deal, agreement, max(entry.created_at for entry in said)))
    return doubts[-AGREEMENTS_SHOWN:]


def decide_the_end(standing: Standing, doubts: Iterable[Doubt]) -> bool:
    """Return whether a match that is over could have another winner, or none, if other versions counted.

    True, too, if a side disputes a deal without another version, or there are too many ways to try.
    """
    doubts = list(doubts)
    if not standing.is_over or not doubts:
        return False
    if any(doubt.names_no_version for doubt in doubts):
        return True
    ways = product(*([doubt.deal.closed, *doubt.others] for doubt in doubts))
    tried = list(islice(ways, 1, DOUBT_ENDINGS + 2))
    if len(tried) > DOUBT_ENDINGS:
        return True
    now_won = set(standing.winners)
    return any(_winners_with(standing, doubts, way) != now_won for way in tried)


def _winners_with(standing: Standing, doubts: list[Doubt], way: tuple[JournalEntry | None, ...]) -> set[str] | None:
    """Return who wins if these closings count; None if the match cannot be scored with them."""
    taken = {doubt.deal.number: closing for doubt, closing in zip(doubts, way, strict=True)}
    try:
        return set(standing_with(standing, taken).winners)
    except BrokenMatch:
        return None
