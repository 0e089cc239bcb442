"""The winner cells of a closing form: what is written in the cell of a side that takes an item, and why."""

from __future__ import annotations

from dataclasses import dataclass

from flask_babel import gettext as _

from ...rules import contract
from ..match.view import MatchView
from ..words.values import are_certain, bounds_of, numeral, takers_of
from .closing_grid import NOBODY
from .judged import JudgedClosing


@dataclass(frozen=True)
class Cell:
    """The content of a cell once it is chosen, and whether it is chosen by something else than a tap on it."""

    points: str
    because: str
    """The count, or that it was seen, or follows from the rest; "" if it was said."""
    is_settled: bool
    """True if the engine gives this item to this taker."""
    evidence: str = ""
    """How it is known that this taker has it: said, counted or shown; "" if it is open."""


def cell_of(match: MatchView, judged: JudgedClosing, item: contract.ItemId, taker: str) -> Cell:
    """Return the cell of an item for a side by its label, or for ``NOBODY``."""
    line = judged.line(item)
    is_open = line is None or line["points"] is None
    takers = [] if line is None or is_open else takers_of(line)
    if taker == NOBODY:
        return Cell("", "", not is_open and not takers)
    if line is None or is_open or taker not in takers:
        return Cell(_signed(match.points_of_items.get(item)), "", is_settled=False)
    assert line["points"] is not None
    return Cell(_signed(line["points"][taker]), _because(match, line, taker), True, line.get("evidence") or "")


def _signed(points: contract.Number | None) -> str:
    """Return points as a cell shows them; "" if they depend on the deal, or win the match instead."""
    return f"{points:+g}" if points else ""


def _because(match: MatchView, line: contract.Line, taker: str) -> str:
    """Return what was counted, "22–18", of several sides only the taker's number; or that it was seen, or follows."""
    if line.get("evidence") == "said" and not line.get("values"):
        return ""
    bounds = bounds_of(line)
    if are_certain(bounds) and all(most is not None for _least, most in bounds.values()):
        numbers = {label: numeral(most or 0) for label, (_least, most) in bounds.items()}
        if sorted(numbers.values())[-2:] == ["0", "1"]:
            return ""  # a single card: the cell alone says who has it
        if len(numbers) == 2:
            first, second = (numbers[label] for label in match.setup.labels)
            return _("%(first)s–%(second)s", first=first, second=second)
        return numbers[taker]
    return _("seen") if line.get("evidence") == "shown" else _("follows")
