"""Escoba of Spain, La escoba with its Chilean and other forms, and Brazil's Escova and Escopa (rules §3)."""

from __future__ import annotations

from ..cards import FULL_PACK
from ..fishing.declarations import Combination, king_and_knight
from ..fishing.game import FishingGame
from ..fishing.items import AtLeast, FewCards, Prime
from ..fishing.primes import PrimeRule
from ..fishing.rules import FishingRules, Opening, Penalty
from ..options import Computed, Opt, choice, flag, number
from ..ruleset import RuleSet
from .parts import (
    ALL_COINS,
    ALL_SEVENS,
    OBLIGATION_CARD,
    OBLIGATION_FREE,
    SIDES_SOLO,
    SIDES_TEAMS,
    WITH_PAIRS,
    all_coins,
    all_sevens,
    cards,
    coins,
    figures,
    flush,
    seven_of_coins,
    sevens,
    sweep_in_hand,
    three_of_a_kind,
)

ESCOBA = RuleSet(
    id="escoba",
    family="fishing",
    line_ups=WITH_PAIRS,
    options=(
        number("target", 21, minimum=1),
        SIDES_SOLO,
        OBLIGATION_FREE,
        choice("pts_table_sweep", 0, 1),
        choice("table_sweep_30", "off", "two_sweeps"),
    ),
    engine=FishingGame,
    play=FishingRules(
        capture_rule="sum15",
        obligation=Opt("obligation"),
        opening=Opening(fifteen=Opt("pts_table_sweep"), thirty=Opt("table_sweep_30", {"off": None, "two_sweeps": 2})),
        items=(cards(), coins(), seven_of_coins(), sevens(superseded_at=ALL_SEVENS), all_sevens(2)),
        target=Opt("target"),
    ),
    items=("table_sweep", "sweeps", "cards", "coins", "seven_of_coins", "sevens", "all_sevens"),
    presets={"escoba": {}},
    default_preset="escoba",
)


def _third_side(options: dict[str, object], sides: int) -> bool:
    return bool(options["three_player_tie_to_third"]) and sides == 3


TIE_OR_THIRD = Computed(
    lambda options, sides, players: "best_untied" if _third_side(dict(options), sides) else options["tie_rule"]
)
"""Cards, coins and prime: with three players, two tied ahead may leave the point to the third."""

CHILEAN_PLAYERS = (3, 4)
"""Players who may take a sweep in hand (decision A30)."""

