"""Deals in doubt: in dispute, with two versions, or with an open proposal; and whether they decide a match.

Worked out from the journal alone. How long ago the last word was said is for whoever reads it: a quarrel of which
nobody has said a word for so long counts as dropped, and a later word brings it back.
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


@dataclass(frozen=True)
class Doubt:
    """A deal in doubt, with what the table says of it."""

    deal: DealState
    agreement: Agreement
    last_word: datetime
    """When something was last said about it."""

    @property
    def others(self) -> list[JournalEntry]:
        """The versions beside the one that counts."""
        proposal = self.agreement.proposal
        named = (
            [] if proposal is None or proposal.opens else [version_of(self.deal, proposal.version) or proposal.entry]
        )
        found = {entry.id: entry for entry in (*self.deal.contested, *named)}
        return [entry for entry in found.values() if self.deal.closed is None or entry.id != self.deal.closed.id]

    @property
    def names_no_version(self) -> bool:
        """Whether somebody disputes the deal, or asks to open it, without saying what would be right."""
        proposal = self.agreement.proposal
        return bool(self.agreement.disputes) or (proposal is not None and proposal.opens)

    @property
    def is_dropped(self) -> bool:
        """Whether nobody has said a word about it for so long that it counts as dropped."""
        return is_dropped(self.last_word)


def is_dropped(last_word: datetime) -> bool:
    """Say whether a quarrel counts as dropped by now, of which the last word was said then."""
    return now() - last_word >= DROPPED


def is_in_doubt(last_word: datetime | None, *, decides: bool) -> bool:
    """Say by the columns of a summary whether it is open who won the match."""
    return decides and last_word is not None and not is_dropped(last_word)


def is_open(summary: MatchSummary) -> bool:
    """Say whether it is open by now who won a match that somebody has won if a deal in doubt stands."""
    return summary.status == "won" and is_in_doubt(summary.doubt_at, decides=summary.doubt_decides)


def is_told(summary: MatchSummary) -> bool:
    """Say whether a deal of a match is in doubt by now, whether or not it decides who won."""
    return summary.doubt_at is not None and not is_dropped(summary.doubt_at)


def doubts_of(state: MatchState) -> list[Doubt]:
    """Return the newest closed deals in doubt, oldest first, whenever the last word was said."""
    found = []
    # Deals without a second closing or a statement, nearly all, need no look.
    for deal in state.closed:
        if deal.closed is not None and (deal.rivals or deal.statements):
            agreement = agreement_of(state, deal)
            if deal.contested or agreement.disputes or agreement.proposal:
                said = (deal.closed, *deal.rivals, *deal.statements)
                found.append(Doubt(deal, agreement, max(entry.created_at for entry in said)))
    return found[-AGREEMENTS_SHOWN:]


def decide_the_end(standing: Standing, doubts: Iterable[Doubt]) -> bool:
    """Say whether another winner than now, or none, would follow if another version counted.

    So it is as well where somebody disputes a deal without another version, and where there are too many to try. A
    match that goes on has no end to be decided.
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
    """Return who wins if these closings count; None where the match could not be scored so."""
    taken = {doubt.deal.number: closing for doubt, closing in zip(doubts, way, strict=True)}
    try:
        return set(standing_with(standing, taken).winners)
    except BrokenMatch:
        return None
