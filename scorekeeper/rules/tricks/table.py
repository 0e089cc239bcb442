"""A game of tricks at one table, as far as reading and deciding its deals need it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..options import Options
from ..ruleset import TableRules
from .deciders import Decider, MostPoints
from .pack import VALUE_TABLES, pack_of


def by_most(options: Options) -> Decider:
    """Return the rule that most card points win, as a table plays it."""
    return MostPoints(options["pts_over_hundred"] == 2)


@dataclass(frozen=True)
class Variant:
    """The changes of a preset beyond its options."""

    decider: Callable[[Options], Decider] = by_most
    """The function that makes the rule by which a deal is decided, from what the table agreed on."""
    target: str = "match_to"
    """The option with the number at which the match ends."""
    marriages: str = ""
    """The marriages that count: ``all``, only that in ``trumps``, or none (empty)."""
    last_trick: bool = False
    three_killed: bool = False
    face_up: bool = False
    """True if the hands lie open."""
    called: str = ""
    """When a caller names trumps and the partner's card: ``at_once``, ``after_first_trick`` or ``at_play``."""
    hand: int = 3
    """The cards that each player is dealt at first."""
    apart: int = 0
    """The cards that lie apart and are nobody's."""


class TrickTable:
    """The rules for reading a deal at one table."""

    def __init__(self, table: TableRules, variant: Variant) -> None:
        self.variant = variant
        self.sides = table.sides
        self.positions = range(len(table.sides))
        self.players = len(table.sides) * table.players_per_side
        self.options = table.options
        self.pack_size: int = table.options["pack"]
        self.pack = pack_of(self.pack_size)
        self.values = VALUE_TABLES[table.options["value_table"]]
        self.decider = variant.decider(table.options)
        self.scores_card_points = table.options["match_mode"] == "cycle_points" or (
            variant.marriages == "all" and table.options["mariaje_match"] == "sum_to_500"
        )

    def item_ids(self) -> tuple[str, ...]:
        """Return the items that can have a line at this table."""
        ids = ["card_points"]
        if self.variant.marriages:
            ids.append("marriage")
        if self.variant.last_trick:
            ids.append("last_trick")
        if self.decider.bids or not self.scores_card_points:
            ids += self.decider.items
        return tuple(ids)
