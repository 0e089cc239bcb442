"""Tally marks: a square with its diagonal for five points, drawn up to the target."""

from __future__ import annotations

import pytest

from scorekeeper.limits import LARGEST_TALLY_MARKS
from scorekeeper.web.words.tally_marks import tally_marks


def strokes(path: str) -> int:
    return path.count("M")


@pytest.mark.parametrize(
    ("total", "gained", "counted", "new", "missing"),
    [(0, 0, 0, 0, 21), (17, 3, 17, 3, 1), (20, 5, 20, 1, 0), (5, -2, 3, 0, 18)],
)
def test_each_point_is_a_stroke(total: int, gained: int, counted: int, new: int, missing: int) -> None:
    drawn = tally_marks(total, gained, 21)
    assert drawn
    assert (strokes(drawn.counted), strokes(drawn.new), strokes(drawn.missing)) == (counted, new, missing)


@pytest.mark.parametrize("target", [None, 0, LARGEST_TALLY_MARKS + 1])
def test_there_is_none_without_a_target_or_with_one_too_high(target: int | None) -> None:
    assert tally_marks(3, 1, target) is None
