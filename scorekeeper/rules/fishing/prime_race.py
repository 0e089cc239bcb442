"""How open the race for a prime is between two sides: which of them is ahead, how surely, and by how much.

The unplaced cards of each suit are dealt out, the best first, which gives the chance of every difference between the
best cards of the two sides. Joined over the four suits, these are the chances of every difference between their primes.
Where the sevens or sixes of the sides were counted, the differences are told apart by how many of them the first side
takes, so that only those that agree with the count are joined.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from math import log2, sqrt
from typing import NamedTuple

from ..budget import cached, spend
from ..cards import SUIT_MASK, SUIT_WIDTH, SUITS
from .features import PrimeOf, dealing_order
from .primes import SEVEN, VALUE_BITS

SIX = SEVEN - 1
"""Rank position of the six."""

Differences = tuple[tuple[int, float], ...]
"""Differences between the sides in order, each with its chance."""

Taken = tuple[int, int]
"""How many unplaced sevens and sixes the first side takes; 0 of a kind that was not counted."""

Outlook = tuple[tuple[Taken, Differences], ...]
"""The differences of some suits, by what the first side takes in them."""

Share = tuple[float, float]
"""How likely an unplaced card of a suit is to be the first side's, and the second side's."""


class Suit(NamedTuple):
    """One suit of two piles, as far as the race depends on it: each side's best card and the loose cards."""

    feature: PrimeOf
    suit: int
    first: int
    second: int
    loose: int
    share: Share


class Race(NamedTuple):
    """The race of two primes.

    ``ahead``, ``level`` and ``behind`` are the chances of the first side. ``least`` and ``most`` are the least and the
    most that it can be ahead, and ``deviation`` is how far its lead lies from the mean.
    """

    ahead: float
    level: float
    behind: float
    least: int
    most: int
    deviation: float

    @property
    def doubt(self) -> float:
        """The entropy of the three outcomes, in bits."""
        return -sum(part * log2(part) for part in (self.ahead, self.level, self.behind) if part > 1e-9)

    def gap(self, step: float) -> float:
        """Return how much of a lead still has to be proved on average; ``step`` is the least lead that wins."""
        wins, loses = max(0.0, step - self.least), max(0.0, step + self.most)
        return self.ahead * wins + self.behind * loses + self.level * (self.most - self.least)


def suit_of_race(feature: PrimeOf, suit: int, first: int, second: int, loose: int, share: Share) -> Suit:
    """Return one suit of a race, without what makes no difference to it; suits that read alike become equal."""
    table = feature.table(suit)
    matters = 1 << SEVEN | 1 << SIX
    cards = 0
    for position in range(SUIT_WIDTH):
        bit = 1 << position
        if loose & bit and (
            bit & matters or table[first | bit] != table[first] or table[second | bit] != table[second]
        ):
            cards |= bit
    same = suit if feature.given else 0
    return Suit(feature, same, _best(feature, suit, first), _best(feature, suit, second), cards, share)


def _best(feature: PrimeOf, suit: int, pile: int) -> int:
    return next((pile & 1 << position for position in _order(feature, suit) if pile >> position & 1), 0)


@lru_cache(maxsize=256)
def _order(feature: PrimeOf, suit: int) -> tuple[int, ...]:
    return tuple(dealing_order(suit, (feature,)))


def race(suits: Iterable[Suit], sevens: int | None, sixes: int | None) -> Race | None:
    """Return the race over four suits; None where no way agrees with the counts.

    ``sevens`` and ``sixes`` are how many of the unplaced ones the first side takes, None where they were not counted.
    """
    one, two, three, four = sorted(suits, key=lambda each: each[1:])
    counted = (sevens is not None, sixes is not None)
    return _joined((one, two), (three, four), counted, (sevens or 0, sixes or 0))


@cached(lambda outlook: sum(2 * len(differences) for _, differences in outlook))
def _of_suit(suit: Suit, counted: tuple[bool, bool]) -> Outlook:
    """Deal the loose cards of a suit, the best first."""
    spend(0, 35)
    table = suit.feature.table(suit.suit)
    to_first, to_second = suit.share
    to_nobody = max(0.0, 1 - to_first - to_second)
    ways: dict[tuple[int, int, int, int], float] = {(suit.first, suit.second, 0, 0): 1.0}
    for position in _order(suit.feature, suit.suit):
        bit = suit.loose & 1 << position
        if not bit:
            continue
        spend(3 * len(ways))
        seven, six = int(counted[0] and position == SEVEN), int(counted[1] and position == SIX)
        after: dict[tuple[int, int, int, int], float] = {}
        for (first, second, sevens, sixes), chance in ways.items():
            more, other = first | bit, second | bit
            own = (more if table[more] != table[first] else first, second, sevens + seven, sixes + six)
            others = (first, other if table[other] != table[second] else second, sevens, sixes)
            shared = [(own, to_first), (others, to_second)]
            if to_nobody > 1e-9:
                shared.append(((first, second, sevens, sixes), to_nobody))
            for way, likely in shared:
                after[way] = after.get(way, 0.0) + chance * likely
        ways = after
    chances: dict[Taken, dict[int, float]] = {}
    for (first, second, sevens, sixes), chance in ways.items():
        here = chances.setdefault((sevens, sixes), {})
        difference = (table[first] & VALUE_BITS) - (table[second] & VALUE_BITS)
        here[difference] = here.get(difference, 0.0) + chance
    return _ordered(chances)


