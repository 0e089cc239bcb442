"""The evenings of a table in words: each is headed by the day on which it began, as the phone's clock has it."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby

from babel import Locale
from babel.dates import format_date, format_skeleton
from flask_babel import get_locale

from ...store import evenings
from ...store.doubts import is_open
from ...store.evenings import BegunMatch
from ...store.models import MatchSummary, now
from ...store.ranking import Players, Result, players_of
from .dates import local
from .names import upper_first

BEDTIME = timedelta(hours=5)
"""An evening that begins after midnight is that of the day before; nobody begins one at five in the morning."""
STEPS = 12
"""Evenings, or months, that a chart has room for on a phone."""
_YEAR = re.compile(r"(,| 'de')? y$")
"""The year at the end of a day's full pattern, with what joins it."""


def evening_of(moment: datetime) -> date:
    """Return the day of the evening to which a moment belongs."""
    return (local(moment) - BEDTIME).date()


def this_year() -> datetime:
    """Return when this year began."""
    return _beginning(evening_of(now()).replace(month=1, day=1))


def _beginning(day: date) -> datetime:
    """Return the moment at which the phone's clock reaches that day's bedtime hour, the night before being over."""
    moment = datetime.combine(day, time(), now().tzinfo) + BEDTIME
    return moment - (local(moment) - moment)


def by_evening(newest_first: Iterable[BegunMatch]) -> list[tuple[date, list[BegunMatch]]]:
    """Return the matches by evening, each headed by its day."""
    return [(evening_of(evenings.counted_at(group[-1])), group) for group in evenings.by_evening(newest_first)]


def evening_words(day: date) -> str:
    """Return an evening's day as a heading: its weekday, day and month, with the year where it is not this one."""
    locale = get_locale() or Locale("en")
    pattern: str = locale.date_formats["full"].pattern
    if day.year == evening_of(now()).year:
        pattern = _YEAR.sub("", pattern)
    return upper_first(format_date(day, pattern, locale=locale))


def day_and_month(moment: datetime) -> str:
    """Return the day of a moment of these weeks, without its year, as a sentence has it: "November 24"."""
    return str(format_skeleton("MMMMd", local(moment), locale=get_locale() or "en"))


def clock(moment: datetime) -> str:
    """Return the time of day as the phone's clock shows it."""
    return local(moment).strftime("%H:%M")


def result_of(evening: Sequence[MatchSummary]) -> tuple[Players, int, int] | None:
    """Return who won more matches of an evening that the same two sides played, and the matches of both.

    None if others played too, or fewer than two matches were won.
    """
    won = [summary for summary in evening if summary.status == "won" and not is_open(summary)]
    pairings = {frozenset(map(players_of, summary.sides)) for summary in won}
    if len(won) < 2 or len(pairings) != 1 or len(won[0].sides) != 2:
        return None
    first, second = (players_of(side) for side in won[0].sides)
    count = dict.fromkeys((first, second), 0)
    for summary in won:
        for side in summary.sides:
            count[players_of(side)] += side["label"] in summary.winners
    ahead, behind = sorted((first, second), key=lambda players: -count[players])
    return ahead, count[ahead], count[behind]


def wins_over_time(played: Iterable[Result], players: Sequence[Players]) -> list[tuple[dict[Players, int], str]] | None:
    """Return how many matches each had won after each step of time, with the step's name.

    The steps are the matches of one evening, else evenings, months or years: as fine as a chart has room for. None
    where there are fewer than two steps.
    """
    newest_first = sorted(played, key=lambda result: -result.match)
    of_day = [(day, result) for day, group in by_evening(newest_first) for result in group if result.status == "won"][
        ::-1
    ]
    days, won = [day for day, _result in of_day], [result for _day, result in of_day]
    language = get_locale() or "en"
    names: list[tuple[Hashable, str]]
    if len(set(days)) == 1:
        names = [(number, str(number)) for number in range(1, len(won) + 1)]
    elif len(set(days)) <= STEPS:
        names = [(day, format_skeleton("MMMd", day, locale=language)) for day in days]
    elif len({(day.year, day.month) for day in days}) <= STEPS:
        names = [((day.year, day.month), format_date(day, "MMM", locale=language)) for day in days]
    else:
        names = [(day.year, str(day.year)) for day in days]
    steps, before = [], dict.fromkeys(players, 0)
    for (_step, name), group in groupby(zip(names, won, strict=True), key=lambda pair: pair[0]):
        for _name, result in group:
            for side in result.sides:
                if side["label"] in result.winners:
                    _count(before, players_of(side))
        steps.append((dict(before), name))
    return steps if len(steps) > 1 else None


def _count(won: dict[Players, int], partners: Players) -> None:
    """Count a match won by these partners, for them together and for each of them, if they are counted."""
    for players in {partners, *((player,) for player in partners)}:
        if players in won:
            won[players] += 1
