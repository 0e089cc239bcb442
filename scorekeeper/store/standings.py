"""Where a match stands: its journal, scored by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flask import current_app

from scorekeeper import rules

from ..limits import CACHED_STANDINGS, STORED_MATCH_STEPS
from .db import once_committed
from .journal import DealState, JournalEntry, MatchState, entries_of, replay, with_notes
from .lru import LruCache
from .models import Match

ENTRY, SHEET = 500, 4_000
"""What an entry weighs besides the facts it tells, and a sheet, in characters: near enough."""


@dataclass(frozen=True)
class Standing:
    """A match and what the engine makes of it. ``result`` is the engine's answer to ``match``, frozen.

    It may count fewer deals than were closed: a correction can put some behind the match's last point.
    """

    state: MatchState
    result: dict[str, Any]
    entries_weight: int = 0
    """About how many characters its entries hold."""

    @property
    def weight(self) -> int:
        """Return about how many characters it holds."""
        return self.entries_weight + SHEET * len(self.result["sheets"])

    @property
    def sheets(self) -> list[tuple[DealState, dict[str, Any]]]:
        """Return each counted deal with its sheet."""
        return list(zip(self.state.closed, self.result["sheets"], strict=False))

    @property
    def is_over(self) -> bool:
        """Say whether the match is won, or was stopped."""
        return self.result["status"] == "won" or self.state.ended is not None

    @property
    def winners(self) -> list[str]:
        """Return the labels of the sides that won: several where the game lets them share."""
        winner = self.result["winner"]
        return winner if isinstance(winner, list) else [] if winner is None else [winner]

    @cached_property
    def course(self) -> list[dict[str, Any]]:
        """Return the totals after each counted deal."""
        totals: dict[str, Any] = dict.fromkeys(self.state.setup.labels, 0)
        steps = []
        for sheet in self.result["sheets"]:
            if sheet.get("points"):
                totals = {side: totals[side] + points for side, points in sheet["points"].items()}
            steps.append(totals)
        return steps


class BrokenMatch(Exception):
    """The journal holds deals that the engine refuses; ``problems`` says why."""

    def __init__(self, problems: list[dict[str, Any]]) -> None:
        super().__init__(str(problems))
        self.problems = problems


def score_match(state: MatchState) -> dict[str, Any]:
    """Score the closed deals. Raises ``BrokenMatch`` where they cannot be."""
    # A correction may have won the match earlier than it was played to: what follows is kept, and does not count.
    result = rules.match(state.request(), frozen=True, until_won=True, most_steps=STORED_MATCH_STEPS)
    if result["status"] == "invalid":
        raise BrokenMatch(result["problems"])
    return result


def score_deal(
    state: MatchState, deal: DealState, facts: Mapping[str, Any] | None = None, *, bounded: bool | None = None
) -> dict[str, Any]:
    """Score one deal of a match as ``facts`` tell it (its own, unless given); of the wrong shape they are invalid.

    What is stored is read as the rules of its match read it; ``bounded`` is true for what is not stored yet, which
    anybody may have made up.
    """
    try:
        return rules.score({**state.engine_setup(), "deal": state.deal_request(deal, facts)}, bounded=bounded)
    except rules.Malformed as malformed:
        return {
            "status": "invalid",
            "problems": malformed.problems,
            "lines": [],
            "points": {},
            "redeal": None,
            "ask": None,
        }


def standing_of(match: Match) -> Standing:
    """Return where the match stands.

    Kept by the version it belongs to, so that any other process's writing shows at once; treat it as frozen.
    """
    standing = _cache().get((match.table_id, match.number), match.head)
    if standing is None:
        standing = standing_after(None, entries_of(match))
        cache_standing(match, standing)
    return standing


def standing_after(before: Standing | None, new: Sequence[JournalEntry], *, moves: bool = True) -> Standing:
    """Return where a match stands with ``new`` entries after ``before``. Raises ``BrokenMatch``.

    ``moves`` is false where they are about no closing: then what the engine said before is still true.
    """
    noted = None if moves or before is None else with_notes(before.state, new)
    state = noted or replay([*(before.state.entries if before else ()), *new])
    weight = sum(ENTRY + len(repr(one.payload.get("facts", ""))) for one in new)
    return Standing(
        state,
        score_match(state) if moves or before is None else before.result,
        weight + (before.entries_weight if before else 0),
    )


def cache_standing(match: Match, standing: Standing) -> None:
    """Keep a standing for the version it belongs to; not before that version is one for good."""
    kept, key = _cache(), (match.table_id, match.number)
    once_committed(lambda: kept.put(key, standing, standing.state.head, standing.weight))


def _cache() -> LruCache[Standing]:
    kept: LruCache[Standing] = current_app.extensions.setdefault("scorekeeper.standings", LruCache(CACHED_STANDINGS))
    return kept
