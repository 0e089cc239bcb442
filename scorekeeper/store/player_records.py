"""What a player has done at a table, from the summaries of its matches and the sweeps in their journals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select

from ..limits import RECORD_CLOSINGS
from . import journal, queries
from .db import db
from .models import Entry, MatchSummary, Table

WINDOW = 100
"""Matches of the table that are looked at together: a page of a player's record."""
CLOSINGS = (journal.DEAL_CLOSED, journal.VOIDED)
"""What is read of their journals."""


@dataclass
class WinCount:
    """Matches played, and how many of those that were won by anybody were won with this player."""

    played: int = 0
    won: int = 0
    decided: int = 0

    def add(self, won: bool | None) -> None:
        """Count a match; None for one that nobody has won."""
        self.played += 1
        self.decided += won is not None
        self.won += bool(won)


@dataclass
class OfGame(WinCount):
    """The same for one game, with its deals: their points, the sweeps, the best deal and the match it was in."""

    deals: int = 0
    points: int = 0
    sweeps: int = 0
    best: int | None = None
    best_match: int = 0

    @property
    def points_per_deal(self) -> float:
        """Return the mean."""
        return self.points / self.deals if self.deals else 0.0


@dataclass
class PlayerRecord:
    """A player's record over a window of matches, newest first."""

    number: int
    games: dict[str, OfGame] = field(default_factory=lambda: defaultdict(OfGame))
    against: dict[int, WinCount] = field(default_factory=lambda: defaultdict(WinCount))
    beside: dict[int, WinCount] = field(default_factory=lambda: defaultdict(WinCount))
    results: list[bool] = field(default_factory=list)
    matches: list[MatchSummary] = field(default_factory=list)

    @property
    def streak(self) -> int:
        """Return how many matches in a row were won up to now; below 0 how many were lost."""
        if not self.results:
            return 0
        length = next((at for at, won in enumerate(self.results) if won != self.results[0]), len(self.results))
        return length if self.results[0] else -length

    @property
    def longest(self) -> int:
        """Return the longest row of matches won."""
        longest = row = 0
        for won in self.results:
            row = row + 1 if won else 0
            longest = max(longest, row)
        return longest


def window(table: Table, before: int | None = None) -> tuple[list[MatchSummary], int | None]:
    """Return the matches of the table that a page of a player's record is made from, as ``queries.history`` does.

    Where they hold more closings than one page reads, they are fewer, but never none.
    """
    summaries, more = queries.history(table, before, size=WINDOW)
    counted = (
        select(Entry.match, func.count())
        .where(Entry.table_id == table.id, Entry.match.in_([one.match for one in summaries]))
        .where(Entry.kind.in_(CLOSINGS))
        .group_by(Entry.match)
    )
    rows = {row[0]: row[1] for row in db.session.execute(counted)}
    left = RECORD_CLOSINGS
    for place, summary in enumerate(summaries):
        left -= rows.get(summary.match, 0)
        if left < 0 and place:
            return summaries[:place], summaries[place - 1].match
    return summaries, more


def record_of(number: int, summaries: Sequence[MatchSummary], fewest_is_best: Iterable[str] = ()) -> PlayerRecord:
    """Return what player ``number`` did in these matches; in the games ``fewest_is_best`` a low deal is a good one."""
    record = PlayerRecord(number)
    lowest = frozenset(fewest_is_best)
    mine = [(summary, side) for summary in summaries if (side := _side_of(number, summary)) is not None]
    sweeps = _sweeps([summary for summary, _side in mine])
    for summary, side in mine:
        won = side["label"] in summary.winners if summary.status == "won" else None
        record.matches.append(summary)
        if won is not None:
            record.results.append(won)
        game = record.games[summary.game]
        game.add(won)
        game.sweeps += sweeps.get((summary.match, side["label"]), 0)
        _add_deals(game, summary, side["label"], summary.game in lowest)
        for other in summary.sides:
            for player in other["players"]:
                if player != number:
                    (record.beside if other is side else record.against)[player].add(won)
    return record


def _side_of(number: int, summary: MatchSummary) -> Mapping[str, Any] | None:
    return next((side for side in summary.sides if number in side["players"]), None)


def _add_deals(game: OfGame, summary: MatchSummary, label: str, lowest: bool) -> None:
    """Count the points of each deal: the steps between the totals."""
    game.deals += summary.deals
    before = 0
    for totals in summary.course:
        points, before = totals[label] - before, totals[label]
        game.points += points
        if game.best is None or (points < game.best if lowest else points > game.best):
            game.best, game.best_match = points, summary.match


def _sweeps(summaries: Sequence[MatchSummary]) -> dict[tuple[int, str], int]:
    """Return the sweeps of each side in the closed deals that count, by match and label."""
    if not summaries:
        return {}
    query = (
        select(Entry.id, Entry.match, Entry.kind, Entry.payload)
        .where(Entry.table_id == summaries[0].table_id, Entry.match.in_([one.match for one in summaries]))
        .where(Entry.kind.in_(CLOSINGS))
    )
    entries = list(db.session.execute(query))
    voided = {entry.payload["entry"] for entry in entries if entry.kind == journal.VOIDED}
    counted = {summary.match: len(summary.course) for summary in summaries}
    closed = [one for one in entries if one.kind == journal.DEAL_CLOSED and one.id not in voided]
    found: dict[tuple[int, str], int] = defaultdict(int)
    place: dict[int, int] = defaultdict(int)
    for entry in sorted(closed, key=lambda one: (one.match, one.payload["deal"])):
        place[entry.match] += 1
        # What was played after a match was won is kept, and does not count.
        if place[entry.match] <= counted[entry.match]:
            for label, sweeps in entry.payload["facts"].get("sweeps", {}).items():
                found[entry.match, label] += sweeps
    return found
