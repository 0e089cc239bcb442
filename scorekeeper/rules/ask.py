"""What is worth knowing next: which unplaced cards still matter, and the one question to ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from .cards import CODES, SUIT_MASK, SUIT_WIDTH, cards_of
from .evidence import COUNTED, Evidence
from .features import LONGEST_RUN, CoinRun, Count, Feature, PrimeOf
from .items import Item, Prime
from .primes import PIP_SHIFT, SEVEN_SHIFT, SUIT_SHIFT, VALUE_BITS, Given
from .settle import Constraint, Vectors, outcomes


def still_matter(item: Item, evidence: Evidence, given: Given) -> list[int]:
    """Give the unplaced cards that can still change the values an item compares, the weightiest first."""
    weights: dict[int, int] = {}
    for feature in item.features(given):
        for card in cards_of(evidence.unplaced):
            weight = _weight(item, feature, card, evidence)
            if weight:
                weights[card] = max(weight, weights.get(card, 0))
    return sorted(weights, key=lambda card: (-weights[card], card))


def _weight(item: Item, feature: Feature, card: int, evidence: Evidence) -> int:
    """Tell how much a card can add to some side's value of a feature; 0 where it changes nothing."""
    if isinstance(feature, Count):
        return feature.of >> card & 1
    if isinstance(feature, CoinRun):
        return int(card < LONGEST_RUN)
    if isinstance(feature, PrimeOf):
        assert isinstance(item, Prime)
        suit, bit = card // SUIT_WIDTH, 1 << card % SUIT_WIDTH
        table = feature.table(suit)
        asked = VALUE_BITS
        if feature.rule.suits_required:
            asked |= 7 << SUIT_SHIFT
        if feature.rule.needs_pip or item.third_side:
            asked |= 7 << PIP_SHIFT
        if feature.rule.needs_seven:
            asked |= 7 << SEVEN_SHIFT
        held = [pile >> SUIT_WIDTH * suit & SUIT_MASK for pile in evidence.piles]
        if any(table[bits | bit] & asked != table[bits] & asked for bits in held):
            return 1 + (table[bit] & VALUE_BITS)
    return 0


def next_question(
    unsettled: Sequence[Item], evidence: Evidence, given: Given, sides: Sequence[str]
) -> dict[str, Any] | None:
    """Give the question to ask next in the contract's form: a card's owner, or a side's count.

    ``unsettled`` are the items whose lines are open. The question never asks for what the rest already implies, and its
    answer always narrows what the deal can still become.
    """
    needs = {item.id: still_matter(item, evidence, given) for item in unsettled}
    for question in _candidates(unsettled, needs, evidence, given, sides):
        feature = question.pop("feature")
        seat = question.pop("seat", None)
        if any(count.feature == feature and count.side == seat for count in evidence.counts):
            continue
        constraints: tuple[Constraint, ...] = (*evidence.counts, *evidence.awards.values())
        found = outcomes(evidence.known(given), (feature,), constraints, partial(_read_at, seat))
        # Where there were too many ways to look at them all, one answer among those looked at implies nothing.
        if not found.exact or len({_read_at(seat, read) for read in found.vectors}) > 1:
            return question
    return None


def _read_at(seat: int | None, read: Vectors) -> tuple[int, ...]:
    """Give what a question's answer would be: every side's value, or the one side's that is asked for."""
    return read[0] if seat is None else (read[0][seat],)


def _candidates(
    unsettled: Sequence[Item], needs: dict[str, list[int]], evidence: Evidence, given: Given, sides: Sequence[str]
) -> Iterator[dict[str, Any]]:
    """Yield questions, best first: single cards that score, then the prime's cards, then counts, then any card left."""
    for item in unsettled:
        features = item.features(given)
        if len(needs[item.id]) == 1 and all(isinstance(feature, Count) for feature in features):
            yield _card_question(needs[item.id][0], needs)
    for item in unsettled:
        if isinstance(item, Prime):
            for card in needs[item.id]:
                yield _card_question(card, needs)
    for item in unsettled:
        for feature in item.features(given):
            yield from _count_questions(item, feature, unsettled, sides, given)
    seen = set()
    for cards in needs.values():
        for card in cards:
            if card not in seen:
                seen.add(card)
                yield _card_question(card, needs)


def _card_question(card: int, needs: dict[str, list[int]]) -> dict[str, Any]:
    settles = [id for id, cards in needs.items() if card in cards]
    return {"card": CODES[card], "settles": settles, "feature": Count(1 << card)}


def _count_questions(
    item: Item, feature: Feature, unsettled: Iterable[Item], sides: Sequence[str], given: Given
) -> Iterator[dict[str, Any]]:
    kind = next((kind for kind, mask in COUNTED.items() if feature == Count(mask)), None)
    if kind is None:
        return
    settles = [other.id for other in unsettled if feature in other.features(given)]
    for seat, label in enumerate(sides):
        yield {"count": kind, "side": label, "settles": settles, "feature": feature, "seat": seat}


__all__ = ["next_question", "still_matter"]
