"""Where a match stands: its journal, scored by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from flask import current_app

from scorekeeper import rules

from .db import once_committed
from .journal import NOTED, DealState, MatchState, Record, entries_of, replay
from .models import Match
from .recent import Recent

KEPT = 512


@dataclass(frozen=True)
class Standing:
    """A match and what the engine makes of it. ``result`` is the engine's answer to ``match``, frozen.

    It may count fewer deals than were closed: a correction can put some behind the match's last point.
    """

    state: MatchState
    result: dict[str, Any]

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


def judge(state: MatchState) -> Standing:
    """Score the closed deals. Raises ``BrokenMatch`` where they cannot be."""
    request = state.request()
    result = rules.match(request, frozen=True)
    if result["status"] != "invalid":
        return Standing(state, result)
    # A correction may have won the match earlier than it was played to.
    for count in range(1, len(request["deals"])):
        shorter = rules.match({**request, "deals": request["deals"][:count]}, frozen=True)
        if shorter["status"] == "won":
            return Standing(state, shorter)
    raise BrokenMatch(result["problems"])


def standing_of(match: Match) -> Standing:
    """Return where the match stands.

    Kept by the version it belongs to, so that any other process's writing shows at once; treat it as frozen.
    """
    standing = _kept().get((match.table_id, match.number, match.head))
    return standing or _keep(match, judge(replay(entries_of(match))))


def standing_after(match: Match, before: Standing | None, written: Sequence[Record]) -> Standing:
    """Return where the match stands with what was just ``written``, after ``before``. Raises ``BrokenMatch``."""
    entries = before.state.entries if before else ()
    return _keep(match, judge(replay([*entries, *written])))


def note(match: Match, head: int, written: Sequence[Record]) -> None:
    """Keep where the match stands with what was just noted in the deal being played, after version ``head``.

    No point moves by it, so neither is the journal folded anew nor a deal scored: a tap costs the same in a long match.
    """
    before = _kept().get((match.table_id, match.number, head))
    if before is None:
        return
    state, deal = before.state, before.state.current
    if all(one.kind in NOTED and one.payload["deal"] == deal.number for one in written):
        current = replace(deal, noted=[*deal.noted, *written])
        deals = [current if one is deal else one for one in state.deals]
        entries = (*state.entries, *written)
        noted = replace(state, head=written[-1].seq, deals=deals, current=current, entries=entries)
        _keep(match, Standing(noted, before.result))


def _kept() -> Recent[Standing]:
    kept: Recent[Standing] = current_app.extensions.setdefault("scorekeeper.standings", Recent(KEPT))
    return kept


def _keep(match: Match, standing: Standing) -> Standing:
    """Keep a standing for the version it belongs to; not before that version is one for good."""
    kept, version = _kept(), (match.table_id, match.number, standing.state.head)
    once_committed(lambda: kept.put(version, standing))
    return standing
