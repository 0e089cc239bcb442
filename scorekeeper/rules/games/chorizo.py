"""Chorizo and Báciga, the fishing games of Uruguay (docs/rules.md 2)."""

from __future__ import annotations

from dataclasses import replace

from ..fishing.declarations import Combination, Hand, has_pair, in_sequence, total
from ..fishing.items import Prime
from ..fishing.rules import FishingRules, Opening, Redeal
from ..options import Options, choice, flag, number, only_where
from ..ruleset import RuleSet
from .parts import (
    BY_BEST_CARDS,
    OBLIGATION_CARD,
    SIDES_TEAMS,
    WITH_PAIRS,
    all_sevens,
    cards,
    coins,
    fishing,
    flush,
    nine_or_less,
    pile,
    prime_rule,
    seven_of_coins,
    special,
    sweep_in_hand,
    three_of_a_kind,
)

WILD_CARDS = {"none": (), "1O+12O": ("1O", "12O"), "7O+12O": ("7O", "12O")}


def makes_nine(hand: Hand) -> bool:
    """Return whether the three cards total nine."""
    return total(hand) == 9


def seven_or_less(hand: Hand) -> bool:
    """Return whether the three cards total seven at most."""
    return total(hand) <= 7


def nine_or_less_with_a_pair(hand: Hand) -> bool:
    """Return whether the three cards total nine at most and two of them are alike."""
    return nine_or_less(hand) and has_pair(hand)


def combinations(options: Options) -> tuple[Combination, ...]:
    """Return the combinations of three cards: nine and misery, or báciga instead."""
    has_baciga = options.word("low_combos") == "baciga"
    return (
        flush(3),
        Combination("run", 3, in_sequence),
        Combination("three_for_nine", 0 if has_baciga else 3, makes_nine),
        Combination("misery", 0 if has_baciga else 2, seven_or_less),
        Combination("baciga", 2 if has_baciga else 0, nine_or_less, replaced_by="baciga_pairs"),
        Combination("baciga_pairs", options.number("pts_baciga_pairs") if has_baciga else 0, nine_or_less_with_a_pair),
        three_of_a_kind(options.number("pts_three_of_a_kind")),
        sweep_in_hand(options.number("pts_sweep_in_hand")),
    )


def chorizo(options: Options) -> FishingRules:
    """Return the rules of Chorizo, and of Báciga, which differs in its defaults alone."""
    tie_rule, wild_cards = options.word("tie_rule"), WILD_CARDS[options.word("wild_cards")]
    wild_in_layout = options.word("wild_in_layout")
    return FishingRules(
        capture_rule="sum15",
        obligation=options.word("obligation"),
        combos=combinations(options),
        false_declaration=options.word("false_declaration"),
        opening=Opening(fifteen=1, thirty=2, flush=(3, 4) if options.flag("table_flush") else None),
        redeals=(Redeal(1, "same", pile(*wild_cards)),) if wild_in_layout == "redeal" else (),
        items=(
            cards(tie_rule),
            coins(tie_rule),
            seven_of_coins(options.number("pts_seven_of_coins")),
            special("two_of_clubs", "2B", options.number("pts_two_of_clubs")),
            special("one_of_coins", "1O", options.number("pts_one_of_coins")),
            special("twelve_of_coins", "12O", options.number("pts_twelve_of_coins")),
            special("one_of_swords", "1E", options.number("pts_one_of_swords")),
            special("one_of_clubs", "1B", options.number("pts_one_of_clubs")),
            special("seven_of_swords", "7E", options.number("pts_seven_of_swords")),
            all_sevens(options.number("pts_all_sevens")),
            Prime("prime", 1, rule=prime_rule(options), tie_rule=tie_rule),
        ),
        target=options.number("target"),
        last_cards=options.word("last_cards"),
        wild_cards=wild_cards,
        wild_power=options.word("wild_power"),
        wild_in_layout=wild_in_layout,
        wild_on_table=options.word("wild_on_table"),
    )


