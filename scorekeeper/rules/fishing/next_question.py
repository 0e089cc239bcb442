"""What is worth knowing next: which unplaced cards still matter, and the one question to ask.

Of all the questions that could help, the engine asks the question after which it expects the fewest others (see
:mod:`.question_cost`); of equal ones, the question whose answer is easier to find in a pile. It asks only where more
than one answer is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...limits import QUESTION_STEPS, WEIGHING_STEPS
from .. import contract
from ..budget import BudgetSpent, cached, current, spend
from ..cards import CODES, COINS, FULL_PACK, SEVENS, SIXES, SUIT_MASK, SUIT_WIDTH, SUITS, cards_of
from . import pieces
from .evidence import Evidence
from .features import CoinRun, Count, Feature, PrimeOf
from .items import Item, Prime
from .pieces import COUNTED
from .possible import Constraint, CountIs, Known, Vectors, outcomes, placed_by_counts
from .primes import PIP_SHIFT, SEVEN_SHIFT, SUIT_SHIFT, VALUE_BITS, Given
from .question_cost import Counts, open_cards, questions_left, shares
from .ways import KINDS


class OldEvidence:
    """The evidence in the form of before."""

    def __init__(self, evidence: Evidence) -> None:
        known = evidence.known()
        self.piles = known.base.piles[: evidence.sides]
        self.unplaced = known.base.unplaced
        self.may = evidence.may_be_nobodys
        self.counts = [
            CountIs(Count(KINDS[p.kind]), p.side, p.number) for p in evidence.pieces if isinstance(p, pieces.CountIs)
        ]
        self.awards = {p.item.id: OldAward(p.item, p.winners) for p in evidence.pieces if isinstance(p, pieces.Awarded)}

    def known(self, given: Given) -> Known:
        return Known(self.piles, self.unplaced, self.may, given)


@dataclass(frozen=True)
class OldAward:
    item: Item
    winners: tuple[int, ...]

    def features(self, given: Given) -> tuple[Feature, ...]:
        return self.item.features(given)

    def allows(self, read: Vectors) -> bool:
        return self.item.judge(*read).winners == self.winners


def kind_of(feature: Count) -> contract.CountKind:
    """Return the kind of cards that a constraint counts."""
    return next(kind for kind in pieces.KIND_NAMES if COUNTED[kind] == feature.of)


def still_matter(item: Item, evidence: Any, given: Given) -> list[int]:
    """Return the unplaced cards that can still change the values an item compares, the weightiest first."""
    weights: dict[int, int] = {}
    for feature in item.features(given):
        for card, weight in _weights(item, feature, evidence):
            weights[card] = max(weight, weights.get(card, 0))
    return sorted(weights, key=lambda card: (-weights[card], card))


def _weights(item: Item, feature: Feature, evidence: Any) -> Iterator[tuple[int, int]]:
    """Yield the unplaced cards that can change some side's value of a feature, with how much they can add to it."""
    if isinstance(feature, Count):
        yield from ((card, 1) for card in cards_of(evidence.unplaced & feature.of))
    elif isinstance(feature, CoinRun):
        yield from ((card, 1) for card in cards_of(evidence.unplaced & feature.cards))
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
            held = [(bits, table[bits] & asked) for bits in (pile >> shift & SUIT_MASK for pile in evidence.piles)]
            for position in cards_of(evidence.unplaced >> shift & SUIT_MASK):
                bit = 1 << position
                if any(table[bits | bit] & asked != value for bits, value in held):
                    yield shift + position, 1 + (table[bit] & VALUE_BITS)


LARGE = 12
"""Up to this many unplaced cards of a kind, every possible number of them is weighed; beyond it only three."""


@dataclass(frozen=True)
class Question:
    """A question: who has a card (``side`` None), or how many cards of a kind one side has."""

    of: Count
    side: int | None = None

    @property
    def card(self) -> int:
        """The card asked for."""
        return self.of.of.bit_length() - 1

    @property
    def kind(self) -> contract.CountKind:
        """The kind that is counted."""
        return kind_of(self.of)

    def as_json(self, settles: list[str], sides: Sequence[str]) -> contract.Question:
        """Return the JSON form; ``settles`` are the items that the answer helps to settle."""
        if self.side is None:
            return {"card": CODES[self.card], "settles": settles}
        return {"count": self.kind, "side": sides[self.side], "settles": settles}

    def answer(self, vectors: Vectors) -> tuple[int, ...]:
        """Return the answer that some values imply: every side's value, or that of the side asked about."""
        return vectors[0] if self.side is None else (vectors[0][self.side],)


def next_question(
    unsettled: Sequence[Item], evidence: Any, given: Given, sides: Sequence[str]
) -> contract.Question | None:
    """Return the question to ask next in its JSON form: a card's owner, or a side's count. None where none would help.

    ``unsettled`` are the items whose lines are open. The question never asks for what the rest already implies, and its
    answer always narrows what the deal can still become. Where the steps run out before the
    questions are weighed, the question that is easiest to answer is asked; raises :class:`~..budget.BudgetSpent` where
    they run out before any question is found to be open.
    """
    counts = tuple(evidence.counts)
    constraints: tuple[Constraint, ...] = (*counts, *evidence.awards.values())
    if current().is_spent and constraints:
        raise BudgetSpent
    known = placed_by_counts(evidence.known(given), counts)
    needs = {item.id: still_matter(item, evidence, given) for item in unsettled}
    candidates = set(_candidates(unsettled, needs, known, counts))
    try:
        with current().portion(WEIGHING_STEPS):
            ranked = sorted(
                candidates,
                key=lambda each: (_expected_after(each, tuple(unsettled), known, counts), _ease(each, counts)),
            )
    except BudgetSpent:
        ranked = sorted(candidates, key=lambda each: _ease(each, counts))
    others = (Question(Count(1 << card)) for cards in needs.values() for card in cards)
    all_looked_at = True
    for question in (*ranked, *others):
        try:
            with current().portion(QUESTION_STEPS):
                is_open = _is_open(question, evidence.known(given), constraints)
        except BudgetSpent:
            all_looked_at = False
            if current().ran_out:
                break
            continue
        if is_open:
            return question.as_json(_helped_by(question, unsettled, needs, given), sides)
    if not all_looked_at:
        raise BudgetSpent
    return None


