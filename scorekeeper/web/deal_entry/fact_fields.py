"""The field of a closing form for each fact of the deal: one table that is read both ways."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from wtforms import Form, RadioField
from wtforms.fields.core import UnboundField
from wtforms.validators import Optional

from ...limits import DECLARATION_LENGTH
from ..base.entry_form import choices

NOT_SAID: Any = object()
"""Is in place of a fact that nobody reported; None will not do, as an item that nobody took is None."""
BLANK: tuple[Any, ...] = (None, "", [])
"""The values of a field that nobody filled in. Nought is an answer."""


def carried_object(text: str) -> dict[str, Any] | None:
    """Return an object that a field carries as a text (JSON); None for what no form of ours carries."""
    if len(text) > DECLARATION_LENGTH:
        return None
    try:
        carried = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return carried if isinstance(carried, dict) else None


def choice_field(pairs: Iterable[tuple[str, str]]) -> RadioField:
    """Return the field of one choice, or of none, from values and their words."""
    return RadioField(choices=choices(pairs), validators=[Optional()], default="")


def unchanged(value: Any) -> Any:
    """Return the value: the fact is what the field holds."""
    return value


@dataclass(frozen=True)
class FactField:
    """One field of a form, and where what it holds is found in a deal.

    ``path`` are the names from the outside in, such as ``("counts", "A", "coins")``. ``to_fact`` turns what the field
    holds into the fact, or into ``NOT_SAID``; ``to_field`` is its inverse.
    """

    name: str
    path: tuple[str, ...]
    field: UnboundField
    to_fact: Callable[[Any], Any] = unchanged
    to_field: Callable[[Any], Any] = unchanged
    blank_fact: Any = NOT_SAID
    """The fact that a blank field means, if any."""
    unknown: Any = None
    """The value of the field if the fact is unknown; None leaves it to the field."""


def facts_of(table: Iterable[FactField], form: Form) -> dict[str, object]:
    """Return the deal that a form reports, with nothing in it but what was said."""
    facts: dict[str, object] = {}
    for fact_field in table:
        value = form[fact_field.name].data
        fact = fact_field.blank_fact if value in BLANK else fact_field.to_fact(value)
        if fact is not NOT_SAID:
            _put(facts, fact_field.path, fact)
    return facts


def filled_from(table: Iterable[FactField], facts: Mapping[str, object]) -> dict[str, object]:
    """Return what the fields of a form hold for the deal ``facts``: the inverse of ``facts_of``."""
    filled = {}
    for fact_field in table:
        fact = _get(facts, fact_field.path)
        value = None if fact is NOT_SAID else fact_field.to_field(fact)
        if value is None:
            value = fact_field.unknown
        if value is not None:
            filled[fact_field.name] = value
    return filled


def _put(facts: dict[str, object], path: tuple[str, ...], fact: object) -> None:
    """Put a fact where its path leads."""
    for name in path[:-1]:
        facts = cast(dict[str, object], facts.setdefault(name, {}))
    facts[path[-1]] = fact


def _get(facts: Mapping[str, object], path: tuple[str, ...]) -> object:
    """Return the fact at a path, or ``NOT_SAID``."""
    fact: object = facts
    for name in path:
        if not isinstance(fact, Mapping) or name not in fact:
            return NOT_SAID
        fact = fact[name]
    return fact