WILD = ("1O+12O", "7O+12O")
"""The choices of wild cards under which there are any."""
OPTIONS = (
    number("target", 21, minimum=1),
    SIDES_TEAMS,
    only_where(choice("tie_rule", "each_unless_all", "best_untied", "nobody"), sides=(3, 4)),
    choice("declaration_time", "own_turn", "before_first_turn", note=True),
    choice("false_declaration", "each_opponent", "off"),
    OBLIGATION_CARD,
    choice("low_combos", "nine_and_misery", "baciga"),
    choice("pts_three_of_a_kind", 20, 10),
    choice("pts_sweep_in_hand", 0, 1),
    choice("pts_seven_of_coins", 1, 2),
    choice("pts_two_of_clubs", 4, 0),
    choice("pts_one_of_coins", 0, 2, 3),
    choice("pts_twelve_of_coins", 0, 1, 2),
    choice("pts_one_of_swords", 0, 1),
    choice("pts_one_of_clubs", 0, 1),
    choice("pts_seven_of_swords", 0, 1),
    choice("pts_all_sevens", 0, 3, 10),
    choice("wild_cards", "none", "1O+12O", "7O+12O"),
    only_where(choice("wild_power", "rank_free_no_suit", "rank_or_suit"), wild_cards=WILD),
    only_where(choice("wild_in_layout", "natural", "free", "redeal"), wild_cards=WILD),
    only_where(choice("wild_on_table", "free", "natural"), wild_cards=WILD),
    choice("prime_method", "face", "sevens_count", "italian", "half_ace", "seventy"),
    only_where(choice("prime_suits_required", 0, 4), prime_method=BY_BEST_CARDS),
    choice("last_cards", "last_capturer", "nobody"),
    only_where(choice("pts_baciga_pairs", 0, 3), low_combos=("baciga",)),
    flag("table_flush", False),
)

CATSATCARDS = {
    "tie_rule": "best_untied",
    "declaration_time": "before_first_turn",
    "obligation": "free",
    "false_declaration": "off",
}
MONTEVIDEO = {
    "pts_one_of_coins": 2,
    "pts_twelve_of_coins": 2,
    "pts_one_of_swords": 1,
    "pts_one_of_clubs": 1,
    "pts_seven_of_swords": 1,
    "pts_sweep_in_hand": 1,
    "pts_all_sevens": 3,
    "wild_cards": "1O+12O",
}
CAPAGORRY = {
    "low_combos": "baciga",
    "pts_baciga_pairs": 3,
    "table_flush": True,
    "pts_three_of_a_kind": 10,
    "pts_seven_of_coins": 2,
    "pts_twelve_of_coins": 1,
    "wild_cards": "7O+12O",
    "wild_power": "rank_or_suit",
    "wild_in_layout": "redeal",
    "prime_method": "italian",
}

CHORIZO = RuleSet(
    id="chorizo",
    vocabulary="chorizo",
    family="fishing",
    line_ups=WITH_PAIRS,
    options=OPTIONS,
    engine=fishing(chorizo),
    items=(
        "flush",
        "run",
        "three_for_nine",
        "misery",
        "baciga",
        "baciga_pairs",
        "three_of_a_kind",
        "sweep_in_hand",
        "false_declaration",
        "table_sweep",
        "table_flush",
        "sweeps",
        "cards",
        "coins",
        "seven_of_coins",
        "two_of_clubs",
        "one_of_coins",
        "twelve_of_coins",
        "one_of_swords",
        "one_of_clubs",
        "seven_of_swords",
        "all_sevens",
        "prime",
    ),
    presets={"flores": {}, "catsatcards": CATSATCARDS, "montevideo": MONTEVIDEO, "capagorry": CAPAGORRY},
    default_preset="flores",
)

BACIGA = replace(
    CHORIZO,
    id="baciga",
    options=tuple(replace(option, default="baciga") if option.id == "low_combos" else option for option in OPTIONS),
    presets={
        **CHORIZO.presets,
        "catsatcards": {**CATSATCARDS, "pts_baciga_pairs": 3, "table_flush": True},
    },
)
