"""Declarations: what three cards in hand are worth when they are shown (rules §2.1, §3.2, §4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

from ..cards import CAPTURE_VALUES, PACK_SIZE, RANKS, SUIT_WIDTH, SUITS, rank_of, suit_of

HAND_SIZE = 3


class Face(NamedTuple):
    """A card as it counts in a declaration: rank position, and suit position (None fits any suit)."""

    rank: int
    suit: int | None

    @property
    def value(self) -> int:
        """Capture value."""
        return CAPTURE_VALUES[self.rank]


Hand = tuple[Face, ...]


def total(hand: Hand) -> int:
    """Add up the capture values."""
    return sum(face.value for face in hand)


def of_one_suit(hand: Hand) -> bool:
    """All of one suit; a suitless wild card fits any."""
    return len({face.suit for face in hand if face.suit is not None}) <= 1


def in_sequence(hand: Hand) -> bool:
    """Three ranks in a row: 6-7-10 and 10-11-12 are, 12-1-2 is not."""
    low, middle, high = sorted(face.rank for face in hand)
    return high - middle == middle - low == 1


def of_one_rank(hand: Hand) -> bool:
    """Three alike."""
    return len({face.rank for face in hand}) == 1


def has_pair(hand: Hand) -> bool:
    """Exactly two alike."""
    return len({face.rank for face in hand}) == HAND_SIZE - 1


def king_and_knight(hand: Hand) -> bool:
    """King and knight of one suit among the three."""
    held = {(RANKS[face.rank], face.suit) for face in hand}
    return any((12, suit) in held and (11, suit) in held for suit in range(len(SUITS)))


@dataclass(frozen=True)
class Combination:
    """A combination that three cards may hold. ``replaced_by``: another one that scores in its place."""

    id: str
    points: int
    holds: Callable[[Hand], bool]
    replaced_by: str | None = None

    @property
    def is_on(self) -> bool:
        """Whether it is played at this table."""
        return bool(self.points)


@dataclass(frozen=True)
class Wild:
    """A card that may stand for another: ``power`` is ``rank_free_no_suit``, ``rank_or_suit`` or ``matta``."""

    card: int
    power: str

    def faces(self) -> list[Face]:
        """Give all it may count as, its own rank first, then by rank."""
        own = rank_of(self.card)
        ranks = [own, *(rank for rank in range(SUIT_WIDTH) if rank != own)]
        if self.power == "rank_free_no_suit":
            return [Face(rank, None) for rank in ranks]
        faces = [Face(rank, suit_of(self.card)) for rank in ranks]
        if self.power == "rank_or_suit":
            faces[1:1] = [Face(own, suit) for suit in range(len(SUITS)) if suit != suit_of(self.card)]
        return faces

    def face(self, rank: int, suit: int | None) -> Face | None:
        """Give the face for a chosen rank and suit (None: not said), or None where it may not count as that."""
        if self.power == "rank_free_no_suit":
            return Face(rank, None)
        if suit is None or suit == suit_of(self.card):
            return Face(rank, suit_of(self.card))
        if self.power == "rank_or_suit" and rank == rank_of(self.card):
            return Face(rank, suit)
        return None


class Reading(NamedTuple):
    """The best reading of a declared hand: its faces and the items they hold, with points."""

    hand: Hand
    items: dict[str, int]


def items_in(hand: Hand, combos: Sequence[Combination]) -> dict[str, int]:
    """Give every combination that a hand holds, with its points; a replaced one is left out."""
    held = {combo.id: combo for combo in combos if combo.is_on and combo.holds(hand)}
    return {id: combo.points for id, combo in held.items() if combo.replaced_by not in held}


def read_hand(
    cards: Sequence[int], combos: Sequence[Combination], wilds: Mapping[int, Wild], given: Mapping[int, Face]
) -> Reading:
    """Read declared cards: wild cards count as given, otherwise as what scores most (own rank if that is no worse)."""
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
    """Give every set of combinations that some three cards of the pack hold together."""
    wild_faces = {wild.card: wild.faces() for wild in wilds}
    plain = [Face(rank_of(card), suit_of(card)) for card in range(PACK_SIZE) if card not in wild_faces]
    found = set()
    for spare in range(min(len(wilds), HAND_SIZE) + 1):
        for chosen in combinations(wild_faces.values(), spare):
            for faces in product(*chosen):
                for rest in combinations(plain, HAND_SIZE - spare):
                    hand = (*faces, *rest)
                    found.add(frozenset(combo.id for combo in combos if combo.is_on and combo.holds(hand)))
    return frozenset(found)
