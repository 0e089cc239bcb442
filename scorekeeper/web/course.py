"""The course of a match as a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Flask

MARGIN = 2


def polyline(course: Sequence[Mapping[str, int]], label: str, width: int, height: int) -> str:
    """Return the points of a side's line, from nothing to its last total; all sides' lines share one scale."""
    values = [value for step in course for value in step.values()]
    low, top = min(0, *values), max(1, *values)
    scale = (height - 2 * MARGIN) / (top - low)
    totals = [0, *(step[label] for step in course)]
    return " ".join(
        f"{turn * width / len(course):.1f},{height - MARGIN - (total - low) * scale:.1f}"
        for turn, total in enumerate(totals)
    )


def init_course(app: Flask) -> None:
    """Give the line to the templates."""
    app.jinja_env.globals["polyline"] = polyline
