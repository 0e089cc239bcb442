"""The record of a player at a table, from the summaries of its matches and the sweeps in their journals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from sqlalchemy import ColumnElement, func, select

from ..limits import RECORD_CLOSINGS
from ..rules.contract import Number
from . import queries
from .db import db
from .doubts import is_open
from .journal import kinds
from .models import Entry, MatchSummary, SummarySide, Table
from .who import Merged, once

WINDOW = 100
"""Matches of the table on one page of a player's record, with or without the player."""
CLOSINGS = (kinds.DEAL_CLOSED, kinds.VOIDED)
"""The kinds of entries that are read from the journals."""


@dataclass
class WinCount:
    """The numbers of matches played, of those with a winner (``decided``), and of those that the player won."""

    played: int = 0
    won: int = 0
    decided: int = 0

    def add(self, won: bool | None) -> None:
        """Count a match; None is one without a winner."""
        self.played += 1
        self.decided += won is not None
        self.won += bool(won)


@dataclass
class OfGame(WinCount):
    """The matches of one game: their deals, points and sweeps, the best deal and the number of its match."""

    deals: int = 0
    points: Number = 0
    sweeps: int = 0
    best: Number | None = None
    best_match: int = 0
    together: int = 0
    """Matches with partners; their points and sweeps are those of the pair."""

    @property
    def points_per_deal(self) -> float:
        """Return the mean points; 0 before the first deal."""
        return self.points / self.deals if self.deals else 0.0


@dataclass
class PlayerRecord:
    """A player's record over a window of matches, newest first. ``against`` and ``beside`` are by player number."""

    number: int
    games: dict[str, OfGame] = field(default_factory=lambda: defaultdict(OfGame))
    against: dict[int, WinCount] = field(default_factory=lambda: defaultdict(WinCount))
    beside: dict[int, WinCount] = field(default_factory=lambda: defaultdict(WinCount))
    results: list[bool] = field(default_factory=list)
    matches: list[MatchSummary] = field(default_factory=list)

    @property
    def won(self) -> int:
        """Return the number of matches won."""
        return sum(self.results)

    @property
    def streak(self) -> int:
        """Return how many of the newest matches were won in a row; negative if they were lost."""
        if not self.results:
            return 0
        length = next((at for at, won in enumerate(self.results) if won != self.results[0]), len(self.results))
        return length if self.results[0] else -length

    @property
    def longest(self) -> int:
        """Return the most matches won in a row."""
        longest = row = 0
        for won in self.results:
            row = row + 1 if won else 0
            longest = max(longest, row)
        return longest


def window(table: Table, before: int | None = None) -> tuple[list[MatchSummary], int | None]:
    """Return the matches for one page of a player's record, newest first, and the ``before`` of the next page, if any.

    They are fewer than ``WINDOW`` if their journals hold more closings than one page may read, but at least one.
    """
    summaries, more = queries.history(table, before, size=WINDOW)
    query = select(Entry.match, func.count()).where(*_closings_of(table.id, summaries)).group_by(Entry.match)
    rows = {row[0]: row[1] for row in db.session.execute(query)}
    left = RECORD_CLOSINGS
    for place, summary in enumerate(summaries):
        left -= rows.get(summary.match, 0)
        if left < 0 and place:
            return summaries[:place], summaries[place - 1].match
    return summaries, more


def _closings_of(table_id: int, summaries: Sequence[MatchSummary]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions for the closings of these matches, and their voidings."""
    in_one = Entry.match.in_([summary.match for summary in summaries])
    return Entry.table_id == table_id, in_one, Entry.kind.in_(CLOSINGS)


def record_of(
    number: int,
    summaries: Sequence[MatchSummary],
    fewest_is_best: Iterable[str] = (),
    merged: Merged = MappingProxyType({}),
) -> PlayerRecord:
    """Return the record of player ``number``, and of all who were merged into that one, over these matches.

    In the games ``fewest_is_best`` the best deal is the one with the fewest points.
    """
    record = PlayerRecord(number)
    lowest = frozenset(fewest_is_best)
    own = frozenset(once([number], merged))
    mine = [(summary, side) for summary in summaries if (side := _side_of(own, summary)) is not None]
    sweeps = _sweeps([summary for summary, _side in mine])
    for summary, side in mine:
        # A player who left before the end has neither won nor lost.
        is_decided = summary.status == "won" and not is_open(summary) and not own.isdisjoint(side["players"])
        won = side["label"] in summary.winners if is_decided else None
        record.matches.append(summary)
        if won is not None:
            record.results.append(won)
        game = record.games[summary.game]
        game.add(won)
        game.together += len(side["players"]) > 1
        places = _places_of(own, side, summary)
        game.sweeps += sum(sweeps.get((summary.match, side["label"], place), 0) for place in places)
        _add_deals(game, summary, side["label"], places, summary.game in lowest)
        for other in summary.sides:
            for player in other["players"]:
                if player not in own:
                    (record.beside if other is side else record.against)[merged.get(player, player)].add(won)
    return record


def _side_of(own: Collection[int], summary: MatchSummary) -> SummarySide | None:
    def has(side: SummarySide) -> bool:
        seated = (*side["players"], *(stint["player"] for stint in side.get("stints", ())))
        return any(number in own for number in seated)

    return next(filter(has, summary.sides), None)


def _places_of(own: Collection[int], side: SummarySide, summary: MatchSummary) -> list[int]:
    """Return the places in the course of a match of the deals that a player played for a side."""
    if "stints" not in side:
        return list(range(len(summary.course)))
    stints = [stint for stint in side["stints"] if stint["player"] in own]
    return [place for stint in stints for place in range(stint["first"], stint["last"] + 1)]


def _add_deals(game: OfGame, summary: MatchSummary, label: str, places: Sequence[int], lowest: bool) -> None:
    """Count the points of each deal played, from the differences of the totals."""
    game.deals += summary.deals - (len(summary.course) - len(places))
    totals = [0, *(step.get(label, 0) for step in summary.course)]
    for place in places:
        points = totals[place + 1] - totals[place]
        game.points += points
        if game.best is None or (points < game.best if lowest else points > game.best):
            game.best, game.best_match = points, summary.match


def _sweeps(summaries: Sequence[MatchSummary]) -> dict[tuple[int, str, int], int]:
    """Return the sweeps of the deals that count, by match, side and place of the deal."""
    if not summaries:
        return {}
    query = select(Entry.id, Entry.match, Entry.kind, Entry.payload)
    entries = list(db.session.execute(query.where(*_closings_of(summaries[0].table_id, summaries))))
    voided = {entry.payload["entry"] for entry in entries if entry.kind == kinds.VOIDED}
    counted = {summary.match: len(summary.course) for summary in summaries}
    closed = [entry for entry in entries if entry.kind == kinds.DEAL_CLOSED and entry.id not in voided]
    sweeps_of: dict[tuple[int, str, int], int] = defaultdict(int)
    place: dict[int, int] = defaultdict(int)
    for entry in sorted(closed, key=lambda entry: (entry.match, entry.payload["deal"])):
        place[entry.match] += 1
        # Deals after the end of a match, which a correction can move, do not count.
        if place[entry.match] <= counted[entry.match]:
            for label, sweeps in entry.payload["facts"].get("sweeps", {}).items():
                sweeps_of[entry.match, label, place[entry.match] - 1] += sweeps or 0
    return sweeps_of
