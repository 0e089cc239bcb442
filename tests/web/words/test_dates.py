"""The day is the phone's: its clock is believed within the hours that clocks on Earth are apart."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from scorekeeper.web.words.dates import COOKIE, OLD_COOKIE, local

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


def shown(app: Flask, minutes: str) -> timedelta:
    """Return how far from UTC a phone is shown the time that has told so many minutes."""
    with app.test_request_context(headers={"Cookie": f"{OLD_COOKIE}={minutes}"}):
        return local(NOON) - NOON


@pytest.mark.parametrize(("told", "minutes"), [("345", 345), ("841", 840), ("-841", -840), ("soon", 0)])
def test_no_clock_is_further_from_utc_than_fourteen_hours(app: Flask, told: str, minutes: int) -> None:
    assert shown(app, told) == timedelta(minutes=minutes)


def test_a_phone_that_has_not_said_is_shown_utc(app: Flask) -> None:
    with app.test_request_context():
        assert local(NOON) == NOON


@pytest.mark.parametrize(("zone", "hours"), [("Africa/Tunis", 1), ("America/Montevideo", -3), ("Mars", 2), ("", 2)])
def test_a_phone_is_shown_the_time_of_its_zone_and_where_it_names_none_by_its_minutes(
    app: Flask, zone: str, hours: int
) -> None:
    with app.test_request_context(headers={"Cookie": f"{COOKIE}={zone}; {OLD_COOKIE}=120"}):
        assert local(NOON).replace(tzinfo=UTC) - NOON == timedelta(hours=hours)
