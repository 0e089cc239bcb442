"""What is known of a deal by some evidence: the ways of sharing out the cards that agree, and goals beside them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from ...limits import POSSIBLE_STEPS
from ..budget import BudgetSpent, current
from .outlook import Goals, exists
from .pieces import Piece, ways_of
from .ways import Ways


class Known(NamedTuple):
    """The ways of sharing out the cards that agree with some evidence, once they meet the goals."""

    ways: Ways
    goals: Goals = ()

    def narrowed(self, piece: Piece) -> Known | None:
        """Return what is known with one piece more; None where it cannot be so by itself."""
        ways = piece.narrow(self.ways)
        if ways is None:
            return None
        goal = piece.goal
        if goal is None:
            return self._replace(ways=ways)
        # A goal that leaves one part of the ways is that part.
        parts = list(islice(goal.parts(ways), 2))
        if len(parts) < 2:
            return self._replace(ways=parts[0]) if parts else None
        return Known(ways, (*self.goals, goal))

    def believing(self, *pieces: Piece) -> Known | None:
        """Return what is known with some pieces more; None where no way agrees.

        Where the steps run out the pieces are believed, so that nothing is refused that may be true.
        """
        try:
            with current().portion(POSSIBLE_STEPS):
                known: Known | None = self
                for piece in pieces:
                    known = None if known is None else known.narrowed(piece)
                return known if known is not None and known.is_possible() else None
        except BudgetSpent:
            known = self
            for piece in pieces:
                ways = piece.narrow(known.ways)
                known = Known(ways or known.ways, known.goals if piece.goal is None else (*known.goals, piece.goal))
            return known

    def is_possible(self) -> bool:
        """Return whether any way agrees."""
        return exists(self.ways, self.goals)


def all_known(pieces: Iterable[Piece], sides: int, may_be_nobodys: bool) -> Known | None:
    """Return what is known from some pieces; None where they exclude each other."""
    several = list(pieces)
    ways = ways_of([piece for piece in several if piece.goal is None], sides, may_be_nobodys)
    known = None if ways is None else Known(ways)
    # What takes the most steps to meet comes last, when everything else has narrowed the ways.
    for piece in sorted((piece for piece in several if piece.goal is not None), key=lambda piece: piece.is_costly):
        known = None if known is None else known.narrowed(piece)
    return known
