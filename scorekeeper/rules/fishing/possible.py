"""What a partly known deal can still become: the values that features of the piles may have in the end.

A line of a sheet is settled when it comes out the same in every way of dealing the unplaced cards to the sides that
agrees with what is known: cards, counts and awards. Twenty unplaced cards and two sides make a million ways, so
ways are not looked at one by one:

1. A feature is a sum over the four suits (see :mod:`.features`). So each suit is dealt alone, and only its distinct
   sums are stored: most ways of dealing it do not differ in any wanted feature (:func:`_suit_sums`).
2. Such a sum is one whole number with a field of ``FIELD`` bits for each feature of each side. Adding two of them adds
   all features at once, and no field overflows into the next.
3. A constraint on one suit alone drops sums of that suit at once. A count over several suits is met when the suits are
   joined: the sums of the last suit are grouped by their counted fields, and looked up by what the other suits leave
   for them (:meth:`_Search.joined`). Awards are tested on the whole sums.
4. Where there are too many ways even so, only a sample of sums that lie far apart is examined. A sample with two
   outcomes proves that a line is open. A sample with one outcome proves nothing, and the answer is marked as not
   ``exact``.

Before any of this, cards and counts often leave no choice (:func:`placed_by_counts`, :func:`fixed_by_counts`), which
costs nothing. All other work is counted in steps (:mod:`..budget`), so that the same request gets the same answer on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, product
from math import prod
from typing import Protocol

from ...limits import MOST_SUMS as BOUNDED_SUMS
from ...limits import POSSIBLE_STEPS
from ..budget import BudgetSpent, cached, current, is_bounded, spend
from ..cards import SUIT_MASK, SUIT_WIDTH, SUITS
from .features import Count, Feature, dealing_order
from .primes import Given

FIELD = 24
"""Bits for one feature; the widest, a packed prime measure, needs 21."""

FIELD_MASK = (1 << FIELD) - 1

MOST_SUMS = 1_500_000
FEW_SUMS = 600_000
"""Most sums formed in one join without a budget; the smaller number is for several features of three or four sides."""

MOST_STATES = 1_500
"""Most states of one suit that are followed while it is dealt."""

FEW_WAYS = 50_000
"""Up to this many ways of dealing out are all examined; beyond it a sample is examined first."""

SPREAD = 9
"""Sums of each suit in a sample, far apart."""

STRIDE = 7919
"""A prime number that divides the size of no sample."""

Vectors = tuple[tuple[int, ...], ...]
"""One tuple for each feature, with one number for each side."""


class Constraint(Protocol):
    """A count or an award, with which a way of dealing out the unplaced cards must agree."""

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Return what is read from the piles."""

    def allows(self, read: Vectors) -> bool:
        """Return whether the values read agree."""


@dataclass(frozen=True)
class CountIs:
    """A counted pile: a side has exactly this many cards of a kind."""

    feature: Count
    side: int
    number: int

    def __hash__(self) -> int:
        return hash((self.feature.of, self.side, self.number))

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Return the count."""
        return (self.feature,)

    def allows(self, read: Vectors) -> bool:
        """Return whether the side has that many."""
        return read[0][self.side] == self.number


@dataclass(frozen=True)
class Known:
    """The cards known so far: a pile for each side, the unplaced cards, and whether some may be nobody's."""

    piles: tuple[int, ...]
    unplaced: int
    may_be_nobodys: bool = False
    given: Given = ()

    def __hash__(self) -> int:
        return hash((self.piles, self.unplaced))

    @property
    def sides(self) -> int:
        """Number of sides."""
        return len(self.piles)


def unpack(packed: int, sides: int, fields: Iterable[int]) -> Vectors:
    """Return the vectors of a packed sum, for the chosen ``fields`` (positions among the features)."""
    return tuple(
        tuple(packed >> FIELD * (field * sides + side) & FIELD_MASK for side in range(sides)) for field in fields
    )


@dataclass(frozen=True)
class SuitSums:
    """The distinct packed sums that one suit can come to; ``exact`` is False where there were too many and some are
    left out."""

    sums: tuple[int, ...]
    exact: bool = True


def _weight_of_sums(sums: SuitSums) -> int:
    return len(sums.sums)


