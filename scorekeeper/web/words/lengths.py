"""Lengths of time as one says them at a table: "40 minutes", "two and a half hours", "in two days"."""

from __future__ import annotations

from datetime import timedelta

from flask_babel import gettext as _
from flask_babel import ngettext

from .small_numbers import small_number

HALF_HOUR = timedelta(minutes=30)
WORDS_TO = 9
"""The greatest number of hours or days that is written as a word."""


def days_words(days: int) -> str:
    """Return in how many days something was done, from two on."""
    return str(_("in %(number)s days", number=small_number(days, WORDS_TO)))


def time_words(time: timedelta) -> str:
    """Return a time in minutes and, from an hour on, to the half hour; "" for less than a minute."""
    minutes = round(time.total_seconds() / 60)
    if minutes < 60:
        return str(ngettext("%(num)d minute", "%(num)d minutes", minutes)) if minutes > 0 else ""
    hours, half = divmod(round(time / HALF_HOUR), 2)
    if hours == 1:
        return str(_("an hour and a half") if half else _("an hour"))
    number = small_number(hours, WORDS_TO)
    return str(_("%(number)s and a half hours", number=number) if half else _("%(number)s hours", number=number))
