"""What each item of a table gives, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ... import rules
from ...rules.fishing.game import FishingGame
from ...rules.fishing.rules import FishingRules


def points_of(table: rules.TableRules) -> list[tuple[str, str]]:
    """Return what can score at a table, each with its points in words; nothing where they are not one number."""
    known = []
    for item, points in rules.item_points(table):
        shown = table.options.get(f"pts_{item}") if points is None else points
        if isinstance(table.game, FishingGame):
            shown = _opening_points(table.game.rules).get(item, shown)
        known.append((item, "" if shown is None else str(shown)))
    return known


def _opening_points(agreed: FishingRules) -> Mapping[str, str]:
    opening = agreed.opening
    sums = [points for points in (opening.fifteen, opening.thirty) if points]
    return {
        "table_sweep": " / ".join(map(str, sums)),
        "table_flush": " / ".join(map(str, opening.flush or ())),
    }
