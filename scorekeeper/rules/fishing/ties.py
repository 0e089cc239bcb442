"""Tie rules: who scores when the top value is shared (docs/rules.md 0)."""

from __future__ import annotations

from collections.abc import Sequence

from ..cards import Position


def leaders(values: Sequence[int | None]) -> tuple[Position, ...]:
    """Return the positions that share the highest value; empty if no side is eligible (None) or has any."""
    top = max((value for value in values if value is not None), default=0)
    if top <= 0:
        return ()
    return tuple(position for position, value in enumerate(values) if value == top)


def scorers(values: Sequence[int | None], tie_rule: str) -> tuple[Position, ...]:
    """Return the positions that score; ``values`` has one for each side, None if a side is not eligible.

    A tie leaves the item to ``nobody``, to ``each`` of the leaders, to ``each_unless_all`` sides are level, or to
    the ``best_untied`` side behind them.
    """
    top = leaders(values)
    if len(top) <= 1 or tie_rule == "each":
        return top
    if tie_rule == "each_unless_all":
        return () if len(top) == len(values) else top
    if tie_rule == "best_untied":
        alone = [value for value in values if value and values.count(value) == 1]
        return (values.index(max(alone)),) if alone else ()
    return ()
