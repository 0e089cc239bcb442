"""The rows of a closing form as they are drawn: what is written in their cells, and what is still to be said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from flask_babel import gettext as _

from ...rules import contract
from ...store.journal.kinds import AnyPayload
from ..match.entry_words import declared_words
from ..match.view import MatchView
from ..words.names import item_name, join_names, short_item_name, upper_first
from ..words.values import are_certain, bounds_of, numeral, takers_of
from .closing_grid import ClosingForm
from .judged import JudgedClosing
from .own_fields import NOBODY


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


def lines_to_say(match: MatchView, judged: JudgedClosing) -> list[str]:
    """Return what is still to be said, by the names of the rows; those that a form folds are one."""
    if judged.to_say is None:
        judged.to_say = _names_to_say(match, judged)
    return judged.to_say


def _names_to_say(match: MatchView, judged: JudgedClosing) -> list[str]:
    folded = {row.item for row in match.needs.folded}
    still_open = judged.open_items
    names = [item_name(match.setup.game, item) for item in still_open if item not in folded]
    return names if folded.isdisjoint(still_open) else [*names, _("the rare ones")]


def rare_words(match: MatchView, judged: JudgedClosing) -> str:
    """Return what is known of the rare lines that a form folds: who has one, that nobody has, or that nobody said."""
    game, lines = match.setup.game, [judged.line(row.item) for row in match.needs.folded]
    taken = [(line["item"], takers_of(line)) for line in lines if line and line["points"] is not None]
    won = [
        f"{upper_first(short_item_name(game, item))}: {join_names(match.sides[label] for label in takers)}"
        for item, takers in taken
        if takers
    ]
    if won:
        return ", ".join(won)
    return _("for nobody") if len(taken) == len(lines) else _("not said")


def are_all_nobodys(match: MatchView, judged: JudgedClosing) -> bool:
    """Return whether nobody has any of the rare lines that a form folds."""
    lines = [judged.line(row.item) for row in match.needs.folded]
    return all(line is not None and line["points"] is not None and not takers_of(line) for line in lines)


@dataclass(frozen=True)
class Declared:
    """A declaration in a closing form, as its row shows it."""

    text: str
    """The text that carries it in the form."""
    side: str
    words: str
    spoken: str
    points: contract.Number


def declared_in(match: MatchView, form: ClosingForm) -> list[Declared]:
    """Return the declarations of a form, each with its points."""
    found = []
    for text, one in form.declarations():
        payload = cast(AnyPayload, one)
        worth = match.worth_of(payload)
        items = [short_item_name(match.setup.game, item) for item in worth or one.get("items") or []]
        spoken = declared_words(match.sides, match.setup.game, payload, worth)
        found.append(Declared(text, one["side"], upper_first(", ".join(items)), spoken, sum(worth.values())))
    return found