def _is_open(question: Question, known: Known, constraints: tuple[Constraint, ...]) -> bool:
    """Return whether more than one answer can be."""
    if not constraints:
        # Nothing was counted or said: any unplaced card may belong to any side.
        return bool(question.of.of & known.unplaced)
    if any(
        isinstance(each, CountIs) and (each.feature, each.side) == (question.of, question.side) for each in constraints
    ):
        return False
    possible = outcomes(known, (question.of,), constraints, question.answer)
    # Where there are too many ways to examine all of them, a single answer among those examined proves nothing.
    return not possible.exact or len({question.answer(read) for read in possible.vectors}) > 1


def _candidates(
    unsettled: Sequence[Item], needs: Mapping[str, list[int]], known: Known, counts: Counts
) -> Iterator[Question]:
    """Yield every question that may be worth asking: counts that an item reads or a prime depends on, and cards."""
    counted = {(count.feature, count.side) for count in counts}
    for item in unsettled:
        for feature in item.features(known.given):
            for card in open_cards(feature, known, needs[item.id]):
                yield Question(Count(1 << card))
        for mask in COUNTED.values():
            if (known.unplaced & mask).bit_count() > 1 and _depends_on(item, mask, needs[item.id], known.given):
                for side in range(known.sides):
                    if (Count(mask), side) not in counted:
                        yield Question(Count(mask), side)


def _depends_on(item: Item, mask: int, needs: Sequence[int], given: Given) -> bool:
    """Return whether counting a kind helps an item: one that reads it, or a prime that depends on such cards."""
    if isinstance(item, Prime) and mask in (SEVENS, SIXES):
        return any(mask >> card & 1 for card in needs)
    return Count(mask) in item.features(given)


def _helped_by(
    question: Question, unsettled: Sequence[Item], needs: Mapping[str, list[int]], given: Given
) -> list[str]:
    """Return the items that an answer can help to settle."""
    if question.side is None:
        return [item.id for item in unsettled if question.card in needs[item.id]]
    return [item.id for item in unsettled if _depends_on(item, question.of.of, needs[item.id], given)]


def _ease(question: Question, counts: Counts) -> tuple[int, ...]:
    """Return how hard an answer is to find in a pile: sevens are easiest, then coins, then counts of small piles."""
    if question.side is None:
        return (0 if question.of.of & SEVENS else 1 if question.of.of & COINS else 3, question.card)
    size = next((each.number for each in counts if (each.feature.of, each.side) == (FULL_PACK, question.side)), 0)
    return (0 if question.of.of == SEVENS else 2, question.of.of.bit_count(), size, question.side)


@cached(lambda cost: 1)
def _expected_after(question: Question, unsettled: tuple[Item, ...], known: Known, counts: Counts) -> float:
    """Return the number of questions that are expected after the answer, weighted by how likely each answer is."""
    spend(100)
    return round(sum(chance * _left(unsettled, *after) for chance, after in _answers(question, known, counts)), 2)


def _answers(question: Question, known: Known, counts: Counts) -> Iterator[tuple[float, tuple[Known, Counts]]]:
    """Yield the chance of each answer, and what is known after it."""
    if question.side is None:
        for side, chance in enumerate(shares(known, counts)[question.card]):
            if chance:
                pile = known.piles[side] | question.of.of
                piles = (*known.piles[:side], pile, *known.piles[side + 1 :])
                after = replace(known, piles=piles, unplaced=known.unplaced & ~question.of.of)
                yield chance, (placed_by_counts(after, counts), counts)
        return
    held = question.of.measure(known.piles[question.side])
    for more, chance in _how_many(question, known, counts):
        spend(20)
        counted = (*counts, CountIs(question.of, question.side, held + more))
        yield chance, (placed_by_counts(known, counted), counted)


def _how_many(question: Question, known: Known, counts: Counts) -> Iterator[tuple[int, float]]:
    """Yield the numbers of unplaced cards of a kind that a side may have, with their chances.

    In a large kind the numbers in between have much the same effect, so the middle one represents them.
    """
    assert question.side is not None
    chances = [1.0]
    for card in cards_of(known.unplaced & question.of.of):
        share = shares(known, counts)[card][question.side]
        chances = [
            here * (1 - share) + below * share for here, below in zip([*chances, 0.0], [0.0, *chances], strict=True)
        ]
    most = len(chances) - 1
    if most <= LARGE:
        numbers = dict(enumerate(chances))
    else:
        numbers = {0: chances[0], most // 2: sum(chances[1:-1]), most: chances[-1]}
    yield from ((number, chance) for number, chance in numbers.items() if chance)


def _left(unsettled: Sequence[Item], known: Known, counts: Counts) -> float:
    """Return the number of questions that the open items still take; items that read the same share their questions."""
    groups: dict[tuple[Feature, ...], float] = {}
    spend(20 * len(unsettled))
    for item in unsettled:
        reads = item.features(known.given)
        groups[reads] = max(groups.get(reads, 0.0), questions_left(item, known, counts))
    return sum(groups.values())


__all__ = ["next_question", "still_matter"]
