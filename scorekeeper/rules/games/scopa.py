"""Scopa and its variants, and Chkobba of Tunisia (rules §4.1, §4.2, §4.5)."""

from __future__ import annotations

from dataclasses import replace

from ..cards import CAPTURE_VALUES, QUEEN_BELOW_JACK
from ..fishing.game import FishingGame
from ..fishing.items import Barmila, Prime
from ..fishing.rules import FishingRules, Redeal
from ..options import Opt, Option, choice, flag, number
from ..ruleset import RuleSet
from .parts import KING_REDEAL, PAIRS, PRIME_OF_OPTIONS, SIDES_SOLO, WITH_PAIRS, cards, coins, seven_of_coins

ITEMS = ("sweeps", "cards", "coins", "seven_of_coins", "prime")

RULES = FishingRules(
    capture_rule="rank_else_sum",
    obligation=Opt("obligation"),
    redeals=KING_REDEAL,
    items=(cards(), coins(), seven_of_coins(), Prime("prime", 1, rule=PRIME_OF_OPTIONS)),  # type: ignore[arg-type]
    target=Opt("target"),
    last_play_sweep=Opt("last_play_sweep"),
    check="even",
)

OPTIONS: tuple[Option, ...] = (
    number("target", 11, minimum=1),
    SIDES_SOLO,
    choice("prime_method", "italian", "sevens_count"),
    choice("prime_suits_required", 0, 4),
    choice("obligation", "card", "rank_only"),
    choice("redeal_kings", 2, 3, "off"),
    flag("last_play_sweep", False),
)


def without(options: tuple[Option, ...], *ids: str) -> tuple[Option, ...]:
    """Give the options but some."""
    return tuple(option for option in options if option.id not in ids)


SCOPA = RuleSet(
    id="scopa",
    family="fishing",
    line_ups=WITH_PAIRS,
    options=OPTIONS,
    engine=FishingGame,
    play=RULES,
    items=ITEMS,
    presets={"scopa": {}},
    default_preset="scopa",
)

SCOPA_D_ASSI = replace(
    SCOPA,
    id="scopa_d_assi",
    options=(*OPTIONS, flag("ace_on_ace_sweep", True)),
    engine=FishingGame,
    play=replace(
        RULES, capture_rule="rank_else_sum_ace", check="even_but_aces", ace_on_ace_sweep=Opt("ace_on_ace_sweep")
    ),
    presets={"scopa_d_assi": {}},
    default_preset="scopa_d_assi",
)

SCOPONE = replace(
    SCOPA,
    id="scopone",
    line_ups=PAIRS,
    options=tuple(replace(option, default="teams") if option.id == "sides" else option for option in OPTIONS),
    engine=FishingGame,
    play=replace(RULES, hand_size=9),
    presets={"scopone": {}},
    default_preset="scopone",
)

SCOPONE_SCIENTIFICO = replace(
    SCOPONE,
    id="scopone_scientifico",
    options=tuple(
        replace(option, default=True) if option.id == "last_play_sweep" else option
        for option in without(SCOPONE.options, "redeal_kings")
    ),
    engine=FishingGame,
    play=replace(RULES, hand_size=10, layout_size=0, redeals=()),
    presets={"scopone_scientifico": {}},
    default_preset="scopone_scientifico",
)

SCOPA_DI_QUINDICI = replace(
    SCOPA,
    id="scopa_di_quindici",
    options=tuple(choice("obligation", "card", "free") if option.id == "obligation" else option for option in OPTIONS),
    engine=FishingGame,
    play=replace(RULES, capture_rule="sum15", check="fifteens"),
    presets={"scopa_di_quindici": {}},
    default_preset="scopa_di_quindici",
)

CHKOBBA = RuleSet(
    id="chkobba",
    family="fishing",
    line_ups=((2, 1), (2, 2)),
    options=(
        number("target", 21, 21, 31, 11, minimum=1),
        SIDES_SOLO,
        choice("figure_values", "queen8_jack9", "jack8_queen9"),
        flag("last_play_sweep", True),
        choice("redeal_same_rank", 3, "off"),
    ),
    engine=FishingGame,
    play=FishingRules(
        capture_rule="rank_else_sum",
        obligation="card",
        redeals=Opt("redeal_same_rank", {3: (Redeal(3, "same"),), "off": ()}),
        items=(cards(), coins(), Barmila("barmila", 1), seven_of_coins()),
        target=Opt("target"),
        last_play_sweep=Opt("last_play_sweep"),
        values=Opt("figure_values", {"queen8_jack9": QUEEN_BELOW_JACK, "jack8_queen9": CAPTURE_VALUES}),
        check="even",
    ),
    items=("sweeps", "cards", "coins", "barmila", "seven_of_coins"),
    presets={"chkobba": {}},
    default_preset="chkobba",
)
