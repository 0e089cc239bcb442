"""The turning points of a won match: how far behind its winner was, since when it led, and the line that decided it.

All of it follows from the sheets alone:

    totals after deal 4:  B 6, A 18   the winner B was 12 behind, a third of the target or more   Comeback
    ahead after deal:     - - - - B   B is ahead of everybody from deal 5 on, to the end          Lead
    deal 7, the last:     prime 26–25, without its points B would not have won then               Decider
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import TypeAlias

from .. import rules
from ..rules.contract import Number, SettledLine, Sheet, Side
from .standings import Standing

PART = 3
"""A winner has come back who was behind by one part in so many of the target; without one, of the highest total."""
CLOSE = 10
"""A line is close if the taker is ahead by one, or by no more than one part in so many of its number."""
TRIVIAL = frozenset({"given", "manual", "left_in_hand", "agreed"})
"""Reasons of lines that are the whole result of a deal, or an agreement: nothing was decided between them."""
FEWEST = 3
"""Deals from which on it is worth a sentence that somebody led in each."""

Totals: TypeAlias = Mapping[Side, Number]


@dataclass(frozen=True)
class Comeback:
    """The deal after which the winner was furthest behind, with its total and that of the best other."""

    side: Side
    deal: int
    own: Number
    best: Number
    is_between_two: bool
    """True if the match was between two sides, and the most points win: both totals say who was behind."""

    @property
    def gap(self) -> Number:
        """The points by which the winner was behind."""
        return abs(self.best - self.own)


@dataclass(frozen=True)
class Lead:
    """The deal after which the winner was ahead of everybody, and so after each later one."""

    side: Side
    deal: int
    is_first: bool
    """True if it is the first deal that counts."""
    is_last: bool


@dataclass(frozen=True)
class Decider:
    """The line of the last deal without whose points the winner would not have won then."""

    side: Side
    deal: int
    line: SettledLine
    numbers: tuple[Number, Number] | None
    """The numbers that the winner and the best other had of it; None if the sheet does not say."""


TurningPoint: TypeAlias = Comeback | Lead | Decider


def turning_points(standing: Standing) -> list[TurningPoint]:
    """Return what turned a match that one side won, at most one of each kind; [] of any other."""
    last, winners = standing.last, standing.winners
    if last is None or len(winners) != 1:
        return []
    table = rules.read_table(standing.state.engine_setup(last[0].setup), rules.Problems())
    if table is None:
        return []
    sheets = [(deal.number, sheet) for deal, sheet in [*standing.sheets[:-1], last]]
    return turning_points_of(sheets, winners[0], rules.match_ending(table))


def turning_points_of(sheets: Sequence[tuple[int, Sheet]], winner: Side, ending: rules.Ending) -> list[TurningPoint]:
    """Return what turned a match with these sheets, by the numbers of their deals, that the side has won."""
    if ending.counts_wins:
        # The totals do not say who is ahead.
        return []
    course = _course(sheets)
    if not course or winner not in course[-1][1]:
        return []
    points = (
        _comeback(course, winner, ending),
        _lead(course, winner, ending),
        _decider(course, sheets, winner, ending),
    )
    return [point for point in points if point is not None]


def _course(sheets: Sequence[tuple[int, Sheet]]) -> list[tuple[int, Totals]]:
    """Return the totals after each deal that counts, by its number, of those who have played and play in the last."""
    course: list[tuple[int, Totals]] = []
    totals: dict[Side, Number] = {}
    for number, sheet in sheets:
        if sheet["redeal"] is None and sheet["points"]:
            totals = {**totals, **{side: totals.get(side, 0) + points for side, points in sheet["points"].items()}}
            course.append((number, totals))
            playing = sheet["points"].keys()
    return [(number, {side: then[side] for side in playing if side in then}) for number, then in course]


def _gap(totals: Totals, side: Side, ending: rules.Ending) -> tuple[Number, Number]:
    """Return by how much a side is behind the best other (below nought: ahead), and the total of that one."""
    others = [total for other, total in totals.items() if other != side]
    if not others:
        return 0, totals[side]
    best = min(others) if ending.winner == "lowest" else max(others)
    return (totals[side] - best if ending.winner == "lowest" else best - totals[side]), best


def _comeback(course: Sequence[tuple[int, Totals]], winner: Side, ending: rules.Ending) -> Comeback | None:
    behind = [(*_gap(totals, winner, ending), deal, totals) for deal, totals in course if winner in totals]
    # Of several that are level the last one.
    gap, best, deal, totals = max(behind, key=lambda each: (each[0], each[2]))
    whole = ending.target or max(abs(total) for total in course[-1][1].values())
    if gap <= 0 or PART * gap < whole:
        return None
    return Comeback(winner, deal, totals[winner], best, len(totals) == 2 and ending.winner == "highest")


def _lead(course: Sequence[tuple[int, Totals]], winner: Side, ending: rules.Ending) -> Lead | None:
    since = None
    for place, (_deal, totals) in enumerate(course):
        if winner not in totals or len(totals) < 2 or _gap(totals, winner, ending)[0] >= 0:
            since = None
        elif since is None:
            since = place
    if since is None or len(course) < (2 if since else FEWEST):
        return None
    return Lead(winner, course[since][0], since == 0, since == len(course) - 1)


def _won_by(totals: Totals, ending: rules.Ending) -> list[Side]:
    """Return who wins a match with these totals after its last deal; [] if it goes on."""
    if ending.rounds is None and (ending.target is None or max(totals.values()) < ending.target):
        return []
    leading = ending.leading([*totals.values()])
    return [] if len(leading) > 1 and ending.tie == "extra_round" else [[*totals][place] for place in leading]


def _decider(
    course: Sequence[tuple[int, Totals]], sheets: Sequence[tuple[int, Sheet]], winner: Side, ending: rules.Ending
) -> Decider | None:
    """Return the line that decided, of several the closest one; one that did not change who won has to be close."""
    deal, totals = course[-1]
    sheet = dict(sheets)[deal]
    if _won_by(totals, ending) != [winner]:
        # Won at once, or stopped by hand.
        return None
    deciders = []
    for line in sheet["lines"]:
        if line["reason"] == "open" or line["reason"] in TRIVIAL or not _helps(line["points"], winner, ending):
            continue
        points = line["points"]
        without = _won_by({side: total - points.get(side, 0) for side, total in totals.items()}, ending)
        numbers = _numbers(line, winner)
        margin = inf if numbers is None else (numbers[0] - numbers[1]) / numbers[0]
        is_close = numbers is not None and numbers[0] > 1 and (numbers[0] - numbers[1] <= 1 or margin * CLOSE <= 1)
        if winner not in without and (without or is_close):
            deciders.append((not without, margin, -abs(points[winner]), Decider(winner, deal, line, numbers)))
    return min(deciders, key=lambda each: each[:3])[3] if deciders else None


def _helps(points: Totals, winner: Side, ending: rules.Ending) -> bool:
    """Return whether the points of a line bring the winner ahead of another side."""
    least, most = min(points.values()), max(points.values())
    return points[winner] < most if ending.winner == "lowest" else points[winner] > least


def _numbers(line: SettledLine, winner: Side) -> tuple[Number, Number] | None:
    """Return what the winner and the best other have of a line; None unless certain, and more for the winner."""
    values = line.get("values") or {}
    others = [value for side, value in values.items() if side != winner]
    own = values.get(winner)
    if own is None or not others:
        return None
    best = max(value or 0 for value in others)
    return (own, best) if own > best else None
