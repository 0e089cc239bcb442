"""The next question, and the unplaced cards that still matter.

The questions are tried in the order of :mod:`.question_order`. The first one is asked that has more than one possible
answer and whose answer can change an open line.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...limits import QUESTION_STEPS
from .. import contract
from ..budget import BudgetSpent, current
from ..cards import SUIT_MASK, SUIT_WIDTH, SUITS, Card, Position, cards_of
from ..sheet import Asked
from .features import CoinRun, Count, Feature, PrimeOf
from .items import Item, Prime
from .known import Known
from .outlook import Judge, outcomes, reader_of
from .primes import VALUE_BITS, Given
from .question_groups import Group, best_group
from .question_order import Question, ranked
from .ways import Ways, loose_holders


def still_matter(item: Item, ways: Ways, given: Given) -> list[Card]:
    """Return the unplaced cards that can still change the values an item compares, the weightiest first."""
    weights: dict[int, int] = {}
    for feature in item.features(given):
        for card, weight in _weights(item, feature, ways):
            weights[card] = max(weight, weights.get(card, 0))
    return sorted(weights, key=lambda card: (-weights[card], card))


def _weights(item: Item, feature: Feature, ways: Ways) -> Iterator[tuple[Card, int]]:
    """Yield the unplaced cards that can change some side's value of a feature, with how much they can add to it."""
    if isinstance(feature, Count):
        yield from ((card, 1) for card in cards_of(ways.unplaced & feature.of))
    elif isinstance(feature, CoinRun):
        yield from ((card, 1) for card in cards_of(ways.unplaced & feature.cards))
    elif isinstance(feature, PrimeOf):
        assert isinstance(item, Prime)
        rivals = _rivals(item, feature, ways)
        for suit in range(len(SUITS)):
            shift = SUIT_WIDTH * suit
            table = feature.table(suit)
            for position in cards_of(ways.unplaced >> shift & SUIT_MASK):
                bit = 1 << position
                holders = rivals.intersection(loose_holders(ways, shift + position))
                held = (ways.piles[holder] >> shift & SUIT_MASK for holder in holders)
                if any((table[bits | bit] ^ table[bits]) & item.deciding_bits for bits in held):
                    yield shift + position, 1 + (table[bit] & VALUE_BITS)


def _rivals(item: Prime, feature: PrimeOf, ways: Ways) -> set[Position]:
    """Return the sides whose prime can still decide who has the best."""
    rule = feature.rule
    sides = range(len(ways.piles))
    if not item.is_plain:
        return set(sides)
    sure = max(rule.value(feature.measure(ways.piles[side])) or 0 for side in sides)
    return {side for side in sides if (rule.value(feature.measure(ways.reach(side))) or 0) >= sure}


@dataclass(frozen=True)
class OpenItem:
    """An item with an open line, and the judge of its values in this deal."""

    item: Item
    judge: Judge


def next_question(open_items: Sequence[OpenItem], known: Known, given: Given, sides: Sequence[str]) -> Asked:
    """Return the next question in its JSON form: a card's owner, or a side's count. Empty if no question helps.

    Raises :class:`~..budget.BudgetSpent` if the steps run out before a question proves to be open.
    """
    if current().is_spent:
        raise BudgetSpent
    unsettled = tuple(each.item for each in open_items)
    needs = {item.id: still_matter(item, known.base, given) for item in unsettled}
    results = _Results(open_items, known, given, len(sides), needs)
    order = ranked(unsettled, needs, known.base, given, len(sides))
    rest = [Question(card) for cards in needs.values() for card in cards]
    all_looked_at = True
    for question in dict.fromkeys((*order, *rest)):
        try:
            with current().portion(QUESTION_STEPS):
                answers = results.answers(question)
        except BudgetSpent:
            all_looked_at = False
            if current().ran_out:
                break
            continue
        settles = results.settled_by(answers, question) if len(answers) > 1 else []
        if settles:
            group = best_group([question, *order], unsettled, known.base, given) if len(sides) == 2 else None
            return Asked(question.as_json(settles, sides), _group_as_json(group, results, sides))
    if not all_looked_at:
        raise BudgetSpent
    return Asked()


def _group_as_json(group: Group | None, results: _Results, sides: Sequence[str]) -> contract.GroupQuestion | None:
    """Return a group in its JSON form; None if the owner of one of its cards is certain, or the steps run out."""
    if group is None:
        return None
    try:
        with current().portion(QUESTION_STEPS):
            if any(len(results.answers(Question(card))) < 2 for card in group.cards):
                return None
            answers = results.answers(group)
    except BudgetSpent:
        return None
    return group.as_json(results.settled_by(answers, group), sides)


class _Results:
    """The possible outcomes of the open items, before and after an answer."""

    def __init__(
        self,
        open_items: Sequence[OpenItem],
        known: Known,
        given: Given,
        sides: int,
        needs: Mapping[str, Sequence[Card]],
    ) -> None:
        self.open_items = open_items
        self.known = known
        self.needs = needs
        self.readers = [reader_of(each.item, given, sides) for each in open_items]
        self._of: dict[int, frozenset[Hashable]] = {}

    def answers(self, question: Question | Group) -> list[Known]:
        """Return what is known after each answer that is possible."""
        return [self.known.with_all(each) for each in question.answers(self.known.base) if self.known.may(each)]

    def settled_by(self, answers: Sequence[Known], question: Question | Group) -> list[str]:
        """Return the items whose possible results shrink under some answer.

        If there is none, or the steps run out, these are the items whose values the answer can change.
        """
        shrunk = []
        for at, each in enumerate(self.open_items):
            try:
                with current().portion(QUESTION_STEPS // 3):
                    results = self._results(at)
                    is_shrunk = any(len(self._outcomes(at, after, len(results))) < len(results) for after in answers)
            except BudgetSpent:
                is_shrunk = self._helps(question, each.item)
            if is_shrunk:
                shrunk.append(each.item.id)
        return shrunk or self._helped(question)

    def _helps(self, question: Question | Group, item: Item) -> bool:
        return any(question.asked >> card & 1 for card in self.needs[item.id])

    def _helped(self, question: Question | Group) -> list[str]:
        """Return the items whose values the answer can change; those that counts settle only if it helps no other."""
        helped = [each.item for each in self.open_items if self._helps(question, each.item)]
        others = [item for item in helped if isinstance(item, Prime) or not item.counts]
        return [item.id for item in others or helped]

    def _results(self, at: int) -> frozenset[Hashable]:
        if at not in self._of:
            self._of[at] = frozenset(self._outcomes(at, self.known, 1000))
        return self._of[at]

    def _outcomes(self, at: int, known: Known, most: int) -> Mapping[Hashable, object]:
        each = self.open_items[at]
        key: Callable[..., Hashable] = each.item.outcome
        return outcomes(known.parts, self.readers[at], each.judge, key, most)
