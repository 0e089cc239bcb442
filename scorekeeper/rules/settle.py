"""What a half-known deal can still become.

A line is settled when it comes out the same in every way of giving the unplaced cards to the sides that agrees with the
cards, counts and awards known so far. Features add up over the suits, so the ways are found suit by suit: per suit the
distinct sums that its unplaced cards allow, then the sums over the four suits. A sum is kept as one whole number with
a field of bits for each feature of each side, so adding two of them adds every feature at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Protocol

from .cards import SUIT_MASK, SUIT_WIDTH, SUITS
from .features import Feature, dealing_order
from .primes import Given

FIELD = 24
"""Bits a feature gets; the widest (a packed prime measure) takes 21."""

FIELD_MASK = (1 << FIELD) - 1

MOST_SUMS = 3_000_000
"""Sums formed at the most in one step; only three or four sides that know next to nothing come here."""

PROBES = 20_000
"""Ways that are looked at where there are more than that."""

Vectors = tuple[tuple[int, ...], ...]
"""One tuple a feature, one number a side."""


class Constraint(Protocol):
    """Something said or counted, that a way of dealing out the unplaced cards must agree with."""

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Name what is read from the piles."""

    def allows(self, read: Vectors) -> bool:
        """Whether the values read agree."""


@dataclass(frozen=True)
class CountIs:
    """A counted pile: a side has exactly so many."""

    feature: Feature
    side: int
    number: int

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read the count."""
        return (self.feature,)

    def allows(self, read: Vectors) -> bool:
        """Whether the side has that many."""
        return read[0][self.side] == self.number


@dataclass(frozen=True)
class Known:
    """The cards known so far: a pile a side, the unplaced cards, and whether some may be nobody's."""

    piles: tuple[int, ...]
    unplaced: int
    may_be_nobodys: bool = False
    given: Given = ()

    @property
    def sides(self) -> int:
        """Number of sides."""
        return len(self.piles)


def unpack(packed: int, features: int, sides: int, fields: Iterable[int]) -> Vectors:
    """Turn a packed sum into vectors, for the chosen fields (positions among ``features``)."""
    return tuple(
        tuple(packed >> FIELD * (field * sides + side) & FIELD_MASK for side in range(sides)) for field in fields
    )


@lru_cache(maxsize=8192)
def _suit_sums(
    suit: int, piles: tuple[int, ...], unplaced: int, may_be_nobodys: bool, features: tuple[Feature, ...]
) -> tuple[int, ...]:
    """Give every distinct packed sum that one suit can come to."""
    signatures = [feature.signature(suit) for feature in features]

    def key(state: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(signature[bits] for signature in signatures for bits in state)

    states = {key(piles): piles}
    for position in dealing_order(suit, features):
        card = 1 << position
        if not unplaced & card:
            continue
        after: dict[tuple[int, ...], tuple[int, ...]] = dict(states) if may_be_nobodys else {}
        for state in states.values():
            for side, bits in enumerate(state):
                taken = (*state[:side], bits | card, *state[side + 1 :])
                after.setdefault(key(taken), taken)
        states = after
    tables = [feature.table(suit) for feature in features]
    sums = set()
    for state in states.values():
        packed = shift = 0
        for table in tables:
            for bits in state:
                packed |= table[bits] << shift
                shift += FIELD
        sums.add(packed)
    return tuple(sums)


@dataclass(frozen=True)
class Reach:
    """The values that an item can still have; ``exact`` is False where there were too many to look at them all."""

    vectors: frozenset[Vectors]
    exact: bool


@lru_cache(maxsize=8192)
def reach(known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]) -> Reach:
    """Find every combination of values of the wanted features that agrees with the constraints."""
    local: dict[int, list[Constraint]] = {}
    shared: list[Constraint] = []
    for constraint in constraints:
        suits = {suit for feature in constraint.features(known.given) for suit in feature.suits}
        if len(suits) == 1:
            local.setdefault(suits.pop(), []).append(constraint)
        else:
            shared.append(constraint)
    features = list(dict.fromkeys(wanted))
    for constraint in shared:
        features += [feature for feature in constraint.features(known.given) if feature not in features]
    per_suit = [_allowed_in_suit(known, suit, tuple(features), tuple(local.get(suit, ()))) for suit in range(len(SUITS))]
    exact = True
    sums: Iterable[int]
    while len(per_suit) > 1 and len(per_suit[0]) * len(per_suit[1]) <= MOST_SUMS:
        first, second, *rest = sorted(per_suit, key=len)
        per_suit = [tuple({one + other for one in first for other in second}), *rest]
        per_suit.sort(key=len)
    if len(per_suit) == 1:
        sums = per_suit[0]
    else:
        exact = False
        sums = (sum(ways) for ways in islice(product(*map(_spread, per_suit)), PROBES))
    agrees = _agreement(shared, features, known)
    positions = [features.index(feature) for feature in wanted]
    count, sides = len(features), known.sides
    return Reach(
        frozenset(unpack(packed, count, sides, positions) for packed in sums if agrees is None or agrees(packed)), exact
    )


def _spread(sums: Sequence[int]) -> list[int]:
    """Choose few sums from many, far apart, to probe with."""
    ordered = sorted(sums)
    step = max(1, len(ordered) // 12)
    return ordered[::step]


def _agreement(
    constraints: Sequence[Constraint], features: list[Feature], known: Known
) -> Callable[[int], bool] | None:
    if not constraints:
        return None
    count, sides = len(features), known.sides
    places = [[features.index(feature) for feature in constraint.features(known.given)] for constraint in constraints]

    def agrees(packed: int) -> bool:
        return all(
            constraint.allows(unpack(packed, count, sides, fields)) for constraint, fields in zip(constraints, places)
        )

    return agrees


@lru_cache(maxsize=8192)
def _allowed_in_suit(
    known: Known, suit: int, features: tuple[Feature, ...], constraints: tuple[Constraint, ...]
) -> tuple[int, ...]:
    """Give the sums of one suit over ``features`` that agree with the constraints which concern that suit alone."""
    shift = SUIT_WIDTH * suit
    piles = tuple(pile >> shift & SUIT_MASK for pile in known.piles)
    unplaced = known.unplaced >> shift & SUIT_MASK
    every = list(features)
    for constraint in constraints:
        every += [feature for feature in constraint.features(known.given) if feature not in every]
    # Features that have nothing in this suit would only blow up the sums' keys, not their number: they stay as zeros.
    sums = _suit_sums(suit, piles, unplaced, known.may_be_nobodys, tuple(every))
    agrees = _agreement(constraints, every, known)
    if agrees is None:
        return sums
    mask = (1 << FIELD * known.sides * len(features)) - 1
    return tuple({packed & mask for packed in sums if agrees(packed)})
