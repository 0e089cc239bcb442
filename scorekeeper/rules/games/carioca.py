"""Carioca as Perla's table plays it (docs/rules.md 5.2)."""

from __future__ import annotations

from ..examples import Ended, Example
from ..options import Option, choice
from ..ruleset import RuleSet
from ..rummy import ROUNDS, RummyGame, read_extra_rounds, read_values

AT_ONCE = ("out_at_once", "perfect_cut")
OF_CARIOCA: tuple[Example, ...] = tuple(
    example
    for players in range(2, 10)
    for example in (
        Ended(
            {
                "went_out": "A",
                "left": {"B": ["K", "5", "A"], **{label: ["7"] for label in "CDEFGHI"[: players - 2]}},
                "steals": {"B": 2},
            },
            ("hand_cards", "steal"),
            sides=players,
        ),
        Ended(
            {"out_at_once": "A", "perfect_cut": "A"},
            ("out_at_once", "perfect_cut"),
            sides=players,
            bare=("out_at_once", "perfect_cut"),
        ),
    )
)

CARIOCA = RuleSet(
    id="carioca",
    sources=("Wikipedia: Carioca (card game)",),
    first_dealer="lowest",
    examples=OF_CARIOCA,
    family="rummy",
    cards="french",
    line_ups=tuple((players, 1) for players in range(2, 10)),
    options=(
        Option("cards", "card_values", ("standard",), "standard", table=read_values),
        choice("cards", "low_cards", "face", "five"),
        choice("points", "pts_perfect_cut", -10, 0),
        choice("points", "pts_steal", 2, 0),
        choice("points", "pts_out_at_once", -30, 0),
        Option("goal", "rounds", tuple(range(len(ROUNDS), 0, -1)), len(ROUNDS), table=read_extra_rounds),
    ),
    engine=RummyGame,
    items=("hand_cards", "went_out", "out_at_once", "perfect_cut", "steal"),
    presets={"carioca": {}},
    default_preset="carioca",
)
