"""The evenings of a table in words, each headed by the day on which it began."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import groupby
from operator import attrgetter

from babel import Locale
from babel.dates import format_date, format_skeleton
from flask_babel import get_locale
from flask_babel import gettext as _

from ...store.doubts import is_open
from ...store.evenings import BEDTIME, next_bedtime
from ...store.finding import DAY, MONTH
from ...store.models import MatchSummary, now
from ...store.ranking import Step
from ...store.who import Merged, Players, players_of
from .dates import local
from .names import upper_first

Result = tuple[Players, int, int]
"""Who won more matches of an evening that the same two sides played, and the matches of both."""
_YEAR = re.compile(r"(,| 'de')? y$")
"""The year at the end of a day's full pattern, with what joins it."""


def evening_of(moment: datetime) -> date:
    """Return the day of the evening to which a moment belongs."""
    return (local(moment) - BEDTIME).date()


def day_ends(moment: datetime) -> datetime:
    """Return the moment from which on ``evening_of`` is the day after that of ``moment``."""
    at = local(moment)
    return moment + (next_bedtime(at) - at)


def by_evening(newest_first: Iterable[MatchSummary]) -> list[tuple[date, list[MatchSummary]]]:
    """Return the matches by evening, each headed by its day."""
    return [(day, list(group)) for day, group in groupby(newest_first, key=attrgetter("evening"))]


def evening_words(day: date) -> str:
    """Return an evening's day as a heading: its weekday, day and month, with the year where it is not this one."""
    return upper_first(weekday_words(day))


def weekday_words(day: date) -> str:
    """Return an evening's day as ``evening_words`` does, but as it is written within a sentence."""
    locale = get_locale() or Locale("en")
    pattern: str = locale.date_formats["full"].pattern
    if day.year == evening_of(now()).year:
        pattern = _YEAR.sub("", pattern)
    return str(format_date(day, pattern, locale=locale))


def span_words(span: str, tonight: date) -> str:
    """Return a year, a month or a day as a name: "2026", "May 2026", "Tonight", "Thursday, November 12"."""
    if len(span) == DAY:
        day = date.fromisoformat(span)
        return str(_("Tonight")) if day == tonight else evening_words(day)
    if len(span) == MONTH:
        month = date.fromisoformat(f"{span}-01")
        return upper_first(str(format_skeleton("yMMMM", month, locale=get_locale() or "en")))
    return span


def state_words(state: str) -> str:
    """Return the name of a state by which matches are found."""
    words = {"playing": _("Not finished"), "won": _("Won"), "ended": _("Stopped"), "doubt": _("A deal is in doubt")}
    return str(words[state])


def day_and_month(moment: datetime) -> str:
    """Return the day of a moment of these weeks, without its year, as a sentence has it: "November 24"."""
    return str(format_skeleton("MMMMd", local(moment), locale=get_locale() or "en"))


def clock(moment: datetime) -> str:
    """Return the time of day as the phone's clock shows it."""
    return local(moment).strftime("%H:%M")


def result_of(evening: Sequence[MatchSummary], merged: Merged) -> Result | None:
    """Return the result of an evening between the same two sides.

    None if others played too, or fewer than two matches were won.
    """
    won = [summary for summary in evening if summary.status == "won" and not is_open(summary)]
    pairings = {frozenset(players_of(side, merged) for side in summary.sides) for summary in won}
    if len(won) < 2 or len(pairings) != 1 or len(won[0].sides) != 2:
        return None
    first, second = (players_of(side, merged) for side in won[0].sides)
    count = dict.fromkeys((first, second), 0)
    for summary in won:
        for side in summary.sides:
            count[players_of(side, merged)] += side["label"] in summary.winners
    ahead, behind = sorted((first, second), key=lambda players: -count[players])
    return ahead, count[ahead], count[behind]


def wins_over_time(steps: Sequence[Step], players: Sequence[Players]) -> list[tuple[dict[Players, int], str]] | None:
    """Return how many matches each had won after each step of time, with the step's name.

    None where there are fewer than two steps.
    """
    added, before = [], dict.fromkeys(players, 0)
    for place, step in enumerate(steps, 1):
        before = {one: before[one] + step.won.get(one, 0) for one in players}
        added.append((before, _name_of(step.when, place)))
    return added if len(added) > 1 else None


def _name_of(when: str, place: int) -> str:
    """Return the name of a step: a day, a month, a year, or the place of a match in its evening."""
    language = get_locale() or "en"
    if "-" not in when:
        return when or str(place)
    if len(when) == len("2026-05"):
        return str(format_date(date.fromisoformat(f"{when}-01"), "MMM", locale=language))
    return str(format_skeleton("MMMd", date.fromisoformat(when), locale=language))
