"""Days and numbers as the reader writes them; the day is the phone's: at night in Montevideo UTC is a day ahead."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from babel.dates import format_date
from babel.numbers import format_decimal
from flask import request
from flask_babel import get_locale

COOKIE = "minutes"
"""How many minutes the phone's clock is ahead of UTC; its script says so."""
FURTHEST = 14 * 60
_MINUTES = re.compile(r"-?[0-9]{1,4}")


def minutes_of_phone(told: str) -> int:
    """Return the minutes that a phone's script has told; 0 for anything else."""
    return int(told) if _MINUTES.fullmatch(told) else 0


def local(moment: datetime) -> datetime:
    """Return the moment as the phone's clock shows it; UTC for a phone that has not said."""
    minutes = minutes_of_phone(request.cookies.get(COOKIE, ""))
    return moment + timedelta(minutes=max(-FURTHEST, min(FURTHEST, minutes)))


def day(moment: datetime) -> str:
    """Return the day in the reader's language."""
    return format_date(local(moment), format="medium", locale=get_locale() or "en")


def decimal(number: float) -> str:
    """Return the number with one decimal, written as the reader's language does."""
    return format_decimal(number, format="0.0", locale=get_locale() or "en")
