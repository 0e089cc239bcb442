"""The rows of a round's closing: one a player, with the points so far."""

from __future__ import annotations

from dataclasses import dataclass

from ... import rules
from ...rules import contract
from ..match.view import MatchView
from .closing_questions import QuestionsForm
from .judged import JudgedClosing


@dataclass
class Hand:
    """One player, or side, in a round."""

    label: contract.Side
    name: str
    before: contract.Number
    left: int | None
    """The sum of the cards known of this hand; None if none is known."""
    after: contract.Number | None
    """The total with this round; None while its points are open."""
    place: int | None = None
    """The place in the ranking after the round, once all of it is known; 1 leads."""


def hands_of(match: MatchView, form: QuestionsForm, judged: JudgedClosing) -> list[Hand]:
    """Return a row for each side, in their order at the table."""
    totals = match.standing.settled
    if match.sheet_of(form.deal_number) is not None:
        totals = match.running(form.deal_number - 1)
    points, complete = judged.sheet["points"], _is_told(judged)
    rows = []
    for label, name in match.sides.items():
        left = left_of(form, label)
        round_points = points.get(label, 0) if complete else _known_points(form, judged, label, left)
        after = None if round_points is None else totals[label] + round_points
        rows.append(Hand(label, name, totals[label], left, after))
    if complete:
        sign = 1 if match.is_low_best else -1
        for row in rows:
            row.place = 1 + sum(1 for other in rows if sign * (other.after or 0) < sign * (row.after or 0))
    return rows


def _is_told(judged: JudgedClosing) -> bool:
    """Return whether the points of the round are known but for lines of the table's own."""
    lines = [line for line in judged.sheet["lines"] if not rules.is_own(line["item"])]
    of_game = bool(lines) and all(line["points"] is not None for line in lines)
    return judged.is_complete or (judged.sheet["status"] == "open" and of_game)


def leaders_after(match: MatchView, rows: list[Hand]) -> list[Hand]:
    """Return who leads after the round; while the round is open, by the totals so far."""
    totals = {row.label: row.before if row.after is None else row.after for row in rows}
    best = min(totals.values()) if match.is_low_best else max(totals.values())
    return [row for row in rows if totals[row.label] == best]


def left_of(form: QuestionsForm, label: contract.Side) -> int | None:
    """Return the sum of the cards that a player has left; None if none are known, or one is not a card."""
    field = form._fields.get(f"left-{label}")
    if field is None or not field.data:
        return None
    worth = form.worth_of_cards()
    ranks = str(field.data).upper().split()
    return sum(worth[rank] for rank in ranks) if all(rank in worth for rank in ranks) else None


def _known_points(form: QuestionsForm, judged: JudgedClosing, label: str, left: int | None) -> contract.Number | None:
    """Return the points of one side in a round that is still open for others."""
    bonus = judged.sheet["points"].get(label, 0) if judged.sheet["status"] == "open" else 0
    facts = form.facts()
    if label in (facts.get("went_out"), facts.get("out_at_once")):
        return bonus
    field = form._fields.get(f"points-{label}") or form._fields.get(f"left_points-{label}")
    known: int | None = left if left is not None else field.data if field is not None else None
    return None if known is None else bonus + known
