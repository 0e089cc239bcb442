"""Days and numbers in the reader's language.

Days follow the clock of the table, and where it is not known that of the phone, not UTC: at night in Montevideo UTC is
a day ahead.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from babel.dates import format_date, format_skeleton
from babel.numbers import format_decimal
from flask import g, request
from flask_babel import get_locale
from flask_babel import gettext as _

from ...store.evenings import in_zone, is_zone
from ...store.models import ZONE_LENGTH

COOKIE = "zone"
"""The cookie in which the phone's script writes the IANA name of its zone."""


def local(moment: datetime) -> datetime:
    """Return the moment as the clock of the page's table shows it, else as the phone's does, else in UTC."""
    return in_zone(moment, clock_in_use())


def clock_in_use() -> str:
    """Return the zone by whose clock the page shows times."""
    return str(g.get("zone") or zone_of_phone() or "UTC")


def zone_of_phone() -> str | None:
    """Return the zone of this phone; None if it says none that there is."""
    name = request.cookies.get(COOKIE, "")
    return name if len(name) <= ZONE_LENGTH and is_zone(name) else None


def day(moment: datetime) -> str:
    """Return the day in the reader's language."""
    return format_date(local(moment), format="medium", locale=get_locale() or "en")


def calendar_day(day: date) -> str:
    """Return a day of the calendar, of no clock, in the reader's language."""
    return format_date(day, format="long", locale=get_locale() or "en")


def recent_day(moment: datetime) -> str:
    """Return the weekday of a moment of the last six days, else the day."""
    then = local(moment).date()
    if local(datetime.now(UTC)).date() - then < timedelta(days=7):
        return str(format_date(then, format="EEEE", locale=get_locale() or "en"))
    return day(moment)


def is_today(moment: datetime) -> bool:
    """Return whether it is the day of this moment."""
    return local(moment).date() == local(datetime.now(UTC)).date()


def on_day(moment: datetime) -> str:
    """Return the day as a sentence has it: "today", "yesterday", "on Thursday", else "on November 12"."""
    then, today = local(moment).date(), local(datetime.now(UTC)).date()
    if then == today:
        return str(_("today"))
    if then == today - timedelta(days=1):
        return str(_("yesterday"))
    if today - then < timedelta(days=7):
        return str(_("on %(day)s", day=recent_day(moment)))
    fields = "MMMMd" if then.year == today.year else "yMMMMd"
    return str(_("on %(day)s", day=format_skeleton(fields, then, locale=get_locale() or "en")))


def decimal(number: float) -> str:
    """Return the number with one decimal, written as the reader's language does."""
    return format_decimal(number, format="0.0", locale=get_locale() or "en")