@cached(_weight_of_sums)
def _suit_sums(
    suit: int, piles: tuple[int, ...], unplaced: int, may_be_nobodys: bool, features: tuple[Feature, ...]
) -> SuitSums:
    """Deal one suit card by card and return its sums; ``piles`` and ``unplaced`` are the ten bits of that suit.

    States with the same signatures are merged, because no later card can make them differ.
    """
    signatures = [feature.signature(suit) for feature in features]

    def key(state: tuple[int, ...]) -> tuple[int, ...]:
        return tuple([signature[bits] for signature in signatures for bits in state])

    states = {key(piles): piles}
    exact = True
    for position in dealing_order(suit, features):
        card = 1 << position
        if not unplaced & card:
            continue
        spend(len(states) * len(piles) * (4 + len(signatures)))
        after: dict[tuple[int, ...], tuple[int, ...]] = dict(states) if may_be_nobodys else {}
        for state in states.values():
            for side, bits in enumerate(state):
                taken = (*state[:side], bits | card, *state[side + 1 :])
                after.setdefault(key(taken), taken)
        if len(after) > MOST_STATES:
            # A few evenly spaced states represent all: their sums are possible, but other sums may be too.
            exact = False
            step = len(after) // MOST_STATES + 1
            after = dict(list(after.items())[::step])
        states = after
    tables = [feature.table(suit) for feature in features]
    spend(len(states) * len(piles) * len(features))
    sums = set()
    for state in states.values():
        packed = shift = 0
        for table in tables:
            for bits in state:
                packed |= table[bits] << shift
                shift += FIELD
        sums.add(packed)
    return SuitSums(tuple(sums), exact)


@dataclass(frozen=True)
class PossibleValues:
    """The values that features can still have, one vector for each; ``exact`` is False where there may be more."""

    vectors: frozenset[Vectors]
    exact: bool = True


@lru_cache(maxsize=8192)
def placed_by_counts(known: Known, constraints: tuple[Constraint, ...]) -> Known:
    """Return ``known`` with the cards placed that the counts alone place.

    A side that lacks as many of a kind as are unplaced has them all. Where every other side has its number of a kind,
    the last side has the unplaced rest. Cards placed by one count may let another count place more.
    """
    counts = [constraint for constraint in constraints if isinstance(constraint, CountIs)]
    kinds = list(dict.fromkeys(count.feature for count in counts))
    piles, unplaced = list(known.piles), known.unplaced
    again = bool(counts)
    while again and unplaced:
        again = False
        for kind in kinds:
            cards = unplaced & kind.of
            lacking = {
                count.side: count.number - kind.measure(piles[count.side]) for count in counts if count.feature == kind
            }
            takers = [side for side, lack in lacking.items() if lack == cards.bit_count()]
            if not takers and not known.may_be_nobodys:
                takers = [side for side in range(known.sides) if lacking.get(side, 1) > 0]
            if cards and len(takers) == 1:
                piles[takers[0]] |= cards
                unplaced &= ~cards
                again = True
    return replace(known, piles=tuple(piles), unplaced=unplaced)


def fixed_by_counts(known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]) -> Vectors | None:
    """Return the values of the wanted features where cards and counts leave no choice, else None.

    That is so where no unplaced card changes a feature, and where the number of all sides, or of all but one, was
    counted.
    """
    counted = {(count.feature, count.side): count.number for count in constraints if isinstance(count, CountIs)}
    read = []
    for feature in wanted:
        values = {side: feature.measure(pile) for side, pile in enumerate(known.piles)}
        whole = feature.measure(known.unplaced) + sum(values.values())
        if any(feature.measure(pile | known.unplaced) != values[side] for side, pile in enumerate(known.piles)):
            if not isinstance(feature, Count):
                return None
            values = {side: counted[feature, side] for side in values if (feature, side) in counted}
            missing = [side for side in range(known.sides) if side not in values]
            if len(missing) > 1 or (missing and known.may_be_nobodys):
                return None
            values.update({side: whole - sum(values.values()) for side in missing})
        read.append(tuple(values[side] for side in range(known.sides)))
    return tuple(read) if read else None


def _is_met(constraint: Constraint, known: Known) -> bool:
    """Return whether a constraint is a count that is met however the unplaced cards are dealt."""
    return (
        isinstance(constraint, CountIs)
        and not known.unplaced & constraint.feature.of
        and constraint.feature.measure(known.piles[constraint.side]) == constraint.number
    )


STEPS_OF_A_WAY = 16
"""Steps to examine one way of dealing out the cards."""


