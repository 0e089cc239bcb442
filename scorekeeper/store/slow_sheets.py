"""Sheets that a migration stores, because their match takes too long to score again.

The first tariff charged every step alike, although steps take longer with more sides: a match of four sides within its
budget took up to two seconds, and one of rules version 1, which has no budget, any time. The sheets of closings from
then are stored. Under later tariffs a match is scored within its time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from .. import rules
from ..rules import contract
from .journal import kinds
from .journal.entries import JournalEntry, tariff_of
from .journal.replay import DealState, MatchState, replay
from .models import StoredSheets
from .standings import BrokenMatch, bounds_of, score_deal, score_match

STEP_NANOSECONDS: Mapping[int, int] = {2: 270, 3: 640, 4: 1430}
"""Time of a step of the first tariff by the number of sides, on one core of today; no fishing game has more sides."""
LONG_NANOSECONDS = 500_000_000
"""Time from which on the sheets of a match are stored: half of the limit for a match that is not cached."""


def may_take_long(setup: Mapping[str, Any]) -> bool:
    """Return whether a match with this set-up may take long: all others are scored in a third of a second.

    Only deals of fishing games take steps, and with two sides the budget of a match is spent soon enough.
    """
    if not rules.is_fishing(setup["game"]):
        return False
    return len(setup["sides"]) > min(STEP_NANOSECONDS) or cast(kinds.StoredSetup, setup).get("rules", 1) == 1


def nanoseconds_of(state: MatchState) -> int:
    """Return the estimated time to score the closings of the first tariff, each alone, without caches."""
    return _nanoseconds(state, sum(steps_of(state, entry) for entry in _judged_first(state)))


def takes_long(state: MatchState, steps: int) -> bool:
    """Return whether closings that take so many steps of the first tariff make a match slow."""
    return _nanoseconds(state, steps) > LONG_NANOSECONDS


def _nanoseconds(state: MatchState, steps: int) -> int:
    # An early version let one side be left, which plays no deal.
    sides = max(len(state.setup.labels), min(STEP_NANOSECONDS))
    return STEP_NANOSECONDS[min(sides, max(STEP_NANOSECONDS))] * steps


def sheets_to_store(entries: Sequence[JournalEntry]) -> dict[str, StoredSheets]:
    """Return the sheets to store for a match, by the ids of their closings; none if it is scored soon.

    They include closings that do not count, because pages show them side by side. A match that cannot be scored has no
    counted sheets.
    """
    if not entries:
        return {}
    state = replay(entries)
    if nanoseconds_of(state) <= LONG_NANOSECONDS:
        return {}
    alone = {
        entry.id: score_deal(state, _deal_of(state, entry), entry.payload["facts"], **_how(entry))
        for entry in _judged_first(state)
    }
    return with_counted(state, cast(Mapping[str, contract.Sheet], alone))


def with_counted(state: MatchState, alone: Mapping[str, contract.Sheet]) -> dict[str, StoredSheets]:
    """Return the sheets to store for closings of which these are scored alone: with those of their match, if others."""
    counted: dict[str, contract.Sheet] = {}
    with suppress(BrokenMatch, rules.Malformed):
        sheets = score_match(state, range(len(state.closed)))["sheets"]
        closed = [deal.closed for deal in state.closed if deal.closed is not None]
        counted = {state.original(entry).id: sheet for entry, sheet in zip(closed, sheets, strict=False)}
    sheets_of: dict[str, StoredSheets] = {}
    for id, sheet in alone.items():
        stored: StoredSheets = {"alone": sheet}
        if id in counted and _written(counted[id]) != _written(sheet):
            stored["counted"] = counted[id]
        sheets_of[id] = stored
    return sheets_of


def _judged_first(state: MatchState) -> list[JournalEntry]:
    """Return the closings of the first tariff that have no stored sheet and repeat no other closing."""
    closings = [entry for entry in state.entries if "facts" in entry.payload and state.original(entry) is entry]
    return [entry for entry in closings if entry.sheets is None and tariff_of(entry) == rules.FIRST_TARIFF]


def _deal_of(state: MatchState, entry: JournalEntry) -> DealState:
    return state.deal(entry.payload["deal"]) or state.current


def _how(entry: JournalEntry) -> dict[str, Any]:
    return {"tariff": tariff_of(entry), "bounded": bounds_of(tariff_of(entry))}


def steps_of(state: MatchState, entry: JournalEntry) -> int:
    """Return the steps that a closing of the first tariff takes alone."""
    deal = _deal_of(state, entry)
    asked = {**state.engine_setup(deal.setup), "deal": state.deal_request(deal, entry.payload["facts"])}
    try:
        return rules.steps_of(asked, **_how(entry))
    except rules.Malformed:
        return 0


def _written(sheet: object) -> str:
    return json.dumps(sheet, sort_keys=True)
