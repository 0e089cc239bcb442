"""Options: what a table may agree on before it plays, as data.

An :class:`Option` says what may be chosen, :func:`resolve_options` gives each its value at one table, and
:class:`Options` are these values as a game reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from . import contract, schema
from .problems import Problems

Value = Any
"""An option's value: a number, a word, true or false, null, or (Carioca's table of values) an object."""


@dataclass(frozen=True)
class Option:
    """One thing a table may agree on.

    ``group`` says where forms ask for it (:data:`~.contract.OptionGroup`).
    ``values`` are all the values of a choice, or suggestions for a number. ``kind`` is ``"choice"``, ``"int"`` or
    ``"bool"``; ``minimum`` bounds a number; ``nullable`` admits null; ``table`` admits an object and checks it. A
    ``note`` is for the players to remember: the engine takes it and no points depend on it. ``presets`` are those under
    which it may be chosen (none named: all); under the others it has its default. ``concerns`` are the presets in which
    it decides anything (none named: all): under the others it is taken, but no form offers it. In the same way it may
    decide something only where other options have certain values (``needs``), and between so many sides or players.
    Forms ask for what is ``upfront`` beside who plays, as a match of this game says little without it.
    """

    group: contract.OptionGroup
    id: str
    values: tuple[Value, ...]
    default: Value
    kind: contract.OptionType = "choice"
    minimum: int = 0
    nullable: bool = False
    table: Callable[[Mapping[str, object], str, Problems], Value] | None = None
    note: bool = False
    presets: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    needs: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)
    sides: tuple[int, ...] = ()
    players: tuple[int, ...] = ()
    upfront: bool = False

    def take(self, value: object, where: str, problems: Problems) -> Value:
        """Return a chosen value after checking it; raises :class:`~.problems.Malformed` where its type is wrong."""
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


def choice(
    group: contract.OptionGroup,
    id: str,
    *values: Value,
    default: Value = None,
    note: bool = False,
    presets: tuple[str, ...] = (),
    concerns: tuple[str, ...] = (),
) -> Option:
    """Make a choice among values; the first is the default unless another is named."""
    usual = values[0] if default is None else default
    return Option(group, id, values, usual, note=note, presets=presets, concerns=concerns)


def flag(group: contract.OptionGroup, id: str, default: bool, *, note: bool = False) -> Option:
    """Make a yes-or-no option."""
    return Option(group, id, (False, True), default, kind="bool", note=note)


def number(
    group: contract.OptionGroup,
    id: str,
    default: int | None,
    *suggested: int,
    minimum: int = 0,
    nullable: bool = False,
    concerns: tuple[str, ...] = (),
) -> Option:
    """Make an option that takes any whole number from ``minimum`` on."""
    values = suggested or (() if default is None else (default,))
    return Option(group, id, values, default, "int", minimum, nullable, concerns=concerns)


def only_where(
    option: Option,
    *,
    sides: tuple[int, ...] = (),
    players: tuple[int, ...] = (),
    **needs: tuple[Value, ...],
) -> Option:
    """Return an option that decides something only where others have these values, between so many sides or players."""
    return replace(option, needs=needs, sides=sides, players=players)


def upfront(option: Option) -> Option:
    """Return an option for which forms ask beside who plays."""
    return replace(option, upfront=True)


class Options(Mapping[str, Value]):
    """The options that a table agreed on: the value of every option of its game, and the number of players.

    A game is a function of its options. ``options["tie_rule"]`` is the plain value. The methods return a value with its
    type, and raise ``TypeError`` where the option has another type.
    """

    def __init__(self, values: Mapping[str, Value], sides: int = 2, players_per_side: int = 1) -> None:
        self._values = values
        self.sides = sides
        self.players_per_side = players_per_side

    def as_dict(self) -> dict[str, Value]:
        """Return a copy of all the values, by id."""
        return dict(self._values)

    @property
    def players(self) -> int:
        """The number of players at the table."""
        return self.sides * self.players_per_side

    def __getitem__(self, id: str) -> Value:
        return self._values[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def word(self, id: str) -> str:
        """Return the value of an option whose values are words."""
        value = self[id]
        if not isinstance(value, str):
            raise TypeError(f"option {id} is {value!r}, which is no word")
        return value

    def number(self, id: str) -> int:
        """Return the value of an option whose values are numbers."""
        value = self[id]
        if not isinstance(value, int):
            raise TypeError(f"option {id} is {value!r}, which is no number")
        return value

    def number_or_off(self, id: str) -> int | None:
        """Return a number, or None where the table chose ``"off"``."""
        return None if self[id] == "off" else self.number(id)

    def flag(self, id: str) -> bool:
        """Return the value of a yes-or-no option."""
        value = self[id]
        if not isinstance(value, bool):
            raise TypeError(f"option {id} is {value!r}, which is neither true nor false")
        return value


def resolve_options(
    known: tuple[Option, ...],
    preset: Mapping[str, Value],
    chosen: Mapping[str, object],
    problems: Problems,
) -> dict[str, Value]:
    """Return the value of every option: the chosen one, else the preset's, else the default.

    Raises :class:`~.problems.Malformed` for a value of the wrong type; an unknown option or value is a problem.
    """
    by_id = {option.id: option for option in known}
    resolved = {option.id: preset.get(option.id, option.default) for option in known}
    for id, value in chosen.items():
        where = f"options.{id[:40]}"
        if id not in by_id:
            problems.error("unknown_option", where, f"This game has no option {id[:40]!r}.", option=id[:40])
            continue
        resolved[id] = by_id[id].take(value, where, problems)
    return resolved


def check_presets(known: tuple[Option, ...], preset: str, options: Mapping[str, Value], problems: Problems) -> None:
    """Refuse the values that do not belong to this preset."""
    for option in known:
        value = options[option.id]
        if option.presets and preset not in option.presets and value in option.values and value != option.default:
            message = f"{option.id} is {option.default} in {preset[:40]}; {value} does not belong to it."
            problems.error("unknown_value", f"options.{option.id}", message, option=option.id, value=value)
