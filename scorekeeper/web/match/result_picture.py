"""The result of a match as a picture: laid out here, drawn by ``sharing/result.svg``, rendered by resvg."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import fontpkg
import resvg_py
from flask import render_template

from ...rules.contract import Number, Side
from ..words.chart import spread
from ..words.sparkline import thinned
from ..words.values import numeral
from .view import MatchView

SIZE = 1080
CACHED = 32
"""How many rendered pictures a process holds."""
FONTS = [str(fontpkg.path("Roboto"))]
"""One file with every weight of Roboto."""
IN_ROBOTO = {*range(0x180), *range(0x384, 0x3CF), *range(0x400, 0x487), *map(ord, "–—…·“”‘’")}
"""The letters that Roboto certainly has: Latin, Greek and Cyrillic. Others may need a font of the machine."""
LETTER = 0.56
"""The average width of a letter, as a share of the font size."""
PER_ROW = 4
"""Tiles side by side."""

LEFT, RIGHT, TOP, BOTTOM = 110, 790, 590, 930
LABEL = 34
"""Height of a label at the end of a line."""


@dataclass(frozen=True)
class Svg:
    """A picture that is not rendered yet."""

    text: str


@dataclass(frozen=True)
class Fitted:
    """A text that fits its place, with its font size."""

    text: str
    size: int


def fit(text: str, width: float, size: int, least: int = 26) -> Fitted:
    """Return the text at the largest size, up to ``size``, at which it fits; below ``least`` it is cut instead."""
    fitting = int(min(size, width / (LETTER * max(len(text), 1))))
    if fitting >= least:
        return Fitted(text, fitting)
    letters = int(width / (LETTER * least))
    return Fitted(text if len(text) <= letters else text[: letters - 1].rstrip() + "…", least)


@dataclass(frozen=True)
class Tile:
    """One side's players and total, with their place on the picture."""

    names: list[Fitted]
    total: Fitted
    x: float
    y: float
    width: float
    height: float
    won: bool


def tiles(match: MatchView) -> Iterator[Tile]:
    """Yield a tile for each side: side by side, in several rows where many play."""
    sides = [(side.label, [match.players[number] for number in side.players]) for side in match.setup.sides]
    columns = min(len(sides), PER_ROW)
    rows = -(-len(sides) // columns)
    width, height = (SIZE - 120) / columns, 330 / rows
    for index, (label, names) in enumerate(sides):
        row, column = divmod(index, columns)
        yield Tile(
            [fit(name, width - 50, int(min(52, height * 0.2 * (1 if len(names) == 1 else 0.75)))) for name in names],
            fit(numeral(match.totals[label]), width - 50, int(height * 0.56)),
            60 + column * width,
            190 + row * height,
            width - 16,
            height - 16,
            label in match.standing.winners,
        )


@dataclass(frozen=True)
class Curve:
    """How a side's total went: its points on the picture, and its name at the end."""

    points: list[tuple[float, float]]
    name: Fitted
    y: float
    """The height of the name, moved so that names do not lie over each other."""


@dataclass(frozen=True)
class Chart:
    """The lines of all sides, with the heights of 0 and of the target (None if there is no target)."""

    lines: list[Curve]
    zero: float
    target: float | None


def chart(match: MatchView) -> Chart | None:
    """Return the chart of the totals; None if fewer than two deals were played."""
    course: list[Mapping[Side, Number]] = [dict.fromkeys(match.sides, 0), *thinned(match.standing.course)]
    if len(course) < 3:
        return None
    values = [total for totals in course for total in totals.values()]
    low, high = float(min(0, *values)), float(max(1, match.ending.target or 0, *values))

    def height(value: float) -> float:
        return round(BOTTOM - (value - low) * (BOTTOM - TOP) / (high - low), 1)

    step = (RIGHT - LEFT) / (len(course) - 1)
    ends = spread({label: height(course[-1][label]) for label in match.sides}, LABEL, TOP - LABEL, BOTTOM)
    lines = [
        Curve(
            [(round(LEFT + step * deal, 1), height(totals[label])) for deal, totals in enumerate(course)],
            fit(name, SIZE - RIGHT - 110, 30, 24),
            ends[label],
        )
        for label, name in match.sides.items()
    ]
    return Chart(lines, height(0), height(match.ending.target) if match.ending.target else None)


def draw(match: MatchView) -> Svg:
    """Return the picture of the result, in the reader's language."""
    parts: dict[str, Any] = {"tiles": list(tiles(match)), "chart": chart(match)}
    return Svg(render_template("sharing/result.svg", match=match, fit=fit, **parts))


def forget_pictures() -> None:
    """Drop the pictures of this process: a table is deleted, and they do not say of which they are."""
    render.cache_clear()


@lru_cache(maxsize=CACHED)
def render(svg: Svg) -> bytes:
    """Return the picture as PNG."""
    # Reading the machine's fonts takes longer than the rendering, so they are read only for letters that Roboto lacks.
    ours = IN_ROBOTO.issuperset(map(ord, svg.text))
    fonts: dict[str, Any] = {"font_files": FONTS, "font_family": "Roboto", "sans_serif_family": "Roboto"}
    return bytes(resvg_py.svg_to_bytes(svg_string=svg.text, skip_system_fonts=ours, **fonts))
