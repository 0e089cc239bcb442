"""The five ways to value a prime (setenta, primiera): the best card of each suit, added up (docs/rules.md 0).

Values are doubled, so that the half points of an ace (5.5) or a seven (17.5) stay whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..cards import CODES, PACK_SIZE, SUIT_MASK, SUIT_PILES, SUIT_WIDTH, SUITS, Card, Pile, cards_of, pile_of, rank_of

DOUBLED: dict[str, tuple[int, ...]] = {
    "face": (2, 4, 6, 8, 10, 12, 14, 0, 0, 0),
    "half_ace": (11, 4, 6, 8, 10, 12, 14, 0, 0, 0),
    "italian": (32, 24, 26, 28, 30, 36, 42, 20, 20, 20),
    "seventy": (22, 8, 12, 16, 20, 28, 35, 2, 2, 2),
}
"""Doubled value by rank position."""

METHODS = (*DOUBLED, "sevens_count")

SEVEN = 6
"""Rank position of the seven."""

Given = tuple[tuple[Card, int], ...]
"""Ranks given to wild cards: pairs of card number and rank position, sorted."""

# One look-up yields everything that an eligibility rule reads: the low bits hold the doubled value, then follow the
# number of suits, of suits with a card from 1 to 7, and of sevens. Four suits add up without overflow.
VALUE_BITS = (1 << 12) - 1
SUIT_SHIFT, PIP_SHIFT, SEVEN_SHIFT = 12, 15, 18
THREE_BITS = 7


def ranks_in_suit(suit: int, given: Given) -> list[int]:
    """Return the rank of each card of a suit; a wild card has the rank that it is ``given``."""
    ranks = list(range(SUIT_WIDTH))
    for card, rank in given:
        if card // SUIT_WIDTH == suit:
            ranks[card % SUIT_WIDTH] = rank
    return ranks


@lru_cache(maxsize=256)
def suit_table(method: str, suit: int, given: Given) -> tuple[int, ...]:
    """Return the packed best card for each of the 1024 piles of one suit; under ``sevens_count`` its sevens alone."""
    ranks = ranks_in_suit(suit, given)
    table = [0] * (SUIT_MASK + 1)
    for bits in range(1, SUIT_MASK + 1):
        held = [ranks[position] for position in cards_of(bits)]
        sevens = held.count(SEVEN)
        if method == "sevens_count":
            table[bits] = 2 * sevens
            continue
        value = max(DOUBLED[method][rank] for rank in held)
        pips = any(rank <= SEVEN for rank in held)
        table[bits] = value | 1 << SUIT_SHIFT | pips << PIP_SHIFT | sevens << SEVEN_SHIFT
    return tuple(table)


@lru_cache(maxsize=256)
def card_values(method: str, given: Given) -> tuple[int, ...]:
    """Return the doubled value of each card of the pack, by card number, under a method that values cards."""
    ranks = dict(given)
    return tuple(DOUBLED[method][ranks.get(card, rank_of(card))] for card in range(PACK_SIZE))


@lru_cache(maxsize=8192)
def best_of_suit(method: str, held: Pile, given: Given) -> Card | None:
    """Return the best of some cards of one suit, of equal ones the higher in rank order; None if there are none."""
    values = card_values(method, given)
    return max(cards_of(held), key=lambda card: (values[card], rank_of(card)), default=None)


@lru_cache(maxsize=256)
def pip_cards(given: Given) -> Pile:
    """Return the cards that are no figures, as a mask."""
    ranks = dict(given)
    return pile_of(card for card in range(PACK_SIZE) if ranks.get(card, rank_of(card)) <= SEVEN)


@dataclass(frozen=True)
class PrimeRule:
    """How a table values primes and who may compete.

    ``suits_required`` is 0 or 4; with ``needs_pip`` every suit needs a card from 1 to 7 (a prime without is lame,
    coja); with ``needs_seven`` the pile needs a seven. ``sevens_count`` ignores all three (docs/rules.md 9).
    """

    method: str
    suits_required: int = 0
    needs_pip: bool = False
    needs_seven: bool = False

    def measure(self, pile: Pile, given: Given = ()) -> int:
        """Return the packed measure of a pile, for :meth:`value` and :meth:`is_eligible`."""
        if given:
            return sum(suit_table(self.method, suit, given)[pile >> 10 * suit & SUIT_MASK] for suit in range(4))
        table = suit_table(self.method, 0, ())
        return (
            table[pile & SUIT_MASK] + table[pile >> 10 & SUIT_MASK] + table[pile >> 20 & SUIT_MASK] + table[pile >> 30]
        )

    def is_eligible(self, packed: int) -> bool:
        """Return whether a prime of this measure may compete."""
        if self.method == "sevens_count":
            return True
        if self.suits_required and packed >> SUIT_SHIFT & THREE_BITS < self.suits_required:
            return False
        if self.needs_pip and not has_pips(packed):
            return False
        return not (self.needs_seven and packed >> SEVEN_SHIFT == 0)

    def value(self, packed: int) -> int | None:
        """Return the doubled value, or None if the prime may not compete."""
        return packed & VALUE_BITS if self.is_eligible(packed) else None

    def best_cards(self, pile: Pile, given: Given = ()) -> list[str]:
        """Return the cards of the prime: the best of each suit; of equal cards the higher in rank order.

        Under ``sevens_count`` they are the sevens.
        """
        ranks = dict(given)
        if self.method == "sevens_count":
            return [CODES[card] for card in cards_of(pile) if ranks.get(card, rank_of(card)) == SEVEN]
        best = [best_of_suit(self.method, pile & suit, given) for suit in SUIT_PILES]
        return [CODES[card] for card in best if card is not None]


def has_pips(packed: int) -> bool:
    """Return whether every suit has a card from 1 to 7, so that the prime is not lame (coja)."""
    return packed >> PIP_SHIFT & THREE_BITS == len(SUITS)


def in_units(doubled: int | None) -> int | float | None:
    """Return a doubled value in the method's own unit: 48 is 24, 113 is 56.5; None stays None."""
    if doubled is None:
        return None
    return doubled // 2 if doubled % 2 == 0 else doubled / 2


def as_given(ranks: Mapping[Card, int]) -> Given:
    """Return a mapping of card numbers to rank positions in hashable form, without cards that have their own rank."""
    return tuple(sorted((card, rank) for card, rank in ranks.items() if rank_of(card) != rank))
