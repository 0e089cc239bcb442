"""The bounds of each side's value of an item: the least and the most over all ways that agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ..cards import FULL_PACK, SUIT_WIDTH, SUITS, Card, Pile, Position, cards_of, pile_of, rank_of, suit_pile
from .features import CoinRun, Count, PrimeOf
from .items import Barmila, Item, Number
from .known import Known, Narrow, anything, has, lacks, numbered
from .primes import Given, card_values, in_units, pip_cards
from .ties import leaders
from .ways import KINDS, SEVENS_KIND, SIXES_KIND, Ways


class NothingAgrees(Exception):
    """No way of sharing out the cards agrees with the evidence, believed where the steps to check it ran out."""


Bound = tuple[Number, Number]
"""The least and the most. None as the least: perhaps the side may not compete. None twice: it surely may not."""


@dataclass
class Bounds:
    """The bounds of all items of a deal; a value that several items read is worked out once."""

    known: Known
    given: Given
    sides: int
    _of_kind: dict[int, list[Bound]] = field(default_factory=dict)

    def of(self, item: Item) -> list[Bound]:
        """Return the bounds of an item's values for each side; raises ``NothingAgrees`` if it finds that."""
        if isinstance(item, Barmila):
            return self._of_barmila()
        feature, sides = item.features(self.given)[0], range(self.sides)
        if isinstance(feature, PrimeOf) and feature.rule.method != "sevens_count":
            return [PrimeBounds(feature, self.known, side).bound() for side in sides]
        if isinstance(feature, CoinRun):
            return [self._of_run(feature, side) for side in sides]
        mask = feature.sevens if isinstance(feature, PrimeOf) else feature.of if isinstance(feature, Count) else 0
        if mask not in KINDS:
            return [self._of_cards(mask, side) for side in sides]
        return self.of_kind(KINDS.index(mask))

    def of_kind(self, kind: int) -> list[Bound]:
        """Return how many cards of a kind each side has."""
        if kind not in self._of_kind:
            self._of_kind[kind] = kind_bounds(self.known, kind, self.sides)
        return self._of_kind[kind]

    def _of_cards(self, mask: Pile, side: Position) -> Bound:
        """Return how many of a few cards a side has."""
        base, may = self.known.base, self.known.may
        held = (base.piles[side] & mask).bit_count()
        loose = list(cards_of(base.reach(side) & ~base.piles[side] & mask))
        if not loose:
            return held, held
        numbers = range(len(loose) + 1)
        least = next(
            (
                number
                for number in numbers
                if any(may(lacks(pile_of(others), side)) for others in combinations(loose, len(loose) - number))
            ),
            None,
        )
        if least is None:
            raise NothingAgrees
        most = next(
            number
            for number in reversed(numbers)
            if any(may(has(pile_of(some), side)) for some in combinations(loose, number))
        )
        return held + least, held + most

    def _of_run(self, feature: CoinRun, side: Position) -> Bound:
        """Return how far a side's coins run from the ace."""

        def may_be(length: int) -> bool:
            def narrow(ways: Ways) -> Ways | None:
                run = ways.give((1 << length) - 1, side)
                return run.deny(1 << length, side) if run is not None and length < SUIT_WIDTH else run

            return self.known.may(narrow)

        lengths = [length for length in range(SUIT_WIDTH + 1) if may_be(length)]
        if not lengths:
            raise NothingAgrees
        return lengths[0], lengths[-1]

    def _of_barmila(self) -> list[Bound]:
        """Return the bounds of the sevens, or of the sixes in the ways in which the sevens are level."""
        cases: list[list[Bound]] = []
        for sevens, known in self._numbers_of(SEVENS_KIND, (), self.known):
            if len(leaders(sevens)) == 1:
                cases.append([(number, number) for number in sevens])
            else:
                cases.append(kind_bounds(known, SIXES_KIND, self.sides))
        if not cases:
            raise NothingAgrees
        return [
            (min(bounds[side][0] or 0 for bounds in cases), max(bounds[side][1] or 0 for bounds in cases))
            for side in range(self.sides)
        ]

    def _numbers_of(self, kind: int, before: tuple[int, ...], known: Known) -> Iterator[tuple[tuple[int, ...], Known]]:
        """Yield how many cards of a kind the sides can have, after the sides ``before``, each with its ways."""
        side = len(before)
        if side == self.sides:
            yield before, known
            return
        low, high = known.base.range_of(kind)
        for number in range(low[side], high[side] + 1):
            narrow = numbered(kind, side, number, number)
            if known.may(narrow):
                yield from self._numbers_of(kind, (*before, number), known.with_all(narrow))


def kind_bounds(known: Known, kind: int, sides: int) -> list[Bound]:
    """Return how many cards of a kind each side has."""
    low, high = known.base.range_of(kind)
    bounds: list[Bound] = []
    for side in range(sides):
        if len(low) == 2 and side == 1:
            # Of two holders, each has what the other has not.
            first, whole = bounds[0], KINDS[kind].bit_count()
            bounds.append((whole - (first[1] or 0), whole - (first[0] or 0)))
            continue
        least = _lowest(known, kind, side, low[side], high[side])
        most = _highest(known, kind, side, least, high[side])
        bounds.append((least, most))
    return bounds