class _Search:
    """A search for the values of the wanted features under some constraints: the sums of each suit, ready to be joined.

    ``per_suit`` are the sums that remain possible, of the suit with the fewest first. ``count_mask`` and ``count_sum``
    hold the counts that concern several suits, as fields of a packed sum; ``said`` are the other such constraints.
    """

    def __init__(self, known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]) -> None:
        known = placed_by_counts(known, constraints)
        constraints = tuple(each for each in constraints if not _is_met(each, known))
        self.known = known
        self.wanted = wanted
        local: dict[int, list[Constraint]] = {}
        self.shared: list[Constraint] = []
        for constraint in constraints:
            suits = {suit for feature in constraint.features(known.given) for suit in feature.suits}
            if len(suits) == 1:
                local.setdefault(suits.pop(), []).append(constraint)
            else:
                self.shared.append(constraint)
        self.features = list(dict.fromkeys(wanted))
        for constraint in self.shared:
            self.features += [f for f in constraint.features(known.given) if f not in self.features]
        features = tuple(self.features)
        suits_sums = [_allowed_in_suit(known, suit, features, tuple(local.get(suit, ()))) for suit in range(len(SUITS))]
        self.exact = all(sums.exact for sums in suits_sums)
        self.per_suit = sorted((sums.sums for sums in suits_sums), key=len)
        spend(200)
        # Counts are equations on single fields, so the sums of the last suit are looked up instead of tried one by one.
        self.count_mask = self.count_sum = 0
        for constraint in self.shared:
            if isinstance(constraint, CountIs):
                shift = FIELD * (self.features.index(constraint.feature) * known.sides + constraint.side)
                self.count_mask |= FIELD_MASK << shift
                self.count_sum |= constraint.number << shift
                spend(2 * sum(map(len, self.per_suit)))
                self.per_suit = _within_reach(self.per_suit, shift, constraint.number)
        self.said = [constraint for constraint in self.shared if not isinstance(constraint, CountIs)]

    @property
    def ways(self) -> int:
        """The number of ways to join the suits, before the counts rule out any."""
        return prod(len(sums) for sums in self.per_suit)

    def joined(self, sums: Iterable[int], last: Sequence[int]) -> Iterator[int]:
        """Yield the whole sums that meet the counts: those of three suits, joined with those of the last suit."""
        spend(len(last))
        by_counts = self._by_counts(last)
        for part in _in_parts(sums):
            fitting = [(partial, by_counts.get(self.count_sum - (partial & self.count_mask), ())) for partial in part]
            spend(sum(1 + len(others) for _, others in fitting))
            for partial, others in fitting:
                for other in others:
                    yield partial + other

    def _by_counts(self, sums: Iterable[int]) -> dict[int, list[int]]:
        """Return sums by their counted fields."""
        by_counts: dict[int, list[int]] = {}
        for packed in sums:
            by_counts.setdefault(packed & self.count_mask, []).append(packed)
        return by_counts

    def vectors(self, sums: Iterable[int]) -> Iterator[Vectors]:
        """Yield the wanted values of the whole sums that agree with what was said."""
        positions = [self.features.index(feature) for feature in self.wanted]
        sides = self.known.sides
        agrees = _agreement(self.said, self.features, self.known)
        for packed in sums:
            spend(STEPS_OF_A_WAY)
            if agrees is None or agrees(packed):
                yield unpack(packed, sides, positions)

    def sample(self) -> Iterator[Vectors]:
        """Yield the values of a sample of ways that lie far apart."""
        *others, last = self.per_suit
        spend(2 * SPREAD ** len(others) + sum(map(len, self.per_suit)))
        picked = list(product(*(_spread(sums, SPREAD) for sums in others)))
        # A few sums of the last suit for each of its counts, so that whatever the others need is among them.
        few = [packed for sums in self._by_counts(last).values() for packed in _spread(sums, SPREAD // 3)]
        # A stride of a prime number puts ways that differ a lot next to each other.
        mixed = (sum(picked[position * STRIDE % len(picked)]) for position in range(len(picked)))
        return self.vectors(self.joined(mixed, few))


PART = 256
"""Sums that are examined together."""


def _in_parts(sums: Iterable[int]) -> Iterator[list[int]]:
    several = iter(sums)
    while some := list(islice(several, PART)):
        yield some


def _within_reach(per_suit: list[tuple[int, ...]], shift: int, number: int) -> list[tuple[int, ...]]:
    """Return the sums of each suit, without those from which a field cannot reach ``number``."""
    if not all(per_suit):
        return per_suit
    values = [[packed >> shift & FIELD_MASK for packed in sums] for sums in per_suit]
    least, most = [min(each) for each in values], [max(each) for each in values]
    return [
        tuple(
            packed
            for packed, value in zip(sums, values[suit], strict=True)
            if number - sum(most) + most[suit] <= value <= number - sum(least) + least[suit]
        )
        for suit, sums in enumerate(per_suit)
    ]


def possible_values(known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]) -> PossibleValues:
    """Return every combination of values of the wanted features that agrees with the constraints.

    Raises :class:`~..budget.BudgetSpent` where the steps run out.
    """
    return _possible_values(known, wanted, constraints, is_bounded())


def _weight_of_ways(possible: PossibleValues) -> int:
    return sum(len(read) * len(read[0]) for read in possible.vectors if read) + len(possible.vectors)


@cached(_weight_of_ways)
def _possible_values(
    known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...], in_bounds: bool
) -> PossibleValues:
    fixed = fixed_by_counts(placed_by_counts(known, constraints), wanted, constraints)
    if fixed is not None:
        return PossibleValues(frozenset({fixed}))
    shared_out = _shared_out(known, wanted, constraints)
    if shared_out is not None:
        return PossibleValues(shared_out)
    search = _search(known, wanted, constraints)
    most = MOST_SUMS if known.sides == 2 or len(search.features) == 1 else FEW_SUMS
    if in_bounds:
        most = min(most, BOUNDED_SUMS)
        if search.count_mask:
            return _by_halves(search, most)
    first, *others, last = search.per_suit
    sums: Sequence[int] = first
    for other in others:
        if len(sums) * len(other) > most:
            return PossibleValues(frozenset(search.sample()), exact=False)
        spend(len(sums) * len(other))
        sums = tuple({partial + packed for partial in sums for packed in other})
    if not search.count_mask and len(sums) * len(last) > most:
        return PossibleValues(frozenset(search.sample()), exact=False)
    return PossibleValues(frozenset(search.vectors(set(search.joined(sums, last)))), search.exact)


