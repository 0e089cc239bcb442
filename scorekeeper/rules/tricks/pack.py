"""The packs of the Brisca family, and what their cards are worth."""

from __future__ import annotations

from functools import lru_cache

from ..cards import SUITS

WHOLE = 120
"""Card points of a pack, in every value table."""

FIXED_CYCLE = "OCEB"
"""Trumps of the four deals of a cycle."""

VALUE_TABLES: dict[str, dict[str, int]] = {
    "standard": {"1": 11, "3": 10, "12": 4, "11": 3, "10": 2},
    "seven_ten": {"1": 11, "7": 10, "12": 4, "11": 3, "10": 2},
    "jack_knight_swapped": {"1": 11, "3": 10, "12": 4, "10": 3, "11": 2},
}
"""Card points by printed index; the other cards are worth nothing."""

BY_STRENGTH = ("1", "3", "12", "11", "10", "9", "8", "7", "6", "5", "4", "2")
"""The printed indices of a suit, the card that beats the others first, whatever they are worth."""

MARRIAGE_IN_TRUMPS, MARRIAGE = 40, 20
LAST_TRICK = 10


@lru_cache(maxsize=8)
def pack_of(size: int) -> tuple[str, ...]:
    """Return the card codes of a pack of 40, or of another size.

    48 cards have eights and nines, 36 have no twos, 32 neither twos nor fours. 39 cards lack a two, any of the
    four, so all four are listed.
    """
    indices = ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12"]
    if size == 48:
        indices[7:7] = ["8", "9"]
    if size in (36, 32):
        indices.remove("2")
    if size == 32:
        indices.remove("4")
    return tuple(index + suit for suit in SUITS for index in indices)


@lru_cache(maxsize=8)
def reachable_points(table: str) -> frozenset[int]:
    """Return every sum of card points that a pile can have; 1 and 119, for example, cannot be."""
    sums = {0}
    for points in VALUE_TABLES[table].values():
        for _ in SUITS:
            sums |= {total + points for total in sums}
    return frozenset(sums)


def fixed_trump(number: int) -> str:
    """Return the suit that is trump after so many deals, where trumps go round in a fixed cycle."""
    return FIXED_CYCLE[number % len(FIXED_CYCLE)]