def _within(known: Known, kind: int, side: Position, least: int, most: int) -> bool:
    return known.may(numbered(kind, side, least, most))


def _lowest(known: Known, kind: int, side: Position, low: int, high: int) -> int:
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


def _highest(known: Known, kind: int, side: Position, low: int, high: int) -> int:
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
    side: Position

    def bound(self) -> Bound:
        """Return the least and the most."""
        held, reach = self.known.base.piles[self.side], self.known.base.reach(self.side)
        if self.feature.measure(held) == self.feature.measure(reach):
            certain = in_units(self.feature.rule.value(self.feature.measure(held)))
            return certain, certain
        may_not_compete = self._may_not_compete()
        most = self._extreme(self._levels(most_first=True), is_most=True)
        if most is None:
            return None, None
        least = None if may_not_compete else self._extreme(self._levels(most_first=False), is_most=False)
        return in_units(least), in_units(most)

    @property
    def _values(self) -> tuple[int, ...]:
        """The worth of each card."""
        return card_values(self.feature.rule.method, self.feature.given)

    def _levels(self, most_first: bool) -> list[list[tuple[int, Pile]]]:
        """Return for each suit the possible worths of its best card, with the cards worth that; no card is (0, 0)."""
        values = self._values
        reach, pile = self.known.base.reach(self.side), self.known.base.piles[self.side]
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

    def _may_compete_with(self, cards: Pile) -> bool:
        """Return whether the rule lets a suit compete whose best card is one of these."""
        rule = self.feature.rule
        if rule.needs_pip:
            return bool(cards & pip_cards(self.feature.given))
        return bool(cards) or not rule.suits_required

    def _may_not_compete(self) -> bool:
        rule = self.feature.rule
        if rule.suits_required or rule.needs_pip:
            needed = pip_cards(self.feature.given) if rule.needs_pip else FULL_PACK
            if any(self._may_lack(needed & suit_pile(suit)) for suit in range(len(SUITS))):
                return True
        return rule.needs_seven and self._may_lack(self.feature.sevens)

    def _may_lack(self, cards: Pile) -> bool:
        return self.known.may(lacks(cards, self.side))

    def _extreme(self, suits: list[list[tuple[int, Pile]]], is_most: bool) -> int | None:
        """Return the extreme value over all ways; the most is over those in which the side may compete."""
        suits = [
            [
                (worth, cards)
                for worth, cards in levels
                if len(levels) == 1
                or any(self.known.may_well(narrow) for narrow in self._with_best(suit, worth, cards, is_most))
            ]
            for suit, levels in enumerate(suits)
        ]
        if not all(suits):
            return None
        best: int | None = None
        rest = [sum(suit[0][0] for suit in suits[number:]) for number in range(len(suits) + 1)]

        def beats(value: int) -> bool:
            return best is None or (value > best if is_most else value < best)

        def follow(number: int, value: int, known: Known, has_seven: bool) -> None:
            nonlocal best
            if not beats(value + rest[number]):
                return
            if number == len(suits):
                seven_is_missing = is_most and self.feature.rule.needs_seven and not has_seven
                if not seven_is_missing and known.may(anything):
                    best = value
                return
            for worth, cards in suits[number]:
                if not beats(value + worth + rest[number + 1]):
                    break
                if is_most and not self._may_compete_with(cards):
                    continue
                for narrow in self._with_best(number, worth, cards, is_most):
                    if known.may_well(narrow):
                        seven = has_seven or bool(cards & self.feature.sevens)
                        follow(number + 1, value + worth, known.with_all(narrow), seven)

        follow(0, 0, self.known, False)
        return best

    def _with_best(self, suit: int, worth: int, cards: Pile, is_most: bool) -> Iterator[Narrow]:
        """Yield conditions under which a suit's best card is one of these (or better, if the most is looked for)."""
        if not is_most:
            values = self._values
            better = pile_of(c for c in cards_of(suit_pile(suit)) if values[c] > worth or not cards)
            yield lacks(better & ~cards, self.side)
        elif not cards or cards & self.known.base.piles[self.side]:
            yield anything
        else:
            for card in cards_of(cards):
                yield has(1 << card, self.side)


def certain_best_cards(feature: PrimeOf, known: Known, side: Position) -> list[Card]:
    """Return the cards of a side's prime that are certain, one a suit at most; under ``sevens_count`` its sevens.

    Of equal cards the higher in rank order is named, as in :meth:`~.primes.PrimeRule.best_cards`.
    """
    held, reach = known.base.piles[side], known.base.reach(side)

    def surely(card: Card) -> bool:
        return bool(held >> card & 1) or not known.may(lacks(1 << card, side))

    if feature.rule.method == "sevens_count":
        return [card for card in cards_of(reach & feature.sevens) if surely(card)]
    worth = card_values(feature.rule.method, feature.given)
    certain = []
    for suit in range(len(SUITS)):
        mine = sorted(
            cards_of(reach & suit_pile(suit)),
            key=lambda card: (worth[card], rank_of(card)),
            reverse=True,
        )
        for card in mine:
            if held >> card & 1 or known.may(has(1 << card, side)):
                if surely(card):
                    certain.append(card)
                break
    return certain
