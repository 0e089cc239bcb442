"""Primes in words and as cards, for the referee and for the sheet of a deal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from flask_babel import gettext as _
from flask_babel import ngettext
from markupsafe import Markup, escape

from ... import rules
from ...rules import contract
from .values import are_certain, bounds_of, number_words, numbers_show, numeral, takers_of

METHODS = ("face", "italian", "half_ace", "seventy", "sevens_count")
"""The prime methods that the referee offers, in the order of its form."""
LABELS = "ABCD"
"""The labels of sides in the referee's form."""


def method_name(method: str) -> str:
    """Return a prime method in words."""
    names: dict[str, str] = {
        "face": _("by the number"),
        "italian": _("21, 18, 16 (Italian)"),
        "half_ace": _("ace five and a half"),
        "seventy": _("out of seventy"),
        "sevens_count": _("most sevens"),
    }
    return names[method]


@dataclass(frozen=True)
class LaidPrime:
    """One side's prime as pages draw it: a card a suit with what it adds, and the sum in words.

    Where not every card is known, a suit without a card is not known, and the sum may be a bound ("at most 24").
    """

    name: str
    cards: Sequence[tuple[contract.Card | None, contract.Number | None]]
    """A card for each suit in the order of ``rules.SUITS`` and what it adds; None if there is none, or not known."""
    number: str
    wins: bool = False
    is_lame: bool = False
    """True if it does not count, because a suit or a card that it needs is missing."""
    is_all_known: bool = True
    is_certain: bool = True
    """True if the number is the prime itself, not a bound."""

    @property
    def by_suit(self) -> list[tuple[str, tuple[contract.Card | None, contract.Number | None]]]:
        """The cards with the suits of their places."""
        return list(zip(rules.SUITS, self.cards, strict=True))

    @property
    def worths(self) -> list[contract.Number]:
        """The values of the cards, if they add up to the number itself; else empty."""
        known = [worth for _code, worth in self.cards if worth is not None]
        return known if self.is_certain and numeral(sum(known)) == self.number else []

    @property
    def held(self) -> list[contract.Card]:
        """The cards alone."""
        return [code for code, _worth in self.cards if code]


def laid_cards(
    method: str, cards: Sequence[contract.Card], wilds: Sequence[contract.Card] = ()
) -> list[tuple[contract.Card | None, contract.Number | None]]:
    """Return the cards of a prime, one a suit, with what each adds; a wild card may count as another."""
    by_suit = {code[-1]: code for code in cards}
    laid = [by_suit.get(suit) for suit in rules.SUITS]
    return [(code, None if code is None or code in wilds else worth_in(method, code)) for code in laid]


def laid_primes(method: str, answer: contract.Primes, names: Mapping[contract.Side, str]) -> list[LaidPrime]:
    """Return the primes of whole piles, as the engine compared them."""
    laid = []
    for side, name in names.items():
        prime = answer["primes"][side]
        cards = laid_cards(method, prime["cards"])
        laid.append(LaidPrime(name, cards, numeral(prime["value"]), side in answer["winners"], not prime["eligible"]))
    return laid


def counted_by_all(
    wanted: Mapping[str, object], piles: Mapping[contract.Side, Sequence[contract.Card]]
) -> dict[str, contract.Primes]:
    """Return what the engine makes of these cards by each method; ``wanted`` is what a prime needs to count."""
    asked = {**wanted, "piles": {side: list(cards) for side, cards in piles.items()}}
    return {method: cast(contract.Primes, rules.prime({**asked, "method": method})) for method in METHODS}


@lru_cache(maxsize=256)
def worth_in(method: str, code: str) -> int | float:
    """Return the value that a card adds to a prime, which is the prime of that card alone."""
    alone = cast(contract.Primes, rules.prime({"method": method, "piles": {"A": [code]}}))
    return alone["primes"]["A"]["value"]


def method_rule(method: str) -> str:
    """Return what a prime method counts each card for, as a sentence."""
    if method == "face":
        return _("The best card of each suit, added up. Figures are 0.")
    ranks = sorted(range(1, 8), key=lambda rank: worth_in(method, f"{rank}O"), reverse=True)
    worths = ", ".join(f"{rank} = {numeral(worth_in(method, f'{rank}O'))}" for rank in ranks)
    figure = numeral(worth_in(method, "12O"))
    return _("The best card of each suit, added up: %(worths)s, a figure %(figure)s.", worths=worths, figure=figure)


def won_by(line: contract.Line, names: Mapping[contract.Side, str], players: int) -> tuple[str, str]:
    """Return who has won the prime, and with how much against how much; a side has ``players`` players.

    Both are "" if the numbers do not show it: it is open, level, or decided in another way.
    """
    takers, bounds = takers_of(line), bounds_of(line)
    others = [most for side, (_least, most) in bounds.items() if side not in takers and most is not None]
    if len(takers) != 1 or not others or not numbers_show(line):
        return "", ""
    own = number_words(bounds[takers[0]], is_taker=True, is_settled=True)
    numbers = {"own": own, "other": numeral(max(others))}
    name = names[takers[0]]
    if are_certain(bounds):
        return wins(name, players), _("%(own)s against %(other)s", **numbers)
    already = ngettext("%(name)s has won it", "%(name)s have won it", players, name=name)
    if all(least == most for side, (least, most) in bounds.items() if side not in takers):
        return already, _("%(own)s against %(other)s", **numbers)
    return already, _("%(own)s against %(other)s at most", **numbers)


def wins(name: str, players: int = 1) -> str:
    """Return that a side of so many players wins."""
    return ngettext("%(name)s wins", "%(name)s win", players, name=name)


def numbers_large(words: str) -> Markup:
    """Return the words for the value of a prime with its numbers in bold: they are drawn large."""
    return Markup(_NUMBER.sub(r"<b>\g<0></b>", str(escape(words))))


_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
