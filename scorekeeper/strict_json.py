"""Read requests to the engine from bytes, for the command line and the web; any bytes get an answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from . import rules
from .limits import ENGINE_BYTES, JSON_DIGITS, MATCH_STEPS
from .rules import contract

TOO_DEEP = "The request is nested too deeply."

FUNCTIONS: dict[str, Callable[..., contract.Answer]] = {
    "score": rules.score,
    "match": rules.match,
    "captures": rules.captures,
    "prime": rules.prime,
}
"""The engine's functions that take a request, by the name of their command and address."""

OK, IMPOSSIBLE, MALFORMED = 0, 1, 2
"""The results of a request, which are also the exit statuses of the command line."""


def _refuse(message: str) -> NoReturn:
    problems = rules.Problems()
    problems.error("malformed_json", "", message)
    raise rules.Malformed(problems)


def _no_constant(name: str) -> NoReturn:
    _refuse(f"{name} is not a number of JSON.")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = dict(pairs)
    if len(names) != len(pairs):
        _refuse("A name appears twice in one object.")
    return names


def _number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        _refuse(f"{text[:20]} is too large a number.")
    return number


def _integer(text: str) -> int:
    if len(text) > JSON_DIGITS:
        _refuse("A number is too long.")
    return int(text)


# One reader and one writer for all requests: making them takes as long as reading a short request.
_READER = json.JSONDecoder(
    parse_constant=_no_constant, parse_float=_number, parse_int=_integer, object_pairs_hook=_once_each
)
_WRITER = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "))


def read_json(data: bytes, most: int = ENGINE_BYTES) -> Any:
    """Return the value of JSON in at most so many bytes.

    Raises :class:`~scorekeeper.rules.Malformed` for bytes that are not plain JSON: too many, not UTF-8, ``NaN``, a name
    twice in one object, a number too long, half a character.
    """
    if len(data) > most:
        _refuse(f"A request may have {most} bytes at most.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse("The request is not UTF-8.")
    try:
        value = _READER.decode(text)
        # A lone surrogate is no character: it can neither be stored nor sent.
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except RecursionError:
        _refuse(TOO_DEEP)
    except UnicodeEncodeError:
        _refuse("The request holds half a character.")
    except json.JSONDecodeError as fault:
        if not text.strip():
            _refuse("Nothing came in: a request is one JSON object.")
        _refuse(f"The request is not JSON: line {fault.lineno}, column {fault.colno}.")


def answer(name: str, data: bytes, *, shared: bool = False) -> tuple[int, contract.Answer]:
    """Return ``OK``, ``IMPOSSIBLE`` or ``MALFORMED``, and the answer of the function ``name`` to a request in bytes.

    ``shared`` is for requests that delay other people's: all deals of a match then share one budget.
    """
    try:
        request = read_json(data)
        try:
            budget = {"most_steps": MATCH_STEPS} if shared and name == "match" else {}
            result = FUNCTIONS[name](request, **budget)
        except RecursionError:
            # Not too deep for the reader, but for the checks.
            _refuse(TOO_DEEP)
    except rules.Malformed as fault:
        return MALFORMED, {"status": "invalid", "problems": fault.problems}
    return (IMPOSSIBLE if result.get("status") == "invalid" else OK), result


def write_json(value: object) -> str:
    """Return a value as one line of JSON; letters beyond ASCII are not escaped."""
    return _WRITER.encode(value)
