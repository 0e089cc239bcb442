"""The open items that a side can take together: not every group is possible, for one pack decides them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..cards import Position
from .item_lines import ItemScorer, KnownDeal
from .items import Item, Prime
from .known import Known
from .outlook import Gains, examples, parts_of
from .ways import Ways


class Taking(NamedTuple):
    """Some open items that a side can take: their positions as a set of bits, and the points for all of them."""

    items: int
    points: int


@dataclass(frozen=True)
class _Branch:
    """A side's points of the items looked at so far, with ways that give it those."""

    taking: Taking
    goals: tuple[Gains, ...]
    ways: Ways | None = None
    """Ways that agree with all the goals; None without goals."""


def takings(side: Position, items: Sequence[Item], scorer: ItemScorer, deal: KnownDeal) -> set[Taking]:
    """Return all takings of a side over all ways of sharing out the cards; raises ``BudgetSpent``."""
    known = deal.known()
    branches = [_Branch(Taking(0, 0), ())]
    for position, item in sorted(enumerate(items), key=lambda each: isinstance(each[1], Prime)):
        reader, judge = scorer.reader(item, deal.given), scorer.judge_of(item, deal)
        worth = sorted({judge(read).points[side] for read in examples(reader, known.base)}, reverse=True)
        grown = []
        for branch in branches:
            for points in worth:
                goal = Gains(reader, judge, side, points)
                ways = branch.ways if len(worth) == 1 else _ways_with(goal, branch, known)
                if ways is not None or len(worth) == 1:
                    mask, total = branch.taking
                    taking = Taking(mask | (points > 0) << position, total + points)
                    grown.append(_Branch(taking, branch.goals if len(worth) == 1 else (*branch.goals, goal), ways))
        branches = grown
    return {branch.taking for branch in branches}


def _ways_with(goal: Gains, branch: _Branch, known: Known) -> Ways | None:
    """Return ways that agree with a branch and one goal more, those of the branch first; None if there are none."""
    near = None if branch.ways is None else next(parts_of(branch.ways, (goal,)), None)
    if near is not None:
        return near
    return next((part for ways, said in known.parts for part in parts_of(ways, (*branch.goals, goal, *said))), None)
