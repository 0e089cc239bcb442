"""Tie rules: who scores when the top value is shared (rules §0)."""

from __future__ import annotations

from collections.abc import Sequence

TIE_RULES = ("nobody", "each", "each_unless_all", "best_untied")


def leaders(values: Sequence[int | None]) -> tuple[int, ...]:
    """Give the positions that share the highest value; none where nobody is eligible (None) or nobody has any."""
    top = max((value for value in values if value is not None), default=0)
    if top <= 0:
        return ()
    return tuple(position for position, value in enumerate(values) if value == top)


def scorers(values: Sequence[int | None], tie_rule: str) -> tuple[int, ...]:
    """Give the positions that score: one value a side, None for a side that is not eligible."""
    top = leaders(values)
    if len(top) <= 1 or tie_rule == "each":
        return top
    if tie_rule == "each_unless_all":
        return () if len(top) == len(values) else top
    if tie_rule == "best_untied":
        alone = [value for value in values if value and values.count(value) == 1]
        return (values.index(max(alone)),) if alone else ()
    return ()
