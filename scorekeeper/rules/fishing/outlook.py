"""The outcomes that an item can still have, in all the ways of a :class:`~.ways.Ways`.

The ways give the least and the most that each side can read for an item. If all values in between lead to one outcome,
the item is decided. If not, the ways are split in two or more, and each part is looked at again (:func:`outcomes`).
A part without a way is dropped. So nothing is sampled, and every answer is exact.

An award is a :class:`Goal`: the ways are split until a part agrees with it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from ..budget import spend, spend_with_many
from ..cards import SUIT_MASK, SUIT_WIDTH, SUITS, Card, Pile, Position, cards_of
from .features import CoinRun, Count, PrimeOf, dealing_order
from .items import Item, Prime, Read, Verdict
from .primes import SEVEN, VALUE_BITS, Given
from .ways import KINDS, SEVENS_KIND, Ways, loose_holders

Key = TypeVar("Key", bound=Hashable)

Judge = Callable[[Read], Verdict]

SEVEN_BIT = 1 << SEVEN
"""The seven, in the ten bits of a suit."""

STEPS_OF_A_PART = 60
"""Steps to look at one part of the ways."""

STEPS_OF_AN_EXAMPLE = 36
"""Steps to judge an example with more than two sides: each one of a look, and those after the first few of a part."""

FEW_EXAMPLES = 3
"""Number of examples that are judged in the steps of their part."""


def _steps_of_a_look(ways: Ways) -> int:
    """Return the steps to look whether ways agree with a goal, beyond those of a part."""
    return 40 + 30 * (len(ways.piles) - 2)


class Reader(Protocol):
    """Reads an item from the known part of the piles."""

    @property
    def item(self) -> Item:
        """The item that it reads."""

    def between(self, ways: Ways) -> tuple[Read, Read]:
        """Return the least and the most that each side can read by itself; if nothing is possible, least > most."""

    def split(self, ways: Ways, toward: Sequence[Position] = ()) -> Iterator[Ways | None]:
        """Yield the parts of the ways, which together are all of them; None for an impossible part.

        Parts in which the sides ``toward`` take the item come first.
        """


def reader_of(item: Item, given: Given, sides: int) -> Reader:
    """Return the reader of an item at a table with so many sides; ``given`` are the ranks of wild cards."""
    features = item.features(given)
    first = features[0]
    if isinstance(first, PrimeOf):
        assert isinstance(item, Prime)
        if first.rule.method != "sevens_count":
            return _PrimeReader(item, sides, first, len(features) > 1)
        sevens = first.sevens
        return (
            _KindReader(item, sides, (SEVENS_KIND,), 2, len(features) > 1)
            if sevens == KINDS[SEVENS_KIND]
            else _CardReader(item, sides, Count(sevens), sevens, 2)
        )
    if isinstance(first, CoinRun):
        return _CardReader(item, sides, first, first.cards)
    kinds = [KINDS.index(each.of) if isinstance(each, Count) and each.of in KINDS else -1 for each in features]
    if -1 not in kinds:
        return _KindReader(item, sides, tuple(kinds))
    assert isinstance(first, Count)
    return _CardReader(item, sides, first, first.of)


@dataclass(frozen=True)
class _KindReader:
    """Reads the number of cards of some kinds, times their worth."""

    item: Item
    sides: int
    kinds: tuple[int, ...]
    times: int = 1
    and_numbers: bool = False
    """True if the numbers follow their worth, as a feature of their own."""

    def _ranges(self, ways: Ways, kind: int) -> tuple[list[int], list[int]]:
        low, high = ways.range_of(kind)
        return low[: self.sides], high[: self.sides]

    def between(self, ways: Ways) -> tuple[Read, Read]:
        ranges = [self._ranges(ways, kind) for kind in self.kinds]
        least = tuple(tuple(each * self.times for each in low) for low, _ in ranges)
        most = tuple(tuple(each * self.times for each in high) for _, high in ranges)
        if self.and_numbers:
            return (*least, tuple(ranges[0][0])), (*most, tuple(ranges[0][1]))
        return least, most

    def split(self, ways: Ways, toward: Sequence[Position] = ()) -> Iterator[Ways | None]:
        for kind in self.kinds:
            low, high = self._ranges(ways, kind)
            leading = max(low)
            rivals = [side for side in range(self.sides) if high[side] >= leading] or list(range(self.sides))
            widest = max(rivals, key=lambda side: high[side] - low[side])
            if high[widest] == low[widest]:
                widest = max(range(self.sides), key=lambda side: high[side] - low[side])
            if high[widest] > low[widest]:
                at = self.item.splits_at(low[widest], high[widest])
                parts = (ways.limit(kind, widest, at, high[widest]), ways.limit(kind, widest, low[widest], at - 1))
                yield from parts if widest in toward or not toward else reversed(parts)
                return


@dataclass(frozen=True)
class _CardReader:
    """Reads a feature of a few cards, times its worth. Each card is dealt to every holder that may have it."""

    item: Item
    sides: int
    feature: Count | CoinRun
    cards: Pile
    times: int = 1

    def between(self, ways: Ways) -> tuple[Read, Read]:
        low = tuple(self.feature.measure(ways.piles[side]) * self.times for side in range(self.sides))
        high = tuple(self.feature.measure(ways.reach(side)) * self.times for side in range(self.sides))
        return (low,), (high,)

    def split(self, ways: Ways, toward: Sequence[Position] = ()) -> Iterator[Ways | None]:
        for card in cards_of(ways.unplaced & self.cards):
            yield from _dealt(ways, card, loose_holders(ways, card))
            return


def _dealt(ways: Ways, card: Card, holders: Sequence[Position]) -> Iterator[Ways | None]:
    for holder in holders:
        yield ways.give(1 << card, holder)


@dataclass(frozen=True)
class _PrimeReader:
    """Reads primes: the best card of each suit, and the sevens where all four in one pile call the prime off."""

    item: Prime
    sides: int
    feature: PrimeOf
    reads_sevens: bool

    def between(self, ways: Ways) -> tuple[Read, Read]:
        low = [self.feature.measure(ways.piles[side]) for side in range(self.sides)]
        high = [self.feature.measure(ways.reach(side)) for side in range(self.sides)]
        if not self.reads_sevens and not (ways.limited >> SEVENS_KIND & 1 and not self.feature.given):
            return (tuple(low),), (tuple(high),)
        least, most = ways.range_of(SEVENS_KIND)
        if not self.feature.given:
            for side in range(self.sides):
                more, less = self._by_sevens(ways, side, least[side], most[side])
                low[side] += more
                high[side] -= less
        if not self.reads_sevens:
            return (tuple(low),), (tuple(high),)
        return (tuple(low), tuple(least[: self.sides])), (tuple(high), tuple(most[: self.sides]))

    def _by_sevens(self, ways: Ways, side: Position, least: int, most: int) -> tuple[int, int]:
        """Return how much more a prime is worth at least, and less at most, for so many sevens as the side has."""
        pile, reach, table = ways.piles[side], ways.reach(side), self.feature.table(0)
        best = table[SEVEN_BIT] & VALUE_BITS
        more, less = [], []
        for shift in range(0, SUIT_WIDTH * len(SUITS), SUIT_WIDTH):
            if reach >> shift & SEVEN_BIT and not pile >> shift & SEVEN_BIT:
                more.append(best - (table[pile >> shift & SUIT_MASK] & VALUE_BITS))
                less.append(best - (table[reach >> shift & SUIT_MASK & ~SEVEN_BIT] & VALUE_BITS))
        held = (pile & KINDS[SEVENS_KIND]).bit_count()
        surely, never = max(0, least - held), max(0, len(less) - max(0, most - held))
        return sum(sorted(more)[:surely]), sum(sorted(less)[:never])

    def split(self, ways: Ways, toward: Sequence[Position] = ()) -> Iterator[Ways | None]:
        card = self._weightiest(ways)
        if card is None and self.reads_sevens:
            card = next(cards_of(ways.unplaced & KINDS[SEVENS_KIND]), None)
        if card is None:
            return
        # The side that is behind comes first, so that close primes are found soon.
        value = self.feature.rule.measure
        holders = sorted(
            loose_holders(ways, card),
            key=lambda holder: (
                holder not in toward,
                value(ways.piles[holder], self.feature.given) & VALUE_BITS,
            ),
        )
        yield from _dealt(ways, card, holders)

    def _weightiest(self, ways: Ways) -> Card | None:
        """Return the loose card that can add most to a prime, None if no card matters any more."""
        asked, best, most = self.item.deciding_bits, None, -1
        unplaced = ways.unplaced
        for suit in range(len(SUITS)):
            shift = SUIT_WIDTH * suit
            loose = unplaced >> shift & SUIT_MASK
            if not loose:
                continue
            table = self.feature.table(suit)
            for position in dealing_order(suit, (self.feature,)):
                bit = 1 << position
                if not loose & bit:
                    continue
                card = shift + position
                weight = 1 + (table[bit] & VALUE_BITS)
                for holder in loose_holders(ways, card):
                    bits = ways.piles[holder] >> shift & SUIT_MASK
                    if holder < self.sides and (table[bits | bit] ^ table[bits]) & asked:
                        break
                else:
                    continue
                if weight > most:
                    best, most = card, weight
                break
        return best


# ---------------------------------------------------------------- goals


class _ReadGoal:
    """A goal about an item: the ways are split until each part agrees as a whole, or not at all."""

    reader: Reader

    @property
    def takers(self) -> Sequence[Position]:
        """The sides for which the ways are split first."""
        raise NotImplementedError

    def looked(self, ways: Ways) -> tuple[bool | None, int]:
        """Return what ``look`` finds, and how many examples it judged."""
        raise NotImplementedError

    def look(self, ways: Ways) -> bool | None:
        """Return whether all the ways agree (None: some may, False: none does). Takes no steps."""
        return self.looked(ways)[0]

    def may_be(self, ways: Ways) -> bool:
        """Return False if a quick look shows that none of the ways agrees."""
        return self._charged_look(ways) is not False

    def _charged_look(self, ways: Ways) -> bool | None:
        spend(STEPS_OF_A_PART)
        spend_with_many(len(ways.piles), _steps_of_a_look(ways))
        agrees, judged = self.looked(ways)
        spend_with_many(len(ways.piles), STEPS_OF_AN_EXAMPLE * judged)
        return agrees

    def parts(self, ways: Ways) -> Iterator[Ways]:
        """Yield parts of the ways that agree; together they are all the ways that agree."""
        agrees = self._charged_look(ways)
        if agrees is False or not ways.is_possible():
            return
        if agrees:
            yield ways
            return
        for part in self.reader.split(ways, self.takers):
            if part is not None:
                yield from self.parts(part)


@dataclass(frozen=True)
class Goal(_ReadGoal):
    """An award: these sides, and no others, took the item."""

    reader: Reader
    winners: tuple[Position, ...]

    @property
    def item(self) -> Item:
        """The item."""
        return self.reader.item

    @property
    def takers(self) -> Sequence[Position]:
        """The sides that took it."""
        return self.winners

    def looked(self, ways: Ways) -> tuple[bool | None, int]:
        """Return what ``look`` finds, and how many examples it judged."""
        low, high = self.reader.between(ways)
        if _cannot_be(low, high):
            return False, 0
        if len(self.winners) == 1 and self.item.is_plain:
            return self.item.goes_to(self.winners[0], low, high), 0
        reads = self.item.examples(low, high)
        winners = {self.item.judge(*read).winners for read in reads}
        return None if self.winners in winners and len(winners) > 1 else self.winners in winners, len(reads)


@dataclass(frozen=True)
class OneOf:
    """A side has at least one of some cards."""

    cards: Pile
    side: Position

    def may_be(self, ways: Ways) -> bool:
        """Return False if none of the ways agrees."""
        return self.look(ways) is not False

    def look(self, ways: Ways) -> bool | None:
        """Return whether all the ways agree (None: some do, False: none does)."""
        if ways.piles[self.side] & self.cards:
            return True
        return None if ways.reach(self.side) & self.cards else False

    def parts(self, ways: Ways) -> Iterator[Ways]:
        """Yield a part for each card that the side may have."""
        if ways.piles[self.side] & self.cards:
            yield ways
            return
        for card in cards_of(ways.unplaced & self.cards):
            part = ways.give(1 << card, self.side)
            if part is not None:
                yield part


@dataclass(frozen=True)
class Gains(_ReadGoal):
    """A side gets exactly so many points from an item."""

    reader: Reader
    judge: Judge
    side: Position
    points: int

    @property
    def takers(self) -> Sequence[Position]:
        """The side, if it gets any."""
        return (self.side,) if self.points else ()

    def looked(self, ways: Ways) -> tuple[bool | None, int]:
        """Return what ``look`` finds, and how many examples it judged."""
        reads = examples(self.reader, ways)
        agree = {self.judge(read).points[self.side] == self.points for read in reads}
        return None if len(agree) > 1 else True in agree, len(reads)


Goals = tuple[Goal | OneOf | Gains, ...]


def parts_of(ways: Ways, goals: Goals) -> Iterator[Ways]:
    """Yield parts of the ways that meet all goals, each with a way in it."""
    if not goals:
        if ways.is_possible():
            yield ways
        return
    if all(goal.may_be(ways) for goal in goals[1:]):
        for part in goals[0].parts(ways):
            yield from parts_of(part, goals[1:])


def exists(ways: Ways | None, goals: Goals) -> bool:
    """Return whether there is a way that meets all goals."""
    return ways is not None and next(parts_of(ways, goals), None) is not None


# ---------------------------------------------------------------- outcomes


def examples(reader: Reader, ways: Ways) -> list[Read]:
    """Return values to judge: one set for each outcome that the ways can lead to, and perhaps some more."""
    low, high = reader.between(ways)
    return [] if _cannot_be(low, high) else reader.item.examples(low, high)


def _cannot_be(low: Read, high: Read) -> bool:
    """Return whether a side would read less than it must."""
    return any(
        least > most for some, others in zip(low, high, strict=True) for least, most in zip(some, others, strict=True)
    )


def outcomes(
    parts: Iterable[tuple[Ways, Goals]], reader: Reader, judge: Judge, key: Callable[[Verdict], Key], most: int = 1000
) -> dict[Key, Verdict]:
    """Return the possible outcomes of an item, by their ``key``, each with a verdict that has it.

    ``parts`` are ways with the goals that they have to meet. Stop at ``most`` outcomes.
    """
    proved: dict[Key, Verdict] = {}
    open_parts = list(parts)[::-1]
    while open_parts:
        part, goals = open_parts.pop()
        spend(STEPS_OF_A_PART)
        possible: dict[Key, Verdict] = {}
        reads = examples(reader, part)
        spend_with_many(len(part.piles), STEPS_OF_AN_EXAMPLE * max(0, len(reads) - FEW_EXAMPLES))
        for read in reads:
            verdict = judge(read)
            possible.setdefault(key(verdict), verdict)
        if all(each in proved for each in possible):
            continue
        if len(possible) == 1:
            if exists(part, goals):
                proved.update(possible)
                if len(proved) >= most:
                    break
        elif part.is_possible() and all(goal.may_be(part) for goal in goals):
            open_parts += reversed([(each, goals) for each in reader.split(part) if each is not None])
    return proved
