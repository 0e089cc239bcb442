"""Lines of the table's own: what a table scores beside its game, such as napola (docs/contract.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from ..limits import OWN_COUNT, OWN_LINES, OWN_NAME_LETTERS, OWN_POINTS
from . import contract, schema
from .problems import Problems
from .sheet import Line

FIELDS = frozenset({"name", "points", "how"})
_ID = re.compile(r"own_\S*")


@dataclass(frozen=True)
class OwnLine:
    """One line of the table's own: its item, its name, its points, and whether one side takes it or all count it."""

    id: contract.ItemId
    name: str
    points: int
    how: contract.OwnLineHow

    def as_json(self) -> contract.OwnLine:
        """Return the JSON form."""
        return {"name": self.name, "points": self.points, "how": self.how}


@dataclass(frozen=True)
class OwnFacts:
    """The facts of a deal about lines of the table's own, by item."""

    takers: Mapping[contract.ItemId, int | None]
    """Who took a line that one side takes, as a position; None for nobody. A line is missing until it is spoken of."""
    counts: Mapping[contract.ItemId, tuple[int, ...]]
    """How often each side made a line that is counted, in playing order."""


def is_own(item: contract.ItemId) -> bool:
    """Return whether an item is a line of a table's own."""
    return _ID.fullmatch(item) is not None


def read_own_lines(value: object, problems: Problems) -> tuple[OwnLine, ...]:
    """Read the field ``own_lines`` of a table, and add what is impossible to ``problems``.

    Raises ``Malformed`` for a value of a wrong type, a fifth line, or a name that is too long.
    """
    if value is None:
        return ()
    given = schema.items(value, "own_lines", None)
    if len(given) > OWN_LINES:
        schema.too_long("own_lines", f"A table may have {OWN_LINES} lines of its own at most.", OWN_LINES)
    lines: list[OwnLine] = []
    names: set[str] = set()
    for number, each in enumerate(given):
        line = _read_line(schema.mapping(each, f"own_lines[{number}]"), number, problems)
        alike = _alike(line.name)
        if alike in names:
            message = f"Two lines are called {line.name!r}: give each a name of its own."
            problems.error("duplicate_item", f"own_lines[{number}].name", message, name=line.name)
        names.add(alike)
        lines.append(line)
    return tuple(lines)


def _read_line(given: Mapping[str, object], number: int, problems: Problems) -> OwnLine:
    where = f"own_lines[{number}]"
    for field in given:
        if field not in FIELDS:
            shown = field[:40]
            message = f"{shown!r} is not looked at in a line of your own."
            problems.warn("unknown_field", f"{where}.{shown}", message, field=shown)
    name = schema.text(given.get("name"), f"{where}.name")
    if _letters(name) > OWN_NAME_LETTERS:
        message = f"{where}.name may have {OWN_NAME_LETTERS} characters at most."
        schema.too_long(f"{where}.name", message, OWN_NAME_LETTERS)
    if not _alike(name) or any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in name):
        problems.error(
            "unknown_value", f"{where}.name", "A line of your own needs a name that can be seen.", value=name
        )
    points = schema.integer(given.get("points"), f"{where}.points")
    if not points or abs(points) > OWN_POINTS:
        message = f"A line of your own is worth from −{OWN_POINTS} to {OWN_POINTS} points, and not 0."
        problems.error("unknown_value", f"{where}.points", message, value=points)
    how = schema.text(given.get("how"), f"{where}.how")
    if how not in ("one", "count"):
        message = "Say 'one' if one side takes the line, 'count' if each side makes it as often as it can."
        problems.error("unknown_value", f"{where}.how", message, value=how[:40])
    return OwnLine(f"own_{number + 1}", name, points, cast(contract.OwnLineHow, how))


def _letters(name: str) -> int:
    """Return how many characters of a name are seen; an accent is seen with its letter."""
    composed = unicodedata.normalize("NFC", name)
    return sum(1 for letter in composed if unicodedata.category(letter)[0] not in "CM")


