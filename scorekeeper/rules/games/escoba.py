"""Escoba of Spain, La escoba with its Chilean and other forms, and Brazil's Escova and Escopa (docs/rules.md 3)."""

from __future__ import annotations

from ..cards import FULL_PACK
from ..examples import Ended, Example, Faulty, Played, Shown, counted
from ..fishing.declarations import Combination, king_and_knight
from ..fishing.items import AtLeast, FewCards, Item, Prime
from ..fishing.primes import PrimeRule
from ..fishing.rules import FishingRules, Opening, Penalty
from ..options import Options, choice, flag, number, only_where
from ..ruleset import RuleSet
from .parts import (
    A_SUIT_LESS,
    ALL_COINS,
    ALL_SEVENS,
    BY_BEST_CARDS,
    CATS_AT_CARDS,
    FIFTEEN_DEALT,
    FIFTEEN_TAKEN,
    LEVEL,
    OBLIGATION_CARD,
    OBLIGATION_FREE,
    SIDES_SOLO,
    SIDES_TEAMS,
    THREE_SEVENS,
    WITH_ALL_COINS,
    WITH_ALL_SEVENS,
    WITH_PAIRS,
    all_coins,
    all_sevens,
    cards,
    coins,
    figures,
    fishing,
    flush,
    seven_of_coins,
    sevens,
    sweep_in_hand,
    three_of_a_kind,
)

CHILEAN_PLAYERS = (3, 4)
"""Players who may take a sweep in hand (docs/rules.md A30)."""

WRONG_CAPTURE = {
    "four_plus_sweeps": "four_plus_sweeps",
    "as_renuncio": "forfeit",
    "void_cards": "void_cards",
    "off": "off",
}
"""The cost of a wrong capture, by the value of its option."""


def escoba(options: Options) -> FishingRules:
    """Return the rules of Spain's Escoba."""
    return FishingRules(
        capture_rule="sum15",
        obligation=options.word("obligation"),
        opening=Opening(
            fifteen=options.number("pts_table_sweep"),
            thirty=2 if options.word("table_sweep_30") == "two_sweeps" else None,
        ),
        items=(cards(), coins(), seven_of_coins(), sevens(superseded_at=ALL_SEVENS), all_sevens(2)),
        target=options.number("target"),
    )


def la_escoba(options: Options) -> FishingRules:
    """Return the rules of La escoba."""
    return FishingRules(
        capture_rule="sum15",
        obligation=options.word("obligation"),
        combos=(
            flush(options.number("pts_flush")),
            Combination("twenty_in_suit", options.number("pts_twenty_in_suit"), king_and_knight),
            three_of_a_kind(options.number("pts_three_of_a_kind")),
            sweep_in_hand(options.number("pts_sweep_in_hand") if options.players in CHILEAN_PLAYERS else 0),
        ),
        opening=Opening(fifteen=options.number("pts_table_sweep"), thirty=2),
        penalties=(
            Penalty("renuncio", options.word("renuncio_mode")),
            Penalty("wrong_capture", WRONG_CAPTURE[options.word("wrong_capture_mode")]),
        ),
        renuncio_share=options.word("renuncio_share"),
        items=_la_escoba_items(options),
        target=options.number("target"),
        winner=options.word("winner"),
        end_check=options.flag("end_check"),
        no_capture_loses=options.flag("no_capture_loses"),
        says_ultimas=options.flag("call_ultimas"),
        covers_sweeps=options.flag("sweep_must_be_covered"),
        table_trick_sweep=options.flag("table_trick_sweep"),
    )


