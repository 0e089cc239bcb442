"""Cirulla of Genoa and Cirullone (docs/rules.md 4.3, 4.4)."""

from __future__ import annotations

from dataclasses import replace

from ..cards import ACES, COINS
from ..examples import Dealt, Ended, Example, Played, Shown
from ..fishing.declarations import Combination
from ..fishing.items import AtLeast, Cappotto, LowCoins, Prime
from ..fishing.primes import PrimeRule
from ..fishing.rules import FishingRules, Opening, Redeal
from ..options import Options, choice, flag, number
from ..ruleset import RuleSet
from .parts import (
    A_SUIT_LESS,
    ALL_COINS,
    CATS_AT_CARDS,
    LEVEL,
    PAIRS,
    SIDES_TEAMS,
    THREE_SEVENS,
    WITH_ALL_COINS,
    cards,
    coins,
    fishing,
    nine_or_less,
    pile,
    seven_of_coins,
    three_of_a_kind,
)


def cirulla(options: Options) -> FishingRules:
    """Return the rules of Cirulla."""
    aces = options.number_or_off("redeal_aces")
    return FishingRules(
        capture_rule="cirulla",
        obligation=options.word("obligation"),
        combos=(
            Combination(
                "low_hand",
                3,
                nine_or_less,
                replaced_by="three_of_a_kind" if options.word("low_and_three") == "max" else None,
            ),
            three_of_a_kind(10),
        ),
        opening=Opening(fifteen=1, thirty=2),
        redeals=() if aces is None else (Redeal(aces, "same", ACES),),
        items=(
            cards(),
            coins(),
            seven_of_coins(),
            AtLeast("grande", 5, of=pile("10O", "11O", "12O"), at=3),
            LowCoins("piccola", 1),
            Cappotto("cappotto", 0, of=COINS, at=ALL_COINS if options.flag("cappotto_wins") else None),
            Prime("prime", 1, rule=PrimeRule("italian", 4)),
        ),
        target=options.number("target"),
        last_play_sweep=False,
        matta=True,
        matta_in_layout=options.word("matta_in_layout"),
        matta_in_prime=options.word("matta_in_prime"),
        ace_sweep=options.flag("ace_sweep_scores"),
        check="counts",
    )


def cirullone(options: Options) -> FishingRules:
    """Return the rules of Cirullone: nine cards each, and a limit on announcements."""
    return replace(cirulla(options), hand_size=9, announcements=options.number("cirullone_max_announcements"))


OF_CIRULLA: tuple[Example, ...] = (
    Dealt("7C 2O 3E 4B"),
    Dealt("7C 12O 11E 10B"),
    Dealt("1O 1C 6E 7B"),
    Played("6O 2C 1E 7B", "10O"),
    Played("12O 5C", "5E"),
    Played("12O 4C 3E", "1B"),
    Shown("2O 3C 4E"),
    Shown("2O 2C 2E"),
    Shown("4O 4E 7C"),
    Shown("3O 5E 7C"),
    Ended({"piles": {"A": ["1O", "2O", "3O"], "B": ["4O"]}}, ("piccola",)),
    Ended({"piles": {"A": ["1O", "2O", "3O", "4O", "5O", "6O"], "B": ["7O"]}}, ("piccola",)),
    Ended({"piles": {"A": ["10O", "11O", "12O"]}}, ("grande",)),
    WITH_ALL_COINS,
    THREE_SEVENS,
    A_SUIT_LESS,
    *LEVEL,
)

CIRULLA = RuleSet(
    cards="italian",
    id="cirulla",
    sources=(CATS_AT_CARDS,),
    examples=OF_CIRULLA,
    vocabularies=("scopa",),
    family="fishing",
    line_ups=((2, 2), (2, 1), (3, 1)),
    options=(
        number("goal", "target", 51, minimum=1),
        SIDES_TEAMS,
        choice("taking", "obligation", "hand", "card"),
        choice("points", "low_and_three", "max", "sum"),
        choice("cards", "matta_in_prime", "assigned", "natural"),
        choice("cards", "matta_in_layout", "on", "off"),
        flag("taking", "ace_sweep_scores", True),
        choice("cards", "redeal_aces", 2, "off"),
        flag("end", "cappotto_wins", True),
    ),
    engine=fishing(cirulla),
    items=(
        "low_hand",
        "three_of_a_kind",
        "table_sweep",
        "sweeps",
        "cards",
        "coins",
        "seven_of_coins",
        "grande",
        "piccola",
        "cappotto",
        "prime",
    ),
    presets={"cirulla": {}},
    default_preset="cirulla",
)

CIRULLONE = replace(
    CIRULLA,
    id="cirullone",
    line_ups=PAIRS,
    options=(
        *(
            replace(option, default=101, values=(101,)) if option.id == "target" else option
            for option in CIRULLA.options
        ),
        choice("points", "cirullone_max_announcements", 3, 1, 2),
    ),
    engine=fishing(cirullone),
    presets={"cirullone": {}},
    default_preset="cirullone",
)
