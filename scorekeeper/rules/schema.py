"""Readers of a request: they check the types once, so that the rest of the engine may trust them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from ..limits import DEEPEST, MOST_ITEMS
from .problems import Malformed, Problems

T = TypeVar("T")

LISTS = (list, tuple)
OBJECTS = (dict, Mapping)
"""The types of an object of a request; ``dict`` is first because it is quick to check, and nearly all are dicts."""

HOLDERS = (*LISTS, *OBJECTS)
"""The types that may hold other values."""

PLAIN = frozenset({str, int, float, bool, type(None)})
"""Types that hold no other values; looking a type up here is much quicker than ``isinstance`` with ``HOLDERS``."""

MAX_TEXT = 200
"""The most letters of a label; a name is a word or two, not a megabyte."""

MAX_NUMBER = 1_000_000
"""Largest number; no score, count or target of any game is near it."""


MISSING = object()
"""The value of a field that must be there and is not: nobody has said null."""


def fail(where: str, wanted: str, got: object) -> NoReturn:
    """Raise :class:`Malformed` for one value of the wrong type, or for one that is missing."""
    problems = Problems()
    if got is MISSING:
        problems.error("wrong_type", where, f"{where} is missing: it must be {wanted}.")
        raise Malformed(problems)
    kind = {
        type(None): "null",
        bool: "true or false",
        int: "a number",
        float: "a number",
        str: "a word",
        list: "a list",
    }
    problems.error(
        "wrong_type", where, f"{where or 'The request'} must be {wanted}, not {kind.get(type(got), 'an object')}."
    )
    raise Malformed(problems)


def mapping(value: object, where: str) -> Mapping[str, object]:
    """Take an object (a mapping with words as keys)."""
    if not isinstance(value, OBJECTS):
        fail(where, "an object", value)
    for key in value:
        if not isinstance(key, str):
            fail(where, "an object", value)
    return value


def optional_mapping(value: object, where: str) -> Mapping[str, object]:
    """Take an object; a missing object and null are the empty object."""
    return {} if value is None else mapping(value, where)


def items(value: object, where: str, most: int | None = MOST_ITEMS) -> list[Any]:
    """Take a list of at most so many entries (None: the caller bounds them itself)."""
    if not isinstance(value, LISTS):
        fail(where, "a list", value)
    if most is not None and len(value) > most:
        too_long(where, f"{where} may have {most} entries at most.", most)
    return list(value)


def too_long(where: str, message: str, most: int) -> NoReturn:
    """Raise :class:`Malformed` for a word or a list that is too long."""
    problems = Problems()
    problems.error("too_long", where, message, limit=most)
    raise Malformed(problems)


def check_depth(request: object) -> None:
    """Refuse a request that is nested too deeply, because reading it could exhaust Python's stack."""
    level = [request] if isinstance(request, HOLDERS) else []
    for _ in range(DEEPEST):
        level = [
            part
            for each in level
            for part in (each if isinstance(each, LISTS) else each.values())
            if type(part) not in PLAIN and isinstance(part, HOLDERS)
        ]
        if not level:
            return
    problems = Problems()
    problems.error("too_deep", "", "The request is nested too deeply.")
    raise Malformed(problems)


def optional_items(value: object, where: str) -> list[Any]:
    """Take a list; null is the empty one."""
    return [] if value is None else items(value, where)


def text(value: object, where: str) -> str:
    """Take a word of at most ``MAX_TEXT`` characters."""
    if not isinstance(value, str):
        fail(where, "a word", value)
    if len(value) > MAX_TEXT:
        too_long(where, f"{where} may have {MAX_TEXT} characters at most.", MAX_TEXT)
    return value


def integer(value: object, where: str) -> int:
    """Take a whole number (``3.0`` is one; ``true`` is not)."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        fail(where, "a whole number", value)
    if abs(value) > MAX_NUMBER:
        problems = Problems()
        problems.error("too_large", where, f"{where} is out of all proportion.", limit=MAX_NUMBER)
        raise Malformed(problems)
    return value


def boolean(value: object, where: str) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        fail(where, "true or false", value)
    return value


def optional(value: object, where: str, take: Callable[[object, str], T]) -> T | None:
    """Take null or what ``take`` takes."""
    return None if value is None else take(value, where)


def words(value: object, where: str, most: int = MOST_ITEMS) -> list[str]:
    """Take a list of words; where the request has bounds, of at most so many."""
    return [text(word, f"{where}[{number}]") for number, word in enumerate(items(value, where, most))]


def each_word(value: object, where: str) -> Iterator[tuple[int, str]]:
    """Yield the words of a list, each with its number, for a reader that stops by itself."""
    for number, word in enumerate(items(value, where, None)):
        yield number, text(word, f"{where}[{number}]")


def by_side(value: object, where: str, sides: Iterable[str], problems: Problems) -> dict[str, Any]:
    """Take an object keyed by side labels; an unknown label is a problem, and null values are left out."""
    known = set(sides)
    answer = {}
    for label, content in optional_mapping(value, where).items():
        if label not in known:
            unknown_side(label, f"{where}.{label[:MAX_TEXT]}", problems)
        elif content is not None:
            answer[label] = content
    return answer


def side(value: object, where: str, sides: Iterable[str], problems: Problems) -> str | None:
    """Take the label of a side, or null; an unknown label is a problem."""
    if value is None:
        return None
    label = text(value, where)
    if label not in sides:
        unknown_side(label, where, problems)
        return None
    return label


def unknown_side(label: str, where: str, problems: Problems) -> None:
    """Report a label that is not one of the sides."""
    problems.error("unknown_side", where, f"Nobody at this table is called {label[:40]!r}.", side=label[:40])
