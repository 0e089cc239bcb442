"""The small part of the evidence that settles a line by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..budget import BudgetSpent
from .pieces import Piece


def smallest_part(pieces: Sequence[Piece], settles: Callable[[Sequence[Piece]], bool]) -> list[Piece]:
    """Strike the pieces that are not needed, one after another from the first; return the rest.

    ``settles`` returns whether some pieces settle the line; more pieces never settle less. So a run of pieces that can
    be struck together is not tried one by one. If the steps run out, the pieces that were not tried remain.
    """
    needed: list[Piece] = []
    open_runs = [list(pieces)] if pieces else []
    while open_runs:
        run = open_runs.pop()
        try:
            can_be_struck = settles([*needed, *(piece for later in reversed(open_runs) for piece in later)])
        except BudgetSpent:
            return [*needed, *run, *(piece for later in reversed(open_runs) for piece in later)]
        if can_be_struck:
            continue
        if len(run) == 1:
            needed += run
        else:
            half = len(run) // 2
            open_runs += [run[half:], run[:half]]
    return needed
