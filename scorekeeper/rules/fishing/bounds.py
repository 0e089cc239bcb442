"""How much each side's value of an item can still be: the least and the most over all ways that agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ..cards import SUIT_WIDTH, SUITS, cards_of, pile_of, rank_of, suit_pile
from .features import CoinRun, Count, Feature, PrimeOf
from .items import Barmila, Item, Number
from .known import Known
from .outlook import OneOf, exists, outcomes, reader_of
from .primes import DOUBLED, SEVEN, Given, in_units
from .ways import KINDS, Ways

Bound = tuple[Number, Number]
"""The least and the most. None as the least: perhaps the side may not compete; None twice: it surely may not."""

PIPS = SEVEN
"""Rank position of the highest card that is no figure."""


@dataclass
class Bounds:
    """The bounds of all items of a deal; what several items read is worked out once."""

    known: Known
    given: Given
    sides: int
    _of_kind: dict[int, list[Bound]] = field(default_factory=dict)

    def of(self, item: Item) -> list[Bound]:
        """Return the bounds of an item's values for each side."""
        features = item.features(self.given)
        if isinstance(item, Barmila):
            return self._of_barmila(item)
        return self._of_feature(features[0], self.known)

    def _of_feature(self, feature: Feature, known: Known) -> list[Bound]:
        sides = range(self.sides)
        if isinstance(feature, PrimeOf) and feature.rule.method != "sevens_count":
            return [PrimeBounds(feature, known, side).bound() for side in sides]
        if isinstance(feature, CoinRun):
            return [self._of_run(feature, side) for side in sides]
        mask = feature.sevens if isinstance(feature, PrimeOf) else feature.of if isinstance(feature, Count) else 0
        if mask not in KINDS:
            return [self._of_cards(mask, side) for side in sides]
        kind = KINDS.index(mask)
        if known is not self.known:
            return kind_bounds(known, kind, self.sides)
        if kind not in self._of_kind:
            self._of_kind[kind] = kind_bounds(known, kind, self.sides)
        return self._of_kind[kind]

    def _may_be(self, ways: Ways | None) -> bool:
        return exists(ways, self.known.goals)

    def _of_cards(self, mask: int, side: int) -> Bound:
        """Return how many of a few cards a side has."""
        ways = self.known.ways
        held = (ways.piles[side] & mask).bit_count()
        loose = list(cards_of(ways.reach(side) & ~ways.piles[side] & mask))
        least = next(
            number
            for number in range(len(loose) + 1)
            if any(
                self._may_be(ways.deny(pile_of(others), side)) for others in combinations(loose, len(loose) - number)
            )
        )
        most = next(
            number
            for number in range(len(loose), -1, -1)
            if any(self._may_be(ways.give(pile_of(some), side)) for some in combinations(loose, number))
        )
        return held + least, held + most

    def _of_run(self, feature: CoinRun, side: int) -> Bound:
        """Return how far a side's coins run from the ace."""
        ways = self.known.ways

        def may_be(length: int) -> bool:
            run = ways.give((1 << length) - 1, side)
            return self._may_be(None if run is None else run.deny(1 << length, side) if length < SUIT_WIDTH else run)

        lengths = [length for length in range(SUIT_WIDTH + 1) if may_be(length)]
        return lengths[0], lengths[-1]

    def _of_barmila(self, item: Barmila) -> list[Bound]:
        """Return the bounds of what decides: sevens in some ways, sixes in others."""
        reader = reader_of(item, self.given, self.sides)
        found: list[list[Bound]] = []
        sevens, sixes = item.features(self.given)
        verdicts = outcomes(
            self.known.ways, self.known.goals, reader, lambda read: item.judge(*read), lambda verdict: verdict.reason
        )
        if "most" in verdicts:
            found.append(self._of_feature(sevens, self.known))
        if set(verdicts) != {"most"}:
            found.append(self._of_feature(sixes, self.known))
        return [
            (min(bounds[side][0] or 0 for bounds in found), max(bounds[side][1] or 0 for bounds in found))
            for side in range(self.sides)
        ]


def kind_bounds(known: Known, kind: int, sides: int) -> list[Bound]:
    """Return how many cards of a kind each side has."""
    low, high = known.ways.range_of(kind)
    bounds: list[Bound] = []
    for side in range(sides):
        if len(low) == 2 and side == 1:
            # Between two holders, what one does not have the other has.
            first, whole = bounds[0], KINDS[kind].bit_count()
            bounds.append((whole - (first[1] or 0), whole - (first[0] or 0)))
            continue
        least = _lowest(known, kind, side, low[side], high[side])
        most = _highest(known, kind, side, least, high[side])
        bounds.append((least, most))
    return bounds


def _within(known: Known, kind: int, side: int, least: int, most: int) -> bool:
    return exists(known.ways.limit(kind, side, least, most), known.goals)


def _lowest(known: Known, kind: int, side: int, low: int, high: int) -> int:
    """Return the lowest number that can be; most often it is ``low``."""
    if low >= high or _within(known, kind, side, low, low):
        return low
    low += 1
    while low < high:
        middle = (low + high) // 2
        if _within(known, kind, side, low, middle):
            high = middle
        else:
            low = middle + 1
    return low


def _highest(known: Known, kind: int, side: int, low: int, high: int) -> int:
    """Return the highest number that can be; most often it is ``high``."""
    if low >= high or _within(known, kind, side, high, high):
        return high
    high -= 1
    while low < high:
        middle = (low + high + 1) // 2
        if _within(known, kind, side, middle, high):
            low = middle
        else:
            high = middle - 1
    return low


