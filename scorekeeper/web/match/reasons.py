"""Why a line of a sheet says what it says: the rule as this table plays it, and the cards that were shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from ... import rules
from ..words.points import points_of
from ..words.primes import LABELS, METHODS, laid_out, prime_request, worth_in
from .view import MatchView

Facts = Mapping[str, Any]


@lru_cache(maxsize=256)
def _table(request: str) -> rules.TableRules:
    table = rules.read_table(json.loads(request), rules.Problems())
    assert table is not None
    return table


def table_of(match: MatchView) -> rules.TableRules:
    """Return the engine's table of a match."""
    return _table(json.dumps(match.standing.state.engine_setup(), sort_keys=True))


def piles_of(facts: Facts, labels: list[str]) -> dict[str, list[str]]:
    """Return whose pile each card lies in, as far as the cards were shown, in the order of the pack.

    Cards left on the table are with whoever was said to have taken last.
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
    """Primes laid out as cards, as the prime referee shows them."""

    method: str
    answer: Mapping[str, Any]
    laid: Mapping[str, list[str | None]]

    worth = staticmethod(worth_in)
    """What a card adds, by the method and the card."""


@dataclass(frozen=True)
class Reasons:
    """What lies behind the lines of one deal."""

    table: rules.TableRules
    facts: Facts
    piles: Mapping[str, list[str]]
    points: Mapping[str, str] = field(default_factory=dict)
    """What each item gives at this table, in words."""

    def tie_rule(self, item: str) -> str:
        """Return what a tie does to an item, "" where it cannot be tied."""
        return rules.tie_rule(self.table, item)

    def cards(self, item: str) -> dict[str, list[str]]:
        """Return the cards that an item counts, by the side that showed them; nothing where none were shown."""
        counted = set(rules.cards_counted(self.table, item))
        found = {label: [card for card in pile if card in counted] for label, pile in self.piles.items()}
        return found if any(found.values()) else {}

    @property
    def prime_rule(self) -> rules.PrimeRule | None:
        """How this table values its prime, None where it has none."""
        return rules.prime_rule(self.table)

    def primes(self, line: Mapping[str, Any] | None) -> LaidPrimes | None:
        """Return the primes as cards, where the cards shown come to the values of the sheet."""
        rule = self.prime_rule
        values = (line or {}).get("values")
        if rule is None or not values or self.facts.get("as") or not all(self.piles.values()):
            return None
        answer = rules.prime(prime_request(rule, self.piles))
        values_shown = {label: one["value"] if one["eligible"] else None for label, one in answer["primes"].items()}
        return LaidPrimes(rule.method, answer, laid_out(answer)) if values_shown == values else None

    def referee_query(self) -> str:
        """Return the prime referee's question with these piles; "" where no cards were shown."""
        rule = self.prime_rule
        if rule is None or rule.method not in METHODS or not any(self.piles.values()):
            return ""
        if not set(self.piles) <= set(LABELS):
            return ""
        asked: list[tuple[str, Any]] = [("method", rule.method), ("sides", len(self.piles))]
        needs = {"suits": rule.suits_required, "pip": rule.needs_pip, "seven": rule.needs_seven}
        asked += [(name, 1) for name, needed in needs.items() if needed]
        asked += [(f"pile-{label}", card) for label, pile in self.piles.items() for card in pile]
        return urlencode(asked)


def reasons_of(match: MatchView, facts: Facts) -> Reasons:
    """Return what lies behind the lines of a deal told so."""
    table = table_of(match)
    piles = piles_of(facts, match.setup.labels) if rules.fishing_rules(table) else {}
    return Reasons(table, facts, piles, dict(points_of(table)))
