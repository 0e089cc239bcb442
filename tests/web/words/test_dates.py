"""The day is the phone's: it says in which zone it is."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from scorekeeper.web.words.dates import COOKIE, local

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


@pytest.mark.parametrize(("zone", "hours"), [("America/Montevideo", -3), ("Mars", 0), ("", 0)])
def test_a_phone_is_shown_the_time_of_its_zone_and_where_it_names_none_that_there_is_utc(
    app: Flask, zone: str, hours: int
) -> None:
    with app.test_request_context(headers={"Cookie": f"{COOKIE}={zone}"}):
        assert local(NOON).replace(tzinfo=UTC) - NOON == timedelta(hours=hours)
