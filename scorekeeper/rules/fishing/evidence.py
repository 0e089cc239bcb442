"""Evidence about the piles: cards (shown), counts (counted), cards told and awards (said), and their contradictions.

The stronger wins: piles, ``rest`` and ``leftover`` outweigh ``best``, these outweigh ``counts``, then follow ``told``
and ``awards``. The weaker fact is dropped, with a warning at its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from .. import contract, schema
from ..cards import CODES, FULL_PACK, PACK_SIZE, Card, Pile, Position, cards_of, parse_card, pile_of, plain_piles
from ..problems import Problems
from .known import Known, all_known
from .pieces import Awarded, CountIs, LastCards, Piece, Shown, Told, as_deal
from .rules import FishingRules
from .ways import CARDS_KIND

STRENGTHS: tuple[contract.Evidence, ...] = ("shown", "counted", "said")
"""The strengths of evidence, the strongest first."""


@dataclass
class Evidence:
    """All that is known about the piles.

    ``piles`` hold the cards placed with each side, the last cards and the best cards of a prime included; ``captured``
    are the same without a ``leftover`` that was listed apart (None if none was listed). ``unplaced`` are the cards
    nobody showed. ``left_to_nobody`` says that the last cards are nobody's, and ``nobody_captured`` that the deal says
    so by naming no last capturer.
    """

    piles: tuple[Pile, ...]
    captured: tuple[Pile, ...]
    leftover: Pile | None
    unplaced: Pile
    left_to_nobody: bool
    last_capturer: Position | None = None
    """The side that is said to have captured last."""
    nobody_captured: bool = False
    stages: dict[contract.Evidence, Known] = field(default_factory=dict)
    """All that follows from the evidence of each strength and of all greater strengths."""

    @cached_property
    def pieces(self) -> list[Piece]:
        """The same cards one by one, with all other evidence that was accepted; made when first used."""
        shown: list[Piece] = [Shown(card, side) for side, pile in enumerate(self.piles) for card in cards_of(pile)]
        return [*shown, LastCards(self.leftover)] if self.left_to_nobody and self.leftover is not None else shown

    @property
    def sides(self) -> int:
        """Number of sides."""
        return len(self.piles)

    @property
    def may_be_nobodys(self) -> bool:
        """True if cards that nobody showed may lie in no pile."""
        return self.left_to_nobody and self.leftover is None

    @property
    def card_counts(self) -> Mapping[Position, int]:
        """Number of cards of each side that counted them."""
        return {
            piece.side: piece.number for piece in self.pieces if isinstance(piece, CountIs) and piece.kind == CARDS_KIND
        }

    @cached_property
    def awards(self) -> Mapping[str, Awarded]:
        """The awards by item; used once all evidence is read."""
        return {piece.item.id: piece for piece in self.pieces if isinstance(piece, Awarded)}

    def of(self, *strengths: contract.Evidence) -> list[Piece]:
        """Return the pieces that are known in one of these ways."""
        return [piece for piece in self.pieces if piece.strength in strengths]

    def known_by(self, pieces: Sequence[Piece]) -> Known | None:
        """Return what is known from some pieces alone; None if they exclude each other."""
        return all_known(pieces, self.sides, self.left_to_nobody)

    def known(self) -> Known:
        """Return what is known from all the pieces accepted so far."""
        return self.known_at("said")

    def known_at(self, weakest: contract.Evidence) -> Known:
        """Return what is known from the accepted evidence of a strength and of all greater strengths."""
        if not self.stages:
            shown = self.known_by(self.pieces)
            assert shown is not None
            self.stages["shown"] = shown
        stronger = STRENGTHS[: STRENGTHS.index(weakest) + 1]
        return next(self.stages[each] for each in reversed(stronger) if each in self.stages)

    def accept(self, piece: Piece, known: Known) -> None:
        """Add a piece; ``known`` is what is known with it."""
        self.pieces.append(piece)
        self.stages[piece.strength] = known

    def as_deal(self, pieces: Sequence[Piece], labels: Sequence[str]) -> contract.Because:
        """Return some pieces as a deal."""
        return as_deal(pieces, labels, self.nobody_captured)


def read_cards(value: object, where: str, problems: Problems, placed: dict[Card, str] | None = None) -> list[Card]:
    """Read a list of card codes and return the card numbers; an unknown or repeated card is a problem and left out.

    ``placed`` has the place of each card read before, and these are added to it: no card is in two places.
    """
    cards = []
    seen = {} if placed is None else placed
    for number, code in schema.each_word(value, where):
        here = f"{where}[{number}]"
        card = parse_card(code)
        if card is None:
            problems.error("unknown_card", here, f"There is no card {code[:20]!r} in this pack.", card=code[:20])
        elif card in seen:
            first = seen[card].partition("[")[0]
            places = f"twice in {where}" if first == where else f"in {first} and in {where}"
            problems.error(
                "duplicate_card", here, f"{CODES[card]} is {places}.", card=CODES[card], first=first, second=where
            )
        else:
            seen[card] = here
            cards.append(card)
    return cards


def read_piles(
    deal: Mapping[str, object], sides: Sequence[str], rules: FishingRules, problems: Problems, apart: Sequence[Card]
) -> Evidence:
    """Read ``piles``, ``rest``, ``leftover`` and ``last_capturer`` of a deal.

    ``apart`` are told cards and those laid out for a prime: the ``rest`` does not take them. By the rule
    ``last_cards`` the cards that lie on the table at the end go to the ``last_capturer``, or to ``nobody``.
    """
    piles, leftover = _read_listed(deal, sides, problems)
    unplaced = FULL_PACK
    for pile in (*piles, leftover or 0):
        unplaced &= ~pile
    rest = schema.side(deal.get("rest"), "rest", sides, problems)
    if rest is not None:
        piles[sides.index(rest)] |= unplaced & ~pile_of(apart)
        unplaced &= pile_of(apart)
    captured = tuple(piles)
    last_label = schema.side(deal.get("last_capturer"), "last_capturer", sides, problems)
    last = None if last_label is None else sides.index(last_label)
    nobody_captured = "last_capturer" in deal and deal["last_capturer"] is None
    left_to_nobody = (nobody_captured or rules.last_cards == "nobody") and leftover != 0
    if leftover and not left_to_nobody:
        if last is None:
            problems.error(
                "last_capturer_missing", "last_capturer", "Say who captured last: the cards left on the table are his."
            )
        else:
            piles[last] |= leftover
    return Evidence(tuple(piles), captured, leftover, unplaced, left_to_nobody, last, nobody_captured)


def _read_listed(
    deal: Mapping[str, object], sides: Sequence[str], problems: Problems
) -> tuple[list[Pile], Pile | None]:
    """Read the cards listed in ``piles`` and ``leftover``; return the pile of each side, and the leftover, if any."""
    piles, last = [0] * len(sides), deal.get("leftover")
    listed = schema.by_side(deal.get("piles"), "piles", sides, problems)
    read = plain_piles(listed.values() if last is None else [*listed.values(), last])
    if read is None:
        read = _read_each(listed, last, problems)
    for label, pile in zip(listed, read, strict=False):
        piles[sides.index(label)] = pile
    return piles, None if last is None else read[-1]


def _read_each(listed: Mapping[str, object], last: object, problems: Problems) -> list[Pile]:
    """Read the lists card by card and report what is wrong with them; return the valid cards of each."""
    placed: dict[Card, str] = {}
    lists = [(f"piles.{label}", "piles", cards) for label, cards in listed.items()]
    if last is not None:
        lists.append(("leftover", "leftover", last))
    piles, number = [], 0
    for where, name, cards in lists:
        piles.append(pile_of(read_cards(cards, where, problems, placed)))
        number += len(schema.items(cards, name, None))
    if number > PACK_SIZE:
        problems.error("too_many_cards", "piles", f"{number} cards are listed; the pack has {PACK_SIZE}.", cards=number)
    return piles


def read_told(value: object, sides: Sequence[str], problems: Problems) -> list[tuple[str, Told]]:
    """Read the cards whose owner was said, each with its place; one card of two sides is a problem."""
    told: list[tuple[str, Told]] = []
    placed: dict[Card, str] = {}
    for label, cards in schema.by_side(value, "told", sides, problems).items():
        for card in read_cards(cards, f"told.{label}", problems, placed):
            told.append((placed[card], Told(card, sides.index(label))))
    # In one order, however they are listed, so that the answer does not depend on it.
    return sorted(told, key=lambda each: each[1].card)


def accept_told(told: Sequence[tuple[str, Told]], sides: Sequence[str], evidence: Evidence, problems: Problems) -> None:
    """Add the told cards that agree with cards and counts to the evidence; warn of the others."""
    for where, piece in told:
        if evidence.piles[piece.side] >> piece.card & 1:
            continue
        known = evidence.known().believing(piece)
        if known is not None:
            evidence.accept(piece, known)
        else:
            code, label = CODES[piece.card], sides[piece.side]
            message = f"{code} was said to be {label}'s, but the cards and counts say otherwise; they are scored."
            problems.warn("told_contradicted", where, message, card=code, side=label)
