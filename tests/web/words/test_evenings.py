"""An evening: matches that were played less than six hours one after the other, headed by the day on which it began."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask

from scorekeeper.store import evenings
from scorekeeper.store.evenings import GAP
from scorekeeper.store.history_rows import Counted, rows_of
from scorekeeper.store.models import MatchSummary
from scorekeeper.store.ranking import Step
from scorekeeper.web.words.evenings import by_evening, wins_over_time

THURSDAY = datetime(2026, 6, 4, tzinfo=UTC)


def at(hour: float) -> datetime:
    return THURSDAY + timedelta(hours=hour)


def grouped(*hours: float, zone: str | None = None) -> list[tuple[int, list[int]]]:
    """Return the evenings as (day of June, numbers of their matches), the newest first.

    The matches count so many hours after the Thursday began in UTC.
    """
    matches = [
        Counted(number, "chorizo", "playing", [], {}, [], doubt_decides=False, counted_at=at(hour), evening=date.min)
        for number, hour in enumerate(hours, 1)
    ]
    days = dict(rows_of(1, sorted(matches, key=lambda one: one.counted_at), zone).evenings)
    found = [SimpleNamespace(match=number, evening=day) for number, day in days.items()]
    found.sort(key=lambda one: (one.evening, one.match), reverse=True)
    return [(day.day, [one.match for one in group]) for day, group in by_evening(cast(list[MatchSummary], found))]


def test_midnight_splits_nothing() -> None:
    assert grouped(22, 23.5, 24.5, 26) == [(4, [4, 3, 2, 1])]


@pytest.mark.parametrize(("pause", "days"), [(5.99, [4]), (6, [5, 4]), (6.01, [5, 4])])
def test_six_hours_without_a_match_do(pause: float, days: list[int]) -> None:
    assert [day for day, _matches in grouped(24, 24 + pause)] == days


def test_two_evenings_of_one_day_are_listed_as_one() -> None:
    assert grouped(10, 20) == [(4, [2, 1])]


def test_the_small_hours_are_of_the_day_before() -> None:
    assert grouped(28.9) == [(4, [1])]
    assert grouped(29) == [(5, [1])]


@pytest.mark.parametrize(("zone", "day"), [(None, 4), ("Asia/Shanghai", 5), ("Mars", 4)])
def test_the_day_is_that_of_its_first_match_by_the_clocks_of_the_table(zone: str | None, day: int) -> None:
    assert grouped(23, 25, zone=zone) == [(day, [2, 1])]


def test_no_match_is_no_evening() -> None:
    assert grouped() == []


def test_matches_are_sorted_by_evening_then_by_number_and_one_taken_up_again_is_of_its_last_evening() -> None:
    assert grouped(46, 21, 44) == [(5, [3, 1]), (4, [2])]


@pytest.mark.parametrize(("zone", "moment"), [(None, at(12)), ("America/Montevideo", at(15))])
def test_noon_of_a_day_is_that_of_the_zone(zone: str | None, moment: datetime) -> None:
    assert evenings.noon_of(THURSDAY.date(), zone) == moment
    assert evenings.day_of(moment, zone) == THURSDAY.date()


@pytest.mark.parametrize("name", ["America/Montevideo", "UTC"])
def test_a_zone_has_an_iana_name(name: str) -> None:
    assert evenings.is_zone(name)


@pytest.mark.parametrize("name", ["", "localtime", "../etc/passwd", "Mars"])
def test_nothing_else_is_a_zone(name: str) -> None:
    assert not evenings.is_zone(name)


def named(app: Flask, *whens: str) -> list[tuple[int, str]] | None:
    """Return how many matches the first player has won after each of these steps, one in each, and its name."""
    with app.test_request_context():
        steps = wins_over_time([Step(when, {(1,): 1}) for when in whens], [(1,), (2,)])
    return steps and [(won[(1,)], name) for won, name in steps]


def test_a_chart_of_one_evening_has_a_step_for_each_match(app: Flask) -> None:
    assert named(app, "", "", "") == [(1, "1"), (2, "2"), (3, "3")]


def test_a_chart_of_several_has_the_names_of_days_months_or_years(app: Flask) -> None:
    assert named(app, "2026-06-04", "2026-06-05") == [(1, "Jun 4"), (2, "Jun 5")]
    assert named(app, "2026-05", "2026-06") == [(1, "May"), (2, "Jun")]
    assert named(app, "2025", "2026") == [(1, "2025"), (2, "2026")]


def test_one_step_is_no_chart(app: Flask) -> None:
    assert named(app, "2026-06-04") is None


class Rows:
    """A database that answers every question with these rows."""

    def __init__(self, rows: list[Any]) -> None:
        self.session, self.rows = self, rows

    def execute(self, *_asked: Any) -> Rows:
        return self

    def all(self) -> list[Any]:
        return self.rows


def tallied(monkeypatch: pytest.MonkeyPatch, *matches: tuple[str, str], hour: float = 25, **doubt: Any) -> Any:
    """Return the tally of matches, each with its sides (a letter a player) and who won, the last in ``doubt``."""
    rows = [
        SimpleNamespace(
            match=number,
            sides=[{"label": side, "players": ["-ABCD".index(side)]} for side in sides],
            winners=[winner],
            counted_at=at(19 + number),
            doubt_at=None,
            doubt_decides=False,
        )
        for number, (sides, winner) in enumerate(matches, 1)
    ][::-1]
    vars(rows[0]).update(doubt)
    monkeypatch.setattr(evenings, "db", Rows(rows))
    monkeypatch.setattr(evenings, "now", lambda: at(hour))
    found = evenings.tally(SimpleNamespace(id=1), 1, {})  # type: ignore[arg-type]
    return [(players[0], count) for players, count in found.won], found.goes_on


def test_a_match_in_doubt_is_won_by_nobody_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    in_doubt = {"doubt_at": at(21), "doubt_decides": True}
    monkeypatch.setattr("scorekeeper.store.doubts.now", lambda: at(22))
    assert tallied(monkeypatch, ("AB", "A"), ("AB", "B"), **in_doubt)[0] == [(1, 1), (2, 0)]
    assert tallied(monkeypatch, ("AB", "A"), ("AB", "B"))[0] == [(2, 1), (1, 1)]


@pytest.mark.parametrize(("hour", "goes_on"), [(26.9, True), (27.1, False)])
def test_an_evening_goes_on_for_six_hours_after_its_last_match(
    monkeypatch: pytest.MonkeyPatch, hour: float, goes_on: bool
) -> None:
    assert timedelta(hours=6) == GAP
    assert tallied(monkeypatch, ("AB", "A"), ("AB", "A"), hour=hour)[1] is goes_on
