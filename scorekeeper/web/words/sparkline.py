"""The course of a match, its totals deal by deal, as a line of an SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ...limits import POINTS_OF_A_LINE
from ...rules.contract import Number

MARGIN = 2
Step = TypeVar("Step")


def thinned(course: Sequence[Step]) -> Sequence[Step]:
    """Return as many of the totals as a line can show, evenly spread, always with the last."""
    step = -(-len(course) // POINTS_OF_A_LINE)
    return course if step <= 1 else [*course[:-1:step], course[-1]]


def polyline(course: Sequence[Mapping[str, Number]], label: str, width: int, height: int) -> str:
    """Return one side's line as the ``points`` of an SVG polyline, from 0 to its last total.

    The scale covers the totals of all sides, so that their lines can lie over each other.
    """
    course = thinned(course)
    values = [value for step in course for value in step.values()]
    low, top = min(0, *values), max(1, *values)
    scale = (height - 2 * MARGIN) / (top - low)
    totals = [0, *(step[label] for step in course)]
    return " ".join(
        f"{turn * width / len(course):.1f},{height - MARGIN - (total - low) * scale:.1f}"
        for turn, total in enumerate(totals)
    )
