"""Carioca as Perla's table plays it (docs/rules.md 5.2)."""

from __future__ import annotations

from ..options import Option, choice
from ..ruleset import RuleSet
from ..rummy import ROUNDS, RummyGame, read_extra_rounds, read_values

CARIOCA = RuleSet(
    id="carioca",
    family="rummy",
    line_ups=tuple((players, 1) for players in range(2, 10)),
    options=(
        Option("card_values", ("standard",), "standard", table=read_values),
        choice("low_cards", "face", "five"),
        choice("pts_perfect_cut", -10, 0),
        choice("pts_steal", 2, 0),
        choice("pts_out_at_once", -30, 0),
        Option("rounds", tuple(range(len(ROUNDS), 0, -1)), len(ROUNDS), table=read_extra_rounds),
    ),
    engine=RummyGame,
    items=("hand_cards", "went_out", "out_at_once", "perfect_cut", "steal"),
    presets={"carioca": {}},
    default_preset="carioca",
)
