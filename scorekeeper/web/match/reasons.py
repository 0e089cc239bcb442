"""The reasons behind the lines of a sheet: the rule as this table plays it, and the cards that were shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ... import rules
from ...rules import contract
from ..words.because import TIED, Ground, grounds_of, rule_words
from ..words.points import points_of
from ..words.primes import LaidPrime, laid_cards
from ..words.values import because_of, bounds_of, numbers_by_side, takers_of, values_of
from .own_line_fields import own_line_words
from .view import MatchView

Facts = Mapping[str, Any]
"""The facts of a deal, as the payload of its closing has them."""


def table_of(match: MatchView) -> rules.TableRules:
    """Return the table rules of a match."""
    assert match.table_rules is not None
    return match.table_rules


def piles_of(facts: Facts, labels: list[str]) -> dict[str, list[str]]:
    """Return the cards of each side's pile as far as they were shown, in the order of the pack.

    The leftover lies with the last capturer, where the facts name one.
    """
    holder = {card.upper(): label for label, cards in facts.get("piles", {}).items() for card in cards}
    left = [card.upper() for card in facts.get("leftover") or []]
    if facts.get("last_capturer"):
        holder.update(dict.fromkeys(left, facts["last_capturer"]))
    if facts.get("rest"):
        holder = {**{card: facts["rest"] for card in rules.CODES if card not in left}, **holder}
    return {label: [card for card in rules.CODES if holder.get(card) == label] for label in labels}


def _rank(card: str, values: Mapping[str, int]) -> str:
    """Return the rank of a card of Carioca, whose suit may be missing."""
    return card.upper() if card.upper() in values else card.upper()[:-1]


@dataclass(frozen=True)
class Reasons:
    """The reasons for the lines of one deal. ``piles`` is empty outside the fishing family."""

    match: MatchView
    table: rules.TableRules
    facts: Facts
    piles: Mapping[str, list[str]]
    points: Mapping[str, str] = field(default_factory=dict)
    """The points of each item at this table, in words."""

    def tie_rule(self, item: str) -> str:
        """Return the tie rule of an item; "" if it cannot be tied."""
        return rules.tie_rule(self.table, item)

    def grounds(self, line: contract.Line) -> list[Ground]:
        """Return what settles a line although cards are unplaced; empty if every card is known."""
        because = contract.Because(**(because_of(line) or {}))
        # That the table says so of this very item has a sentence of its own.
        because["awards"] = {item: who for item, who in because.get("awards", {}).items() if item != line["item"]}
        return grounds_of(because, self.match.sides, self.match.setup.game)

    def told_apart(self, line: contract.Line) -> dict[str, contract.Evidence]:
        """Return how each side's declaration of a line is known, by their names; {} where all are known alike."""
        if line["reason"] != "declared" or line.get("evidence") != "said":
            return {}
        told: dict[str, contract.Evidence] = {}
        for one in self.facts.get("declarations") or []:
            if line["item"] in self.match.worth_of(one):
                name = self.match.sides[one["side"]]
                told[name] = "shown" if one.get("cards") and told.get(name) != "said" else "said"
        if len(set(told.values())) < 2:
            return {}
        return {name: told[name] for name in self.match.sides.values() if name in told}

    def is_level(self, line: contract.Line) -> bool:
        """Return whether the sides ahead are level, so that the tie rule decides."""
        return line["reason"] in TIED

    def rule(self, line: contract.Line) -> str:
        """Return the rule that gave a line its points, in a few words."""
        own = {own.id: own.as_json() for own in self.table.own_lines}
        return own_line_words(own[line["item"]]) if line["item"] in own else rule_words(line, self.table)

    @property
    def fishing(self) -> rules.FishingRules | None:
        """How this table plays a fishing game; None for a game of another family."""
        return rules.fishing_rules(self.table)

    @property
    def tricks(self) -> rules.TrickDeal | None:
        """How this table plays a game of tricks; None for a game of another family."""
        return rules.trick_deal(self.table)

    @property
    def faults(self) -> tuple[str, ...]:
        """The items that a fault scores."""
        return rules.fault_items(self.table)

    @property
    def of_opening(self) -> Collection[str]:
        """The items of the opening layout."""
        return rules.opening_points(self.table)

    def left(self) -> list[tuple[str, list[str], contract.Number]]:
        """Return the cards that each player still held at the end of a round, with what they cost together."""
        values = rules.rummy_values(self.table)
        held = ((label, [_rank(card, values) for card in cards or ()]) for label, cards in self.facts["left"].items())
        return [(self.match.sides[label], ranks, sum(values[rank] for rank in ranks)) for label, ranks in held if ranks]

    def cards(self, item: str) -> dict[str, list[str]]:
        """Return the cards that an item counts, by the side in whose pile they were shown; {} if none were."""
        counted = set(rules.cards_counted(self.table, item))
        shown = {label: [card for card in pile if card in counted] for label, pile in self.piles.items()}
        return shown if any(shown.values()) else {}

    @property
    def prime_rule(self) -> rules.PrimeRule | None:
        """How this table values a prime; None if the game has no prime."""
        return rules.prime_rule(self.table)

    def primes(self, line: contract.Line | None) -> list[LaidPrime]:
        """Return the primes of a sheet's line: the cards that are certain, and each side's number or its bounds.

        Empty if the line says nothing about either, as for a prime that was only said.
        """
        if line is None or not (any(line.get("cards", {}).values()) or bounds_of(line)):
            return []
        return list(self.primes_by_side(line).values())

    def primes_by_side(self, line: contract.Line | None) -> dict[contract.Side, LaidPrime]:
        """Return the prime of every side as far as ``line`` knows it; empty if this table has no prime."""
        rule = self.prime_rule
        if rule is None:
            return {}
        if line is None:
            return {
                label: LaidPrime(name, laid_cards(rule.method, ()), "", is_all_known=False)
                for label, name in self.match.sides.items()
            }
        cards, takers = line.get("cards", {}), takers_of(line)
        numbers, values, bounds = numbers_by_side(line, self.match.sides), values_of(line), bounds_of(line)
        return {
            label: LaidPrime(
                name,
                laid_cards(rule.method, cards.get(label, []), self.wild_cards),
                numbers.get(label, ""),
                wins=label in takers,
                is_lame=list(bounds.get(label, ())) == [None, None],
                is_all_known=bool(values) and because_of(line) is None,
                is_certain=label in bounds and bounds[label][0] == bounds[label][1],
            )
            for label, name in self.match.sides.items()
        }

    @property
    def wild_cards(self) -> tuple[str, ...]:
        """The cards that may count as another in this deal's primes."""
        agreed = rules.fishing_rules(self.table)
        if agreed is None or not (self.facts.get("as") or self.facts.get("declarations")):
            return ()
        is_natural = agreed.matta and agreed.matta_in_prime == "natural"
        return () if is_natural else self.match.needs.wilds


def reasons_of(match: MatchView, facts: Facts) -> Reasons:
    """Return the reasons for the lines of a deal of this match that has these facts."""
    table = table_of(match)
    piles = piles_of(facts, match.setup.labels) if rules.fishing_rules(table) else {}
    return Reasons(match, table, facts, piles, dict(points_of(table)))
