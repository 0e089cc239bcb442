"""Plain points of a deal (docs/contract.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from . import schema
from .problems import Problems
from .sheet import Line, Sheet


def read_points(value: object, sides: Sequence[str], problems: Problems) -> dict[str, int]:
    """Read the points of a whole deal by side; a side may be missing."""
    given = schema.by_side(value, "points", sides, problems)
    return {label: schema.integer(points, f"points.{label}") for label, points in given.items()}


def with_points(sheet: Sheet, given: Mapping[str, int]) -> Sheet:
    """Give a sheet its one line of points; the line is open while a side has none."""
    if sheet.problems.fatal:
        return sheet
    missing = [label for label in sheet.sides if label not in given]
    if missing:
        sheet.lines = [Line("points", None, "open")]
        sheet.points = (0,) * len(sheet.sides)
        sheet.ask = {"count": "points", "side": missing[0], "settles": ["points"]}
    else:
        points = tuple(given[label] for label in sheet.sides)
        sheet.lines = [Line("points", points, "given", points, "said")]
        sheet.points = points
    return sheet
