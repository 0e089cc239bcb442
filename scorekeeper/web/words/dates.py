"""Days and numbers in the reader's language.

Days follow the clock of the phone, not UTC: at night in Montevideo UTC is a day ahead.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from babel.dates import format_date
from babel.numbers import format_decimal
from flask import request
from flask_babel import get_locale

COOKIE = "minutes"
"""The cookie in which the phone's script writes how many minutes its clock is ahead of UTC."""
FURTHEST = 14 * 60
"""No time zone is further from UTC, in minutes."""
_MINUTES = re.compile(r"-?[0-9]{1,4}")


def local(moment: datetime) -> datetime:
    """Return the moment as the phone's clock shows it, in UTC for a phone without the cookie, or a damaged one."""
    cookie = request.cookies.get(COOKIE, "")
    minutes = int(cookie) if _MINUTES.fullmatch(cookie) else 0
    return moment + timedelta(minutes=max(-FURTHEST, min(FURTHEST, minutes)))


def day(moment: datetime) -> str:
    """Return the day in the reader's language."""
    return format_date(local(moment), format="medium", locale=get_locale() or "en")


def recent_day(moment: datetime) -> str:
    """Return the weekday of a moment of the last six days, else the day."""
    then = local(moment).date()
    if local(datetime.now(UTC)).date() - then < timedelta(days=7):
        return str(format_date(then, format="EEEE", locale=get_locale() or "en"))
    return day(moment)


def decimal(number: float) -> str:
    """Return the number with one decimal, written as the reader's language does."""
    return format_decimal(number, format="0.0", locale=get_locale() or "en")
