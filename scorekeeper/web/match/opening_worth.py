"""The worth of an opening layout in a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from ... import rules
from ...rules import contract
from ...store.journal.entries import JournalEntry
from ...store.journal.replay import DealState
from ..words.openings import opening_words
from .view import MatchView


def opening_worth(match: MatchView, deal: DealState, facts: Mapping[str, Any]) -> rules.OpeningWorth | None:
    """Return what the opening in ``facts`` of a deal brings; None if none is known, or it cannot be."""
    is_known = facts.get("layout") or facts.get("layout_result")
    table = match.as_of(deal).table_rules if is_known else None
    if table is None:
        return None
    try:
        return rules.opening_worth(table, match.standing.state.deal_request(deal, cast(contract.Deal, facts)))
    except rules.Malformed:
        return None


def opening_of(match: MatchView, entry: JournalEntry) -> rules.OpeningWorth | None:
    """Return what the opening of a note or a closing brings; None if it has none."""
    return opening_worth(match, _deal_of(match, entry), entry.payload.get("facts") or entry.payload)


def noted_opening_words(match: MatchView, entry: JournalEntry) -> str:
    """Return what the opening of an entry brings, in words; "" if nothing."""
    worth = opening_of(match, entry)
    return opening_words(worth, match.setup.game, match.dealing_side(_deal_of(match, entry))) if worth else ""


def opening_sweeps(deal: DealState, worth: rules.OpeningWorth | None) -> dict[str, int]:
    """Return the sweeps that an opening of a deal is, by side; they are not among those made in play."""
    dealer = deal.dealer.label
    return {label: worth.sweeps if worth and label == dealer else 0 for label in deal.setup.labels}


def _deal_of(match: MatchView, entry: JournalEntry) -> DealState:
    return match.standing.state.deal(entry.payload["deal"]) or match.deal
