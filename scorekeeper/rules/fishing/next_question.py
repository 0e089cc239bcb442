"""The next question, and the unplaced cards that still matter.

The questions are tried in the order of :mod:`.question_order`. The first one is asked that has more than one possible
answer and helps an open line: some answer leaves it fewer results, by itself or together with the answer to another
question. The order is an estimate, so its first question may be one whose answer makes no difference.
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
    order = ranked(unsettled, needs, known.base, given, len(sides))
    rest = [Question(card) for cards in needs.values() for card in cards]
    questions = list(dict.fromkeys((*order, *rest)))
    results = _Results(open_items, known, given, len(sides), needs, questions)

    def asked(question: Question, settles: list[str]) -> Asked:
        worthwhile = [question, *(each for each in order if each not in helpless)]
        has_groups = len(sides) == 2 and not current().is_spent
        group = best_group(worthwhile, unsettled, known.base, given) if has_groups else None
        return Asked(question.as_json(settles, sides), _group_as_json(group, results, sides))

    all_looked_at = True
    doubtful: list[Question] = []
    helpless: list[Question] = []
    shrunk: list[str] = []
    enough = 0
    for question in questions:
        if doubtful and current().spent > enough:
            break
        try:
            with current().portion(QUESTION_STEPS):
                answers = results.answers(question)
        except BudgetSpent:
            all_looked_at = False
            if current().ran_out:
                break
            continue
        if len(answers) > 1:
            if shrunk := results.shrunk_by(question, answers):
                break
            doubtful.append(question)
            # One that surely helps is looked for no longer than an answer may take.
            enough = enough or current().spent + QUESTION_STEPS
    for each in doubtful:
        if nearer := results.brought_nearer_by(each):
            return asked(each, nearer)
        helpless.append(each)
    if shrunk:
        return asked(question, shrunk)
    # A question that may help only together with several others is better than none.
    for each in doubtful:
        if moved := results.moved_by(each):
            return Asked(each.as_json(moved, sides))
    if not all_looked_at:
        raise BudgetSpent
    return Asked()


def _group_as_json(group: Group | None, results: _Results, sides: Sequence[str]) -> contract.GroupQuestion | None:
    """Return a group in its JSON form; None if a card's owner is certain, if it helps nothing, or the steps run out."""
    if group is None:
        return None
    try:
        with current().portion(QUESTION_STEPS):
            if any(len(results.answers(Question(card))) < 2 for card in group.cards):
                return None
            answers = results.answers(group)
    except BudgetSpent:
        return None
    settles = results.shrunk_by(group, answers) or results.brought_nearer_by(group)
    return group.as_json(settles, sides) if settles else None


class _Results:
    """The possible outcomes of the open items, before and after an answer."""

    def __init__(
        self,
        open_items: Sequence[OpenItem],
        known: Known,
        given: Given,
        sides: int,
        needs: Mapping[str, Sequence[Card]],
        questions: Sequence[Question],
    ) -> None:
        self.open_items = open_items
        self.known = known
        self.needs = needs
        self.questions = questions
        self.readers = [reader_of(each.item, given, sides) for each in open_items]
        self._of: dict[int, frozenset[Hashable]] = {}
        self._after: dict[tuple[int, Question], list[tuple[Known, int]]] = {}
        self._steps_for_two = QUESTION_STEPS
        """Steps left to look at two answers together, for all questions."""

    def answers(self, question: Question | Group) -> list[Known]:
        """Return what is known after each answer that is possible."""
        return [self.known.with_all(each) for each in question.answers(self.known.base) if self.known.may(each)]

    def shrunk_by(self, question: Question | Group, answers: Sequence[Known]) -> list[str]:
        """Return the items whose possible results shrink; one whose steps run out counts if its values can change."""
        shrunk = []
        for at, each in enumerate(self.open_items):
            try:
                with current().portion(QUESTION_STEPS // 3):
                    results = self._results(at)
                    is_shrunk = any(len(self._outcomes(at, after, len(results))) < len(results) for after in answers)
            except BudgetSpent:
                is_shrunk = self._moves(question, each.item)
            if is_shrunk:
                shrunk.append(each.item.id)
        return shrunk

    def brought_nearer_by(self, question: Question | Group) -> list[str]:
        """Return the items whose possible results shrink under an answer together with the answer to another question.

        Of those for which the steps run out nobody knows; they are left out.
        """
        nearer, before = [], current().spent
        try:
            with current().portion(self._steps_for_two):
                for at, each in enumerate(self.open_items):
                    if self._moves(question, each.item) and self._shrinks_with_another(at, question):
                        nearer.append(each.item.id)
        except BudgetSpent:
            pass
        self._steps_for_two = max(0, self._steps_for_two - (current().spent - before))
        return nearer

    def _shrinks_with_another(self, at: int, question: Question | Group) -> bool:
        answers = question.answers(self.known.base)
        for other in self.questions:
            if other == question or not self._moves(other, self.open_items[at].item):
                continue
            for known, before in self._still_open(at, other):
                if any(0 < len(self._outcomes(at, known.with_all(each), before)) < before for each in answers):
                    return True
        return False

    def _still_open(self, at: int, question: Question) -> list[tuple[Known, int]]:
        """Return what is known after each answer that leaves an item open, and how many results it leaves."""
        if (at, question) not in self._after:
            results = self._results(at)
            numbers = [(known, len(self._outcomes(at, known, len(results)))) for known in self.answers(question)]
            self._after[at, question] = [(known, number) for known, number in numbers if number > 1]
        return self._after[at, question]

    def _moves(self, question: Question | Group, item: Item) -> bool:
        return any(question.asked >> card & 1 for card in self.needs[item.id])

    def moved_by(self, question: Question | Group) -> list[str]:
        """Return the items whose values the answer can change; those that counts settle only if it moves no other."""
        moved = [each.item for each in self.open_items if self._moves(question, each.item)]
        others = [item for item in moved if isinstance(item, Prime) or not item.counts]
        return [item.id for item in others or moved]

    def _results(self, at: int) -> frozenset[Hashable]:
        if at not in self._of:
            self._of[at] = frozenset(self._outcomes(at, self.known, 1000))
        return self._of[at]

    def _outcomes(self, at: int, known: Known, most: int) -> Mapping[Hashable, object]:
        each = self.open_items[at]
        key: Callable[..., Hashable] = each.item.outcome
        return outcomes(known.parts, self.readers[at], each.judge, key, most)
