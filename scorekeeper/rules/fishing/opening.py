"""The opening: the points that the cards laid out before the first play give the dealer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .. import contract
from ..cards import MATTA, SUIT_PILES, Card, Pile, Position, rank_of, value_of
from ..problems import Problems
from ..sheet import Line
from .facts import Facts
from .rules import FishingRules, Opening

TOTALS = (15, 30)
"""Totals of the layout that the dealer may take."""

FEWEST_OF_A_FLUSH = 3


class OpeningResult(NamedTuple):
    """The result of a layout: its total, the most cards of one suit, and the evidence for both.

    If it was only said, a total other than 15 and 30 is None, and fewer than three of a suit are 0.
    """

    total: int | None
    suited: int
    evidence: contract.Evidence

    def points(self, rule: Opening) -> int | None:
        """Return the points for the total; None if the dealer does not take it."""
        if self.total == 15:
            return rule.fifteen
        return rule.thirty if self.total == 30 else None

    def units(self, rule: Opening) -> int:
        """Return how many fifteens the dealer takes: 0, 1 or 2. A game may have them taken for no points."""
        return 0 if self.points(rule) is None else (self.total or 0) // 15

    def is_flush(self, rule: Opening) -> bool:
        """Return whether enough cards are of one suit; False if flushes are not played."""
        return bool(rule.flush) and self.suited >= FEWEST_OF_A_FLUSH

    def flush_points(self, rule: Opening) -> int:
        """Return the points for cards of one suit; 0 if there are too few, or flushes are not played."""
        return rule.flush[self.suited - FEWEST_OF_A_FLUSH] if rule.flush and self.is_flush(rule) else 0


def read_opening(rules: FishingRules, facts: Facts, problems: Problems) -> OpeningResult:
    """Read the opening from the layout, or from the table's word where no layout is shown.

    A word that the cards contradict is a warning. An opening that scores in a deal without a dealer is an error.
    """
    if facts.layout is None:
        opening = said_opening(facts.layout_results)
    else:
        opening = shown_opening(rules, facts.layout, facts.ranks)
        if facts.layout_results and _contradicts(rules.opening, opening, facts.layout_results):
            problems.warn("layout_contradicted", "layout_result", "The four cards say otherwise; they are scored.")
    gives_something = opening.units(rules.opening) or opening.is_flush(rules.opening)
    if gives_something and facts.dealer is None:
        problems.error("dealer_missing", "dealer", "Say who dealt: the opening cards are the dealer's.")
    return opening


def shown_opening(rules: FishingRules, layout: Pile, ranks: Mapping[Card, int]) -> OpeningResult:
    """Return the opening that a layout shows; ``ranks`` are the rank positions that wild cards have in this deal."""
    if rules.wild_in_layout != "free" and rules.matta_in_layout != "on":
        ranks = {}
    values, total = rules.values, value_of(layout, rules.values)
    loses_suit = rules.wild_power == "rank_free_no_suit"
    fixed = layout
    for card, rank in ranks.items():
        if layout >> card & 1:
            total += values[rank] - values[rank_of(card)]
            if loses_suit and card != MATTA:
                fixed ^= 1 << card
    suited = max([(fixed & suit).bit_count() for suit in SUIT_PILES])
    return OpeningResult(total, (layout ^ fixed).bit_count() + suited, "shown")


def said_opening(results: frozenset[str]) -> OpeningResult:
    """Return the opening that the table reports: results ``15``, ``30``, ``flush3`` and ``flush4``."""
    total = next((total for total in TOTALS if str(total) in results), None)
    suited = next((cards for cards in (3, 4) if f"flush{cards}" in results), 0)
    return OpeningResult(total, suited, "said")


def _contradicts(rule: Opening, shown: OpeningResult, results: frozenset[str]) -> bool:
    """Return whether the cards show another opening than the table says; a flush counts only where it is played."""
    concerned = {str(total) for total in TOTALS} | ({"flush3", "flush4"} if rule.flush else set())
    true_results = {str(shown.total)} & concerned
    if shown.is_flush(rule):
        true_results.add(f"flush{shown.suited}")
    return true_results != results & concerned


def lines_of(opening: OpeningResult, rule: Opening, dealer: Position | None, sides: int) -> list[Line]:
    """Return the lines of an opening; ``dealer`` is the position of the dealer's side."""

    def line(id: str, points: int, reason: str) -> Line:
        each = tuple(points if side == dealer else 0 for side in range(sides))
        return Line(id, each, reason, each, opening.evidence)

    lines = []
    points = opening.points(rule)
    if points:
        lines.append(line("table_sweep", points, "fifteen" if opening.total == 15 else "thirty"))
    flush = opening.flush_points(rule)
    if flush:
        lines.append(line("table_flush", flush, f"flush{opening.suited}"))
    return lines
