"""A chart of totals as parts of an SVG: a line for each side, the target, and names at the ends of the lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TypeVar

from ...rules.contract import Number
from .values import numeral

WIDTH, HEIGHT = 344, 220
LEFT, TOP, BOTTOM = 28, 18, 192
LABEL = 19
"""Height of a name at the end of a line."""
LEADING = 17
"""Height of each further line of a name."""
LETTER = 9
"""Width of a letter of such a name."""
WIDEST = 18
"""Letters of a line of such a name: a longer one is cut, and is in full beside the chart."""
LONG = 12
"""Letters up to which a name has one line although it could have several."""
MOST_LINES = 6
"""Lines of names that have room below each other."""
MARKED = 20
"""Steps up to which each has its sign on the lines; beyond, only the last has one."""
NUMBERED = 12
"""Steps that are named under the chart."""
Key = TypeVar("Key")


@dataclass(frozen=True)
class Line:
    """How one side went: its points on the chart, and its name at the end, moved where others are close."""

    place: int
    """The number of its colour, sign and dashes."""
    points: list[tuple[float, float]]
    name: list[str]
    """The lines of its total and name."""
    y: float
    """The middle of the name."""

    @property
    def path(self) -> str:
        """The line as the points of a polyline."""
        return " ".join(f"{x:g},{y:g}" for x, y in self.points)

    @property
    def marks(self) -> list[tuple[float, float]]:
        """The places of the side's sign on the line."""
        return self.points[1:] if len(self.points) <= MARKED + 1 else self.points[-1:]


@dataclass(frozen=True)
class Chart:
    """All lines, with the heights of nought and of the target (None if there is none), and the named steps."""

    lines: list[Line]
    zero: float
    target: float | None
    right: float
    """The place across at which the lines end."""
    steps: list[tuple[float, str]]


def chart_of(
    course: Sequence[Mapping[Key, Number]],
    names: Mapping[Key, str],
    steps: Sequence[str],
    target: Number | None = None,
    places: Mapping[Key, int] | None = None,
) -> Chart | None:
    """Return the chart of totals after each step, which began at nought; None before the second step.

    A name may have several lines: each player's, where two play together.
    """
    if len(course) < 2:
        return None
    ends = {key: _lines(f"{numeral(course[-1][key])} {name}", len(names)) for key, name in names.items()}
    right = round(WIDTH - 20 - LETTER * max(len(line) for lines in ends.values() for line in lines))
    label = LABEL + LEADING * (max(map(len, ends.values())) - 1)
    values = [step[key] for step in course for key in names]
    low, high = float(min(0, *values)), float(max(1, target or 0, *values))

    def height(value: Number) -> float:
        return round(BOTTOM - (value - low) * (BOTTOM - TOP) / (high - low), 1)

    across = [round(LEFT + (right - LEFT) * step / len(course), 1) for step in range(len(course) + 1)]
    heights = spread({key: height(course[-1][key]) for key in names}, label, TOP - 4, BOTTOM + 4)
    lines = [
        Line(
            places[key] if places else place,
            [(across[0], height(0)), *zip(across[1:], (height(step[key]) for step in course), strict=True)],
            ends[key],
            heights[key],
        )
        for place, key in enumerate(names, 1)
    ]
    widest = LETTER * max(map(len, steps)) + 6
    every = ceil(max(len(course) / NUMBERED, widest * len(course) / (right - LEFT)))
    # From the last backwards, so that the last always has its name.
    named = [(across[at + 1], steps[at]) for at in range(len(course) - 1, -1, -every)]
    return Chart(lines, height(0), height(target) if target else None, right, named[::-1])


def _lines(text: str, sides: int) -> list[str]:
    """Return a total and a name as the lines of a label: those that the name has, where they have room."""
    lines = text.split("\n")
    has_room = sides * len(lines) <= MOST_LINES
    return [_cut(line) for line in lines] if has_room and len(text) > LONG else [_cut(" ".join(lines))]


def _cut(text: str) -> str:
    return text if len(text) <= WIDEST else text[: WIDEST - 1].rstrip() + "…"


def spread(heights: Mapping[Key, float], label: float, top: float, bottom: float) -> dict[Key, float]:
    """Return heights at which no two labels overlap: pushed down from the top, then back up from the foot."""
    ordered = sorted(heights, key=lambda key: heights[key])
    placed: dict[Key, float] = {}
    last = top - label
    for key in ordered:
        last = placed[key] = max(heights[key], last + label)
    last = bottom + label
    for key in reversed(ordered):
        last = placed[key] = min(placed[key], last - label)
    return placed