LA_ESCOBA = RuleSet(
    id="la_escoba",
    family="fishing",
    line_ups=((2, 1), (3, 1), (2, 2), (2, 3), (4, 1)),
    options=(
        number("target", 21, 15, 21, 31, minimum=1),
        choice("winner", "highest", "lowest"),
        SIDES_TEAMS,
        OBLIGATION_CARD,
        choice("renuncio_mode", "forfeit", "table_trick"),
        choice("renuncio_share", "each_other_full", "split"),
        flag("table_trick_sweep", True),
        choice("wrong_capture_mode", "four_plus_sweeps", "as_renuncio", "void_cards", "off"),
        flag("end_check", True),
        choice("tie_rule", "nobody", "each"),
        flag("three_player_tie_to_third", False),
        choice("prime_method", "half_ace", "italian", "seventy", "face", "sevens_count", "off"),
        flag("prime_needs_pip", False),
        flag("prime_needs_seven", False),
        flag("prime_void_if_all_sevens", False),
        choice("pts_figures", 0, 1),
        choice("pts_few_cards", 2, 1, 0),
        choice("all_coins_stack", "instead", "added", "plus_one"),
        choice("all_sevens_stack", "instead", "added", "plus_one"),
        choice("pts_sweep_in_hand", 0, 3),
        choice("pts_table_sweep", 1, 4),
        flag("sweep_must_be_covered", False),
        flag("no_capture_loses", True),
        flag("call_ultimas", True),
        choice("mano16_rule", "off", "on"),
        number("pts_flush", 0),
        number("pts_twenty_in_suit", 0),
        number("pts_three_of_a_kind", 0),
    ),
    engine=FishingGame,
    play=FishingRules(
        capture_rule="sum15",
        obligation=Opt("obligation"),
        combos=(
            flush(Opt("pts_flush")),
            Combination("twenty_in_suit", Opt("pts_twenty_in_suit"), king_and_knight),
            three_of_a_kind(Opt("pts_three_of_a_kind")),
            sweep_in_hand(
                Computed(
                    lambda options, sides, players: (
                        options["pts_sweep_in_hand"] if sides * players in CHILEAN_PLAYERS else 0
                    )
                )
            ),
        ),
        opening=Opening(fifteen=Opt("pts_table_sweep"), thirty=2),
        penalties=(
            Penalty("renuncio", Opt("renuncio_mode")),
            Penalty(
                "wrong_capture",
                Opt(
                    "wrong_capture_mode",
                    {
                        "four_plus_sweeps": "four_plus_sweeps",
                        "as_renuncio": "forfeit",
                        "void_cards": "void_cards",
                        "off": "off",
                    },
                ),
            ),
        ),
        renuncio_share=Opt("renuncio_share"),
        items=(
            cards(tie_rule=TIE_OR_THIRD),
            coins(
                tie_rule=TIE_OR_THIRD,
                superseded_at=Opt("all_coins_stack", {"instead": ALL_COINS, "added": None, "plus_one": None}),
            ),
            all_coins(Opt("all_coins_stack", {"instead": 2, "added": 2, "plus_one": 1})),
            seven_of_coins(),
            sevens(
                tie_rule=Opt("tie_rule"),
                superseded_at=Opt("all_sevens_stack", {"instead": ALL_SEVENS, "added": None, "plus_one": None}),
            ),
            all_sevens(Opt("all_sevens_stack", {"instead": 3, "added": 3, "plus_one": 1})),
            FewCards("few_cards", Opt("pts_few_cards")),
            Prime(
                "prime",
                1,
                rule=Computed(  # type: ignore[arg-type]
                    lambda options, sides, players: PrimeRule(
                        options["prime_method"], 4, options["prime_needs_pip"], options["prime_needs_seven"]
                    )
                ),
                tie_rule=Opt("tie_rule"),
                void_if_all_sevens=Opt("prime_void_if_all_sevens"),
                third_side=Computed(lambda options, sides, players: _third_side(dict(options), sides)),
            ),
            figures(Opt("pts_figures"), tie_rule=Opt("tie_rule")),
        ),
        target=Opt("target"),
        winner=Opt("winner"),
        end_check=Opt("end_check"),
        no_capture_loses=Opt("no_capture_loses"),
    ),
    items=(
        "flush",
        "twenty_in_suit",
        "three_of_a_kind",
        "sweep_in_hand",
        "table_sweep",
        "sweeps",
        "cards",
        "coins",
        "all_coins",
        "seven_of_coins",
        "sevens",
        "all_sevens",
        "few_cards",
        "prime",
        "figures",
        "renuncio",
        "wrong_capture",
    ),
    presets={
        "la_escoba": {},
        "chile": {"pts_sweep_in_hand": 3, "pts_table_sweep": 4, "sweep_must_be_covered": True},
        "desescoba": {"winner": "lowest", "no_capture_loses": False},
        "verdulera": {"target": 20, "pts_flush": 1, "pts_twenty_in_suit": 1, "pts_three_of_a_kind": 1},
    },
    default_preset="la_escoba",
)

ESCOVA = RuleSet(
    id="escova",
    family="fishing",
    line_ups=WITH_PAIRS,
    options=(
        number("target", 31, minimum=1),
        choice("pts_sweeps", 1, 0),
        OBLIGATION_FREE,
        SIDES_SOLO,
        choice("table_sweep", "off", "15_and_30"),
    ),
    engine=FishingGame,
    play=FishingRules(
        capture_rule="sum15",
        obligation=Opt("obligation"),
        opening=Opening(
            fifteen=Opt("table_sweep", {"off": None, "15_and_30": 1}),
            thirty=Opt("table_sweep", {"off": None, "15_and_30": 2}),
        ),
        pts_sweeps=Opt("pts_sweeps"),
        items=(cards(), coins(superseded_at=ALL_COINS), all_coins(2), seven_of_coins()),
        target=Opt("target"),
    ),
    items=("table_sweep", "sweeps", "cards", "coins", "all_coins", "seven_of_coins"),
    presets={"escova": {}},
    default_preset="escova",
)

THRESHOLD = Opt("fifty_cards_at", {40: 40, 50: 50, 30: 30, "off": None})

ESCOPA = RuleSet(
    id="escopa",
    family="fishing",
    line_ups=WITH_PAIRS,
    options=(
        number("target", 11, minimum=1),
        choice("fifty_cards_at", 40, 50, 30, "off"),
        choice("all_coins_stack", "added", "instead"),
        OBLIGATION_FREE,
        SIDES_TEAMS,
    ),
    engine=FishingGame,
    play=FishingRules(
        capture_rule="sum15k",
        obligation=Opt("obligation"),
        opening=Opening(fifteen=1, thirty=2),
        items=(
            AtLeast("fifty_cards", Opt("fifty_cards_at", {40: 2, 50: 2, 30: 2, "off": 0}), of=FULL_PACK, at=THRESHOLD),
            cards(superseded_at=THRESHOLD),
            seven_of_coins(),
            all_sevens(1),
            coins(superseded_at=Opt("all_coins_stack", {"added": None, "instead": ALL_COINS})),
            all_coins(3),
        ),
        target=Opt("target"),
    ),
    items=("table_sweep", "sweeps", "fifty_cards", "cards", "seven_of_coins", "all_sevens", "coins", "all_coins"),
    presets={"escopa": {}},
    default_preset="escopa",
)
