"""A chart of totals: what is on it has its place, and no name lies over another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web.words.chart import BOTTOM, LABEL, LEADING, TOP, WIDTH, chart_of, spread

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


def test_a_long_name_is_cut_and_leaves_room_for_the_lines() -> None:
    chart = chart_of([{"A": 1, "B": 2}] * 3, {"A": "x" * 40, "B": "Beto"}, ["1", "2", "3"])
    assert chart is not None
    assert chart.lines[0].name[0].endswith("…")
    assert WIDTH / 3 < chart.right < WIDTH


def test_a_pair_is_named_whole_on_two_lines_that_leave_most_of_the_room_to_the_course() -> None:
    pairs = {"A": "María José\ny Cata", "B": "Guillermo\ny Washington"}
    chart = chart_of([{"A": 6, "B": 2}, {"A": 18, "B": 16}], pairs, ["1", "2"])
    assert chart is not None
    assert [line.name for line in chart.lines] == [["18 María José", "y Cata"], ["16 Guillermo", "y Washington"]]
    assert chart.right > WIDTH * 0.55
    first, second = (line.y for line in chart.lines)
    assert second - first >= LABEL + LEADING


def test_of_many_sides_each_name_has_one_line() -> None:
    many = dict.fromkeys("ABCD", "María José\ny Cata")
    chart = chart_of([dict.fromkeys(many, 1)] * 2, many, ["1", "2"])
    assert chart is not None
    assert [line.name for line in chart.lines] == [["1 María José y Ca…"]] * 4


def test_the_last_step_always_has_its_name_and_names_keep_apart() -> None:
    steps = [str(number) for number in range(1, 120)]
    chart = chart_of([{"A": number, "B": 1} for number in range(1, 120)], NAMES, steps)
    assert chart is not None
    assert chart.steps[-1][1] == "119"
    places = [x for x, _name in chart.steps]
    assert all(later - earlier > 20 for earlier, later in pairwise(places))
    assert len(chart.lines[0].marks) == 1


@given(st.lists(st.floats(TOP, BOTTOM), min_size=1, max_size=9))
def test_names_at_the_ends_never_lie_over_each_other(heights: list[float]) -> None:
    placed = sorted(spread(dict(enumerate(heights)), LABEL, TOP, BOTTOM).values())
    assert all(later - earlier >= LABEL - 0.001 for earlier, later in pairwise(placed))
