"""Notes that count at once: the one that ends a match closes its deal, and taking either back opens both again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..rules import contract
from .agreement import part_id, voided_with
from .journal import kinds
from .journal.entries import NewEntry, as_written
from .journal.replay import DealState, MatchState
from .standings import BrokenMatch, Standing, ending_of, score_match

MOVES = frozenset({kinds.POINTS_NOTED, kinds.ADJUSTED, kinds.VOIDED})
"""The kinds of entries that move a total where notes count at once."""
CLOSES = "closes the deal"
"""Names a closing as the part of an act: of the tap that reached the end."""


def closing_after(standing: Standing, act_id: str) -> NewEntry | None:
    """Return the closing that ends the match with the deal being played as it is noted; None while nobody has won.

    ``act_id`` is the id of the last entry that moved a total. A line of the table's own that one side takes leaves the
    deal open, as no tap says who took it: the deal is closed by hand then.
    """
    ending, totals = ending_of(standing.state), standing.totals
    # A target decides cheaply for nearly every tap; who wins, and what a tie does, is the engine's to say.
    if standing.state.ended is not None or ending.target is None or not standing.state.current.noted:
        return None
    if max(totals[label] for label in standing.state.setup.labels) < ending.target:
        return None
    deal = standing.state.current
    closing = NewEntry(kinds.DEAL_CLOSED, {"deal": deal.number, "facts": _facts_of(deal)}, part_id(act_id, CLOSES))
    return closing if _ends_match(standing, closing) else None


def _facts_of(deal: DealState) -> contract.Deal:
    """Return what is noted as the facts of a closing: a side without a note has no points."""
    noted = deal.noted_points()
    facts = contract.FreeDeal(points={label: noted.get(label, 0) for label in deal.setup.labels})
    if adjustments := deal.noted_adjustments():
        facts["adjustments"] = adjustments
    return facts


def _ends_match(standing: Standing, closing: NewEntry) -> bool:
    state, deal = standing.state, standing.state.current
    closed = replace(deal, closed=as_written(state.head, [closing])[0])
    deals = [closed if one is deal else one for one in state.deals]
    try:
        return score_match(replace(state, deals=deals))["status"] == "won"
    except BrokenMatch:
        return False


def with_closings_to_void(state: MatchState, new: Sequence[NewEntry]) -> list[NewEntry]:
    """Return entries to write; voidings of a closing that followed from a tap, or of such a tap, void both."""
    written = list(new)
    for entry in new:
        if entry.kind == kinds.VOIDED:
            written += [
                voided_with(entry.id, id)
                for id in _voided_too(state, entry.payload["entry"])
                if all(other.payload.get("entry") != id for other in written if other.kind == kinds.VOIDED)
            ]
    return written


def _voided_too(state: MatchState, entry_id: str) -> list[str]:
    for deal in state.closed:
        closing, taps = deal.closed, [entry for entry in deal.noted if entry.kind in MOVES]
        if closing is None or not taps or not is_by_itself(state, deal):
            continue
        if closing.id == entry_id:
            return [taps[-1].id]
        if any(tap.id == entry_id for tap in taps):
            return [closing.id]
    return []


def is_by_itself(state: MatchState, deal: DealState) -> bool:
    """Return whether a closed deal was closed by the tap that reached the end, not by hand."""
    closing = deal.closed
    if closing is None:
        return False
    return closing.id == part_id(state.entries[closing.seq - 2].id, CLOSES)