def _by_halves(search: _Search, most: int) -> PossibleValues:
    """Join the suits in pairs, then the two halves by their counts, which forms far fewer sums.

    The shortest suit is joined with the longest, so that both halves are about equally long.
    """
    shortest, short, long, longest = search.per_suit
    if max(len(shortest) * len(longest), len(short) * len(long)) > most:
        return PossibleValues(frozenset(search.sample()), exact=False)
    spend(len(shortest) * len(longest) + len(short) * len(long))
    half = {packed + other for packed in shortest for other in longest}
    other_half = {packed + other for packed in short for other in long}
    return PossibleValues(frozenset(search.vectors(set(search.joined(half, tuple(other_half))))), search.exact)


def _shared_out(
    known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]
) -> frozenset[Vectors] | None:
    """Return every number of a kind that the sides can have, where no other kind was counted; None elsewhere.

    Its unplaced cards can be shared out in any way, so no suits need to be joined.
    """
    known = placed_by_counts(known, constraints)
    if len(wanted) != 1 or not isinstance(wanted[0], Count):
        return None
    kind = wanted[0]
    counted = {}
    for constraint in constraints:
        if not _is_met(constraint, known):
            if not isinstance(constraint, CountIs) or constraint.feature != kind:
                return None
            counted[constraint.side] = constraint.number
    held = [kind.measure(pile) for pile in known.piles]
    ways: list[tuple[tuple[int, ...], int]] = [((), kind.measure(known.unplaced))]
    for side, least in enumerate(held):
        spend(len(ways))
        if side in counted:
            lacking = counted[side] - least
            ways = [((*taken, counted[side]), left - lacking) for taken, left in ways if 0 <= lacking <= left]
        else:
            ways = [((*taken, least + more), left - more) for taken, left in ways for more in range(left + 1)]
    spend(4 * len(ways))
    return frozenset((taken,) for taken, left in ways if known.may_be_nobodys or not left)


def is_possible(known: Known, constraints: tuple[Constraint, ...]) -> bool:
    """Return whether any way of dealing out the unplaced cards agrees with the constraints.

    Return True also where there are too many ways to examine, or the steps run out, so that nothing is refused that
    may be true.
    """
    try:
        with current().portion(POSSIBLE_STEPS):
            return _is_possible(known, constraints, is_bounded())
    except BudgetSpent:
        return True


