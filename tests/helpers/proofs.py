"""The fewest answers that prove a deal, for one who knows the whole deal: no order of questions can do with fewer.

Answers prove a deal when every other sharing out of the cards that gives another result gives another answer to one of
them. So the smallest proof is the smallest set of answers that hits every such deal. Other deals are collected one by
one: each is one that the smallest set so far does not rule out, brought as near to the true deal as it can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from scorekeeper import rules
from scorekeeper.rules.cards import NUMBERS, RANKS, cards_of, pile_of
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.outlook import outcomes, reader_of
from scorekeeper.rules.fishing.pieces import KIND_NAMES
from scorekeeper.rules.fishing.primes import as_given
from scorekeeper.rules.fishing.ways import KINDS, Ways, all_ways, loose_holders

Answer = tuple[str, int, int]
"""A card with its owner, or a kind with a side: what is known by one answer."""

Piles = tuple[int, ...]


class Proof:
    """Searches the smallest proof of one deal."""

    def __init__(self, game: FishingGame, given: Any, piles: Mapping[str, Iterable[str]]) -> None:
        self.sides = len(piles)
        self.piles: Piles = tuple(pile_of(NUMBERS[card] for card in pile) for pile in piles.values())
        self.given = given
        self.items = [(item, reader_of(item, given, self.sides)) for item in game.items]
        self.truth = self.results(self.piles)
        self.counted = [
            kind for kind, name in enumerate(KIND_NAMES) if any(name in item.counts for item, _ in self.items)
        ]

    def results(self, piles: Piles) -> list[tuple[int, ...]]:
        """Return the outcome of every item."""
        found = []
        for item, _ in self.items:
            read = tuple(tuple(feature.measure(pile) for pile in piles) for feature in item.features(self.given))
            found.append(item.outcome(item.judge(*read)))
        return found

    def ways(self, answers: Iterable[Answer]) -> Ways:
        """Return the ways of sharing out the cards that agree with some answers."""
        ways = all_ways(self.sides, False)
        for what, which, side in answers:
            after = ways.give(1 << which, side) if what == "card" else self._count(ways, which, side)
            assert after is not None
            ways = after
        return ways

    def _count(self, ways: Ways, kind: int, side: int) -> Ways | None:
        number = (self.piles[side] & KINDS[kind]).bit_count()
        return ways.limit(kind, side, number, number)

    def other_deal(self, answers: Sequence[Answer]) -> Piles | None:
        """Return a deal with these answers and another result, as near to the true deal as can be; None without one."""
        ways = self.ways(answers)
        for (item, reader), truth in zip(self.items, self.truth, strict=True):
            if len(outcomes(((ways, ()),), reader, lambda read, item=item: item.judge(*read), item.outcome, 2)) < 2:
                continue
            part = ways
            while part.unplaced:
                card, holder = self._step(part, item, reader, truth)
                part = _given(part, card, holder)
            return self._nearest(part.piles, answers)
        return None

    def _step(self, ways: Ways, item: Any, reader: Any, truth: tuple[int, ...]) -> tuple[int, int]:
        """Return a card, and a side that may have it in some deal with another result: the true owner if he may."""
        card = next(cards_of(ways.unplaced))
        holders = sorted(loose_holders(ways, card), key=lambda side: not self.piles[side] >> card & 1)
        for holder in holders:
            after = ways.give(1 << card, holder)
            if after is None or not after.is_possible():
                continue
            found = outcomes(((after, ()),), reader, lambda read: item.judge(*read), item.outcome, 2)
            if set(found) != {truth}:
                return card, holder
        raise AssertionError("no way is left")

    def _nearest(self, piles: Piles, answers: Sequence[Answer]) -> Piles:
        """Give cards back to their true owners, alone or in pairs, as long as the result stays another one."""
        ways = self.ways(answers)
        wrong = [card for card in range(40) if self._owner(self.piles, card) != self._owner(piles, card)]
        random = Random(0)
        random.shuffle(wrong)
        singles = [(card,) for card in wrong]
        pairs = [(card, other) for at, card in enumerate(wrong) for other in wrong[:at]]
        for cards in [*singles, *pairs]:
            if any(self._owner(self.piles, card) == self._owner(piles, card) for card in cards):
                continue
            nearer = list(piles)
            for card in cards:
                nearer[self._owner(piles, card)] ^= 1 << card
                nearer[self._owner(self.piles, card)] |= 1 << card
            agrees = all(
                ways.least[kind][side] <= (pile & mask).bit_count() <= ways.most[kind][side]
                for kind, mask in enumerate(KINDS)
                for side, pile in enumerate(nearer)
            )
            if agrees and self.results(tuple(nearer)) != self.truth:
                piles = tuple(nearer)
        return piles

    def _owner(self, piles: Piles, card: int) -> int:
        return next(side for side, pile in enumerate(piles) if pile >> card & 1)

    def ruled_out_by(self, piles: Piles) -> frozenset[Answer]:
        """Return the true answers that the other deal does not give."""
        found: set[Answer] = set()
        for side, pile in enumerate(piles):
            found |= {("card", card, self._owner(self.piles, card)) for card in cards_of(pile & ~self.piles[side])}
            for kind in self.counted:
                if (pile & KINDS[kind]).bit_count() != (self.piles[side] & KINDS[kind]).bit_count():
                    # The number of the last of two sides follows from the other's.
                    found.add(("count", kind, 0 if self.sides == 2 else side))
        return frozenset(found)

    def smallest(self) -> list[Answer]:
        """Return a smallest proof."""
        others: list[frozenset[Answer]] = []
        answers: list[Answer] = []
        while True:
            other = self.other_deal(answers)
            if other is None:
                return answers
            others.append(self.ruled_out_by(other))
            answers = smallest_hitting(others, len(answers))


def _given(ways: Ways, card: int, holder: int) -> Ways:
    after = ways.give(1 << card, holder)
    assert after is not None
    return after


def smallest_hitting(sets: Sequence[frozenset[Answer]], at_least: int) -> list[Answer]:
    """Return a smallest set that has a member of each of the sets; it has ``at_least`` so many."""
    size = at_least
    while True:
        found = _hitting(sorted(sets, key=len), size)
        if found is not None:
            return found
        size += 1


def _hitting(sets: Sequence[frozenset[Answer]], size: int) -> list[Answer] | None:
    if not sets:
        return []
    # Sets that have nothing in common each need a member of their own.
    apart: set[Answer] = set()
    needed = 0
    for each in sets:
        if not each & apart:
            apart |= each
            needed += 1
    if needed > size:
        return None
    left_out: set[Answer] = set()
    by_use: Callable[[Answer], int] = lambda answer: -sum(answer in each for each in sets)  # noqa: E731
    for answer in sorted(sets[0], key=lambda answer: (by_use(answer), answer)):
        remaining = [each - left_out for each in sets if answer not in each]
        if all(remaining):
            rest = _hitting(sorted(remaining, key=len), size - 1)
            if rest is not None:
                return [answer, *rest]
        left_out.add(answer)
    return None


def proof_of(request: Mapping[str, Any], piles: Mapping[str, Iterable[str]]) -> list[Answer]:
    """Return a smallest proof of a finished deal, from nothing but the ranks that its wild cards have."""
    table = rules.read_table(request, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)
    ranks = {NUMBERS[card]: RANKS.index(int(value)) for card, value in request["deal"].get("as", {}).items()}
    return Proof(table.game, as_given(ranks), piles).smallest()


__all__ = ["Proof", "proof_of", "smallest_hitting"]
