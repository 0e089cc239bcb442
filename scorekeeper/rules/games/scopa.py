"""Scopa and its variants, and Chkobba of Tunisia (docs/rules.md 4.1, 4.2, 4.5)."""

from __future__ import annotations

from dataclasses import replace

from ..cards import CAPTURE_VALUES, QUEEN_BELOW_JACK
from ..examples import Dealt, Ended, Example, Played
from ..fishing.items import Barmila, Prime
from ..fishing.rules import FishingRules, Redeal
from ..options import Option, Options, choice, flag, number, only_where
from ..ruleset import RuleSet
from .parts import (
    A_SUIT_LESS,
    CATS_AT_CARDS,
    FIFTEEN_TAKEN,
    LEVEL,
    PAIRS,
    SIDES_SOLO,
    THREE_SEVENS,
    WITH_PAIRS,
    cards,
    coins,
    fishing,
    king_redeal,
    prime_rule,
    seven_of_coins,
)

ITEMS = ("sweeps", "cards", "coins", "seven_of_coins", "prime")


def scopa_on_any_table(options: Options) -> FishingRules:
    """Return the rules of Scopa without those about the opening cards, which not all its variants deal."""
    return FishingRules(
        capture_rule="rank_else_sum",
        obligation=options.word("obligation"),
        items=(cards(), coins(), seven_of_coins(), Prime("prime", 1, rule=prime_rule(options))),
        target=options.number("target"),
        last_play_sweep=options.flag("last_play_sweep"),
        check="even",
    )


def scopa(options: Options) -> FishingRules:
    """Return the rules of Scopa."""
    return replace(scopa_on_any_table(options), redeals=king_redeal(options))


def scopa_d_assi(options: Options) -> FishingRules:
    """Return the rules of Scopa d'Assi: an ace takes the whole table."""
    return replace(
        scopa(options),
        capture_rule="rank_else_sum_ace",
        check="even_but_aces",
        ace_on_ace_sweep=options.flag("ace_on_ace_sweep"),
    )


def scopone(options: Options) -> FishingRules:
    """Return the rules of Scopone: nine cards each."""
    return replace(scopa(options), hand_size=9)


def scopone_scientifico(options: Options) -> FishingRules:
    """Return the rules of Scopone scientifico: ten cards each, and an empty table."""
    return replace(scopa_on_any_table(options), hand_size=10, layout_size=0)


def scopa_di_quindici(options: Options) -> FishingRules:
    """Return the rules of Scopa di quindici: captures make fifteen."""
    return replace(scopa(options), capture_rule="sum15", check="fifteens")


def chkobba(options: Options) -> FishingRules:
    """Return the rules of Chkobba."""
    alike = options.number_or_off("redeal_same_rank")
    return FishingRules(
        capture_rule="rank_else_sum",
        obligation="card",
        redeals=() if alike is None else (Redeal(alike, "same"),),
        items=(cards(), coins(), Barmila("barmila", 1), seven_of_coins()),
        target=options.number("target"),
        last_play_sweep=options.flag("last_play_sweep"),
        values=QUEEN_BELOW_JACK if options.word("figure_values") == "queen8_jack9" else CAPTURE_VALUES,
        check="even",
    )


OPTIONS: tuple[Option, ...] = (
    number("goal", "target", 11, 11, 16, 21, minimum=1),
    SIDES_SOLO,
    choice("points", "prime_method", "italian", "sevens_count"),
    only_where(choice("points", "prime_suits_required", 0, 4, default=4), prime_method=("italian",)),
    choice("taking", "obligation", "card", "rank_only"),
    choice("cards", "redeal_kings", 2, 3, "off"),
    flag("taking", "last_play_sweep", False),
)


def without(options: tuple[Option, ...], *ids: str) -> tuple[Option, ...]:
    """Return the options without those of these ids."""
    return tuple(option for option in options if option.id not in ids)


