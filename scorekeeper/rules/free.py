"""The free pad: plain points for any game (docs/rules.md 5.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from . import schema
from .points import read_points, with_points
from .problems import Problems, check_fields
from .ruleset import Ending, TableRules
from .sheet import Sheet

DEAL_FIELDS = frozenset({"dealer", "points"})


class FreeGame:
    """The free pad at one table."""

    by_number: ClassVar[bool] = False
    deal_fields: ClassVar[frozenset[str]] = DEAL_FIELDS
    reads_points: ClassVar[bool] = True

    def __init__(self, table: TableRules) -> None:
        self.sides = table.sides
        options = table.options
        self.round_sum: int | None = options["round_sum"]
        self.ending = Ending(
            target=options["target"] if options["end"] == "target" else None,
            rounds=options["rounds"] if options["end"] == "rounds" else None,
            winner=options["winner"],
            tie=options["tie"],
            counts_at_once=options["count"] == "at_once",
        )

    def item_ids(self) -> tuple[str, ...]:
        """Return the one item."""
        return ("points",)

    def check_round(self, named: object, number: int, problems: Problems) -> None:
        """Check nothing: rounds of the pad are all alike."""

    def points_noted(self, deal: Mapping[str, object]) -> tuple[int, ...]:
        """Return the points that notes already give each side: just those noted."""
        given = schema.by_side(deal.get("points"), "points", self.sides, Problems())
        return tuple(schema.integer(given.get(label, 0), f"points.{label}") for label in self.sides)

    def score(self, deal: Mapping[str, object], number: int = 0) -> Sheet:
        """Return the sheet of one round: the points each side is given.

        With a fixed sum the last side's points follow from the others'. Raises ``Malformed`` if a type is wrong.
        """
        problems = Problems()
        sheet = Sheet(self.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        schema.side(deal.get("dealer"), "dealer", self.sides, problems)
        given = read_points(deal.get("points"), self.sides, problems)
        missing = [label for label in self.sides if label not in given]
        if self.round_sum is not None:
            if len(missing) == 1:
                given[missing.pop()] = self.round_sum - sum(given.values())
            elif not missing and sum(given.values()) != self.round_sum:
                total = sum(given.values())
                problems.error(
                    "points_sum",
                    "points",
                    f"These points add up to {total}; a round has {self.round_sum}.",
                    count=total,
                    most=self.round_sum,
                )
        return with_points(sheet, given)
