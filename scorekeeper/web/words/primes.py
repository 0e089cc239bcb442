"""Primes in words and laid out as cards, for the referee and for the sheet of a deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from flask_babel import gettext as _

from ... import rules

METHODS = ("face", "italian", "half_ace", "seventy", "sevens_count")


LABELS = "ABCD"


SUITS = "OCEB"


def method_name(method: str) -> str:
    """Return what a way of counting the prime is called."""
    names: dict[str, str] = {
        "face": _("by the number on the card"),
        "italian": _("21 for a seven, 18 for a six, 16 for an ace"),
        "half_ace": _("by the number, an ace five and a half"),
        "seventy": _("out of seventy"),
        "sevens_count": _("most sevens"),
    }
    return names[method]


def prime_request(rule: rules.PrimeRule, piles: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the question whose prime is better, as a table with this rule asks it."""
    return {
        "method": rule.method,
        "suits_required": rule.suits_required,
        "needs_pip": rule.needs_pip,
        "needs_seven": rule.needs_seven,
        "piles": {label: list(pile) for label, pile in piles.items()},
    }


def laid_out(found: Mapping[str, Any]) -> dict[str, list[str | None]]:
    """Return each prime's cards by suit, None where a suit is missing."""
    laid = {}
    for label, one in found["primes"].items():
        by_suit = {code[-1]: code for code in one["cards"]}
        laid[label] = [by_suit.get(suit) for suit in SUITS]
    return laid


@lru_cache(maxsize=256)
def worth_in(method: str, code: str) -> int | float:
    """Return what one card adds to a prime."""
    alone = rules.prime({"method": method, "piles": {"A": [code]}})
    value: int | float = alone["primes"]["A"]["value"]
    return value
