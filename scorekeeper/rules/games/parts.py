"""Parts that several fishing games share: items, combinations, options and the openings (rules §1 to §4)."""

from __future__ import annotations

from typing import Any

from ..cards import COINS, FIGURES, FULL_PACK, KINGS, SEVEN_OF_COINS, SEVENS, parse_card, pile_of
from ..fishing.declarations import Combination, of_one_rank, of_one_suit, total
from ..fishing.items import AtLeast, Most
from ..fishing.primes import PrimeRule
from ..fishing.rules import Redeal
from ..options import Computed, Opt, choice
from ..ruleset import LineUps

ALL_COINS = 10
ALL_SEVENS = 4

SOLO_2_TO_4: LineUps = ((2, 1), (3, 1), (4, 1))
WITH_PAIRS: LineUps = (*SOLO_2_TO_4, (2, 2))
PAIRS: LineUps = ((2, 2),)


def pile(*codes: str) -> int:
    """Make a pile of card codes."""
    return pile_of(card for code in codes if (card := parse_card(code)) is not None)


def cards(**other: Any) -> Most:
    """Most cards, one point."""
    return Most("cards", 1, of=FULL_PACK, **other)


def coins(**other: Any) -> Most:
    """Most coins, one point."""
    return Most("coins", 1, of=COINS, **other)


def sevens(**other: Any) -> Most:
    """Most sevens, one point."""
    return Most("sevens", 1, of=SEVENS, **other)


def figures(points: object, **other: Any) -> Most:
    """Most figures."""
    return Most("figures", points, of=FIGURES, **other)


def seven_of_coins(points: object = 1) -> AtLeast:
    """The seven of coins."""
    return AtLeast("seven_of_coins", points, of=SEVEN_OF_COINS)


def special(id: str, code: str) -> AtLeast:
    """A single card that scores what the option ``pts_<id>`` says."""
    return AtLeast(id, Opt(f"pts_{id}"), of=pile(code))


def all_coins(points: object) -> AtLeast:
    """All ten coins in one pile."""
    return AtLeast("all_coins", points, of=COINS, at=ALL_COINS)


def all_sevens(points: object) -> AtLeast:
    """All four sevens in one pile."""
    return AtLeast("all_sevens", points, of=SEVENS, at=ALL_SEVENS)


SIDES_SOLO = choice("sides", "solo", "teams")
SIDES_TEAMS = choice("sides", "solo", "teams", default="teams")
OBLIGATION_CARD = choice("obligation", "card", "free")
OBLIGATION_FREE = choice("obligation", "free", "card")

PRIME_OF_OPTIONS = Computed(
    lambda options, sides, players: PrimeRule(options["prime_method"], options["prime_suits_required"])
)


def flush(points: object) -> Combination:
    """Flor: three cards of one suit."""
    return Combination("flush", points, of_one_suit)


def three_of_a_kind(points: object) -> Combination:
    """Three of one rank (a chorizo)."""
    return Combination("three_of_a_kind", points, of_one_rank)


def sweep_in_hand(points: object) -> Combination:
    """Three cards that total 15, taken straight from the hand."""
    return Combination("sweep_in_hand", points, lambda hand: total(hand) == 15)


KING_REDEAL = Opt("redeal_kings", {2: (Redeal(2, "next", KINGS),), 3: (Redeal(3, "next", KINGS),), "off": ()})
