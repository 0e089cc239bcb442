"""A deal of any game: scored by the rules of its game, or given as plain points, with the adjustments of the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from . import schema
from .fishing.game import FishingGame
from .own_lines import own_line_of, read_own_facts, without_own
from .points import read_points, with_points
from .problems import Problems, check_fields
from .ruleset import TableRules
from .rummy import RummyGame
from .sheet import Line, Sheet

BESIDE_POINTS = frozenset({"dealer", "round", "points"})
"""The fields of a deal with plain points, apart from ``adjustments``."""

ITEMS = ("points", "adjustment")
"""The items that the sheet of a deal of any game may have, beside the items of the game."""

OWN_FIELDS = frozenset({"awards", "own"})
"""The fields of a deal that speak of lines of the table's own."""


class Adjustment(NamedTuple):
    """Points that the table adds to a side, or takes from it, for a reason of its own."""

    side: int
    points: int
    text: str


def takes_plain_points(table: TableRules) -> bool:
    """Return whether a deal may have plain points in place of the facts that the game scores."""
    return not table.game.reads_points


def score_deal(table: TableRules, deal: Mapping[str, object], number: int, is_bare: bool = False) -> Sheet:
    """Return the sheet of a deal; ``number`` counts the deals before it. Raises ``Malformed`` if a type is wrong.

    The lines of an ``is_bare`` sheet have points and reasons, and perhaps no more.

    Lines of the table's own come after those of the game, adjustments after all others: neither a forfeit nor who won
    the deal depends on them, and a deal that is dealt again has none (docs/contract.md).
    """
    rest = {name: deal[name] for name in deal if name != "adjustments" and (name != "points" or deal[name] is not None)}
    problems = Problems()
    adjustments = _read_adjustments(deal.get("adjustments"), table.sides, problems)
    is_plain = "points" in rest and takes_plain_points(table)
    more: list[Line] = []
    if not (is_plain and _points_hold_own_lines(table)):
        facts = read_own_facts(table.own_lines, rest, table.sides, problems)
        rest = without_own(rest)
        more = [own_line_of(line, facts, len(table.sides)) for line in table.own_lines]
    sheet = _score_points(table, rest, number) if is_plain else _score(table, rest, number, is_bare)
    sheet.problems.include(problems)
    more += [_line_of(adjustment, len(table.sides)) for adjustment in adjustments]
    if sheet.points is None or sheet.redeal is not None or not more:
        return sheet
    sheet.lines = [*sheet.lines, *more]
    sheet.agreed = _sums(more, len(table.sides))
    sheet.points = tuple(points + more for points, more in zip(sheet.points, sheet.agreed, strict=True))
    return sheet


def _points_hold_own_lines(table: TableRules) -> bool:
    """Return whether plain points hold those of the table's own lines: everywhere but in Carioca, which adds them."""
    return not isinstance(table.game, RummyGame)


def _score(table: TableRules, deal: Mapping[str, object], number: int, is_bare: bool) -> Sheet:
    game = table.game
    return game.score(deal, is_bare=True) if is_bare and isinstance(game, FishingGame) else game.score(deal, number)


def points_agreed(table: TableRules, deal: Mapping[str, object]) -> tuple[int | float, ...]:
    """Return the adjustments of each side, independent of the other facts of the deal."""
    adjustments = _read_adjustments(deal.get("adjustments"), table.sides, Problems())
    return _sums([_line_of(adjustment, len(table.sides)) for adjustment in adjustments], len(table.sides))


def _read_adjustments(value: object, sides: Sequence[str], problems: Problems) -> list[Adjustment]:
    adjustments = []
    for place, given in enumerate(schema.optional_items(value, "adjustments")):
        where = f"adjustments[{place}]"
        fields = schema.mapping(given, where)
        side = schema.side(schema.text(fields.get("side"), f"{where}.side"), f"{where}.side", sides, problems)
        points = schema.integer(fields.get("points"), f"{where}.points")
        text = schema.text(fields.get("reason"), f"{where}.reason")
        if not points:
            message = "An adjustment adds points or takes some: not 0."
            problems.error("unknown_value", f"{where}.points", message, value=points)
        if side is not None:
            adjustments.append(Adjustment(sides.index(side), points, text))
    return adjustments


def _line_of(adjustment: Adjustment, sides: int) -> Line:
    points = tuple(adjustment.points if side == adjustment.side else 0 for side in range(sides))
    return Line("adjustment", points, "agreed", evidence="said", text=adjustment.text)


def _says_something(name: str, value: object) -> bool:
    """Return whether a field has a meaning: null has none except in ``last_capturer``, where it means nobody."""
    return value is not None or name == "last_capturer"


def _sums(lines: Sequence[Line], sides: int) -> tuple[int | float, ...]:
    return tuple(sum(line.points[side] for line in lines if line.points is not None) for side in range(sides))


def _score_points(table: TableRules, deal: Mapping[str, object], number: int) -> Sheet:
    """Return the sheet of a deal with plain points."""
    problems = Problems()
    sheet = Sheet(table.sides, problems=problems)
    known = table.game.deal_fields | OWN_FIELDS
    more = sorted(name for name in deal if name in known - BESIDE_POINTS and _says_something(name, deal[name]))
    if more:
        message = f"With points given for the whole deal, nothing else of it is told: {', '.join(more)}."
        problems.error("points_and_more", "points", message, fields=more)
    check_fields(deal, known | BESIDE_POINTS - {"round"}, problems)
    schema.side(deal.get("dealer"), "dealer", table.sides, problems)
    table.game.check_round(deal.get("round"), number, problems)
    return with_points(sheet, read_points(deal.get("points"), table.sides, problems))
