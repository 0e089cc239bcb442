"""Whole deals at speed: finished piles of two or more sides to lines with reasons, for archives and benchmarks.

The same items judge as anywhere else; here each judgement is remembered by the values it compared. With all forty cards
in two piles a count of one side implies the other's, so most lines are a look-up by a single number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from .cards import FULL_PACK, SUIT_MASK
from .features import Count, PrimeOf
from .fishing import FishingGame
from .items import Item
from .primes import suit_table
from .sheet import Line

Reader = Callable[[int, int], Line]
"""Gives an item's line for two piles."""


class ScoredPiles(NamedTuple):
    """The end of a deal: a line for every item with its reason, and the points per side."""

    lines: tuple[Line, ...]
    points: tuple[int, ...]


class PileScorer:
    """Scores finished deals at one table from piles alone (declarations and penalties are not part of it)."""

    def __init__(self, game: FishingGame) -> None:
        self.game = game
        self.readers = tuple(self._reader(item) for item in game.items)
        self.sweep_lines: dict[tuple[int, ...], Line] = {}

    def score(self, piles: Sequence[int], sweeps: Sequence[int]) -> ScoredPiles:
        """Score piles (sets of bits, last cards included, together the whole pack) and sweeps, in seat order.

        Raises ``ValueError`` where the piles are not a whole pack.
        """
        made = tuple(sweeps)
        line = self.sweep_lines.get(made)
        if line is None:
            line = self.sweep_lines[made] = self.game.sweep_line(made)
        lines = [line]
        if len(piles) == 2:
            first, second = piles
            if first ^ second != FULL_PACK:
                raise ValueError("the two piles are not a whole pack")
            for reader in self.readers:
                lines.append(reader(first, second))
            one = two = 0
            for line in lines:
                points = line.points
                one += points[0]  # type: ignore[index, assignment]
                two += points[1]  # type: ignore[index, assignment]
            return ScoredPiles(tuple(lines), (one, two))
        if sum(piles) != FULL_PACK or sum(pile.bit_count() for pile in piles) != FULL_PACK.bit_count():
            raise ValueError("the piles are not a whole pack")
        for item in self.game.items:
            read = tuple(tuple([feature.measure(pile) for pile in piles]) for feature in item.features(()))
            lines.append(self.game.line_of(item, read))
        totals = tuple(sum(int(line.points[seat]) for line in lines if line.points) for seat in self.game.seats)
        return ScoredPiles(tuple(lines), totals)

    def _reader(self, item: Item) -> Reader:
        """Make the quickest way to an item's line for two piles that are a whole pack."""
        features = item.features(())
        if len(features) == 1 and isinstance(features[0], Count):
            return self._count_reader(item, features[0].of)
        if len(features) == 1 and isinstance(features[0], PrimeOf):
            return self._prime_reader(item, features[0])
        line_of = self.game.line_of

        def read_any(first: int, second: int) -> Line:
            return line_of(item, tuple((feature.measure(first), feature.measure(second)) for feature in features))

        return read_any

    def _count_reader(self, item: Item, mask: int) -> Reader:
        every = mask.bit_count()
        lines = [self.game.line_of(item, ((count, every - count),)) for count in range(every + 1)]

        def read_count(first: int, second: int) -> Line:
            return lines[(first & mask).bit_count()]

        return read_count

    def _prime_reader(self, item: Item, feature: PrimeOf) -> Reader:
        table = suit_table(feature.rule.method, 0, ())
        known: dict[tuple[int, int], Line] = {}
        line_of = self.game.line_of

        def read_prime(first: int, second: int) -> Line:
            key = (
                table[first & SUIT_MASK]
                + table[first >> 10 & SUIT_MASK]
                + table[first >> 20 & SUIT_MASK]
                + table[first >> 30],
                table[second & SUIT_MASK]
                + table[second >> 10 & SUIT_MASK]
                + table[second >> 20 & SUIT_MASK]
                + table[second >> 30],
            )
            line = known.get(key)
            if line is None:
                line = known[key] = line_of(item, (key,))
            return line

        return read_prime
