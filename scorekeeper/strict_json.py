"""Reading requests to the engine from bytes, the same way for the command line and the web: hostile input is input."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NoReturn

from . import rules
from .limits import ENGINE_BYTES, JSON_DIGITS, MATCH_STEPS

TOO_DEEP = "The request is nested too deeply."

DOORS: dict[str, Callable[..., dict[str, Any]]] = {
    "score": rules.score,
    "match": rules.match,
    "captures": rules.captures,
    "prime": rules.prime,
}
"""The engine's doors that take a request."""

OK, IMPOSSIBLE, MALFORMED = 0, 1, 2
"""What an answer says of its request; these are also the exit statuses of the command line."""


def _refuse(message: str) -> NoReturn:
    problems = rules.Problems()
    problems.error("malformed_json", "", message)
    raise rules.Malformed(problems)


def _no_constant(name: str) -> NoReturn:
    _refuse(f"{name} is not a number of JSON.")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        _refuse("A name appears twice in one object.")
    return found


def _number(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        _refuse(f"{text[:20]} is too large a number.")
    return number


def _integer(text: str) -> int:
    if len(text) > JSON_DIGITS:
        _refuse("A number is too long.")
    return int(text)


def read_json(data: bytes) -> Any:
    """Read JSON from bytes; raises :class:`~scorekeeper.rules.Malformed` for anything that is not plain JSON."""
    if len(data) > ENGINE_BYTES:
        _refuse(f"A request may have {ENGINE_BYTES} bytes at most.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse("The request is not UTF-8.")
    try:
        found = json.loads(
            text,
            parse_constant=_no_constant,
            parse_float=_number,
            parse_int=_integer,
            object_pairs_hook=_once_each,
        )
        # A lone surrogate is no character: it could neither be stored nor sent back.
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode("utf-8")
        return found
    except RecursionError:
        _refuse(TOO_DEEP)
    except UnicodeEncodeError:
        _refuse("The request holds half a character.")
    except json.JSONDecodeError as fault:
        _refuse(f"The request is not JSON: line {fault.lineno}, column {fault.colno}.")


def answer(door: str, data: bytes, *, bounded: bool = False) -> tuple[int, dict[str, Any]]:
    """Answer a request given as bytes: ``OK``, ``IMPOSSIBLE`` or ``MALFORMED``, and the answer as an object.

    ``bounded`` is for a door where others wait: the work then has bounds under every rules, and all deals of a match
    share one budget.
    """
    try:
        request = read_json(data)
        try:
            # The other doors always have bounds.
            how: dict[str, Any] = {"bounded": True} if bounded and door in ("score", "match") else {}
            if how and door == "match":
                how["most_steps"] = MATCH_STEPS
            found = DOORS[door](request, **how)
        except RecursionError:
            # Just shallow enough to be read, too deep to be looked at.
            _refuse(TOO_DEEP)
    except rules.Malformed as fault:
        return MALFORMED, {"status": "invalid", "problems": fault.problems}
    return (IMPOSSIBLE if found.get("status") == "invalid" else OK), found


def write_json(found: object) -> str:
    """Write an answer as one line of JSON, letters as they are."""
    return json.dumps(found, ensure_ascii=False, separators=(", ", ": "))
