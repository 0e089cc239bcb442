"""The types of the contract, held against a value."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from scorekeeper.rules import contract

DEAL_TYPES: dict[str, Any] = {
    "fishing": contract.FishingDeal,
    "tricks": contract.TricksDeal,
    "rummy": contract.RummyDeal,
    "free": contract.FreeDeal,
}
"""The type of a deal, by the family of its game."""


def faults(value: Any, wanted: Any, where: str = "") -> Iterator[str]:
    """Yield every place where a value is not of a type of the contract."""
    origin = get_origin(wanted)
    if wanted is Any:
        return
    if origin in (Union, types.UnionType):
        tried = [list(faults(value, each, where)) for each in get_args(wanted)]
        # Of several types that do not fit, the one with the fewest faults is the one that was meant.
        yield from min(tried, key=len)
    elif origin is Literal:
        if not any(value == each and type(value) is type(each) for each in get_args(wanted)):
            yield f"{where}: {value!r} is not one of {get_args(wanted)}"
    elif is_typeddict(wanted):
        yield from faults_of_object(value, wanted, where)
    elif origin is list:
        if not isinstance(value, list):
            yield f"{where}: {value!r} is not a list"
            return
        for number, entry in enumerate(value):
            yield from faults(entry, get_args(wanted)[0], f"{where}[{number}]")
    elif origin is dict:
        if not isinstance(value, Mapping):
            yield f"{where}: {value!r} is not an object"
            return
        of_key, of_value = get_args(wanted)
        for key, entry in value.items():
            yield from faults(key, of_key, f"{where}, the key {key!r}")
            yield from faults(entry, of_value, f"{where}.{key}")
    elif type(value) is not wanted:
        # To Python true is a whole number, to JSON it is not: so the very type is asked for.
        yield f"{where}: {value!r} is not of the type {wanted}"


def faults_of_object(value: Any, wanted: Any, where: str) -> Iterator[str]:
    """Yield the faults of an object with named fields: missing, unknown, or of the wrong type."""
    if not isinstance(value, Mapping):
        yield f"{where}: {value!r} is not an object"
        return
    hints, required = fields_of(wanted)
    for name in sorted(required - value.keys()):
        yield f"{where}: {name!r} is missing in {wanted.__name__}"
    for name, entry in value.items():
        if name in hints:
            yield from faults(entry, hints[name], f"{where}.{name}")
        else:
            yield f"{where}: {name!r} is no field of {wanted.__name__}"


@cache
def fields_of(wanted: Any) -> tuple[dict[str, Any], frozenset[str]]:
    """Return the types of the fields of an object by their names, and the names of those that may not be missing."""
    # Where annotations are texts, the class itself does not know which fields may be missing.
    told = get_type_hints(wanted, include_extras=True)
    may_be_missing = {name for name, hint in told.items() if get_origin(hint) is NotRequired}
    return get_type_hints(wanted), frozenset(wanted.__required_keys__ - may_be_missing)


def check(value: Any, wanted: Any) -> None:
    """Assert that a value is of a type of the contract."""
    assert list(faults(value, wanted)) == []
