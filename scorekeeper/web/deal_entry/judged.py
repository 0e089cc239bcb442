"""The judgement of the engine on a closing form so far: the sheet, and where each problem is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from ...rules import OpeningWorth
from ...rules.contract import Card, Deal, ItemId, Line, Problem, Redeal, Scored
from ...store.journal.replay import DealState
from ...store.standings import BUDGET_SPENT, score_deal
from ..match.closing_needs import Needs
from ..match.opening_worth import opening_worth
from ..match.view import MatchView

FEW = 12
"""As few unseen cards as a table can remember: a line that so few decide is marked."""
OPENING, SWEEPS, PRIME = "opening", "sweeps", "prime"


@dataclass
class JudgedClosing:
    """The sheet of a closing form so far, with its problems sorted by the row that shows them."""

    sheet: Scored
    by_row: dict[ItemId, list[Problem]] = field(default_factory=dict)
    """Problems that belong to a row, by its item."""
    general: list[Problem] = field(default_factory=list)
    opening: OpeningWorth | None = None
    """The worth of the opening, if one is known."""
    to_say: list[str] | None = None
    """The lines that are still to be said, by name, once a part of the page has asked (``cells.lines_to_say``)."""

    @property
    def is_complete(self) -> bool:
        """True if every line is settled, or the layout asks for a new deal."""
        return self.sheet["status"] == "complete"

    @property
    def is_doubtful(self) -> bool:
        """True if something is improbable, or contradicts something stronger: worth a look before saving."""
        return bool(self.by_row or self.general)

    @property
    def redeal(self) -> Redeal | None:
        """Who deals again, where the opening voids the deal."""
        return self.sheet.get("redeal")

    @property
    def can_be_helped(self) -> bool:
        """True if a line is open that cards, or a count of them, would settle."""
        return self.sheet["status"] == "open" and bool(self.matters)

    def line(self, item: ItemId) -> Line | None:
        """Return the line of an item, if it has one yet."""
        return next((line for line in self.sheet["lines"] if line["item"] == item), None)

    def is_award_contradicted(self, item: ItemId) -> bool:
        """Return whether the cards and counts exclude what was said of who took an item."""
        contradicted = ("award_contradicted", f"awards.{item}")
        problems = self.by_row.get(item, [])
        return any((problem["code"], problem["where"].removeprefix("deal.")) == contradicted for problem in problems)

    @cached_property
    def open_items(self) -> list[ItemId]:
        """The items of the lines that are still open."""
        return [line["item"] for line in self.sheet["lines"] if line["points"] is None]

    @property
    def other_lines(self) -> list[Line]:
        """Every line with points, to be summed."""
        return [line for line in self.sheet["lines"] if line["points"] is not None]

    @property
    def matters(self) -> set[Card]:
        """The cards that some open line still depends on."""
        return {card for line in self.sheet["lines"] if line["points"] is None for card in line["needs"]}

    @property
    def few(self) -> set[Card]:
        """The cards of the open lines that depend on few of them."""
        needed = [line["needs"] for line in self.sheet["lines"] if line["points"] is None]
        return {card for cards in needed if len(cards) <= FEW for card in cards}


def judge_closing(
    match: MatchView, facts: Deal, deal: DealState, *, asks: bool = False, most_steps: int | None = None
) -> JudgedClosing:
    """Score the deal so far, with the next question if the page ``asks``; ``most_steps`` is as in ``rules.score``."""
    sheet = score_deal(match.standing.state, deal, facts, most_steps=most_steps, asks=asks)
    believed = _without_refused_numbers(facts, sheet["problems"]) if sheet["status"] == "invalid" else facts
    if believed != facts:
        # A number is wrong: the other lines stay as they are while it is mended.
        rest = score_deal(match.standing.state, deal, believed, most_steps=most_steps)
        sheet = {**sheet, "lines": rest["lines"], "points": rest["points"]}
    judged = JudgedClosing(sheet, opening=opening_worth(match, deal, facts))
    if judged.can_be_helped:
        # That too little is known to weigh a line is said by the question that is asked next.
        known = [problem for problem in sheet["problems"] if problem["code"] != BUDGET_SPENT]
        judged.sheet = {**sheet, "problems": known}
    for problem in judged.sheet["problems"]:
        item = _row_of(problem["where"].removeprefix("deal."), match.needs)
        if item is None:
            judged.general.append(problem)
        else:
            judged.by_row.setdefault(item, []).append(problem)
    return judged


def _without_refused_numbers(facts: Deal, problems: Sequence[Problem]) -> Deal:
    """Return the facts without the counts and sweeps that an error is about."""
    believed: dict[str, Any] = {**facts}
    for problem in problems:
        where = problem["where"].removeprefix("deal.")
        if problem["severity"] != "error":
            continue
        if where.startswith("counts"):
            # Counts of the wrong shape are an error without a kind: no part of them can be believed.
            kind = problem.get("facts", {}).get("kind")
            if kind is not None:
                believed["counts"] = {
                    side: {name: number for name, number in counts.items() if name != kind}
                    for side, counts in believed["counts"].items()
                    if isinstance(counts, Mapping)
                }
        elif where.startswith("sweeps"):
            believed.pop("sweeps", None)
    return cast(Deal, believed)


_WHERE = re.compile(
    r"(?:awards\.(?P<item>\w+)|counts\.\w+\.(?P<kind>\w+)|(?P<best>best\.)|(?P<sweeps>sweeps)|(?P<layout>layout))"
)


def _row_of(where: str, needs: Needs) -> ItemId | None:
    """Return the item of the row where a problem is shown, None for the head of the form."""
    place = _WHERE.match(where)
    if place is None:
        return None
    if place["sweeps"]:
        return SWEEPS
    if place["layout"]:
        return OPENING if needs.has_opening else None
    item = PRIME if place["best"] else place["item"]
    rows = [row.item for row in needs.rows if item == row.item or place["kind"] in row.counts]
    return rows[0] if rows else None
