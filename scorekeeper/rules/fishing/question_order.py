"""The order of the questions: first the one that is expected to leave the fewest others.

Each question is judged by what is known after each of its answers, weighted by the chance of the answer (see
:mod:`.question_cost`). Of equal questions the one with fewer taps comes first, then the one whose answer is easier to
find in a pile.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ...limits import WEIGHING_STEPS
from .. import contract
from ..budget import BudgetSpent, cached, current, spend
from ..cards import CODES, COINS, SEVENS, SIXES, SUIT_WIDTH, Card, Pile, Position, cards_of
from .features import CoinRun, Count, Feature, PrimeOf, dealing_order
from .items import Item, Prime
from .known import Narrow, has
from .pieces import KIND_NAMES
from .primes import Given
from .question_cost import COUNTABLE, likely_owners, lines_left, placed
from .ways import CARDS_KIND, KINDS, Ways, loose_holders

LARGE = 12
"""The most unplaced cards of a kind whose possible numbers are all weighed; beyond it only three are."""

FEW = 0.15
"""Distance of the other two numbers from the likeliest, as a part of the unplaced cards."""


def _counted(ways: Ways, kind: int, side: Position, number: int) -> Ways | None:
    return ways.limit(kind, side, number, number)


@dataclass(frozen=True)
class Question:
    """A question: who has a card, or how many cards of a kind one side has."""

    card: Card | None = None
    kind: int = CARDS_KIND
    side: Position = 0

    def as_json(self, settles: list[str], sides: Sequence[str]) -> contract.Question:
        """Return the JSON form; ``settles`` are the items that the answer helps to settle."""
        if self.card is not None:
            return {"card": CODES[self.card], "settles": settles}
        return {"count": KIND_NAMES[self.kind], "side": sides[self.side], "settles": settles}

    @property
    def asked(self) -> Pile:
        """The cards that it asks for."""
        return KINDS[self.kind] if self.card is None else 1 << self.card

    def answers(self, ways: Ways) -> list[Narrow]:
        """Return the condition of each answer, the extreme numbers first."""
        if self.card is not None:
            return [has(1 << self.card, holder) for holder in loose_holders(ways, self.card)]
        low, high = ways.range_of(self.kind)
        least, most = low[self.side], high[self.side]
        numbers = sorted(range(least, most + 1), key=lambda number: min(number - least, most - number))
        return [partial(_counted, kind=self.kind, side=self.side, number=number) for number in numbers]

    def taps(self, ways: Ways) -> int:
        """Return how many taps an answer takes: a card one, a count its digits and the tick."""
        if self.card is not None:
            return 1
        return 3 if ways.range_of(self.kind)[1][self.side] > 9 else 2


def ranked(
    unsettled: tuple[Item, ...], needs: Mapping[str, Sequence[Card]], ways: Ways, given: Given, sides: int
) -> list[Question]:
    """Return the questions that may be worth asking, the best first.

    ``needs`` are the cards that can still change the values of each item. If the steps run out before the questions
    are weighed, the one that is easiest to answer comes first.
    """
    try:
        with current().portion(WEIGHING_STEPS):
            after_counts = placed(ways)
            candidates = list(dict.fromkeys(_candidates(unsettled, needs, after_counts, given, sides)))
            costs = {each: expected_after(each, unsettled, after_counts, given, sides) for each in candidates}
            return sorted(candidates, key=lambda each: (round(costs[each], 9), each.taps(ways), _ease(each, ways)))
    except BudgetSpent:
        easiest = dict.fromkeys(_candidates(unsettled, needs, ways, given, sides))
        return sorted(easiest, key=lambda each: _ease(each, ways))


def _candidates(
    unsettled: Sequence[Item], needs: Mapping[str, Sequence[Card]], ways: Ways, given: Given, sides: int
) -> Iterator[Question]:
    """Yield every question that may be worth asking: counts that an item reads or a prime depends on, and cards."""
    for item in unsettled:
        for feature in item.features(given):
            for card in _open_cards(feature, ways, needs[item.id]):
                yield Question(card)
        for kind, mask in enumerate(KINDS):
            if (ways.unplaced & mask).bit_count() > 1 and _depends_on(item, mask, needs[item.id], given):
                low, high = ways.range_of(kind)
                for side in range(sides):
                    if low[side] != high[side]:
                        yield Question(kind=kind, side=side)


def _open_cards(feature: Feature, ways: Ways, cards: Sequence[Card]) -> list[Card]:
    """Return the cards worth asking for among those that still matter.

    For a prime they are the best open cards of each suit, for a run the next two, else any while they are few.
    """
    loose = [card for card in cards if ways.unplaced >> card & 1]
    if isinstance(feature, PrimeOf):
        order = [suit * SUIT_WIDTH + rank for suit in feature.suits for rank in dealing_order(suit, (feature,))]
        first: dict[int, list[Card]] = {}
        for card in order:
            if card in loose:
                first.setdefault(card // SUIT_WIDTH, []).append(card)
        return [card for several in first.values() for card in several[:2]]
    if isinstance(feature, CoinRun):
        return loose[:2]
    return loose if len(loose) <= 3 or feature not in COUNTABLE else []


def _depends_on(item: Item, mask: Pile, needs: Sequence[Card], given: Given) -> bool:
    """Return whether counting a kind helps an item: one that reads it, or a prime that depends on such cards."""
    if isinstance(item, Prime) and mask in (SEVENS, SIXES):
        return any(mask >> card & 1 for card in needs)
    return Count(mask) in item.features(given)


@cached
def expected_after(question: Question, unsettled: tuple[Item, ...], ways: Ways, given: Given, sides: int) -> float:
    """Return the number of questions that are expected after the answer."""
    return sum(
        chance * lines_left(unsettled, placed(after), given, sides) for chance, after in _likely_answers(question, ways)
    )


def _likely_answers(question: Question, ways: Ways) -> Iterator[tuple[float, Ways]]:
    """Yield what is known after each answer, with the chance of the answer."""
    if question.card is not None:
        holders = loose_holders(ways, question.card)
        for holder, chance in zip(holders, likely_owners(ways, question.card, holders), strict=True):
            after = ways.give(1 << question.card, holder)
            if chance and after is not None:
                yield chance, after
        return
    for number, chance in _how_many(question, ways):
        spend(20)
        after = ways.limit(question.kind, question.side, number, number)
        if after is not None:
            yield chance, after


def _how_many(question: Question, ways: Ways) -> Iterator[tuple[int, float]]:
    """Yield the numbers of cards of a kind that a side may have, with their chances.

    In a large kind, three numbers represent all.
    """
    cards = list(cards_of(ways.reach(question.side) & ~ways.piles[question.side] & KINDS[question.kind]))
    held = (ways.piles[question.side] & KINDS[question.kind]).bit_count()
    likely = []
    for card in cards:
        holders = loose_holders(ways, card)
        likely.append(likely_owners(ways, card, holders)[holders.index(question.side)])
    low, high = (limits[question.side] for limits in ways.range_of(question.kind))
    if len(cards) > LARGE:
        middle, apart = held + round(sum(likely)), round(FEW * len(cards))
        for number, chance in ((middle - apart, 0.25), (middle, 0.5), (middle + apart, 0.25)):
            yield max(low, min(high, number)), chance
        return
    chances = [1.0]
    for share in likely:
        chances = [
            here * (1 - share) + below * share for here, below in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    spend(len(cards) * len(cards))
    possible = {held + more: chance for more, chance in enumerate(chances) if low <= held + more <= high}
    whole = sum(possible.values())
    yield from ((number, chance / whole) for number, chance in possible.items() if chance)


def _ease(question: Question, ways: Ways) -> tuple[int, ...]:
    """Return how hard an answer is to find in a pile: sevens are easiest, then coins, then counts of small piles."""
    if question.card is not None:
        return (0 if question.asked & SEVENS else 1 if question.asked & COINS else 3, question.card)
    low, high = ways.range_of(CARDS_KIND)
    size = high[question.side] if low[question.side] == high[question.side] else 0
    return (0 if question.asked == SEVENS else 2, question.kind, size, question.side)
