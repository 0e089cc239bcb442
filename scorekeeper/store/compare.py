"""Compare two closings of a deal: their sheets, and the piles of the cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..rules import contract
from .journal.entries import JournalEntry
from .journal.replay import DealState, MatchState
from .standings import score_closing, score_deal

Facts = Mapping[str, Any]
"""The facts of a deal, in the shape of the payload of its closing."""

STRENGTH = {None: 0, "said": 1, "counted": 2, "shown": 3}
"""The rank of each evidence."""


def lines_of(sheet: contract.Scored) -> dict[contract.ItemId, contract.Line]:
    """Return a sheet's lines by their items."""
    return {line["item"]: line for line in sheet["lines"]}


def differ(first: contract.Line | None, second: contract.Line | None) -> bool:
    """Return whether two lines of one item differ in points, or have values that contradict each other.

    None is a sheet without that item.
    """
    if _points(first) != _points(second):
        return True
    values, others = _values(first), _values(second)
    return any(None not in (values[side], others.get(side)) and values[side] != others[side] for side in values)


def _points(line: contract.Line | None) -> dict[contract.Side, contract.Number] | None:
    """Return the points of a line, zeros left out; none without a line, None if the line is open."""
    if line is None:
        return {}
    points = line["points"]
    return None if points is None else {side: number for side, number in points.items() if number}


def _values(line: contract.Line | None) -> Mapping[contract.Side, contract.Number | None]:
    if line is None or line["reason"] == "open":
        return {}
    return line.get("values", {})


def pile_of_card(facts: Facts) -> dict[contract.Card, contract.Side]:
    """Return the side whose pile has each card that was shown or said; a shown card overrides a said one."""
    places: dict[contract.Card, contract.Side] = {}
    for side, cards in _by_side(facts, "told"):
        places.update({card.upper(): side for card in cards})
    for side, best in _by_side(facts, "best"):
        places.update({f"{rank}{suit}": side for suit, rank in best.items() if isinstance(rank, int)})
    for side, cards in _by_side(facts, "piles"):
        places.update({card.upper(): side for card in cards})
    return places


def _by_side(facts: Facts, name: str) -> Iterator[tuple[contract.Side, Any]]:
    """Yield what a fact says of each side; null is unknown."""
    yield from ((side, known) for side, known in (facts.get(name) or {}).items() if known)


def give_same_points(first: contract.Scored, second: contract.Scored) -> bool:
    """Return whether two sheets of a deal have the same lines, by their points, and the same redeal."""
    lines, others = lines_of(first), lines_of(second)
    alike = all(_points(lines.get(item)) == _points(others.get(item)) for item in {*lines, *others})
    return alike and first["redeal"] == second["redeal"]


def shows_more(first: contract.Scored, second: contract.Scored) -> bool:
    """Return whether the evidence of a line of the first sheet is stronger than in the second."""
    others = lines_of(second)
    return any(
        STRENGTH[_evidence(line)] > STRENGTH[_evidence(others.get(item))] for item, line in lines_of(first).items()
    )


def _evidence(line: contract.Line | None) -> str | None:
    return None if line is None or line["reason"] == "open" else line["evidence"]


def cards_elsewhere(first: Facts, second: Facts) -> list[contract.Card]:
    """Return the cards that are in different piles in these two closings."""
    one, other = pile_of_card(first), pile_of_card(second)
    return sorted(card for card in one if card in other and one[card] != other[card])


def agree(state: MatchState, deal: DealState, closing: JournalEntry, posted: contract.Deal) -> bool:
    """Return whether two closings of a deal have the same sheet, and contradict each other about no card and no count.

    ``posted`` is not stored yet, so it is scored within bounds.
    """
    stored = closing.payload["facts"]
    if stored == posted:
        return True
    first, second = score_closing(state, deal, closing), score_deal(state, deal, posted)
    if first["redeal"] != second["redeal"] or cards_elsewhere(stored, posted):
        return False
    if not first["redeal"] and {first["status"], second["status"]} != {"complete"}:
        return False
    lines, others = lines_of(first), lines_of(second)
    return not any(differ(lines.get(item), others.get(item)) for item in {*lines, *others})
