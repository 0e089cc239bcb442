"""Parts that several capture games share: items, combinations, options and layouts (docs/rules.md 1 to 4)."""

from __future__ import annotations

from collections.abc import Callable

from ..cards import COINS, FIGURES, FULL_PACK, KINGS, SEVEN_OF_COINS, SEVENS, parse_card, pile_of
from ..examples import Compared, Dealt, Ended, Played, counted
from ..fishing.declarations import Combination, Hand, of_one_rank, of_one_suit, total
from ..fishing.game import FishingGame
from ..fishing.items import AtLeast, Most
from ..fishing.primes import PrimeRule
from ..fishing.rules import FishingRules, Redeal
from ..options import Options, choice
from ..ruleset import LineUps, TableRules

CATS_AT_CARDS = "CatsAtCards: Scopa"
ALL_COINS = 10
ALL_SEVENS = 4

SOLO_2_TO_4: LineUps = ((2, 1), (3, 1), (4, 1))
WITH_PAIRS: LineUps = (*SOLO_2_TO_4, (2, 2))
PAIRS: LineUps = ((2, 2),)


def fishing(rules: Callable[[Options], FishingRules]) -> Callable[[TableRules], FishingGame]:
    """Return the engine of a capture game whose rules are a function of what the table agreed on."""
    return lambda table: FishingGame(table, rules(table.options))


def pile(*codes: str) -> int:
    """Return the pile of these card codes."""
    return pile_of(card for code in codes if (card := parse_card(code)) is not None)


def cards(tie_rule: str = "nobody", superseded_at: int | None = None) -> Most:
    """Most cards, one point."""
    return Most("cards", 1, of=FULL_PACK, tie_rule=tie_rule, superseded_at=superseded_at)


def coins(tie_rule: str = "nobody", superseded_at: int | None = None) -> Most:
    """Most coins, one point."""
    return Most("coins", 1, of=COINS, tie_rule=tie_rule, superseded_at=superseded_at)


def sevens(tie_rule: str = "nobody", superseded_at: int | None = None) -> Most:
    """Most sevens, one point."""
    return Most("sevens", 1, of=SEVENS, tie_rule=tie_rule, superseded_at=superseded_at)


def figures(points: int, tie_rule: str = "nobody") -> Most:
    """Most figures."""
    return Most("figures", points, of=FIGURES, tie_rule=tie_rule)


def seven_of_coins(points: int = 1) -> AtLeast:
    """The seven of coins."""
    return AtLeast("seven_of_coins", points, of=SEVEN_OF_COINS)


def special(id: str, code: str, points: int) -> AtLeast:
    """A single card that scores."""
    return AtLeast(id, points, of=pile(code))


def all_coins(points: int) -> AtLeast:
    """All ten coins in one pile."""
    return AtLeast("all_coins", points, of=COINS, at=ALL_COINS)


def all_sevens(points: int) -> AtLeast:
    """All four sevens in one pile."""
    return AtLeast("all_sevens", points, of=SEVENS, at=ALL_SEVENS)


SIDES_SOLO = choice("derived", "sides", "solo", "teams")
SIDES_TEAMS = choice("derived", "sides", "solo", "teams", default="teams")
BY_BEST_CARDS = ("face", "italian", "half_ace", "seventy")
"""The prime methods that count a card a suit."""
OBLIGATION_CARD = choice("taking", "obligation", "card", "free")
OBLIGATION_FREE = choice("taking", "obligation", "free", "card")


def prime_rule(options: Options) -> PrimeRule:
    """Return how primes are valued where a table chooses the method and whether all four suits are needed."""
    return PrimeRule(options.word("prime_method"), options.number("prime_suits_required"))


def makes_fifteen(hand: Hand) -> bool:
    """Return whether the three cards total 15."""
    return total(hand) == 15


def nine_or_less(hand: Hand) -> bool:
    """Return whether the three cards total nine at most."""
    return total(hand) <= 9


def flush(points: int) -> Combination:
    """Flor: three cards of one suit."""
    return Combination("flush", points, of_one_suit, near="suit")


def three_of_a_kind(points: int) -> Combination:
    """Three of one rank (a chorizo)."""
    return Combination("three_of_a_kind", points, of_one_rank, near="rank")


def sweep_in_hand(points: int) -> Combination:
    """Three cards that total 15, taken straight from the hand."""
    return Combination("sweep_in_hand", points, makes_fifteen, near=15)


def king_redeal(options: Options) -> tuple[Redeal, ...]:
    """Return the layout of kings that voids a deal, where the table plays one."""
    kings = options.number_or_off("redeal_kings")
    return () if kings is None else (Redeal(kings, "next", KINGS),)


FIFTEEN_DEALT = (Dealt("2O 3C 4E 6B"), Dealt("12O 11C 7E 4B"))
FIFTEEN_TAKEN = (Played("1O 3C 4E 7B", "4O"), Played("7B", "10O"))
LEVEL = (
    Ended(counted("coins", 5, 5), ("coins",)),
    Ended(counted("cards", 14, 14, 12), ("cards",), sides=3),
    Ended(counted("cards", 11, 11, 11, 7), ("cards",), sides=4),
)
"""Examples of majorities that are level."""
THREE_SEVENS = Compared(("7O 7C 7E 12B", "7B 6O 6C 1E"))
A_SUIT_LESS = Compared(("7O 7E 6B", "5O 5C 5E 4B"))
WITH_ALL_SEVENS = Ended(
    {"piles": {"A": ["7O", "7C", "7E", "7B"]}}, ("sevens", "all_sevens", "seven_of_coins", "barmila"), bare=("barmila",)
)
WITH_ALL_COINS = Ended(
    counted("coins", 10, 0), ("coins", "all_coins", "seven_of_coins", "cappotto"), bare=("cappotto",)
)
