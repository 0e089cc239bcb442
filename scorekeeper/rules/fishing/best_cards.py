"""Best cards: those that a side laid out for the prime, suit by suit (the field ``best`` of a deal)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .. import contract, schema
from ..cards import CODES, FIGURES, NUMBERS, RANKS, SUITS, Card, Pile, Position, cards_of, pile_of, suit_pile
from ..problems import Problems
from .evidence import Evidence
from .pieces import Best
from .primes import DOUBLED, Given, card_values

FIGURE = RANKS.index(12)
"""Rank position of a figure; in a prime they are all worth the same."""


def read_best(
    value: object, sides: Sequence[str], method: str, given: Given, problems: Problems
) -> list[tuple[str, Best]]:
    """Read the best cards, each with its place; one card that is the best of two sides is a problem."""
    entries: list[tuple[str, Best]] = []
    first: dict[Pile, str] = {}
    for label, suits in schema.by_side(value, "best", sides, problems).items():
        for suit, rank, where in _ranks_of(suits, f"best.{label}", problems):
            piece = _best(sides.index(label), suit, rank, method, given)
            if piece.cards.bit_count() == 1:
                code = CODES[next(cards_of(piece.cards))]
                if piece.cards in first:
                    other = first[piece.cards]
                    message = f"{code} is in {other} and in best.{label}."
                    problems.error("duplicate_card", where, message, card=code, first=other, second=f"best.{label}")
                first[piece.cards] = f"best.{label}"
            entries.append((where, piece))
    # In one order, however they are listed, so that the answer does not depend on it.
    return sorted(entries, key=lambda each: (each[1].side, each[1].suit))


def _ranks_of(value: object, where: str, problems: Problems) -> Iterator[tuple[int, contract.BestRank, str]]:
    """Yield the suits of one side with their ranks and places; an unknown suit or rank is a problem."""
    for name, rank in schema.mapping(value, where).items():
        here = f"{where}.{name[:20]}"
        suit = name.upper() if name.isascii() else name
        if len(suit) != 1 or suit not in SUITS:
            problems.error("unknown_value", here, f"There is no suit {name[:20]!r}.")
            continue
        if rank is None or rank == "figure":
            yield SUITS.index(suit), "figure" if rank else None, here
            continue
        index = schema.text(rank, here) if isinstance(rank, str) else schema.integer(rank, here)
        if index in RANKS and isinstance(index, int):
            yield SUITS.index(suit), index, here
        else:
            message = f"The best card of a suit is its index (1 to 7, 10, 11, 12), a figure, or none, not {index!r}."
            problems.error("unknown_value", here, message)


def _best(side: Position, suit: int, rank: contract.BestRank, method: str, given: Given) -> Best:
    values, cards_of_suit = card_values(method, given), suit_pile(suit)
    if rank is None:
        return Best(side, suit, None, 0, cards_of_suit)
    if rank == "figure":
        worth = DOUBLED[method][FIGURE]
        cards = pile_of(card for card in cards_of(cards_of_suit & FIGURES) if values[card] == worth)
    else:
        card = NUMBERS[f"{rank}{SUITS[suit]}"]
        cards, worth = 1 << card, values[card]
    better = pile_of(card for card in cards_of(cards_of_suit) if values[card] > worth)
    return Best(side, suit, rank, cards, better)


def placed_by(best: Iterable[tuple[str, Best]]) -> list[Card]:
    """Return the cards that best cards place: all but those that are one of several."""
    return [next(cards_of(piece.cards)) for _, piece in best if piece.cards.bit_count() == 1]


def accept_best(
    best: Sequence[tuple[str, Best]], sides: Sequence[str], evidence: Evidence, problems: Problems
) -> list[tuple[str, Best]]:
    """Add the best cards that agree with the piles to the evidence; warn of the others.

    A single best card is placed. Return what was accepted.
    """
    accepted = []
    for where, piece in best:
        known = evidence.known().believing(piece)
        if known is None:
            label = sides[piece.side]
            message = f"{label}'s best card of this suit cannot be that with the cards shown; they are scored."
            problems.warn("best_contradicted", where, message, side=label, suit=SUITS[piece.suit])
            continue
        accepted.append((where, piece))
        evidence.accept(piece, known)
        if piece.cards.bit_count() == 1:
            at = piece.side
            evidence.piles = (*evidence.piles[:at], evidence.piles[at] | piece.cards, *evidence.piles[at + 1 :])
            evidence.captured = (
                *evidence.captured[:at],
                evidence.captured[at] | piece.cards & ~(evidence.leftover or 0),
                *evidence.captured[at + 1 :],
            )
            evidence.unplaced &= ~piece.cards
    return accepted
