"""Sheets that are stored once, because their match would take too long to score again; a migration asks for them.

By the first tariff every step was charged alike, though a step takes the longer, the more sides there are: a match of
four sides within its budget took up to two seconds, and one of rules version 1, which has no budget, any time. What was
accepted then keeps its sheet. Later tariffs need none of this: by them a match is scored within its time.
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
"""Time from which on the closings of a match are stored: half of what a match may take that a process meets first."""


def may_take_long(setup: Mapping[str, Any]) -> bool:
    """Return whether a match of this stored set-up has to be looked at: all others are scored in a third of a second.

    Only deals of fishing games take steps, and with two sides the budget of a match is spent soon enough.
    """
    if not rules.is_fishing(setup["game"]):
        return False
    return len(setup["sides"]) > min(STEP_NANOSECONDS) or cast(kinds.StoredSetup, setup).get("rules", 1) == 1


def nanoseconds_of(state: MatchState) -> int:
    """Return about how long the closings of the first tariff take to be scored, each alone, in a cold process."""
    step = STEP_NANOSECONDS[min(len(state.setup.labels), max(STEP_NANOSECONDS))]
    return step * sum(_steps(state, entry) for entry in _judged_first(state))


def sheets_to_store(entries: Sequence[JournalEntry]) -> dict[str, StoredSheets]:
    """Return the sheets to be stored of a match, by the ids of their closings; none where it is scored soon.

    Those of all its closings are, whether they count or not: pages show them side by side. A match that cannot be
    scored keeps its journal as it is.
    """
    if not entries:
        return {}
    state = replay(entries)
    if nanoseconds_of(state) <= LONG_NANOSECONDS:
        return {}
    counted: dict[str, contract.Sheet] = {}
    with suppress(BrokenMatch, rules.Malformed):
        sheets = score_match(state, range(len(state.closed)))["sheets"]
        closed = [deal.closed for deal in state.closed if deal.closed is not None]
        counted = {state.original(entry).id: sheet for entry, sheet in zip(closed, sheets, strict=False)}
    found: dict[str, StoredSheets] = {}
    for entry in _judged_first(state):
        alone = score_deal(state, _deal_of(state, entry), entry.payload["facts"], **_how(entry))
        stored: StoredSheets = {"alone": cast(contract.Sheet, alone)}
        if entry.id in counted and _written(counted[entry.id]) != _written(alone):
            stored["counted"] = counted[entry.id]
        found[entry.id] = stored
    return found


def _judged_first(state: MatchState) -> list[JournalEntry]:
    """Return the closings that were judged by the first tariff, and keep no sheet yet; those that repeat none."""
    closings = [entry for entry in state.entries if "facts" in entry.payload and state.original(entry) is entry]
    return [entry for entry in closings if entry.sheets is None and tariff_of(entry) == rules.FIRST_TARIFF]


def _deal_of(state: MatchState, entry: JournalEntry) -> DealState:
    return state.deal(entry.payload["deal"]) or state.current


def _how(entry: JournalEntry) -> dict[str, Any]:
    return {"tariff": tariff_of(entry), "bounded": bounds_of(tariff_of(entry))}


def _steps(state: MatchState, entry: JournalEntry) -> int:
    deal = _deal_of(state, entry)
    asked = {**state.engine_setup(deal.setup), "deal": state.deal_request(deal, entry.payload["facts"])}
    try:
        return rules.steps_of(asked, **_how(entry))
    except rules.Malformed:
        return 0


def _written(sheet: object) -> str:
    return json.dumps(sheet, sort_keys=True)
