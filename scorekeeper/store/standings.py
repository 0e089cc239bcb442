"""The standing of a match: its journal, scored by the engine.

Standings are cached in this process under the version of their match, so entries of another process show at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

from flask import current_app

from scorekeeper import rules

from ..limits import CACHED_STANDINGS, STORED_MATCH_STEPS
from ..rules import contract
from .db import once_committed
from .journal import kinds
from .journal.entries import JournalEntry, entries_of
from .journal.replay import DealState, MatchState, replay, with_notes
from .lru import LruCache
from .models import Match

ENTRY, SHEET = 500, 4_000
"""Estimated characters of an entry without its facts, and of a sheet, for the bound of the cache."""
BUDGET_SPENT = "budget_spent"
"""The engine's warning that its budget was spent before the end."""


@dataclass(frozen=True)
class Standing:
    """A match replayed from its journal, with the engine's answer to ``match``.

    ``result`` may have fewer sheets than closed deals: a correction of an earlier deal can end the match sooner. It
    shares its sheets with the engine's cache, so it must not be changed. The lines of its sheets may have only points
    and reasons; :meth:`explained` returns full ones.
    """

    state: MatchState
    result: contract.Standing
    entries_weight: int = 0
    """The estimated characters of the entries."""
    played: rules.Played | None = field(default=None, compare=False, repr=False)
    """The match before its last deal: the standing after one more deal goes on from there."""
    _explained: dict[int, contract.Sheet] = field(default_factory=dict, compare=False, repr=False)

    @property
    def weight(self) -> int:
        """Return the estimated characters of the standing."""
        return self.entries_weight + SHEET * len(self.result["sheets"])

    @property
    def sheets(self) -> list[tuple[DealState, contract.Sheet]]:
        """Return each counted deal with its sheet, whose lines may have only points and reasons."""
        return list(zip(self.state.closed, self.result["sheets"], strict=False))

    @property
    def last(self) -> tuple[DealState, contract.Sheet] | None:
        """The last counted deal with its full sheet; None before the first."""
        counted = self.sheets
        return (counted[-1][0], self.explained(len(counted) - 1)) if counted else None

    def explained(self, place: int) -> contract.Sheet:
        """Return the full sheet of a counted deal by its place, from 0: all that is certain of its lines."""
        if place == len(self.state.closed) - 1:
            return self.result["sheets"][place]
        if place not in self._explained:
            self._explained[place] = score_match(self.state, {place})["sheets"][place]
        return self._explained[place]

    @property
    def is_over(self) -> bool:
        """Return whether the match is won, or was stopped."""
        return self.result["status"] == "won" or self.state.ended is not None or self.state.typed is not None

    @cached_property
    def totals(self) -> dict[contract.Side, contract.Number]:
        """Return the totals of all sides, also of those that have left or have not played yet.

        Where notes count at once, those of the deal being played are among them.
        """
        if not self.counts_notes:
            return self.settled
        return {label: total + self.noted.get(label, 0) for label, total in self.settled.items()}

    @property
    def settled(self) -> dict[contract.Side, contract.Number]:
        """The totals of all sides after the last closed deal, without any note."""
        return {**dict.fromkeys(self.state.setup.labels, 0), **self.result["totals"]}

    @cached_property
    def noted(self) -> dict[contract.Side, contract.Number]:
        """The points that what is noted in the deal being played gives each side already."""
        state, deal = self.state, self.state.current
        try:
            asked = state.deal_request(deal, deal.noted_so_far())
            points = rules.points_noted({**state.engine_setup(), "deal": asked})
        except rules.Malformed:
            points = {}
        return {label: points.get(label, 0) for label in deal.setup.labels}

    @cached_property
    def counts_notes(self) -> bool:
        """True if what is noted in the deal being played counts at once; nothing counts after a match is won."""
        return self.result["status"] != "won" and ending_of(self.state).counts_at_once

    @property
    def has_begun(self) -> bool:
        """True if a deal counts, or a note that counts at once."""
        return bool(self.result["sheets"]) or (self.counts_notes and bool(self.state.current.noted))

    @cached_property
    def winners(self) -> list[str]:
        """Return the labels of the sides that won; several if the game lets sides win together.

        The leader wins a match that the table stops, if its rules name no end or the table says so.
        """
        winner, ended = self.result["winner"], self.state.ended
        if winner is None and ended is not None:
            return self.leaders(always=bool(ended.payload.get("leader")))
        return winner if isinstance(winner, list) else [] if winner is None else [winner]

    def leaders(self, *, always: bool) -> list[str]:
        """Return the sides that win if the table stops the match now; ``always`` also if the rules name an end."""
        totals = {label: self.totals[label] for label in self.state.setup.labels}
        return rules.leaders_by_hand(self.state.engine_setup(), totals, always=always)

    @cached_property
    def course(self) -> list[dict[contract.Side, contract.Number]]:
        """Return the totals of all sides after each counted deal; a side that enters later has none before."""
        totals: dict[contract.Side, contract.Number] = {side.label: 0 for side in self.state.everybody}
        steps = []
        for sheet in self.result["sheets"]:
            points = sheet.get("points") or {}
            totals = {**totals, **{side: totals.get(side, 0) + gained for side, gained in points.items()}}
            steps.append(totals)
        return steps


def ending_of(state: MatchState) -> rules.Ending:
    """Return when a match ends, by the rules of the deal being played."""
    table = rules.read_table(state.engine_setup(), rules.Problems())
    return rules.Ending() if table is None else rules.match_ending(table)


class BrokenMatch(Exception):
    """The journal holds deals that the engine refuses; ``problems`` says why."""

    def __init__(self, problems: list[contract.Problem]) -> None:
        super().__init__(str(problems))
        self.problems = problems


