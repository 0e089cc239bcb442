"""Declarations: the combinations that three cards in hand hold when they are shown (docs/rules.md 2.1, 3.2, 4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from ..cards import PACK_SIZE, RANKS, SUITS, Card, rank_of, suit_of
from .wild import Face, Wild

HAND_SIZE = 3


Hand = tuple[Face, ...]


def total(hand: Hand) -> int:
    """Return the sum of the capture values."""
    return sum(face.value for face in hand)


def of_one_suit(hand: Hand) -> bool:
    """Return whether all three are of one suit; a wild card without a suit fits any."""
    return len({face.suit for face in hand if face.suit is not None}) <= 1


def in_sequence(hand: Hand) -> bool:
    """Return whether the ranks follow each other: 6-7-10 and 10-11-12 do, 12-1-2 does not."""
    low, middle, high = sorted(face.rank for face in hand)
    return high - middle == middle - low == 1


def of_one_rank(hand: Hand) -> bool:
    """Return whether the three ranks are equal."""
    return len({face.rank for face in hand}) == 1


def has_pair(hand: Hand) -> bool:
    """Return whether exactly two ranks are equal."""
    return len({face.rank for face in hand}) == HAND_SIZE - 1


def king_and_knight(hand: Hand) -> bool:
    """Return whether the king and the knight of one suit are among the three."""
    held = {(RANKS[face.rank], face.suit) for face in hand}
    return any((12, suit) in held and (11, suit) in held for suit in range(len(SUITS)))


@dataclass(frozen=True)
class Combination:
    """A combination that three cards may hold.

    ``replaced_by`` names another combination, which scores in its place where a hand holds both.
    """

    id: str
    points: int
    holds: Callable[[Hand], bool]
    replaced_by: str | None = None
    near: int | str | None = None
    """Its condition, for cards that nearly meet it: the sum that they should have, or ``suit``, ``rank`` or ``run``."""

    @property
    def is_on(self) -> bool:
        """True if it is played at this table."""
        return bool(self.points)


class Reading(NamedTuple):
    """A declared hand, scored: its faces and the combinations they hold, with points."""

    hand: Hand
    items: dict[str, int]


def items_in(hand: Hand, combos: Sequence[Combination]) -> dict[str, int]:
    """Return the combinations that a hand holds, with their points, without those that another of them replaces."""
    held = {combo.id: combo for combo in combos if combo.is_on and combo.holds(hand)}
    return {id: combo.points for id, combo in held.items() if combo.replaced_by not in held}


def read_hand(
    cards: Sequence[Card], combos: Sequence[Combination], wilds: Mapping[Card, Wild], given: Mapping[Card, Face]
) -> Reading:
    """Read declared cards as the hand that scores most.

    A wild card has its ``given`` face, or any that it can have. Of equal hands the first is taken, in which wild cards
    have their own ranks.
    """
    choices = []
    for card in cards:
        if card in given:
            choices.append([given[card]])
        elif card in wilds:
            choices.append(wilds[card].faces())
        else:
            choices.append([Face(rank_of(card), suit_of(card))])
    best: Reading | None = None
    for hand in product(*choices):
        reading = Reading(hand, items_in(hand, combos))
        if best is None or sum(reading.items.values()) > sum(best.items.values()):
            best = reading
    assert best is not None
    return best


@lru_cache(maxsize=64)
def possible_claims(combos: tuple[Combination, ...], wilds: tuple[Wild, ...]) -> frozenset[frozenset[str]]:
    """Return every set of combinations that some three cards of the pack hold together.

    All hands of the pack are tried, so the answer is cached for each table's rules.
    """
    wild_faces = {wild.card: wild.faces() for wild in wilds}
    plain = [Face(rank_of(card), suit_of(card)) for card in range(PACK_SIZE) if card not in wild_faces]
    together = set()

    for spare in range(min(len(wilds), HAND_SIZE) + 1):
        for chosen in combinations(wild_faces.values(), spare):
            for faces in product(*chosen):
                for rest in combinations(plain, HAND_SIZE - spare):
                    hand = (*faces, *rest)
                    together.add(frozenset(combo.id for combo in combos if combo.is_on and combo.holds(hand)))
    return frozenset(together)