def _la_escoba_items(options: Options) -> tuple[Item, ...]:
    tie_rule = options.word("tie_rule")
    # With three players, two tied ahead may leave the point for cards, coins and prime to the third.
    third_side = options.flag("three_player_tie_to_third") and options.sides == 3
    tie_or_third = "best_untied" if third_side else tie_rule
    coins_stack, sevens_stack = options.word("all_coins_stack"), options.word("all_sevens_stack")
    return (
        cards(tie_or_third),
        coins(tie_or_third, superseded_at=ALL_COINS if coins_stack == "instead" else None),
        all_coins(1 if coins_stack == "plus_one" else 2),
        seven_of_coins(),
        sevens(tie_rule, superseded_at=ALL_SEVENS if sevens_stack == "instead" else None),
        all_sevens(1 if sevens_stack == "plus_one" else 3),
        FewCards("few_cards", options.number("pts_few_cards")),
        Prime(
            "prime",
            1,
            rule=PrimeRule(
                options.word("prime_method"),
                4,
                options.flag("prime_needs_pip"),
                options.flag("prime_needs_seven"),
            ),
            tie_rule=tie_rule,
            void_if_all_sevens=options.flag("prime_void_if_all_sevens"),
            third_side=third_side,
        ),
        figures(options.number("pts_figures"), tie_rule),
    )


def escova(options: Options) -> FishingRules:
    """Return the rules of Brazil's Escova."""
    has_table_sweep = options.word("table_sweep") == "15_and_30"
    return FishingRules(
        capture_rule="sum15",
        obligation=options.word("obligation"),
        opening=Opening(fifteen=1, thirty=2) if has_table_sweep else Opening(),
        pts_sweeps=options.number("pts_sweeps"),
        items=(cards(), coins(superseded_at=ALL_COINS), all_coins(2), seven_of_coins()),
        target=options.number("target"),
    )


def escopa(options: Options) -> FishingRules:
    """Return the rules of Brazil's Escopa."""
    many = options.number_or_off("fifty_cards_at")
    return FishingRules(
        capture_rule="sum15k",
        obligation=options.word("obligation"),
        opening=Opening(fifteen=1, thirty=2),
        items=(
            AtLeast("fifty_cards", 0 if many is None else 2, of=FULL_PACK, at=many),
            cards(superseded_at=many),
            seven_of_coins(),
            all_sevens(1),
            coins(superseded_at=ALL_COINS if options.word("all_coins_stack") == "instead" else None),
            all_coins(3),
        ),
        target=options.number("target"),
    )


OF_ESCOBA: tuple[Example, ...] = (
    *FIFTEEN_DEALT,
    *FIFTEEN_TAKEN,
    WITH_ALL_SEVENS,
    Ended(counted("sevens", 3, 1), ("sevens",)),
    Ended(counted("sevens", 2, 2), ("sevens",)),
    *LEVEL,
)
OF_LA_ESCOBA: tuple[Example, ...] = (
    *FIFTEEN_DEALT,
    *FIFTEEN_TAKEN,
    Shown("1C 12C 4E", item="sweep_in_hand"),
    Shown("11B 12B 5O", item="twenty_in_suit"),
    THREE_SEVENS,
    A_SUIT_LESS,
    WITH_ALL_SEVENS,
    WITH_ALL_COINS,
    Ended(counted("cards", 31, 9), ("cards", "few_cards")),
    *LEVEL,
    Faulty(
        {"penalties": [{"item": "wrong_capture", "side": "A"}], "sweeps": {"A": 1, "B": 2}}, ("sweeps", "wrong_capture")
    ),
)
OF_ESCOPA: tuple[Example, ...] = (
    *FIFTEEN_DEALT,
    Played("12O 11C 3E", "10B"),
    Played("12O 12C 11E 10O", "10B"),
    WITH_ALL_COINS,
    WITH_ALL_SEVENS,
    *LEVEL,
)

ESCOBA = RuleSet(
    id="escoba",
    sources=(CATS_AT_CARDS,),
    examples=OF_ESCOBA,
    family="fishing",
    line_ups=WITH_PAIRS,
    options=(
        number("goal", "target", 21, minimum=1),
        SIDES_SOLO,
        OBLIGATION_FREE,
        choice("points", "pts_table_sweep", 0, 1),
        choice("points", "table_sweep_30", "off", "two_sweeps"),
    ),
    engine=fishing(escoba),
    items=("table_sweep", "sweeps", "cards", "coins", "seven_of_coins", "sevens", "all_sevens"),
    presets={"escoba": {}},
    default_preset="escoba",
)