def _alike(name: str) -> str:
    """Return a form of a name that is equal for names which differ only in case, accents, or what is not seen."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold())
    seen = "".join(letter for letter in letters if unicodedata.category(letter)[0] not in "CM")
    return " ".join(seen.split())


def without_own(deal: Mapping[str, object]) -> dict[str, object]:
    """Return a deal without its facts about lines of the table's own: the deal as its game reads it."""
    rest = {name: value for name, value in deal.items() if name != "own"}
    awards = rest.get("awards")
    if isinstance(awards, schema.OBJECTS):
        others = {item: taker for item, taker in awards.items() if not (isinstance(item, str) and is_own(item))}
        if len(others) < len(awards):
            rest["awards"] = others
            if not others:
                del rest["awards"]
    return rest


def read_own_facts(
    lines: Sequence[OwnLine], deal: Mapping[str, object], sides: Sequence[str], problems: Problems
) -> OwnFacts:
    """Read what a deal says of lines of the table's own (fields ``own`` and ``awards``)."""
    hows: dict[str, str] = {line.id: line.how for line in lines}
    takers: dict[contract.ItemId, int | None] = {}
    awards = deal.get("awards")
    for item, taker in awards.items() if isinstance(awards, schema.OBJECTS) else ():
        if not isinstance(item, str) or not is_own(item):
            continue
        where = f"awards.{item[:40]}"
        if hows.get(item) != "one":
            message = f"{item[:40]!r} is no line of this table that one side takes."
            problems.error("unknown_item", where, message, item=item[:40])
        elif isinstance(taker, schema.LISTS):
            named = [label[:40] for label in taker if isinstance(label, str)][:OWN_LINES]
            problems.error("impossible_award", where, "One side takes it, or nobody.", item=item, sides=named)
        elif taker is None:
            takers[item] = None
        else:
            side = schema.side(taker, where, sides, problems)
            if side is not None:
                takers[item] = sides.index(side)
    counts: dict[contract.ItemId, tuple[int, ...]] = {}
    for item, made in schema.optional_mapping(deal.get("own"), "own").items():
        where = f"own.{item[:40]}"
        if hows.get(item) != "count":
            message = f"{item[:40]!r} is no line of this table that each side counts."
            problems.error("unknown_item", where, message, item=item[:40])
            continue
        counts[item] = _read_counts(made, where, sides, problems)
    return OwnFacts(takers, counts)


def _read_counts(value: object, where: str, sides: Sequence[str], problems: Problems) -> tuple[int, ...]:
    made = dict.fromkeys(sides, 0)
    for label, given in schema.by_side(value, where, sides, problems).items():
        made[label] = count = schema.integer(given, f"{where}.{label}")
        if not 0 <= count <= OWN_COUNT:
            message = f"A line of your own is made from 0 to {OWN_COUNT} times in a deal."
            problems.error("unknown_value", f"{where}.{label}", message, value=count)
    return tuple(made.values())


def own_line_of(line: OwnLine, facts: OwnFacts, sides: int) -> Line:
    """Return the line of a sheet: settled by the table's word, open while nobody has said who took it."""
    if line.how == "count":
        made = facts.counts.get(line.id, (0,) * sides)
        points = tuple(line.points * count for count in made)
        return Line(line.id, points, "each_own", made, "said", text=line.name)
    if line.id not in facts.takers:
        return Line(line.id, None, "open", bounds=((0, 1),) * sides, text=line.name)
    taker = facts.takers[line.id]
    values = tuple(int(side == taker) for side in range(sides))
    points = tuple(line.points * value for value in values)
    if taker is None:
        return Line(line.id, points, "nobody", values, "said", text=line.name)
    return Line(line.id, points, "said_own", values, "said", winners=(taker,), text=line.name)