def is_unfinished(sheet: contract.Scored) -> bool:
    """Return whether a sheet is open because the budget was spent. Saved like this, it would always be open."""
    return sheet["status"] == "open" and any(problem["code"] == BUDGET_SPENT for problem in sheet["problems"])


def blocking_problems(sheet: contract.Scored) -> list[contract.Problem]:
    """Return the problems that prevent saving a sheet: its errors, and a spent budget as an error."""
    blocking = (one for one in sheet["problems"] if one["severity"] == "error" or one["code"] == BUDGET_SPENT)
    return [{**problem, "severity": "error"} for problem in blocking]


def score_match(
    state: MatchState, explained: Collection[int] | None = None, played: rules.Played | None = None
) -> contract.Standing:
    """Score the closed deals.

    ``explained`` are the places of the deals with full lines; None is the last one. Raises ``BrokenMatch`` if the
    engine calls them invalid. A result from paper has no deals: it is read as it was typed. ``played`` is as in
    ``rules.match``.
    """
    if state.typed is not None:
        return _as_typed(state, state.typed.payload)
    # A correction may end the match before its last closed deal: the deals after that stay stored, but do not count.
    answer = rules.match(
        state.request(),
        frozen=True,
        until_won=True,
        bounded=True,
        most_steps=STORED_MATCH_STEPS,
        explained={len(state.closed) - 1} if explained is None else explained,
        played=played,
    )
    result = cast(contract.Standing, answer)
    if result["status"] == "invalid":
        raise BrokenMatch(result["problems"])
    return result


def _as_typed(state: MatchState, payload: kinds.AnyPayload) -> contract.Standing:
    """Return a result from paper as the engine's ``match`` answers."""
    return {
        "game": state.setup.game,
        "preset": state.setup.preset or "",
        "options": {**state.setup.options},
        "sides": state.setup.labels,
        "totals": {**payload["totals"]},
        "sheets": [],
        "status": "won" if payload["winners"] else "playing",
        "winner": [*payload["winners"]] or None,
        "reason": None,
        "next_dealer": None,
        "problems": [],
    }


def standing_with(standing: Standing, closings: Mapping[int, JournalEntry | None]) -> Standing:
    """Return the standing of a match with other closings, by the numbers of their deals. Raises ``BrokenMatch``."""
    deals = [replace(deal, closed=closings.get(deal.number, deal.closed)) for deal in standing.state.deals]
    state = replace(standing.state, deals=deals)
    return Standing(state, score_match(state))


def score_closing(state: MatchState, deal: DealState, closing: JournalEntry) -> contract.Scored:
    """Return the sheet of a closing of a deal, accepted or not."""
    return score_deal(state, deal, closing.payload["facts"])


def score_deal(
    state: MatchState,
    deal: DealState,
    facts: contract.Deal | None = None,
    *,
    most_steps: int | None = None,
    asks: bool = False,
) -> contract.Scored:
    """Return the sheet of one deal of a match, scored from ``facts``, by default the deal's own.

    Facts of the wrong shape give an invalid sheet without lines. ``most_steps`` is as in ``rules.score``: with 0 steps
    the sheet has the problems of shape, and all that takes work is open. With ``asks`` it has the next question, too.
    """
    try:
        asked = {**state.engine_setup(deal.setup), "deal": state.deal_request(deal, facts), "ask": asks}
        sheet = rules.score(asked, bounded=True, most_steps=most_steps)
    except rules.Malformed as malformed:
        return {
            "status": "invalid",
            "problems": malformed.problems,
            "lines": [],
            "points": {},
            "redeal": None,
            "match": {"won_by": None, "lost_by": None},
        }
    return cast(contract.Scored, sheet)


def standing_of(match: Match) -> Standing:
    """Return the standing of the match at its head, from the cache or the journal; it must not be changed."""
    standing = _cache().get((match.table_id, match.number), match.head)
    if standing is None:
        standing = standing_after(None, entries_of(match))
        cache_standing(match, standing)
    return standing


def standing_after(before: Standing | None, new: Sequence[JournalEntry], *, moves: bool = True) -> Standing:
    """Return the standing after ``new`` entries that follow ``before``. Raises ``BrokenMatch``.

    ``moves`` is false if no new entry changes which closings count: the engine's answer is then the former one.
    """
    noted = None if moves or before is None else with_notes(before.state, new)
    state = noted or replay([*(before.state.entries if before else ()), *new])
    weight = sum(ENTRY + len(repr(entry.payload.get("facts", ""))) for entry in new)
    weight += before.entries_weight if before else 0
    if before is not None and not moves:
        return Standing(state, before.result, weight, before.played)
    played = rules.Played(before.played if before else None)
    return Standing(state, score_match(state, played=played), weight, played)


def known_standing(match: Match) -> Standing | None:
    """Return the standing of the match at its head if it is cached; it must not be changed."""
    return _cache().get((match.table_id, match.number), match.head)


def cache_standing(match: Match, standing: Standing) -> None:
    """Cache a standing under its version, after the commit: a version that is rolled back may come again."""
    cache_under((match.table_id, match.number), standing)


def cache_under(key: tuple[int, int], standing: Standing) -> None:
    """Cache the standing of the match with this key, as ``cache_standing`` does."""
    cache = _cache()
    once_committed(lambda: cache.put(key, standing, standing.state.head, standing.weight))


def forget_standings(table_id: int) -> None:
    """Drop the standings of a table that is deleted."""
    _cache().forget(lambda key: key[0] == table_id)


def _cache() -> LruCache[Standing]:
    cache: LruCache[Standing] = current_app.extensions.setdefault("scorekeeper.standings", LruCache(CACHED_STANDINGS))
    return cache
