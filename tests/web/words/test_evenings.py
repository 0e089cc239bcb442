"""An evening: matches that each began less than six hours after the one before, headed by the day of the first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from scorekeeper.store import evenings
from scorekeeper.store.models import now
from scorekeeper.store.ranking import Result
from scorekeeper.web.words.dates import COOKIE
from scorekeeper.web.words.evenings import by_evening, wins_over_time

THURSDAY = datetime(2026, 6, 4, tzinfo=UTC)


def begun(*hours: float) -> list[Any]:
    """Return matches that began so many hours after the Thursday began, the newest first."""
    each = [SimpleNamespace(match=number, started_at=at(hour), ended_at=None) for number, hour in enumerate(hours, 1)]
    return each[::-1]


def at(hour: float) -> datetime:
    return THURSDAY + timedelta(hours=hour)


def grouped(app: Flask, *hours: float, minutes: str = "0") -> list[tuple[int, list[int]]]:
    """Return the evenings as (day of June, numbers of their matches), the newest first."""
    with app.test_request_context(headers={"Cookie": f"{COOKIE}={minutes}"}):
        return [(day.day, [match.match for match in group]) for day, group in by_evening(begun(*hours))]


def test_midnight_splits_nothing(app: Flask) -> None:
    assert grouped(app, 22, 23.5, 24.5, 26) == [(4, [4, 3, 2, 1])]


def test_nor_does_dawn(app: Flask) -> None:
    assert grouped(app, 23, 28, 31) == [(4, [3, 2, 1])]


@pytest.mark.parametrize(("hours", "count"), [(5.99, 1), (6, 2), (6.01, 2)])
def test_six_hours_without_a_match_do(app: Flask, hours: float, count: int) -> None:
    assert len(grouped(app, 10, 10 + hours)) == count


def test_many_short_pauses_are_a_long_evening(app: Flask) -> None:
    assert grouped(app, *range(10, 40, 5)) == [(4, [6, 5, 4, 3, 2, 1])]


def test_the_day_is_that_of_the_first_match_by_the_phone_s_clock(app: Flask) -> None:
    assert grouped(app, 23, 25) == [(4, [2, 1])]
    assert grouped(app, 23, 25, minutes="480") == [(5, [2, 1])]
    assert grouped(app, 23, 25, minutes="-600") == [(4, [2, 1])]


def test_no_match_is_no_evening(app: Flask) -> None:
    assert grouped(app) == []


@pytest.mark.parametrize(("pause", "since"), [(5.9, at(20)), (6.1, None)])
def test_tonight_goes_on_for_six_hours_after_its_last_match_began(
    monkeypatch: pytest.MonkeyPatch, pause: float, since: datetime | None
) -> None:
    moment = at(25 + pause)
    monkeypatch.setattr(evenings, "now", lambda: moment)
    assert evenings.tonight(begun(2, 20, 25)) == (since or moment)


def test_before_the_first_match_no_evening_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evenings, "now", lambda: at(1))
    assert evenings.tonight([]) == at(1)


def won(*hours: float) -> Sequence[Result]:
    """Return matches that the first player has won, which began so many hours after the Thursday began."""
    sides: Any = [{"label": "A", "players": [1]}, {"label": "B", "players": [2]}]
    return [Result(number, "chorizo", "won", sides, {}, ["A"], at(hour)) for number, hour in enumerate(hours, 1)]


def test_a_chart_of_one_evening_has_a_step_for_each_match_past_dawn_too(app: Flask) -> None:
    with app.test_request_context():
        steps = wins_over_time(won(22, 26, 30), [(1,), (2,)])
    assert steps is not None
    assert [(counts[(1,)], name) for counts, name in steps] == [(1, "1"), (2, "2"), (3, "3")]


def test_a_chart_of_several_has_a_step_for_each_evening(app: Flask) -> None:
    with app.test_request_context():
        steps = wins_over_time(won(22, 26, 30, 46), [(1,), (2,)])
    assert steps is not None
    assert [(counts[(1,)], name) for counts, name in steps] == [(3, "Jun 4"), (4, "Jun 5")]
    assert date(2026, 6, 4) == THURSDAY.date()


def test_a_match_taken_up_again_is_of_the_evening_in_which_it_ended(app: Flask) -> None:
    left, evening = begun(20, 21, 44)[::-1][:2], begun(44)
    left[0].ended_at = at(46)
    found = [*left, *evening]
    with app.test_request_context():
        assert [(day.day, len(group)) for day, group in by_evening(found)] == [(5, 2), (4, 1)]


def test_a_long_match_of_one_night_is_of_the_evening_in_which_it_began(app: Flask) -> None:
    (match,) = begun(20)
    match.ended_at = at(25)
    with app.test_request_context():
        assert [day.day for day, _group in by_evening([match])] == [4]


def tallied(monkeypatch: pytest.MonkeyPatch, *matches: tuple[str, str], hour: float = 25, **doubt: Any) -> Any:
    """Return the tally of matches, each with its sides (a letter a player) and who won, the last in ``doubt``."""
    rows = begun(*range(20, 20 + len(matches)))
    for row, (sides, winner) in zip(rows, matches[::-1], strict=True):
        row.sides = [{"label": side, "players": ["-ABCD".index(side)]} for side in sides]
        row.winners, row.doubt_at, row.doubt_decides = [winner], None, False
    vars(rows[0]).update(doubt)
    monkeypatch.setattr(evenings, "newest", lambda _table: rows)
    monkeypatch.setattr(evenings, "now", lambda: at(hour))
    found = evenings.tally(None, 1)  # type: ignore[arg-type]
    return [(players[0], count) for players, count in found.won], found.goes_on


def test_a_match_in_doubt_is_won_by_nobody_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    in_doubt = {"doubt_at": now(), "doubt_decides": True}
    assert tallied(monkeypatch, ("AB", "A"), ("AB", "B"), **in_doubt)[0] == [(1, 1), (2, 0)]
    assert tallied(monkeypatch, ("AB", "A"), ("AB", "B"))[0] == [(2, 1), (1, 1)]


def test_whoever_has_won_nothing_is_named_only_where_the_same_two_played_all_evening(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for other in (("AC", "A"), ("ABC", "A")):
        assert tallied(monkeypatch, ("AB", "A"), other)[0] == [(1, 2)]


@pytest.mark.parametrize(("hour", "goes_on"), [(26.9, True), (27.1, False)])
def test_an_evening_goes_on_for_six_hours_after_its_last_match(
    monkeypatch: pytest.MonkeyPatch, hour: float, goes_on: bool
) -> None:
    assert tallied(monkeypatch, ("AB", "A"), ("AB", "A"), hour=hour)[1] is goes_on
