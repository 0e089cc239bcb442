"""Pieces of evidence: one card shown, one best card of a prime, one count, one card told, one award.

All evidence about the piles is a list of pieces, and so is the small part of it that settles a line. Each piece
narrows the ways of sharing out the cards (:func:`ways_of`), and takes its place in a deal (:func:`as_deal`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from .. import contract
from ..cards import CODES, FULL_PACK, SUITS, Card, Pile, Position, codes_of
from .features import COUNTED
from .items import Item, Prime
from .outlook import Goal, OneOf, reader_of
from .primes import Given
from .ways import Ways, all_ways

KIND_NAMES = tuple(COUNTED)
"""The kinds of :data:`~.ways.KINDS`, as a deal names them."""


class Piece:
    """A piece of evidence."""

    strength: ClassVar[contract.Evidence]
    """The evidence of the piece: shown, counted or said."""

    @property
    def is_costly(self) -> bool:
        """True if the goal takes many steps to meet."""
        return False

    def narrow(self, ways: Ways) -> Ways | None:
        """Return the ways that agree, or all that :attr:`goal` has to narrow; None if there are none."""
        raise NotImplementedError

    @property
    def goal(self) -> Goal | OneOf | None:
        """The condition left to meet after :meth:`narrow`."""
        return None

    def add_to(self, deal: dict[str, Any], sides: Sequence[str]) -> None:
        """Write the piece into a deal, in the form of docs/contract.md."""
        raise NotImplementedError


@dataclass(frozen=True)
class _OwnedCard(Piece):
    """A card that is a side's."""

    card: Card
    side: Position
    field: ClassVar[str]

    def narrow(self, ways: Ways) -> Ways | None:
        """Give the card to the side."""
        return ways.give(1 << self.card, self.side)

    def add_to(self, deal: dict[str, Any], sides: Sequence[str]) -> None:
        """Add the card to those of the side."""
        deal.setdefault(self.field, {}).setdefault(sides[self.side], []).append(CODES[self.card])


class Shown(_OwnedCard):
    """A card that lies in a side's pile."""

    strength, field = "shown", "piles"


class Told(_OwnedCard):
    """A card whose owner was said."""

    strength, field = "said", "told"


@dataclass(frozen=True)
class LastCards(Piece):
    """The last cards, where they are nobody's: all the cards that are in no pile."""

    cards: Pile
    strength = "shown"

    def narrow(self, ways: Ways) -> Ways | None:
        """Give the cards to nobody, and no others."""
        nobody = len(ways.piles) - 1
        without = ways.deny(FULL_PACK & ~self.cards, nobody)
        return None if without is None else without.give(self.cards, nobody)

    def add_to(self, deal: dict[str, Any], sides: Sequence[str]) -> None:
        """Add the cards as the leftover."""
        deal["leftover"] = codes_of(self.cards)


@dataclass(frozen=True)
class Best(Piece):
    """The card of a suit that a side laid out for the prime.

    The side has one of ``cards``: a single card, three figures, or none if it has no card of the suit. It has none of
    the ``better`` cards of the suit. ``rank`` is as the deal names it.
    """

    side: Position
    suit: int
    rank: contract.BestRank
    cards: Pile
    better: Pile
    strength = "shown"

    def narrow(self, ways: Ways) -> Ways | None:
        """Give a single card to the side, and deny it better ones."""
        without = ways.deny(self.better, self.side)
        return without if without is None or self.goal is not None else without.give(self.cards, self.side)

    @property
    def goal(self) -> OneOf | None:
        """One of several cards, if the side did not say which."""
        return OneOf(self.cards, self.side) if self.cards.bit_count() > 1 else None

    def add_to(self, deal: dict[str, Any], sides: Sequence[str]) -> None:
        """Add the rank to the suit of the side."""
        deal.setdefault("best", {}).setdefault(sides[self.side], {})[SUITS[self.suit]] = self.rank


@dataclass(frozen=True)
class CountIs(Piece):
    """A side has exactly so many cards of a kind, which is a position in :data:`~.ways.KINDS`."""

    kind: int
    side: Position
    number: int
    strength = "counted"

    def narrow(self, ways: Ways) -> Ways | None:
        """Limit the side to that number."""
        return ways.limit(self.kind, self.side, self.number, self.number)

    def add_to(self, deal: dict[str, Any], sides: Sequence[str]) -> None:
        """Add the number to the counts of the side."""
        deal.setdefault("counts", {}).setdefault(sides[self.side], {})[KIND_NAMES[self.kind]] = self.number


@dataclass(frozen=True)
class Awarded(Piece):
    """An award, as the table said it."""

    goal_said: Goal
    strength = "said"

    @property
    def item(self) -> Item:
        """The item."""
        return self.goal_said.item

    @property
    def winners(self) -> tuple[Position, ...]:
        """The sides that took it."""
        return self.goal_said.winners

    @property
    def goal(self) -> Goal:
        """The condition that these sides take the item."""
        return self.goal_said

    @property
    def is_costly(self) -> bool:
        """True for a prime: very many ways lead to it."""
        return isinstance(self.item, Prime)

    def narrow(self, ways: Ways) -> Ways | None:
        """Return the ways unchanged: the goal narrows them."""
        return ways

    def add_to(self, deal: dict[str, Any], sides: Sequence[str]) -> None:
        """Add who took the item: a side, a list of sides, or None."""
        labels = [sides[side] for side in self.winners]
        deal.setdefault("awards", {})[self.item.id] = labels[0] if len(labels) == 1 else labels or None


def awarded(item: Item, winners: Iterable[Position], given: Given, sides: int) -> Awarded:
    """Return the award of an item at a table with so many sides."""
    return Awarded(Goal(reader_of(item, given, sides), tuple(sorted(winners))))


def ways_of(pieces: Sequence[Piece], sides: int, may_be_nobodys: bool) -> Ways | None:
    """Return the ways that agree with all pieces, goals apart; None if the pieces exclude each other."""
    everyone = (1 << sides + may_be_nobodys) - 1
    piles, placed = [0] * (sides + may_be_nobodys), 0
    for piece in pieces:
        if isinstance(piece, Shown):
            piles[piece.side] |= 1 << piece.card
            placed |= 1 << piece.card
    loose = ((everyone, FULL_PACK ^ placed),) if placed != FULL_PACK else ()
    ways: Ways | None = all_ways(sides, may_be_nobodys)._replace(piles=tuple(piles), loose=loose)
    for piece in pieces:
        if ways is not None and not isinstance(piece, Shown):
            ways = piece.narrow(ways)
    return ways


def as_deal(pieces: Iterable[Piece], sides: Sequence[str], nobody_captured: bool) -> contract.Because:
    """Return the pieces as a deal; if ``nobody_captured``, it names no last capturer on purpose."""
    deal: dict[str, Any] = {}
    for piece in pieces:
        piece.add_to(deal, sides)
    if nobody_captured:
        deal["last_capturer"] = None
    return cast(contract.Because, deal)
