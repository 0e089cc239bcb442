"""Options: what a table may agree on before it plays, as data.

A rule set names an option wherever the table's choice decides (``Opt("pts_two_of_clubs")``); :func:`settle_options`
replaces every such mention by the chosen value, so nothing behind it ever asks what the table agreed on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from . import schema
from .problems import Malformed, Problems

Value = Any
"""An option's value: a number, a word, true or false, null, or (Carioca's table of values) an object."""


@dataclass(frozen=True)
class Option:
    """One thing a table may agree on.

    ``values`` are all there is for a choice and suggestions for a number. ``kind`` is ``"choice"``, ``"int"`` or
    ``"bool"``; ``minimum`` bounds a number; ``nullable`` admits null; ``table`` admits an object and checks it.
    """

    id: str
    values: tuple[Value, ...]
    default: Value
    kind: str = "choice"
    minimum: int = 0
    nullable: bool = False
    table: Callable[[Mapping[str, Any], str, Problems], Value] | None = None

    def take(self, value: object, where: str, problems: Problems) -> Value:
        """Check a chosen value and give it back; raises :class:`Malformed` where the type is wrong."""
        if self.table is not None and isinstance(value, Mapping):
            return self.table(value, where, problems)
        if value is None and (self.nullable or None in self.values):
            return None
        if self.kind == "bool":
            return schema.boolean(value, where)
        if self.kind == "int":
            number = schema.integer(value, where)
            if number < self.minimum:
                problems.error(
                    "unknown_value", where, f"{self.id} must be at least {self.minimum}.", option=self.id, value=number
                )
            return number
        admitted = {type(choice) for choice in self.values}
        if type(value) not in admitted:
            schema.fail(where, "a number" if admitted == {int} else "one of the listed values", value)
        if value not in self.values:
            listed = ", ".join(str(choice) for choice in self.values)
            shown = str(value)[:40]
            problems.error(
                "unknown_value", where, f"{self.id} can be {listed}; not {shown}.", option=self.id, value=shown
            )
        return value


def choice(id: str, *values: Value, default: Value = None) -> Option:
    """Make a choice among values; the first is the default unless another is named."""
    return Option(id, values, values[0] if default is None else default)


def flag(id: str, default: bool) -> Option:
    """Make a yes-or-no option."""
    return Option(id, (False, True), default, kind="bool")


def number(id: str, default: int | None, *suggested: int, minimum: int = 0, nullable: bool = False) -> Option:
    """Make an option that takes any whole number from ``minimum`` on."""
    return Option(id, suggested or (() if default is None else (default,)), default, "int", minimum, nullable)


@dataclass(frozen=True)
class Opt:
    """Stands in a rule set for what the table agreed on: the option's value, or what ``cases`` makes of it."""

    id: str
    cases: Mapping[Value, Any] | None = None

    def of(self, options: Mapping[str, Value]) -> Any:
        """Give the agreed value."""
        value = options[self.id]
        return value if self.cases is None else self.cases[value]

    def __hash__(self) -> int:
        return hash(self.id)


@dataclass(frozen=True)
class Computed:
    """Stands in a rule set for a value that several options or the number of players decide together."""

    make: Callable[[Mapping[str, Value], int, int], Any]
    """Takes the options, the number of sides and the players per side."""


def agreed(thing: Any, options: Mapping[str, Value], sides: int, players_per_side: int) -> Any:
    """Replace every ``Opt`` and ``Computed`` inside a value by what the table agreed on."""
    if isinstance(thing, Opt):
        return agreed(thing.of(options), options, sides, players_per_side)
    if isinstance(thing, Computed):
        return agreed(thing.make(options, sides, players_per_side), options, sides, players_per_side)
    if isinstance(thing, tuple):
        return tuple(agreed(part, options, sides, players_per_side) for part in thing)
    if is_dataclass(thing) and not isinstance(thing, type):
        parts = {
            field.name: agreed(getattr(thing, field.name), options, sides, players_per_side)
            for field in fields(thing)
            if field.init
        }
        return replace(thing, **parts)
    return thing


def resolve_options(
    known: tuple[Option, ...],
    preset: Mapping[str, Value],
    chosen: Mapping[str, Any],
    problems: Problems,
) -> dict[str, Value]:
    """Give every option its value: the chosen one, else the preset's, else the default.

    Raises :class:`Malformed` for a value of the wrong type; an unknown option or value is a problem.
    """
    by_id = {option.id: option for option in known}
    settled = {option.id: preset.get(option.id, option.default) for option in known}
    for id, value in chosen.items():
        where = f"options.{id[:40]}"
        if id not in by_id:
            problems.error("unknown_option", where, f"This game has no option {id[:40]!r}.", option=id[:40])
            continue
        settled[id] = by_id[id].take(value, where, problems)
    return settled


__all__ = ["Computed", "Malformed", "Opt", "Option", "Value", "agreed", "choice", "flag", "number", "resolve_options"]
