"""Cards, packs and piles.

Card ``10 * suit + rank position`` of the forty-card Spanish pack has a suit in the order O C E B and a rank position
from 0 to 9 for 1-7, 10, 11, 12. Counting a pile is ``int.bit_count`` and a suit is ten bits wide, which makes every
question about one suit a look-up in a table of 1024 entries (docs/rules.md 0).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

Card: TypeAlias = int
"""A card of the Spanish pack by its number, 0 to 39."""

Pile: TypeAlias = int
"""A set of cards, each a bit: that of card ``n`` is ``1 << n``."""

Position: TypeAlias = int
"""The place of a side in playing order, from 0."""

SUITS = "OCEB"
RANKS = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
SUIT_WIDTH = len(RANKS)
SUIT_MASK = (1 << SUIT_WIDTH) - 1
PACK_SIZE = len(SUITS) * SUIT_WIDTH
FULL_PACK = (1 << PACK_SIZE) - 1

CODES: tuple[str, ...] = tuple(f"{rank}{suit}" for suit in SUITS for rank in RANKS)
"""Card codes by card number: ``CODES[0] == "1O"``."""

NUMBERS: dict[str, Card] = {code: number for number, code in enumerate(CODES)}

CARD_BITS: dict[str, Pile] = {
    spelling: 1 << number for code, number in NUMBERS.items() for spelling in (code, code.lower())
}
"""The pile of one card alone, by its code; the codes are all that :func:`parse_card` takes."""

CAPTURE_VALUES: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
"""Value by rank position: figures count 8, 9 and 10 (sota, caballo, rey)."""

QUEEN_BELOW_JACK: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 9, 8, 10)
"""The Tunisian order: the queen (11) counts 8 and the jack (10) counts 9 (docs/rules.md 4.5)."""

PACK_VALUE = 4 * sum(CAPTURE_VALUES)


def suit_of(card: Card) -> int:
    """Return the suit position (0 to 3) of a card number."""
    return card // SUIT_WIDTH


def rank_of(card: Card) -> int:
    """Return the rank position (0 to 9) of a card number."""
    return card % SUIT_WIDTH


def parse_card(code: str) -> Card | None:
    """Turn a code such as ``"7O"`` or ``"10c"`` into a card number, or None if no card has that code."""
    return NUMBERS.get(code.upper()) if code.isascii() else None


def card_name(card: Card) -> str:
    """Return the code of a card number, the inverse of :func:`parse_card`."""
    return CODES[card]


def pile_of(cards: Iterable[Card]) -> Pile:
    """Make a pile of card numbers."""
    pile = 0
    for card in cards:
        pile |= 1 << card
    return pile


def plain_piles(lists: Iterable[object]) -> list[Pile] | None:
    """Return the piles of some lists of codes, if all are cards of the pack and none is there twice.

    Return None for all other lists; to report what is wrong with them, the caller reads them card by card.
    """
    piles, listed = [], 0
    for codes in lists:
        if not isinstance(codes, list):
            return None
        try:
            piles.append(sum(map(CARD_BITS.__getitem__, codes)))
        except (KeyError, TypeError):
            return None
        listed += len(codes)
    # A sum of powers of two has as many bits as terms only where no two of them are equal.
    return piles if sum(piles).bit_count() == listed else None


def cards_of(pile: Pile) -> Iterator[Card]:
    """Yield the card numbers of a pile, in pack order."""
    while pile:
        lowest = pile & -pile
        yield lowest.bit_length() - 1
        pile ^= lowest


def codes_of(pile: Pile) -> list[str]:
    """Return the codes of a pile, in pack order."""
    return [CODES[card] for card in cards_of(pile)]


def suit_pile(suit: int) -> Pile:
    """Return the pile that holds one whole suit."""
    return SUIT_MASK << (SUIT_WIDTH * suit)


SUIT_PILES = tuple(suit_pile(suit) for suit in range(len(SUITS)))


@lru_cache(maxsize=64)
def rank_pile(*ranks: int) -> Pile:
    """Return the pile that holds every card of the printed ranks, e.g. ``rank_pile(7)`` for the four sevens."""
    return pile_of(number for number, code in enumerate(CODES) if int(code[:-1]) in ranks)


def _suit_sums(values: tuple[int, ...]) -> tuple[int, ...]:
    sums = [0] * (SUIT_MASK + 1)
    for bits in range(1, SUIT_MASK + 1):
        lowest = bits & -bits
        sums[bits] = sums[bits ^ lowest] + values[lowest.bit_length() - 1]
    return tuple(sums)


_SUMS = {values: _suit_sums(values) for values in (CAPTURE_VALUES, QUEEN_BELOW_JACK)}


def value_of(pile: Pile, values: tuple[int, ...] = CAPTURE_VALUES) -> int:
    """Add up the capture values of a pile; ``values`` is one of the two value tables above."""
    sums = _SUMS[values]
    return sums[pile & 1023] + sums[pile >> 10 & 1023] + sums[pile >> 20 & 1023] + sums[pile >> 30]


COINS = suit_pile(0)
SEVENS = rank_pile(7)
SIXES = rank_pile(6)
ACES = rank_pile(1)
KINGS = rank_pile(12)
FIGURES = rank_pile(10, 11, 12)
SEVEN_OF_COINS = 1 << NUMBERS["7O"]
MATTA = NUMBERS["7C"]
"""The seven of cups, wild for bonuses in Cirulla (docs/rules.md 4.3)."""
