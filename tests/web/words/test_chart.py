"""A chart of totals: what is on it has its place, and no name lies over another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.limits import MATCH_SIDES, NAME_LETTERS
from scorekeeper.web.words.chart import BOTTOM, LABEL, LEADING, TOP, WIDTH, chart_of, width_of
from scorekeeper.web.words.sparkline import polyline
from scorekeeper.web.words.values import numeral

HEIGHT = 220
"""That of the drawing (templates/macros/chart.html)."""
NAMES = {"A": "Ana", "B": "Beto"}


def test_lines_begin_at_nought_and_end_at_their_totals() -> None:
    chart = chart_of([{"A": 5, "B": 2}, {"A": 9, "B": 10}], NAMES, ["1", "2"], 21)
    assert chart is not None
    assert chart.target == TOP
    assert chart.zero == BOTTOM
    assert [line.name for line in chart.lines] == [["9 Ana"], ["10 Beto"]]
    assert all(line.points[0] == (28, BOTTOM) and line.points[-1][0] == chart.right for line in chart.lines)


def test_one_deal_is_no_line() -> None:
    assert chart_of([{"A": 5, "B": 2}], NAMES, ["1"]) is None


def test_points_below_nought_have_their_place() -> None:
    chart = chart_of([{"A": -5, "B": 2}, {"A": -9, "B": 10}], NAMES, ["1", "2"])
    assert chart is not None
    assert TOP < chart.zero < BOTTOM
    assert chart.lines[0].points[-1][1] == BOTTOM


def test_a_long_name_is_broken_between_its_words_and_leaves_room_for_the_lines() -> None:
    chart = chart_of([{"A": 1, "B": 2}] * 3, {"A": "María de los Ángeles Fernández", "B": "Beto"}, ["1", "2", "3"])
    assert chart is not None
    assert chart.lines[0].name == ["1 María de los", "Ángeles", "Fernández"]
    assert not chart.legend
    assert WIDTH / 3 < chart.right < WIDTH


def test_a_name_that_cannot_be_broken_is_in_full_below_the_chart() -> None:
    chart = chart_of([{"A": 1, "B": 2}] * 3, {"A": "x" * 40, "B": "Beto\ny Cata"}, ["1", "2", "3"])
    assert chart is not None
    assert [line.name for line in chart.lines] == [["1"], ["2"]]
    assert chart.legend == [(1, "1", "x" * 40), (2, "2", "Beto y Cata")]
    assert chart.right > WIDTH * 0.8


def test_a_pair_is_named_whole_on_two_lines_that_leave_most_of_the_room_to_the_course() -> None:
    pairs = {"A": "María José\ny Cata", "B": "Guillermo\ny Washington"}
    chart = chart_of([{"A": 6, "B": 2}, {"A": 18, "B": 16}], pairs, ["1", "2"])
    assert chart is not None
    assert [line.name for line in chart.lines] == [["18 María José", "y Cata"], ["16 Guillermo", "y Washington"]]
    assert chart.right > WIDTH * 0.55
    first, second = (line.y for line in chart.lines)
    assert second - first >= LABEL + LEADING


def test_a_target_of_many_digits_has_room_before_the_lines() -> None:
    chart = chart_of([{"A": 5, "B": 2}] * 2, NAMES, ["1", "2"], 100_000)
    assert chart is not None
    assert chart.left - 6 >= width_of("100000")


LETTERS = st.sampled_from("aeinlmw WMA漢é")


@given(
    st.lists(st.text(LETTERS, min_size=1, max_size=NAME_LETTERS), min_size=2, max_size=MATCH_SIDES),
    st.integers(-5000, 100_000),
)
def test_no_name_is_cut_and_each_lies_on_the_chart_apart_from_the_others(names: list[str], total: int) -> None:
    named = {place: " ".join(name.split()) for place, name in enumerate(names)}
    chart = chart_of([dict.fromkeys(named, total)] * 2, named, ["1", "2"])
    assert chart is not None
    boxes = []
    for line, name in zip(chart.lines, named.values(), strict=True):
        written = " ".join(line.name)
        assert chart.legend or written == f"{numeral(total)} {name}".strip()
        assert all(chart.right + 11 + width_of(each) <= WIDTH for each in line.name)
        if line.name:
            further = LEADING * (len(line.name) - 1) / 2
            boxes.append((line.y - further - LABEL / 2, line.y + further + LABEL / 2))
    assert all(top >= 0 and foot <= HEIGHT - LABEL + 1 for top, foot in boxes)
    assert all(later[0] >= earlier[1] - 0.001 for earlier, later in pairwise(sorted(boxes)))
    if chart.legend:
        assert [name for _place, _total, name in chart.legend] == [*named.values()]


def test_the_last_step_always_has_its_name_and_names_keep_apart() -> None:
    steps = [str(number) for number in range(1, 120)]
    chart = chart_of([{"A": number, "B": 1} for number in range(1, 120)], NAMES, steps)
    assert chart is not None
    assert chart.steps[-1][1] == "119"
    places = [x for x, _name in chart.steps]
    assert all(later - earlier > 20 for earlier, later in pairwise(places))
    assert len(chart.lines[0].marks) == 1


@pytest.mark.parametrize(
    ("course", "points"),
    [
        ([{"A": 10, "B": 0}], "0.0,30.0 100.0,2.0"),
        ([{"A": 5, "B": 0}, {"A": 10, "B": -10}], "0.0,16.0 50.0,9.0 100.0,2.0"),
    ],
)
def test_a_small_line_starts_at_nothing_and_fits_below_zero_too(course: list[dict[str, int]], points: str) -> None:
    assert polyline(course, "A", 100, 32) == points