KINGS = Dealt("12O 12C 3E 5B")
EQUAL_OR_SUM: tuple[Example, ...] = (
    Played("7O 3C 4E", "7B"),
    Played("7O 7B", "7E"),
    Played("5O 2C 4E 3B", "7E"),
    Played("5O 2C", "7E", last_play=True),
)
OF_SCOPA: tuple[Example, ...] = (
    THREE_SEVENS,
    A_SUIT_LESS,
    *LEVEL,
)

SCOPA = RuleSet(
    cards="italian",
    id="scopa",
    sources=(CATS_AT_CARDS,),
    first_dealer="highest",
    examples=(KINGS, *EQUAL_OR_SUM, *OF_SCOPA),
    vocabularies=("scopa",),
    family="fishing",
    line_ups=WITH_PAIRS,
    options=OPTIONS,
    engine=fishing(scopa),
    items=ITEMS,
    presets={"scopa": {}},
    default_preset="scopa",
)

SCOPA_D_ASSI = replace(
    SCOPA,
    id="scopa_d_assi",
    examples=(
        KINGS,
        Played("12O 5C 3E", "1B"),
        Played("12O 1C 3E", "1B"),
        Played("1C", "1B"),
        *EQUAL_OR_SUM[:1],
        *OF_SCOPA,
    ),
    options=(*OPTIONS, flag("taking", "ace_on_ace_sweep", True)),
    engine=fishing(scopa_d_assi),
    presets={"scopa_d_assi": {}},
    default_preset="scopa_d_assi",
)

SCOPONE = replace(
    SCOPA,
    id="scopone",
    line_ups=PAIRS,
    options=tuple(replace(option, default="teams") if option.id == "sides" else option for option in OPTIONS),
    engine=fishing(scopone),
    presets={"scopone": {}},
    default_preset="scopone",
)

SCOPONE_SCIENTIFICO = replace(
    SCOPONE,
    id="scopone_scientifico",
    examples=(*EQUAL_OR_SUM, *OF_SCOPA),
    options=tuple(
        replace(option, default=True) if option.id == "last_play_sweep" else option
        for option in without(SCOPONE.options, "redeal_kings")
    ),
    engine=fishing(scopone_scientifico),
    presets={"scopone_scientifico": {}},
    default_preset="scopone_scientifico",
)

SCOPA_DI_QUINDICI = replace(
    SCOPA,
    id="scopa_di_quindici",
    examples=(KINGS, *FIFTEEN_TAKEN, *OF_SCOPA),
    options=tuple(
        choice("taking", "obligation", "card", "free") if option.id == "obligation" else option for option in OPTIONS
    ),
    engine=fishing(scopa_di_quindici),
    presets={"scopa_di_quindici": {}},
    default_preset="scopa_di_quindici",
)

CHKOBBA = RuleSet(
    cards="french",
    id="chkobba",
    sources=(CATS_AT_CARDS,),
    cutter_looks=True,
    examples=(
        Dealt("5O 5C 5E 2B"),
        Played("11O 1C", "10E"),
        *EQUAL_OR_SUM[:3],
        Ended({"counts": {"A": {"sevens": 2, "sixes": 3}}}, ("barmila",), bare=("barmila",)),
        Ended({"counts": {"A": {"sevens": 2, "sixes": 2}}}, ("barmila",), bare=("barmila",)),
        *LEVEL[:1],
    ),
    family="fishing",
    line_ups=((2, 1), (2, 2)),
    options=(
        number("goal", "target", 21, 21, 31, 11, minimum=1),
        SIDES_SOLO,
        choice("cards", "figure_values", "queen8_jack9", "jack8_queen9"),
        flag("taking", "last_play_sweep", True),
        choice("cards", "redeal_same_rank", 3, "off"),
    ),
    engine=fishing(chkobba),
    items=("sweeps", "cards", "coins", "barmila", "seven_of_coins"),
    presets={"chkobba": {}},
    default_preset="chkobba",
)
