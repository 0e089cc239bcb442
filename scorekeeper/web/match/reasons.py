"""The reasons behind the lines of a sheet: the rule as this table plays it, and the cards that were shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlencode

from ... import rules
from ...rules import contract
from ..words.points import points_of
from ..words.primes import LABELS, METHODS, laid_out, prime_request, worth_in
from .view import MatchView

Facts = Mapping[str, Any]
"""The facts of a deal, as the payload of its closing has them."""


def table_of(match: MatchView) -> rules.TableRules:
    """Return the table rules of a match."""
    # The engine caches it.
    table = rules.read_table(match.standing.state.engine_setup(), rules.Problems())
    assert table is not None
    return table


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


@dataclass(frozen=True)
class LaidPrimes:
    """Primes with the cards that make them, as the prime referee shows them. ``laid`` has a card a suit, or None."""

    method: str
    answer: contract.Primes
    laid: Mapping[str, list[str | None]]

    worth = staticmethod(worth_in)
    """Returns what one card adds, given the method and the card."""


@dataclass(frozen=True)
class Reasons:
    """What explains the lines of one deal. ``piles`` is empty outside the fishing family."""

    table: rules.TableRules
    facts: Facts
    piles: Mapping[str, list[str]]
    points: Mapping[str, str] = field(default_factory=dict)
    """The points of each item at this table, in words."""

    def tie_rule(self, item: str) -> str:
        """Return the tie rule of an item; "" where it cannot be tied."""
        return rules.tie_rule(self.table, item)

    def cards(self, item: str) -> dict[str, list[str]]:
        """Return the cards that an item counts, by the side in whose pile they were shown; {} where none were."""
        counted = set(rules.cards_counted(self.table, item))
        shown = {label: [card for card in pile if card in counted] for label, pile in self.piles.items()}
        return shown if any(shown.values()) else {}

    @property
    def prime_rule(self) -> rules.PrimeRule | None:
        """How this table values a prime; None where the game has no prime."""
        return rules.prime_rule(self.table)

    def primes(self, line: contract.Line | None) -> LaidPrimes | None:
        """Return the primes of the shown piles if they come to the values of ``line``, the sheet's prime; else None."""
        rule = self.prime_rule
        if rule is None or line is None or line["reason"] == "open" or not line.get("values"):
            return None
        if self.facts.get("as") or not all(self.piles.values()):
            return None
        answer = cast(contract.Primes, rules.prime(prime_request(rule, self.piles)))
        primes = answer["primes"]
        values = {label: prime["value"] if prime["eligible"] else None for label, prime in primes.items()}
        return LaidPrimes(rule.method, answer, laid_out(primes)) if values == line.get("values") else None

    def referee_query(self) -> str:
        """Return the query that opens the prime referee with these piles.

        It is "" where no cards were shown, or where the referee's form has not that method or not so many sides.
        """
        rule = self.prime_rule
        if rule is None or rule.method not in METHODS or not any(self.piles.values()):
            return ""
        if not set(self.piles) <= set(LABELS):
            return ""
        query: list[tuple[str, Any]] = [("method", rule.method), ("sides", len(self.piles))]
        needs = {"suits": rule.suits_required, "pip": rule.needs_pip, "seven": rule.needs_seven}
        query += [(name, 1) for name, needed in needs.items() if needed]
        query += [(f"pile-{label}", card) for label, pile in self.piles.items() for card in pile]
        return urlencode(query)


def reasons_of(match: MatchView, facts: Facts) -> Reasons:
    """Return the reasons for the lines of a deal of this match that has these facts."""
    table = table_of(match)
    piles = piles_of(facts, match.setup.labels) if rules.fishing_rules(table) else {}
    return Reasons(table, facts, piles, dict(points_of(table)))
