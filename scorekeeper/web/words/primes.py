"""Primes in words and as cards, for the referee and for the sheet of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import cast

from flask_babel import gettext as _

from ... import rules
from ...rules import contract

METHODS = ("face", "italian", "half_ace", "seventy", "sevens_count")
"""The prime methods that the referee offers, in the order of its form."""
LABELS = "ABCD"
"""The labels of sides in the referee's form."""


def method_name(method: str) -> str:
    """Return a prime method in words."""
    names: dict[str, str] = {
        "face": _("by the number on the card"),
        "italian": _("21 for a seven, 18 for a six, 16 for an ace"),
        "half_ace": _("by the number, an ace five and a half"),
        "seventy": _("out of seventy"),
        "sevens_count": _("most sevens"),
    }
    return names[method]


def prime_request(rule: rules.PrimeRule, piles: Mapping[str, Sequence[str]]) -> contract.PrimeRequest:
    """Return the request to compare the primes of these piles by this rule."""
    request = {
        "method": rule.method,
        "suits_required": rule.suits_required,
        "needs_pip": rule.needs_pip,
        "needs_seven": rule.needs_seven,
        "piles": {label: list(pile) for label, pile in piles.items()},
    }
    return cast(contract.PrimeRequest, request)


def laid_out(primes: Mapping[contract.Side, contract.Prime]) -> dict[str, list[str | None]]:
    """Return the cards of each prime, one a suit in the order of ``rules.SUITS``; None where a suit is missing."""
    laid: dict[str, list[str | None]] = {}
    for label, prime in primes.items():
        by_suit = {code[-1]: code for code in prime["cards"]}
        laid[label] = [by_suit.get(suit) for suit in rules.SUITS]
    return laid


@lru_cache(maxsize=256)
def worth_in(method: str, code: str) -> int | float:
    """Return the value that a card adds to a prime, which is the prime of that card alone."""
    alone = cast(contract.Primes, rules.prime({"method": method, "piles": {"A": [code]}}))
    return alone["primes"]["A"]["value"]
