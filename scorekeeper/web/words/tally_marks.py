"""River Plate tally marks: a square with its diagonal for every five points, drawn as paths of an SVG."""

from __future__ import annotations

from dataclasses import dataclass

from ...limits import LARGEST_TALLY_MARKS
from ...rules.contract import Number

STEP, UNIT = 27, 20
"""A square is 20 units wide, and the next one begins 27 units after it: strokes are 3 wide."""
# Left, top, right, bottom, diagonal: the order in which the strokes of a square are drawn.
_STROKES = ("M{x} 23V3", "M{x} 3h20", "M{end} 3v20", "M{end} 23h-20", "M{x} 23l20-20")


@dataclass(frozen=True)
class TallyMarks:
    """The strokes of tally marks, each of the three as the ``d`` of a path; "" if there are none."""

    counted: str
    new: str
    missing: str
    width: int
    """Units from the first stroke to the last."""


def tally_marks(total: Number, gained: Number, target: int | None) -> TallyMarks | None:
    """Return the strokes of a side that had ``total`` points before ``gained`` more, towards a target.

    Points below zero and beyond the target have no stroke. None if there is no target, or one too high to draw.
    """
    if target is None or not 0 < target <= LARGEST_TALLY_MARKS:
        return None
    before = min(max(int(min(total, total + gained)), 0), target)
    now = min(max(int(total + gained), before), target)
    last = 0 if target % 5 == 1 else UNIT  # a square of one stroke is a line
    return TallyMarks(_path(0, before), _path(before, now), _path(now, target), (target - 1) // 5 * STEP + last)


def _path(first: int, last: int) -> str:
    """Return the strokes from number ``first`` to before ``last``."""
    return "".join(
        _STROKES[stroke % 5].format(x=stroke // 5 * STEP + 1, end=stroke // 5 * STEP + 1 + UNIT)
        for stroke in range(first, last)
    )
