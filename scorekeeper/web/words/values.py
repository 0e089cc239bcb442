"""The value of each side on a line of a sheet, in words: a number where it is certain, else the bound that decides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flask_babel import gettext as _

from ...rules import contract
from .dates import decimal

Line = contract.Line
MINUS = "\N{MINUS SIGN}"
"""The sign before a number below nought; a hyphen is too short beside figures, and is read as a dash."""


DASH = "\N{EN DASH}"
"""The sign between the numbers of two sides."""


def values_of(line: Line) -> Mapping[contract.Side, contract.Number | None]:
    """Return the certain values of a settled line; {} if it has none."""
    return {} if line["reason"] == "open" else line.get("values") or {}


def bounds_of(line: Line) -> contract.Bounds:
    """Return the least and the most of each side; {} if the line has no numbers at all."""
    values = values_of(line)
    if values:
        return {side: [value, value] for side, value in values.items()}
    return line.get("bounds") or {}


def because_of(line: Line) -> contract.Because | None:
    """Return what settles the line although cards are unplaced; None if every card is known, or it is open."""
    return None if line["reason"] == "open" else line.get("because")


def takers_of(line: Line) -> list[contract.Side]:
    """Return the sides that took the item of a line. One that wins the match, with all the coins, gives no points."""
    if line["points"] is None:
        return []
    if line["reason"] in ("said_own", "each_own"):
        # A line of the table's own may take points: who made it is said by its numbers.
        return [side for side, number in values_of(line).items() if number]
    takers = [side for side, points in line["points"].items() if points > 0]
    if takers or line["reason"] != "all":
        return takers
    least = {side: low or 0 for side, (low, _most) in bounds_of(line).items()}
    return [side for side, low in least.items() if low and low == max(least.values())]


def are_certain(bounds: contract.Bounds) -> bool:
    """Return whether there are numbers, and none of them can change."""
    return bool(bounds) and all(least == most for least, most in bounds.values())


def rests_on_award(line: Line) -> bool:
    """Return whether the line is settled by the table's word about its own item."""
    because = because_of(line)
    if because is None:
        return line.get("evidence") == "said" and not line.get("values")
    return line["item"] in because.get("awards", {})


def numbers_show(line: Line) -> bool:
    """Return whether the numbers alone show who took the item: each taker has more than any other can have."""
    bounds, takers = bounds_of(line), takers_of(line)
    if are_certain(bounds):
        return True
    if not takers or not bounds or rests_on_award(line):
        return False
    most_of_others = [most or 0 for side, (_least, most) in bounds.items() if side not in takers]
    return all((bounds[side][0] or 0) > other for side in takers for other in most_of_others)


def is_count(line: Line) -> bool:
    """Return whether the numbers of a line count more than whether a side has the thing or not."""
    most = [most or 0 for _least, most in bounds_of(line).values()]
    return max(most, default=0) > 1 or line["reason"] in ("most", "tied", "tied_each_scores", "best_untied")


def numeral(number: contract.Number) -> str:
    """Return a number as the reader's language writes it: halves have a comma in Spanish."""
    written = str(number) if isinstance(number, int) else decimal(number)
    return written.replace("-", MINUS)


def signed(points: contract.Number) -> str:
    """Return points as they are added or taken, "+5", "−5", and "0"; halves as the reader's language writes them."""
    written = numeral(int(points) if points == int(points) else points)
    return f"+{written}" if points > 0 else written


def scores(numbers: Iterable[contract.Number]) -> str:
    """Return the numbers of all sides in their order: "18–16", and "18, −4" where one is below nought."""
    by_place = {str(place): number for place, number in enumerate(numbers)}
    return dash(by_place).join(map(numeral, by_place.values()))


def number_words(bound: Sequence[contract.Number | None], *, is_taker: bool, is_settled: bool) -> str:
    """Return one side's number in words, "–" where it cannot have any; of a bound only the end that decides."""
    least, most = bound
    if least == most:
        return "–" if least is None else numeral(least)
    if is_taker and least is not None:
        return _("at least %(number)s", number=numeral(least))
    if is_settled or not least:
        return _("at most %(number)s", number=numeral(most or 0))
    return _("%(least)s to %(most)s", least=numeral(least), most=numeral(most or 0))


def numbers_by_side(line: Line, sides: Iterable[contract.Side]) -> dict[contract.Side, str]:
    """Return what each side has, in words; {} if the line has no numbers."""
    bounds, takers = bounds_of(line), takers_of(line)
    if not bounds:
        return {}
    is_settled = bool(takers)
    return {side: number_words(bounds[side], is_taker=side in takers, is_settled=is_settled) for side in sides}


def line_numbers(line: Line, names: Mapping[contract.Side, str]) -> str:
    """Return the numbers of a line with the names of the sides, "Ana 25, Beto at most 24"; "" if it has none."""
    return ", ".join(f"{names[side]} {words}" for side, words in numbers_by_side(line, names).items())


def named_numbers(numbers: Mapping[contract.Side, contract.Number | None], names: Mapping[contract.Side, str]) -> str:
    """Return a number of each side with its name: "Ana 25, Beto 15"."""
    return ", ".join(f"{name} {_number(numbers, side)}" for side, name in names.items())


def dash(numbers: Mapping[contract.Side, contract.Number | None]) -> str:
    """Return the sign between numbers: a dash, but none beside a minus, or beside the sign of what has no number."""
    return ", " if any(number is None or number < 0 for number in numbers.values()) else DASH


def dashed(numbers: Mapping[contract.Side, contract.Number | None], names: Iterable[contract.Side]) -> str:
    """Return the numbers of the sides in their order: "25–15"."""
    return dash(numbers).join(_number(numbers, side) for side in names)


def one_to_other(numbers: Mapping[contract.Side, contract.Number | None], names: Iterable[contract.Side]) -> str:
    """Return the numbers of two sides as they are said, "25–15", in Spanish "25 a 15"; of more as ``dashed``."""
    sides = list(names)
    if len(sides) != 2 or dash(numbers) != DASH:
        return dashed(numbers, sides)
    first, second = (_number(numbers, side) for side in sides)
    return _("%(first)s–%(second)s", first=first, second=second)


def _number(numbers: Mapping[contract.Side, contract.Number | None], side: contract.Side) -> str:
    """Return the number of a side, "–" where it cannot have any; "" for a side that was not there yet."""
    if side not in numbers:
        return ""
    number = numbers[side]
    return "–" if number is None else numeral(number)


def were_noted(made: Mapping[contract.Side, contract.Number | None], noted: Mapping[contract.Side, int]) -> bool:
    """Return whether these sweeps are those that were noted while the deal was played, and no others."""
    return all((number or 0) == noted.get(side, 0) for side, number in made.items())
