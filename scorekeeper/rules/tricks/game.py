"""A game of the Brisca family at one table, ready to score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from .. import schema
from ..problems import Problems, check_fields
from ..ruleset import Ending, TableRules
from ..sheet import Line, Sheet
from .pack import FIXED_CYCLE
from .reading import Reading
from .table import TrickTable, Variant

DEAL_FIELDS = frozenset(
    {"dealer", "trump", "piles", "rest", "card_points", "counts", "marriages", "last_trick", "bid", "partner"}
    | {"three_killed", "awards", "points"}
)


class TrickGame(TrickTable):
    """A game of the Brisca family at one table."""

    by_number: ClassVar[bool] = True
    deal_fields: ClassVar[frozenset[str]] = DEAL_FIELDS

    def __init__(self, table: TableRules, variant: Variant) -> None:
        super().__init__(table, variant)
        mode = table.options["match_mode"]
        if mode != "game_points":
            self.ending = Ending(rounds=len(FIXED_CYCLE), counts_wins=mode == "cycle_victories")
        else:
            self.ending = Ending(target=500 if self.scores_card_points else table.options[variant.target])

    @property
    def reads_points(self) -> bool:
        """True if the table itself decides the points of each player of a called deal."""
        return self.decider.reads_points

    def check_round(self, named: object, number: int, problems: Problems) -> None:
        """Deals of the Brisca family are not named by round."""

    def score(self, deal: Mapping[str, object], number: int = 0) -> Sheet:
        """Return the sheet of one deal; raises ``Malformed`` where a type is wrong.

        ``number`` counts the deals of the match from 0: with a fixed cycle it decides the trump.
        """
        problems = Problems()
        sheet = Sheet(self.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        schema.side(deal.get("dealer"), "dealer", self.sides, problems)
        reading = Reading(self, deal, number, problems)
        lines = reading.lines()
        if problems.fatal:
            return sheet
        read = reading.read()
        if reading.killer is not None and not self.scores_card_points:
            read.believes(reading.killer)
            lines.append(Line("game_point", read.to(reading.killer, 1), "three_killed", None, "said"))
        elif not self.scores_card_points:
            lines += self.decider.lines(read)
        if problems.fatal:
            return sheet
        sheet.lines = lines
        sheet.points = tuple(
            sum(line.points[side] for line in lines if line.points is not None) for side in self.positions
        )
        undecided = [line.item for line in lines if line.points is None]
        if undecided:
            sheet.ask = self.decider.ask(read, undecided)
        return sheet
