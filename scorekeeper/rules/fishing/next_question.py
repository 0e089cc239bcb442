"""What is worth knowing next: which unplaced cards still matter, and the one question to ask.

The questions are tried in the order of :mod:`.question_order`. The first one is asked of which more than one answer is
possible, and whose answer can still change an open line.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ...limits import QUESTION_STEPS
from .. import contract
from ..budget import BudgetSpent, current
from ..cards import SUIT_MASK, SUIT_WIDTH, SUITS, cards_of
from .features import CoinRun, Count, Feature, PrimeOf
from .items import Item, Prime
from .known import Known
from .outlook import Judge, exists, outcomes, reader_of
from .primes import PIP_SHIFT, SEVEN_SHIFT, SUIT_SHIFT, VALUE_BITS, Given
from .question_order import Question, ranked
from .ways import Ways


class Piles(Protocol):
    """Cards that have an owner, and cards that nobody placed."""

    @property
    def piles(self) -> tuple[int, ...]:
        """A pile for each holder."""

    @property
    def unplaced(self) -> int:
        """The other cards."""


def still_matter(item: Item, known: Piles, given: Given) -> list[int]:
    """Return the unplaced cards that can still change the values an item compares, the weightiest first."""
    weights: dict[int, int] = {}
    for feature in item.features(given):
        for card, weight in _weights(item, feature, known):
            weights[card] = max(weight, weights.get(card, 0))
    return sorted(weights, key=lambda card: (-weights[card], card))


def _weights(item: Item, feature: Feature, known: Piles) -> Iterator[tuple[int, int]]:
    """Yield the unplaced cards that can change some side's value of a feature, with how much they can add to it."""
    if isinstance(feature, Count):
        yield from ((card, 1) for card in cards_of(known.unplaced & feature.of))
    elif isinstance(feature, CoinRun):
        yield from ((card, 1) for card in cards_of(known.unplaced & feature.cards))
    elif isinstance(feature, PrimeOf):
        assert isinstance(item, Prime)
        asked = VALUE_BITS
        if feature.rule.suits_required:
            asked |= 7 << SUIT_SHIFT
        if feature.rule.needs_pip or item.third_side:
            asked |= 7 << PIP_SHIFT
        if feature.rule.needs_seven:
            asked |= 7 << SEVEN_SHIFT
        for suit in range(len(SUITS)):
            shift = SUIT_WIDTH * suit
            table = feature.table(suit)
            held = [(bits, table[bits] & asked) for bits in (pile >> shift & SUIT_MASK for pile in known.piles)]
            for position in cards_of(known.unplaced >> shift & SUIT_MASK):
                bit = 1 << position
                if any(table[bits | bit] & asked != value for bits, value in held):
                    yield shift + position, 1 + (table[bit] & VALUE_BITS)


@dataclass(frozen=True)
class OpenItem:
    """An item whose line is open, and how its values are judged in this deal."""

    item: Item
    judge: Judge


def next_question(
    open_items: Sequence[OpenItem], known: Known, given: Given, sides: Sequence[str]
) -> contract.Question | None:
    """Return the question to ask next in its JSON form: a card's owner, or a side's count. None where none would help.

    Raises :class:`~..budget.BudgetSpent` where the steps run out before any question is found to be open.
    """
    if current().is_spent:
        raise BudgetSpent
    unsettled = tuple(each.item for each in open_items)
    needs = {item.id: still_matter(item, known.ways, given) for item in unsettled}
    results = _Results(open_items, known, given, len(sides))
    order = ranked(unsettled, needs, known.ways, given, len(sides))
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
        if len(answers) > 1:
            settles = results.settled_by(answers, question, needs) or _helped(question, unsettled, needs)
            if settles:
                return question.as_json(settles, sides)
    if not all_looked_at:
        raise BudgetSpent
    return None


def _helped(question: Question, unsettled: Sequence[Item], needs: Mapping[str, Sequence[int]]) -> list[str]:
    """Return the items whose values the answer can change, for a question that alone settles nothing.

    A single card of many that are only counted is named for those items alone where it helps no other.
    """
    helped = [item for item in unsettled if any(question.asked >> card & 1 for card in needs[item.id])]
    narrow = [item for item in helped if question.card is None or not item.counts or isinstance(item, Prime)]
    return [item.id for item in narrow or helped]


class _Results:
    """What the open items can still come to, and what answers leave of that."""

    def __init__(self, open_items: Sequence[OpenItem], known: Known, given: Given, sides: int) -> None:
        self.open_items = open_items
        self.known = known
        self.readers = [reader_of(each.item, given, sides) for each in open_items]
        self._of: dict[int, frozenset[Hashable]] = {}

    def answers(self, question: Question) -> list[Ways]:
        """Return what is known after each answer that is possible."""
        return [after for after in question.answers(self.known.ways) if exists(after, self.known.goals)]

    def settled_by(self, answers: Sequence[Ways], question: Question, needs: Mapping[str, Sequence[int]]) -> list[str]:
        """Return the items whose possible results shrink under some answer.

        Where the steps run out, these are the items whose values the answer can change.
        """
        shrunk = []
        for at, each in enumerate(self.open_items):
            try:
                with current().portion(QUESTION_STEPS // 3):
                    results = self._results(at)
                    is_shrunk = any(len(self._outcomes(at, after, len(results))) < len(results) for after in answers)
            except BudgetSpent:
                is_shrunk = bool(_helped(question, (each.item,), needs))
            if is_shrunk:
                shrunk.append(each.item.id)
        return shrunk

    def _results(self, at: int) -> frozenset[Hashable]:
        if at not in self._of:
            self._of[at] = frozenset(self._outcomes(at, self.known.ways, 1000))
        return self._of[at]

    def _outcomes(self, at: int, ways: Ways, most: int) -> Mapping[Hashable, object]:
        each = self.open_items[at]
        key: Callable[..., Hashable] = each.item.outcome
        return outcomes(ways, self.known.goals, self.readers[at], each.judge, key, most)


__all__ = ["OpenItem", "next_question", "still_matter"]
