"""The course of a match as a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...limits import POINTS_OF_A_LINE

MARGIN = 2


def thinned(course: Sequence[Mapping[str, int]]) -> Sequence[Mapping[str, int]]:
    """Return so many of the totals as a line can show, the last among them."""
    step = -(-len(course) // POINTS_OF_A_LINE)
    return course if step <= 1 else [*course[:-1:step], course[-1]]


def polyline(course: Sequence[Mapping[str, int]], label: str, width: int, height: int) -> str:
    """Return the points of a side's line, from nothing to its last total; all sides' lines share one scale."""
    course = thinned(course)
    values = [value for step in course for value in step.values()]
    low, top = min(0, *values), max(1, *values)
    scale = (height - 2 * MARGIN) / (top - low)
    totals = [0, *(step[label] for step in course)]
    return " ".join(
        f"{turn * width / len(course):.1f},{height - MARGIN - (total - low) * scale:.1f}"
        for turn, total in enumerate(totals)
    )