@cached(lambda answer: 1)
def _is_possible(known: Known, constraints: tuple[Constraint, ...], in_bounds: bool) -> bool:
    search = _search(known, (), constraints)
    if search.ways > FEW_WAYS and next(search.sample(), None) is not None:
        return True
    possible = possible_values(known, (), constraints)
    return bool(possible.vectors) or not possible.exact


def without_weighing(
    known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]
) -> PossibleValues | None:
    """Return the values of the wanted features where cards and counts leave no choice, else None. Takes no steps."""
    fixed = fixed_by_counts(placed_by_counts(known, constraints), wanted, constraints)
    return None if fixed is None else PossibleValues(frozenset({fixed}))


def outcomes(
    known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...], judge: Callable[[Vectors], object]
) -> PossibleValues:
    """Return the values that the wanted features can have, or only two, not exact, where the outcomes of these differ.

    ``judge`` returns the outcome of some values. So an open line is usually found without examining every way. Raises
    :class:`~..budget.BudgetSpent` where the steps run out.
    """
    fixed = without_weighing(known, wanted, constraints)
    if fixed is not None:
        return fixed
    search = _search(known, wanted, constraints)
    if search.ways > FEW_WAYS:
        seen: dict[object, Vectors] = {}
        for vectors in search.sample():
            seen.setdefault(judge(vectors), vectors)
            if len(seen) > 1:
                return PossibleValues(frozenset(seen.values()), exact=False)
    return possible_values(known, wanted, constraints)


@cached(lambda search: sum(map(len, search.per_suit)))
def _search(known: Known, wanted: tuple[Feature, ...], constraints: tuple[Constraint, ...]) -> _Search:
    return _Search(known, wanted, constraints)


def _spread(sums: Sequence[int], most: int) -> list[int]:
    """Return at most so many of the sums, far apart."""
    ordered = sorted(sums)
    if len(ordered) <= most:
        return ordered
    return [ordered[position * (len(ordered) - 1) // (most - 1)] for position in range(most)]


def _agreement(
    constraints: Sequence[Constraint], features: list[Feature], known: Known
) -> Callable[[int], bool] | None:
    """Return a test of packed sums, which remembers its answers to the same values; None without constraints."""
    if not constraints:
        return None
    sides = known.sides
    tests = []
    for constraint in constraints:
        fields = [features.index(feature) for feature in constraint.features(known.given)]
        mask = sum(FIELD_MASK << FIELD * (field * sides + side) for field in fields for side in range(sides))
        tests.append((constraint, fields, mask, dict[int, bool]()))

    def agrees(packed: int) -> bool:
        for constraint, fields, mask, answers in tests:
            key = packed & mask
            answer = answers.get(key)
            if answer is None:
                answer = answers[key] = constraint.allows(unpack(packed, sides, fields))
            if not answer:
                return False
        return True

    return agrees


def _reads_alike(feature: Feature, suit: int, other: int) -> bool:
    """Return whether a feature reads two suits alike; tables are cached, so equal tables are the same object."""
    return feature.table(suit) is feature.table(other) and feature.signature(suit) is feature.signature(other)


@cached(_weight_of_sums)
def _allowed_in_suit(
    known: Known, suit: int, features: tuple[Feature, ...], constraints: tuple[Constraint, ...]
) -> SuitSums:
    """Return the sums of one suit over ``features`` that agree with the constraints which concern that suit alone."""
    shift = SUIT_WIDTH * suit
    piles = tuple(pile >> shift & SUIT_MASK for pile in known.piles)
    unplaced = known.unplaced >> shift & SUIT_MASK
    every = list(features)
    for constraint in constraints:
        every += [feature for feature in constraint.features(known.given) if feature not in every]
    # Suits that every feature reads alike have the same sums, which are worked out once.
    twin = next(other for other in range(suit + 1) if all(_reads_alike(feature, suit, other) for feature in every))
    sums = _suit_sums(twin, piles, unplaced, known.may_be_nobodys, tuple(every))
    agrees = _agreement(constraints, every, known)
    if agrees is None:
        return sums
    mask = (1 << FIELD * known.sides * len(features)) - 1
    spend(4 * len(sums.sums))
    return SuitSums(tuple({packed & mask for packed in sums.sums if agrees(packed)}), sums.exact)
