"""The free pad for any other game (docs/rules.md 5.3)."""

from __future__ import annotations

from ..free import FreeGame
from ..options import choice, number, upfront
from ..ruleset import RuleSet

FREE = RuleSet(
    id="free",
    family="free",
    cards="french",
    line_ups=(*((sides, 1) for sides in range(2, 11)), (2, 2), (3, 2), (2, 3)),
    options=(
        upfront(number("goal", "target", None, minimum=1, nullable=True)),
        upfront(choice("end", "winner", "highest", "lowest")),
        upfront(choice("end", "count", "rounds", "at_once")),
        number("goal", "rounds", None, minimum=1, nullable=True),
        choice("derived", "end", "manual", "target", "rounds"),
        choice("end", "tie", "extra_round", "shared"),
        number("end", "round_sum", None, minimum=-1_000_000, nullable=True),
    ),
    engine=FreeGame,
    items=("points",),
    presets={"free": {}, "truco": {"target": 30, "end": "target", "count": "at_once"}},
    default_preset="free",
    form_values={"free": {"count": "at_once"}},
    said_in_halves=("truco",),
)
