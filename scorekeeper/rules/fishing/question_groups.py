"""Questions about several cards at once: "tap those that Ana has".

A card by itself takes one tap. A group takes a tap for each card that the side has, and one for the tick. So a group
saves taps if most of its cards would be asked for anyway, and the side is likely to have few of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from ...limits import GROUP_CARDS, GROUP_STEPS
from .. import contract
from ..budget import BudgetSpent, current
from ..cards import CODES, Card, Pile, Position
from .items import Item
from .known import Narrow
from .primes import Given
from .question_cost import likely_owners, lines_left, placed
from .question_order import Question, expected_after
from .ways import Ways, loose_holders

LOOKED_AT = 6
"""Number of the cards most worth asking for that make up groups."""

WORTH = 0.25
"""Taps that a group has to save on average; the estimates are no better than that."""


@dataclass(frozen=True)
class Group:
    """A question: which of some cards does a side have?"""

    cards: tuple[Card, ...]
    side: Position

    @property
    def asked(self) -> Pile:
        """The cards that it asks for."""
        return sum(1 << card for card in self.cards)

    def as_json(self, settles: list[str], sides: Sequence[str]) -> contract.GroupQuestion:
        """Return the JSON form; ``settles`` are the items that the answer helps to settle."""
        return {"cards": [CODES[card] for card in self.cards], "side": sides[self.side], "settles": settles}

    def answers(self, ways: Ways) -> list[Narrow]:
        """Return the conditions of the answers: each gives every card an owner."""
        owners = product(*(loose_holders(ways, card) for card in self.cards))
        return [partial(_owned, cards=self.cards, owners=each) for each in owners]


def _owned(ways: Ways, cards: Sequence[Card], owners: Sequence[Position]) -> Ways | None:
    """Return the ways in which each of some cards has a certain owner."""
    known: Ways | None = ways
    for card, owner in zip(cards, owners, strict=True):
        known = None if known is None else known.give(1 << card, owner)
    return known


def best_group(order: Sequence[Question], unsettled: tuple[Item, ...], ways: Ways, given: Given) -> Group | None:
    """Return the group that saves most taps between two sides, None if none saves enough.

    ``order`` are the questions that are worth asking, the best first. A group grows card by card.
    """
    cards = [each.card for each in order if each.card is not None and len(loose_holders(ways, each.card)) == 2]
    cards = list(dict.fromkeys(cards))[:LOOKED_AT]
    if len(ways.piles) != 2 or len(cards) < 2:
        return None
    known = placed(ways)
    try:
        with current().portion(GROUP_STEPS):
            singly = order[0].taps(ways) + expected_after(order[0], unsettled, known, given, 2)
            best: tuple[float, Group] | None = None
            group: tuple[Card, ...] = ()
            while len(group) < min(GROUP_CARDS, len(cards)):
                longer = [(*group, card) for card in cards if card not in group]
                taps, side, group = min((*_taps(each, unsettled, known, given), each) for each in longer)
                if len(group) > 1 and (best is None or taps < best[0]):
                    best = taps, Group(tuple(sorted(group)), side)
    except BudgetSpent:
        return None
    return best[1] if best is not None and best[0] + WORTH < singly else None


def _taps(cards: tuple[Card, ...], unsettled: tuple[Item, ...], ways: Ways, given: Given) -> tuple[float, Position]:
    """Return the taps that are expected for a group and after it, and the side that is likely to have fewer cards."""
    left, tapped = 0.0, [0.0, 0.0]
    for chance, after, of_first in _shared_out(cards, ways, 1.0):
        left += chance * lines_left(unsettled, placed(after), given, 2)
        tapped[0] += chance * of_first
        tapped[1] += chance * (len(cards) - of_first)
    side = int(tapped[1] < tapped[0])
    return 1 + left + tapped[side], side


def _shared_out(cards: tuple[Card, ...], ways: Ways, chance: float) -> Iterator[tuple[float, Ways, int]]:
    """Yield the ways in which two sides have some cards: the chance, what is known then, and the first side's cards."""
    if not cards:
        yield chance, ways, 0
        return
    card, *others = cards
    if not ways.unplaced >> card & 1:
        own = ways.piles[0] >> card & 1
        yield from ((part, after, more + own) for part, after, more in _shared_out(tuple(others), ways, chance))
        return
    holders = loose_holders(ways, card)
    for holder, likely in zip(holders, likely_owners(ways, card, holders), strict=True):
        given = ways.give(1 << card, holder)
        if given is not None and likely:
            for part, after, more in _shared_out(tuple(others), placed(given), chance * likely):
                yield part, after, more + (not holder)
