"""Chorizo and Báciga, the fishing games of Uruguay (docs/rules.md 2)."""

from __future__ import annotations

from dataclasses import replace

from ..examples import Compared, Dealt, Example, Faulty, Shown
from ..fishing.declarations import Combination, Hand, has_pair, in_sequence, total
from ..fishing.items import Prime
from ..fishing.rules import FishingRules, Opening, Redeal
from ..options import Options, choice, flag, number, only_where
from ..ruleset import RuleSet
from .parts import (
    A_SUIT_LESS,
    BY_BEST_CARDS,
    CATS_AT_CARDS,
    FIFTEEN_DEALT,
    FIFTEEN_TAKEN,
    LEVEL,
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
        Combination("run", 3, in_sequence, near="run"),
        Combination("three_for_nine", 0 if has_baciga else 3, makes_nine, near=9),
        Combination("misery", 0 if has_baciga else 2, seven_or_less, near=7),
        Combination("baciga", 2 if has_baciga else 0, nine_or_less, replaced_by="baciga_pairs", near=9),
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
        declares_before_play=options.word("declaration_time") == "before_first_turn",
    )


WILD = ("1O+12O", "7O+12O")
"""The choices of wild cards under which there are any."""
OPTIONS = (
    number("goal", "target", 21, minimum=1),
    SIDES_TEAMS,
    only_where(choice("end", "tie_rule", "each_unless_all", "best_untied", "nobody"), sides=(3, 4)),
    choice("points", "declaration_time", "own_turn", "before_first_turn", note=True),
    choice("points", "false_declaration", "each_opponent", "off"),
    OBLIGATION_CARD,
    choice("cards", "low_combos", "nine_and_misery", "baciga"),
    choice("points", "pts_three_of_a_kind", 20, 10),
    choice("points", "pts_sweep_in_hand", 0, 1),
    choice("points", "pts_seven_of_coins", 1, 2),
    choice("points", "pts_two_of_clubs", 4, 0),
    choice("points", "pts_one_of_coins", 0, 2, 3),
    choice("points", "pts_twelve_of_coins", 0, 1, 2),
    choice("points", "pts_one_of_swords", 0, 1),
    choice("points", "pts_one_of_clubs", 0, 1),
    choice("points", "pts_seven_of_swords", 0, 1),
    choice("points", "pts_all_sevens", 0, 3, 10),
    choice("cards", "wild_cards", "none", "1O+12O", "7O+12O"),
    only_where(choice("cards", "wild_power", "rank_free_no_suit", "rank_or_suit"), wild_cards=WILD),
    only_where(choice("cards", "wild_in_layout", "natural", "free", "redeal"), wild_cards=WILD),
    only_where(choice("cards", "wild_on_table", "free", "natural"), wild_cards=WILD),
    choice("points", "prime_method", "face", "sevens_count", "italian", "half_ace", "seventy"),
    only_where(choice("points", "prime_suits_required", 0, 4), prime_method=BY_BEST_CARDS),
    choice("taking", "last_cards", "last_capturer", "nobody"),
    only_where(choice("points", "pts_baciga_pairs", 0, 3), low_combos=("baciga",)),
    flag("points", "table_flush", False),
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

FALSE_CALL = {"declarations": [{"side": "A", "cards": ["2O", "5C", "6O"], "items": ["flush"]}]}
OF_CHORIZO: tuple[Example, ...] = (
    *FIFTEEN_DEALT,
    Dealt("2O 4O 5O 7O"),
    *FIFTEEN_TAKEN,
    Shown("1B 2B 3B"),
    Shown("3O 3C 3E"),
    Shown("6O 7C 10E"),
    Shown("1O 3C 4C"),
    Shown("2O 3C 3E", item="baciga"),
    Shown("1C 12C 4E", item="sweep_in_hand"),
    Shown("3C 3B 12O", wild="12O"),
    Compared(("7O 6C 6E 5B", "2O 7C 7E 7B")),
    A_SUIT_LESS,
    *LEVEL,
    *(Faulty(FALSE_CALL, ("false_declaration",), sides=sides, bare=("false_declaration",)) for sides in (2, 3)),
)

CHORIZO = RuleSet(
    id="chorizo",
    sources=("Mateo Molina: Chorizo, Báciga", "J. Capagorry: El juego es cosa seria (1979)", CATS_AT_CARDS),
    examples=OF_CHORIZO,
    vocabularies=("chorizo",),
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