LA_ESCOBA = RuleSet(
    id="la_escoba",
    sources=("La escoba: reglas, tanteo y variantes",),
    first_dealer="highest",
    examples=OF_LA_ESCOBA,
    family="fishing",
    line_ups=((2, 1), (3, 1), (2, 2), (2, 3), (4, 1)),
    options=(
        number("goal", "target", 21, 15, 21, 31, minimum=1),
        choice("end", "winner", "highest", "lowest"),
        SIDES_TEAMS,
        OBLIGATION_CARD,
        only_where(choice("taking", "renuncio_mode", "forfeit", "table_trick"), obligation=("card",)),
        only_where(choice("taking", "renuncio_share", "each_other_full", "split"), sides=(3, 4)),
        only_where(flag("points", "table_trick_sweep", True, note=True), renuncio_mode=("table_trick",)),
        choice("taking", "wrong_capture_mode", "four_plus_sweeps", "as_renuncio", "void_cards", "off"),
        flag("end", "end_check", True),
        choice("end", "tie_rule", "nobody", "each"),
        only_where(flag("end", "three_player_tie_to_third", False), sides=(3,)),
        choice("points", "prime_method", "half_ace", "italian", "seventy", "face", "sevens_count", "off"),
        only_where(flag("points", "prime_needs_pip", False), prime_method=BY_BEST_CARDS),
        only_where(flag("points", "prime_needs_seven", False), prime_method=BY_BEST_CARDS),
        only_where(flag("points", "prime_void_if_all_sevens", False), prime_method=(*BY_BEST_CARDS, "sevens_count")),
        choice("points", "pts_figures", 0, 1),
        choice("points", "pts_few_cards", 2, 1, 0),
        choice("points", "all_coins_stack", "instead", "added", "plus_one"),
        choice("points", "all_sevens_stack", "instead", "added", "plus_one"),
        only_where(choice("points", "pts_sweep_in_hand", 0, 3), players=(3, 4)),
        choice("points", "pts_table_sweep", 1, 4),
        flag("taking", "sweep_must_be_covered", False, note=True),
        only_where(flag("taking", "no_capture_loses", True), sides=(2,)),
        flag("taking", "call_ultimas", True),
        choice("taking", "mano16_rule", "off", "on", note=True),
        number("points", "pts_flush", 0),
        number("points", "pts_twenty_in_suit", 0),
        number("points", "pts_three_of_a_kind", 0),
    ),
    engine=fishing(la_escoba),
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
    cards="french",
    vocabularies=("escopa",),
    id="escova",
    sources=(CATS_AT_CARDS,),
    examples=(*FIFTEEN_DEALT, *FIFTEEN_TAKEN, WITH_ALL_COINS, *LEVEL),
    family="fishing",
    line_ups=WITH_PAIRS,
    options=(
        number("goal", "target", 31, minimum=1),
        choice("points", "pts_sweeps", 1, 0),
        OBLIGATION_FREE,
        SIDES_SOLO,
        choice("points", "table_sweep", "off", "15_and_30"),
    ),
    engine=fishing(escova),
    items=("table_sweep", "sweeps", "cards", "coins", "all_coins", "seven_of_coins"),
    presets={"escova": {}},
    default_preset="escova",
)

ESCOPA = RuleSet(
    cards="french",
    id="escopa",
    sources=(CATS_AT_CARDS,),
    examples=OF_ESCOPA,
    family="fishing",
    line_ups=WITH_PAIRS,
    options=(
        number("goal", "target", 11, minimum=1),
        choice("points", "fifty_cards_at", 40, 50, 30, "off"),
        choice("points", "all_coins_stack", "added", "instead"),
        OBLIGATION_FREE,
        SIDES_TEAMS,
    ),
    engine=fishing(escopa),
    items=("table_sweep", "sweeps", "fifty_cards", "cards", "seven_of_coins", "all_sevens", "coins", "all_coins"),
    presets={"escopa": {}},
    default_preset="escopa",
)
