"""Chorizo and Báciga, the fishing games of Uruguay (rules §2)."""

from __future__ import annotations

from dataclasses import replace

from ..fishing.declarations import Combination, has_pair, in_sequence, total
from ..fishing.game import FishingGame
from ..fishing.items import AtLeast, Prime
from ..fishing.rules import FishingRules, Opening, Redeal
from ..options import Computed, Opt, choice, flag, number
from ..ruleset import RuleSet
from .parts import (
    OBLIGATION_CARD,
    PRIME_OF_OPTIONS,
    SIDES_TEAMS,
    WITH_PAIRS,
    all_sevens,
    cards,
    coins,
    flush,
    pile,
    seven_of_coins,
    special,
    sweep_in_hand,
    three_of_a_kind,
)

WILD_CARDS = {"none": (), "1O+12O": ("1O", "12O"), "7O+12O": ("7O", "12O")}
TIE = Opt("tie_rule")

COMBINATIONS = (
    flush(3),
    Combination("run", 3, in_sequence),
    Combination(
        "three_for_nine", Opt("low_combos", {"nine_and_misery": 3, "baciga": 0}), lambda hand: total(hand) == 9
    ),
    Combination("misery", Opt("low_combos", {"nine_and_misery": 2, "baciga": 0}), lambda hand: total(hand) <= 7),
    Combination(
        "baciga",
        Opt("low_combos", {"nine_and_misery": 0, "baciga": 2}),
        lambda hand: total(hand) <= 9,
        replaced_by="baciga_pairs",
    ),
    Combination(
        "baciga_pairs",
        Opt("low_combos", {"nine_and_misery": 0, "baciga": Opt("pts_baciga_pairs")}),
        lambda hand: total(hand) <= 9 and has_pair(hand),
    ),
    three_of_a_kind(Opt("pts_three_of_a_kind")),
    sweep_in_hand(Opt("pts_sweep_in_hand")),
)

RULES = FishingRules(
    capture_rule="sum15",
    obligation=Opt("obligation"),
    combos=COMBINATIONS,
    false_declaration=Opt("false_declaration"),
    opening=Opening(fifteen=1, thirty=2, flush=Opt("table_flush", {True: (3, 4), False: None})),
    redeals=Computed(
        lambda options, sides, players: (
            (Redeal(1, "same", pile(*WILD_CARDS[options["wild_cards"]])),)
            if options["wild_in_layout"] == "redeal"
            else ()
        )
    ),
    items=(
        cards(tie_rule=TIE),
        coins(tie_rule=TIE),
        seven_of_coins(Opt("pts_seven_of_coins")),
        AtLeast("two_of_clubs", Opt("pts_two_of_clubs"), of=pile("2B")),
        special("one_of_coins", "1O"),
        special("twelve_of_coins", "12O"),
        special("one_of_swords", "1E"),
        special("one_of_clubs", "1B"),
        special("seven_of_swords", "7E"),
        all_sevens(Opt("pts_all_sevens")),
        Prime("prime", 1, rule=PRIME_OF_OPTIONS, tie_rule=TIE),  # type: ignore[arg-type]
    ),
    target=Opt("target"),
    last_cards=Opt("last_cards"),
    wild_cards=Opt("wild_cards", WILD_CARDS),
    wild_power=Opt("wild_power"),
    wild_in_layout=Opt("wild_in_layout"),
    wild_on_table=Opt("wild_on_table"),
)

OPTIONS = (
    number("target", 21, minimum=1),
    SIDES_TEAMS,
    choice("tie_rule", "each_unless_all", "best_untied", "nobody"),
    choice("declaration_time", "own_turn", "before_first_turn"),
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
    choice("wild_power", "rank_free_no_suit", "rank_or_suit"),
    choice("wild_in_layout", "natural", "free", "redeal"),
    choice("wild_on_table", "free", "natural"),
    choice("prime_method", "face", "sevens_count", "italian", "half_ace", "seventy"),
    choice("prime_suits_required", 0, 4),
    choice("last_cards", "last_capturer", "nobody"),
    choice("pts_baciga_pairs", 0, 3),
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
    family="fishing",
    line_ups=WITH_PAIRS,
    options=OPTIONS,
    engine=FishingGame,
    play=RULES,
    items=(
        *(combo.id for combo in COMBINATIONS),
        "false_declaration",
        "table_sweep",
        "table_flush",
        "sweeps",
        *(item.id for item in RULES.items),
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