def _ordered(chances: dict[Taken, dict[int, float]]) -> Outlook:
    return tuple((taken, tuple(sorted(here.items()))) for taken, here in chances.items())


@cached(lambda outlook: sum(2 * len(differences) for _, differences in outlook))
def _of_two(some: Suit, other: Suit, counted: tuple[bool, bool]) -> Outlook:
    """Join two suits."""
    chances: dict[Taken, dict[int, float]] = {}
    for (sevens, sixes), differences in _of_suit(some, counted):
        for (more_sevens, more_sixes), others in _of_suit(other, counted):
            spend(4 + len(differences) * len(others) // 3, 20 + len(differences) * len(others) // 2)
            here = chances.setdefault((sevens + more_sevens, sixes + more_sixes), {})
            for apart, chance in differences:
                for further, likely in others:
                    both = apart + further
                    here[both] = here.get(both, 0.0) + chance * likely
    return _ordered(chances)


class _Sums(NamedTuple):
    """Differences with the sums of their chances, ready to be looked up."""

    values: list[int]
    below: list[float]
    moments: tuple[float, float, float]


def _summed(differences: Differences) -> _Sums:
    chances = [chance for _, chance in differences]
    first = sum(value * chance for value, chance in differences)
    second = sum(value * value * chance for value, chance in differences)
    return _Sums([value for value, _ in differences], [0.0, *accumulate(chances)], (sum(chances), first, second))


@cached(lambda race: 6)
def _joined(
    some: tuple[Suit, Suit], others: tuple[Suit, Suit], counted: tuple[bool, bool], needed: Taken
) -> Race | None:
    """Join two halves; only what agrees with the counts is joined."""
    spend(0, 50)
    halves = {taken: _summed(differences) for taken, differences in _of_two(*others, counted)}
    outcomes = [0.0, 0.0, 0.0]
    moments = [0.0, 0.0, 0.0]
    ends: list[int] = []
    for (sevens, sixes), differences in _of_two(*some, counted):
        other = halves.get((needed[0] - sevens, needed[1] - sixes))
        if other is None:
            continue
        spend(10 + 2 * len(differences))
        _add_outcomes(outcomes, differences, other)
        whole, first, second = _summed(differences).moments
        moments[0] += whole * other.moments[0]
        moments[1] += first * other.moments[0] + whole * other.moments[1]
        moments[2] += second * other.moments[0] + 2 * first * other.moments[1] + whole * other.moments[2]
        ends += [differences[0][0] + other.values[0], differences[-1][0] + other.values[-1]]
    if not moments[0]:
        return None
    ahead, level, behind = (part / moments[0] for part in outcomes)
    mean = moments[1] / moments[0]
    deviation = sqrt(max(0.0, moments[2] / moments[0] - mean * mean))
    return Race(ahead, level, behind, min(ends), max(ends), deviation)


def _add_outcomes(outcomes: list[float], differences: Sequence[tuple[int, float]], other: _Sums) -> None:
    """Add the chances that the sums of two differences are above, at or below zero."""
    for value, chance in differences:
        at = bisect_left(other.values, -value)
        equal = at < len(other.values) and other.values[at] == -value
        below, up_to = other.below[at], other.below[at + equal]
        outcomes[0] += chance * (other.below[-1] - up_to)
        outcomes[1] += chance * (up_to - below)
        outcomes[2] += chance * below


def suits_of(feature: PrimeOf, first: int, second: int, loose: int, shares: Sequence[Share]) -> list[Suit]:
    """Return the four suits of the race between two piles; ``shares`` has one share for each suit."""
    found = []
    for suit in range(len(SUITS)):
        shift = SUIT_WIDTH * suit
        own, others, cards = (pile >> shift & SUIT_MASK for pile in (first, second, loose))
        found.append(suit_of_race(feature, suit, own, others, cards, shares[suit]))
    return found


__all__ = ["Race", "race", "suits_of"]