@dataclass
class PrimeBounds:
    """The bounds of one side's prime."""

    feature: PrimeOf
    known: Known
    side: int

    def bound(self) -> Bound:
        """Return the least and the most."""
        may_not_compete = self._may_not_compete()
        most = self._extreme(self._levels(most_first=True), is_most=True)
        if most is None:
            return None, None
        least = None if may_not_compete else self._extreme(self._levels(most_first=False), is_most=False)
        return in_units(least), in_units(most)

    def _values(self) -> dict[int, int]:
        """Return what each card is worth."""
        ranks = dict(self.feature.given)
        worth = DOUBLED[self.feature.rule.method]
        return {card: worth[ranks.get(card, rank_of(card))] for card in cards_of((1 << SUIT_WIDTH * len(SUITS)) - 1)}

    def _levels(self, most_first: bool) -> list[list[tuple[int, int]]]:
        """Return for each suit what its best card may be worth, with the cards worth that; no card is (0, 0)."""
        values = self._values()
        reach, pile = self.known.ways.reach(self.side), self.known.ways.piles[self.side]
        suits = []
        for suit in range(len(SUITS)):
            by_value: dict[int, int] = {}
            for card in cards_of(reach & suit_pile(suit)):
                by_value[values[card]] = by_value.get(values[card], 0) | 1 << card
            held = [value for value, cards in by_value.items() if cards & pile]
            least = max(held, default=-1)
            levels = [(value, cards) for value, cards in by_value.items() if value >= least]
            if not held:
                levels.append((0, 0))
            # No card is less than a card worth nothing.
            levels.sort(key=lambda level: (level[0], level[1] > 0), reverse=most_first)
            suits.append(levels)
        return suits

    def _may_compete_with(self, cards: int) -> bool:
        """Return whether the rule lets a suit compete whose best card is one of these."""
        rule, ranks = self.feature.rule, dict(self.feature.given)
        if rule.needs_pip:
            return any(ranks.get(card, rank_of(card)) <= PIPS for card in cards_of(cards))
        return bool(cards) or not rule.suits_required

    def _may_not_compete(self) -> bool:
        rule, ways, goals = self.feature.rule, self.known.ways, self.known.goals
        ranks = dict(self.feature.given)
        if rule.suits_required or rule.needs_pip:
            for suit in range(len(SUITS)):
                needed = suit_pile(suit)
                if rule.needs_pip:
                    needed = pile_of(card for card in cards_of(needed) if ranks.get(card, rank_of(card)) <= PIPS)
                if exists(ways.deny(needed, self.side), goals):
                    return True
        return rule.needs_seven and exists(ways.deny(self.feature.sevens, self.side), goals)

    def _extreme(self, suits: list[list[tuple[int, int]]], is_most: bool) -> int | None:
        """Return the extreme value over all ways, of those in which the side may compete where that is the most."""
        best: int | None = None
        rest = [sum(suit[0][0] for suit in suits[number:]) for number in range(len(suits) + 1)]

        def beats(value: int) -> bool:
            return best is None or (value > best if is_most else value < best)

        def follow(number: int, value: int, ways: Ways, goals: tuple[OneOf, ...], has_seven: bool) -> None:
            nonlocal best
            if not beats(value + rest[number]):
                return
            if number == len(suits):
                seven_is_missing = is_most and self.feature.rule.needs_seven and not has_seven
                if not seven_is_missing and exists(ways, (*goals, *self.known.goals)):
                    best = value
                return
            for worth, cards in suits[number]:
                if is_most and not self._may_compete_with(cards):
                    continue
                for after, goal in self._with_best(ways, number, worth, cards, is_most):
                    if after.is_possible() and all(goal.may_be(after) for goal in self.known.goals):
                        seven = has_seven or bool(cards & self.feature.sevens)
                        follow(number + 1, value + worth, after, (*goals, *goal), seven)

        follow(0, 0, self.known.ways, (), False)
        return best

    def _with_best(
        self, ways: Ways, suit: int, worth: int, cards: int, is_most: bool
    ) -> Iterator[tuple[Ways, tuple[OneOf, ...]]]:
        """Yield the ways in which a suit's best card is one of these (or better, where the most is looked for)."""
        if not is_most:
            values = self._values()
            better = pile_of(c for c in cards_of(suit_pile(suit)) if values[c] > worth or not cards)
            kept = ways.deny(better & ~cards, self.side)
            if kept is not None:
                yield kept, ()
        elif not cards or cards & ways.piles[self.side]:
            yield ways, ()
        elif cards.bit_count() == 1:
            given = ways.give(cards, self.side)
            if given is not None:
                yield given, ()
        else:
            yield ways, (OneOf(cards, self.side),)


def certain_best_cards(feature: PrimeOf, known: Known, side: int) -> list[int]:
    """Return the cards of a side's prime that are certain, one a suit at most; under ``sevens_count`` its sevens.

    Of equal cards the higher in rank order is named, as in :meth:`~.primes.PrimeRule.best_cards`.
    """
    ways, goals = known.ways, known.goals
    ranks = dict(feature.given)

    def surely(card: int) -> bool:
        return bool(ways.piles[side] >> card & 1) or not exists(ways.deny(1 << card, side), goals)

    reach = ways.reach(side)
    if feature.rule.method == "sevens_count":
        return [card for card in cards_of(reach & feature.sevens) if surely(card)]
    worth = DOUBLED[feature.rule.method]
    certain = []
    for suit in range(len(SUITS)):
        mine = sorted(
            cards_of(reach & suit_pile(suit)),
            key=lambda card: (worth[ranks.get(card, rank_of(card))], rank_of(card)),
            reverse=True,
        )
        for card in mine:
            if ways.piles[side] >> card & 1 or exists(ways.give(1 << card, side), goals):
                if surely(card):
                    certain.append(card)
                break
    return certain


__all__ = ["Bound", "Bounds", "PrimeBounds", "certain_best_cards", "kind_bounds"]
