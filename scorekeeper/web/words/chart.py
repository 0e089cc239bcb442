"""A chart of totals as parts of an SVG: a line for each side, the target, and names at the ends of the lines.

No name is cut. One that is too long for a line of the chart is broken between words, a line below the other; where that
takes more room than there is, only the totals are at the ends, and the names in full in a legend below the chart.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TypeVar

from ...rules.contract import Number
from .values import numeral

WIDTH = 344
LEFT, TOP, BOTTOM = 28, 18, 192
LABEL = 19
"""Height of a name at the end of a line."""
LEADING = 17
"""Height of each further line of a name."""
LETTER, CAPITAL, BROAD, THIN = 10, 12, 15.5, 7
"""Widths of bold letters of such a name, in the broadest of the usual fonts."""
WIDEST = 160
"""The most width of a name: most of the chart is for its lines."""
LONG = 12
"""Letters up to which a name has one line although it could have several."""
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
    """The lines of its total and name; the total alone where there is a legend, nothing where so many have no room."""
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
    left: float
    """The place across at which the lines begin."""
    right: float
    """The place across at which the lines end."""
    steps: list[tuple[float, str]]
    legend: list[tuple[int, str, str]] = field(default_factory=list)
    """Place, total and name of each side where the names have no room at the ends; else empty."""


def chart_of(
    course: Sequence[Mapping[Key, Number]],
    names: Mapping[Key, str],
    steps: Sequence[str],
    target: Number | None = None,
) -> Chart | None:
    """Return the chart of totals after each step, which began at nought; None before the second step.

    A name may have several lines: each player's, where two play together.
    """
    if len(course) < 2:
        return None
    totals = {key: numeral(course[-1][key]) for key in names}
    place_of = {key: place for place, key in enumerate(names, 1)}
    named = ends_of(totals, names)
    only_totals = {key: [total] if has_room([[total]] * len(names)) else [] for key, total in totals.items()}
    ends = named or only_totals
    left = max(LEFT, ceil(width_of(str(target))) + 6 if target else 0)
    right = round(WIDTH - 20 - max((width_of(line) for lines in ends.values() for line in lines), default=0))
    values = [step[key] for step in course for key in names]
    low, high = float(min(0, *values)), float(max(1, target or 0, *values))

    def height(value: Number) -> float:
        return round(BOTTOM - (value - low) * (BOTTOM - TOP) / (high - low), 1)

    across = [round(left + (right - left) * step / len(course), 1) for step in range(len(course) + 1)]
    further = LEADING * (max(map(len, ends.values())) - 1) if any(ends.values()) else 0
    ideal = {key: height(course[-1][key]) for key in names}
    heights = (
        spread(ideal, LABEL + further, TOP - 4 + further / 2, BOTTOM - further / 2) if any(ends.values()) else ideal
    )
    lines = [
        Line(
            place_of[key],
            [(across[0], height(0)), *zip(across[1:], (height(step[key]) for step in course), strict=True)],
            ends[key],
            heights[key],
        )
        for key in names
    ]
    widest = max(map(width_of, steps)) + 6
    every = ceil(max(len(course) / NUMBERED, widest * len(course) / (right - left)))
    # From the last backwards, so that the last always has its name.
    shown = [(across[at + 1], steps[at]) for at in range(len(course) - 1, -1, -every)]
    legend = [] if named else [(place_of[key], totals[key], " ".join(name.split("\n"))) for key, name in names.items()]
    return Chart(lines, height(0), height(target) if target else None, left, right, shown[::-1], legend)


def ends_of(totals: Mapping[Key, str], names: Mapping[Key, str]) -> dict[Key, list[str]] | None:
    """Return the lines of each total and name; None where the names have no room beside the chart.

    A name has the lines that it is given where there is room for them all; else they are broken anew, between words.
    """
    labels = {key: f"{totals[key]} {name}" for key, name in names.items()}
    joined = {key: _broken(" ".join(label.split("\n"))) for key, label in labels.items()}
    given = {
        key: joined[key] if len(label) <= LONG else [part for line in label.split("\n") for part in _broken(line)]
        for key, label in labels.items()
    }
    fitting = (ends for ends in (given, joined) if has_room(list(ends.values())))
    return next(fitting, None)


def has_room(ends: Sequence[Sequence[str]]) -> bool:
    """Return whether these labels have room at the ends of the lines: narrow enough, and all below each other."""
    each = LABEL + LEADING * (max(map(len, ends)) - 1)
    is_high = each * len(ends) > BOTTOM - TOP + 4 + LABEL
    return not is_high and all(width_of(line) <= WIDEST for lines in ends for line in lines)


def _broken(text: str) -> list[str]:
    """Return a text in lines that are narrow enough, broken between words; a word alone may be too wide."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer) <= WIDEST:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def width_of(text: str) -> float:
    """Return the width that a text of a chart certainly has room in: it is not known which font draws it."""
    return sum(map(_width, text))


def _width(letter: str) -> float:
    if unicodedata.combining(letter) or unicodedata.category(letter) in ("Cf", "Me"):
        return 0
    if letter in "mwMW%@—…" or ord(letter) >= 0x250 or letter in "ŒœÆæ":
        return BROAD
    if letter in " .,:;'’|!()-·ijlrtfI":
        return THIN
    return CAPITAL if letter.isupper() else LETTER


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
