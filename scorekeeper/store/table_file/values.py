"""Readers of what a table's file holds. Nothing of it is believed: each value is of its type and within its bounds."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import MAXYEAR, UTC, datetime, timedelta
from typing import Any, NoReturn, TypeVar

from ...limits import DEEPEST, FILE_CLOCK_MINUTES, LARGEST_POINTS, MOST_ITEMS, TYPED_NAME
from ..journal.entries import is_entry_id
from ..models import now

T = TypeVar("T")
FIRST_YEAR = 1900
"""No moment of a file is before it; a result from paper may be old."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


class Refused(Exception):
    """The file is refused as a whole.

    ``at`` is the place of the reason from the top of the file, ``matches[3].entries[12].payload.deal``; "" for the
    whole.
    """

    def __init__(self, code: str, at: str, message: str) -> None:
        super().__init__(f"{at}: {message}" if at else message)
        self.code, self.at, self.message = code, at, message


def refuse(at: str, message: str, code: str = "malformed") -> NoReturn:
    """Raise ``Refused``."""
    raise Refused(code, at, message)


def fields(value: object, at: str, needed: Collection[str], allowed: Collection[str] = ()) -> dict[str, Any]:
    """Take an object with all fields that are needed, and no others than those and the allowed ones."""
    if not isinstance(value, dict):
        refuse(at, "An object is needed here.")
    for name in value:
        if name not in needed and name not in allowed:
            refuse(inside(at, name[:40]), "There is no such field.", "unknown_field")
    for name in needed:
        if name not in value:
            refuse(inside(at, name), "This field is missing.", "missing")
    return value


def inside(at: str, name: str) -> str:
    """Return the place of a field."""
    return f"{at}.{name}" if at else name


def whole(value: object, at: str, least: int, most: int) -> int:
    """Take a whole number within bounds; ``true`` and ``3.0`` are none."""
    if type(value) is not int or not least <= value <= most:
        refuse(at, f"A whole number from {least} to {most} is needed here.")
    return value


def points(value: object, at: str) -> float:
    """Take points: a whole number or a half, within what any game may hold."""
    if type(value) not in (int, float) or not abs(value) <= LARGEST_POINTS or (2 * value) % 1:  # type: ignore[arg-type, operator]
        refuse(at, f"Points are whole numbers or halves up to {LARGEST_POINTS}.")
    return value  # type: ignore[return-value]


def flag(value: object, at: str) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        refuse(at, "It is true or false.")
    return value


def text(value: object, at: str, most: int, least: int = 0) -> str:
    """Take a text of so many characters, none of which ends a text in a database."""
    if not isinstance(value, str) or not least <= len(value) <= most or "\0" in value:
        refuse(at, f"A text of {least} to {most} characters is needed here.")
    return value


def one_of(value: object, at: str, known: Collection[str]) -> str:
    """Take one of a few words."""
    if not isinstance(value, str) or value not in known:
        refuse(at, "There is no such value.", "unknown_value")
    return value


def items(value: object, at: str, most: int, take: Callable[[object, str], T], least: int = 0) -> list[T]:
    """Take a list of so many items, each of which ``take`` takes."""
    if not isinstance(value, list) or not least <= len(value) <= most:
        refuse(at, f"A list of {least} to {most} is needed here.")
    return [take(item, f"{at}[{number}]") for number, item in enumerate(value)]


def entry_id(value: object, at: str) -> str:
    """Take the id of an entry."""
    if not isinstance(value, str) or not is_entry_id(value):
        refuse(at, "The id of an entry is a UUID.")
    return value


def moment(value: object, at: str) -> datetime:
    """Take a moment as the file has it: in UTC, in whole seconds, and not in the future."""
    return _not_to_come(any_moment(value, at), at)


def any_moment(value: object, at: str) -> datetime:
    """Take a moment as the file has it, which may be in the future."""
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        refuse(at, "A moment is written like 2026-05-03T18:00:00Z.")
    return _read(value, at)


def told(value: object, at: str) -> datetime:
    """Take the time of a phone, in any of the forms that it may have, with its zone."""
    return _not_to_come(_read(text(value, at, 40), at), at)


def day(value: object, at: str) -> str:
    """Take a day that has begun somewhere."""
    if not isinstance(value, str) or not _DAY.fullmatch(value):
        refuse(at, "A day is written like 2026-05-03.")
    _not_to_come(_read(f"{value}T00:00:00+14:00", at), at)
    return value


def _read(value: str, at: str) -> datetime:
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        refuse(at, "There is no such moment.")
    if read.tzinfo is None or not FIRST_YEAR <= read.year < MAXYEAR:
        refuse(at, f"A moment has a zone, and a year from {FIRST_YEAR} on.")
    return read.astimezone(UTC)


def _not_to_come(moment: datetime, at: str) -> datetime:
    if moment - now() > timedelta(minutes=FILE_CLOCK_MINUTES):
        refuse(at, "This is in the future. Look whether the clocks of both servers are right.", "in_the_future")
    return moment


def refuse_excess(value: object, at: str) -> None:
    """Refuse JSON that is nested too deeply, or has a list, an object or a text that is too long for any entry."""
    level = [value]
    for _depth in range(DEEPEST):
        inner: list[object] = []
        for one in level:
            if isinstance(one, str):
                if len(one) > TYPED_NAME:
                    refuse(at, f"A text may have {TYPED_NAME} characters at most.", "too_long")
            elif isinstance(one, (list, dict)):
                if len(one) > MOST_ITEMS:
                    refuse(at, f"A list or an object may have {MOST_ITEMS} entries at most.", "too_long")
                if isinstance(one, dict):
                    inner += one
                    inner += one.values()
                else:
                    inner += one
        if not inner:
            return
        level = inner
    refuse(at, "It is nested too deeply.", "too_deep")


def known_id(value: object, at: str, earlier: Mapping[str, str], kinds: Collection[str]) -> str:
    """Take the id of an earlier entry of the match, of one of these kinds; ``earlier`` are kinds by id."""
    if not isinstance(value, str) or value not in earlier:
        refuse(at, "There is no earlier entry with this id in the match.", "no_such_entry")
    if earlier[value] not in kinds:
        refuse(at, f"It cannot be about an entry of the kind {earlier[value]}.", "wrong_entry")
    return value
