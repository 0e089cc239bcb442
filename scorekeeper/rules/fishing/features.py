"""Features: the small whole numbers that an item reads from a pile, each a sum of one look-up per suit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from .. import contract
from ..cards import (
    COINS,
    FIGURES,
    FULL_PACK,
    SEVENS,
    SIXES,
    SUIT_MASK,
    SUIT_WIDTH,
    SUITS,
    Pile,
    cards_of,
    pile_of,
    rank_of,
)
from .primes import DOUBLED, SEVEN, Given, PrimeRule, ranks_in_suit, suit_table

COUNTED: dict[contract.CountKind, Pile] = {
    "cards": FULL_PACK,
    "coins": COINS,
    "sevens": SEVENS,
    "sixes": SIXES,
    "figures": FIGURES,
}
"""The counts of a pile, each with the cards that it counts."""


class Feature(Protocol):
    """A number read from a pile; hashable, so that results can be cached under it."""

    @property
    def suits(self) -> tuple[int, ...]:
        """The suits in which the feature can be more than 0."""

    def measure(self, pile: Pile) -> int:
        """Read the number from a whole pile."""

    def table(self, suit: int) -> tuple[int, ...]:
        """Return the number for each of the 1024 piles of one suit."""


@lru_cache(maxsize=256)
def _counts(mask: Pile) -> tuple[int, ...]:
    return tuple((bits & mask).bit_count() for bits in range(SUIT_MASK + 1))


@dataclass(frozen=True)
class Count:
    """The number of cards of a mask in a pile."""

    of: Pile = FULL_PACK

    def __hash__(self) -> int:
        return hash(self.of)

    @property
    def suits(self) -> tuple[int, ...]:
        """The suits in which the mask has cards."""
        return tuple(suit for suit in range(len(SUITS)) if self.of >> SUIT_WIDTH * suit & SUIT_MASK)

    def measure(self, pile: Pile) -> int:
        """Count the cards of the mask in a pile."""
        return (pile & self.of).bit_count()

    def table(self, suit: int) -> tuple[int, ...]:
        """Return the count for each pile of one suit."""
        return _counts(self.of >> SUIT_WIDTH * suit & SUIT_MASK)


@dataclass(frozen=True)
class PrimeOf:
    """The packed prime measure of a pile (see :class:`~.primes.PrimeRule`), with the ranks given to wild cards."""

    rule: PrimeRule
    given: Given = ()
    suits: tuple[int, ...] = (0, 1, 2, 3)

    @property
    def sevens(self) -> Pile:
        """The cards that count as sevens."""
        ranks = dict(self.given)
        return pile_of(card for card in cards_of(FULL_PACK) if ranks.get(card, rank_of(card)) == SEVEN)

    def measure(self, pile: Pile) -> int:
        """Measure the prime of a pile."""
        return self.rule.measure(pile, self.given)

    def table(self, suit: int) -> tuple[int, ...]:
        """Return the packed measure for each pile of one suit."""
        given = tuple((card, rank) for card, rank in self.given if card // SUIT_WIDTH == suit)
        return suit_table(self.rule.method, suit if given else 0, given)


def _run_length(bits: int) -> int:
    length = 0
    while bits >> length & 1:
        length += 1
    return length


@lru_cache(maxsize=1)
def _runs() -> tuple[int, ...]:
    return tuple(_run_length(bits) for bits in range(SUIT_MASK + 1))


@dataclass(frozen=True)
class CoinRun:
    """The length of the unbroken run of coins from the ace: 1-2-3-4 without the 5 is 4, no ace is 0.

    ``longest`` is the length beyond which the run makes no difference to the item.
    """

    longest: int = SUIT_WIDTH
    suits: tuple[int, ...] = (0,)

    @property
    def cards(self) -> Pile:
        """The coins that can make a difference."""
        return (1 << self.longest) - 1

    def measure(self, pile: Pile) -> int:
        """Measure the run of a pile."""
        return _runs()[pile & SUIT_MASK]

    def table(self, suit: int) -> tuple[int, ...]:
        """Return the length for each pile of one suit; it is 0 in every suit but coins."""
        return _runs() if suit == 0 else _counts(0)


def dealing_order(suit: int, features: tuple[Feature, ...]) -> Sequence[int]:
    """Return the rank positions of a suit, best prime card first (any order where no prime is asked for)."""
    for feature in features:
        if isinstance(feature, PrimeOf) and feature.rule.method in DOUBLED:
            return _best_first(suit, feature.rule.method, feature.given)
    return range(SUIT_WIDTH)


@lru_cache(maxsize=256)
def _best_first(suit: int, method: str, given: Given) -> tuple[int, ...]:
    ranks = ranks_in_suit(suit, given)
    values = DOUBLED[method]
    return tuple(sorted(range(SUIT_WIDTH), key=lambda position: -values[ranks[position]]))
