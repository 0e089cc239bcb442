"""Knowledge about a deal: the ways of sharing out the cards that agree with some evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import NamedTuple

from ...limits import POSSIBLE_STEPS
from ..budget import BudgetSpent, current
from ..cards import Pile, Position, cards_of
from .outlook import Goal, Goals, exists
from .pieces import Piece, ways_of
from .ways import Ways, loose_holders

MOST_PARTS = 12
"""The most parts; if a goal leaves more, it remains a goal of its parts."""

MOST_COSTLY_PARTS = 3
"""The same for a goal that takes many steps to meet."""

Narrow = Callable[[Ways], Ways | None]
"""Narrows some ways by a further condition; returns None if none is left."""


def has(cards: Pile, side: Position) -> Narrow:
    """Return the condition that a side has these cards."""
    return lambda ways: ways.give(cards, side)


def lacks(cards: Pile, side: Position) -> Narrow:
    """Return the condition that a side has none of these cards."""
    return lambda ways: ways.deny(cards, side)


def numbered(kind: int, side: Position, least: int, most: int) -> Narrow:
    """Return the condition that a side has so many cards of a kind."""
    return lambda ways: ways.limit(kind, side, least, most)


def anything(ways: Ways) -> Ways | None:
    """Return the ways unchanged: no condition at all."""
    return ways


class Known(NamedTuple):
    """The ways of sharing out the cards that agree with some evidence.

    They are the ways of all ``parts`` that meet the goals of their part; all of them are among the ways ``base``.
    """

    base: Ways
    parts: tuple[tuple[Ways, Goals], ...]

    def narrowed(self, piece: Piece) -> Known | None:
        """Return what is known with one piece more; None if the piece contradicts the others."""
        base = _tight(piece.narrow(self.base))
        if base is None:
            return None
        most = (MOST_COSTLY_PARTS if piece.is_costly else MOST_PARTS) // len(self.parts)
        parts: list[tuple[Ways, Goals]] = []
        for part, goals in self.parts:
            ways = _tight(piece.narrow(part))
            if ways is None:
                continue
            if piece.goal is None:
                parts.append((ways, goals))
                continue
            smaller = list(islice(piece.goal.parts(ways), most + 1))
            if len(smaller) > most:
                parts.append((ways, (*goals, piece.goal)))
            else:
                parts += [(each, goals) for each in smaller]
        if not parts:
            return None
        return Known(parts[0][0] if len(parts) == 1 else base, tuple(parts))

    def believing(self, *pieces: Piece) -> Known | None:
        """Return what is known with some pieces more; None if no way agrees.

        If the steps run out, the pieces are believed unless a quick look refutes them: nothing is refused that may be
        true.
        """
        goals = [piece.goal for piece in pieces if piece.goal is not None]
        if not all(any(goal.look(ways) is not False for ways, _ in self.parts) for goal in goals):
            return None
        try:
            with current().portion(POSSIBLE_STEPS):
                known: Known | None = self
                for piece in pieces:
                    known = None if known is None else known.narrowed(piece)
                return known if known is not None and known.may(anything) else None
        except BudgetSpent:
            known = self
            for piece in pieces:
                known = known._believed(piece)
            return known

    def _believed(self, piece: Piece) -> Known:
        more = () if piece.goal is None else (piece.goal,)
        parts = tuple((piece.narrow(ways) or ways, (*goals, *more)) for ways, goals in self.parts)
        return Known(piece.narrow(self.base) or self.base, parts)

    def with_all(self, narrow: Narrow) -> Known:
        """Return what is known under a further condition, without parts if that is impossible."""
        narrowed = ((narrow(ways), goals) for ways, goals in self.parts)
        return Known(self.base, tuple((ways, goals) for ways, goals in narrowed if ways is not None))

    def may(self, narrow: Narrow) -> bool:
        """Return whether there is a way under a further condition."""
        return any(exists(narrow(ways), goals) for ways, goals in self.parts)

    def probed(self) -> Known:
        """Return the same; each loose card is denied to holders that cannot have it, or placed with the only one."""
        known = self
        for card in cards_of(self.base.unplaced):
            for holder in loose_holders(self.base, card):
                if not known.may(has(1 << card, holder)):
                    without = lacks(1 << card, holder)
                    known = Known(without(known.base) or known.base, known.with_all(without).parts)
        return known

    def may_meet(self, goal: Goal) -> bool:
        """Return whether there is a way that meets one goal more."""
        return any(exists(ways, (goal, *goals)) for ways, goals in self.parts)

    def may_well(self, narrow: Narrow) -> bool:
        """Return False if a quick look shows that there is no way under a further condition."""
        for part, goals in self.parts:
            ways = narrow(part)
            if ways is not None and ways.is_possible() and all(goal.may_be(ways) for goal in goals):
                return True
        return False


def _tight(ways: Ways | None) -> Ways | None:
    return None if ways is None else ways.tightened()


def all_known(pieces: Iterable[Piece], sides: int, may_be_nobodys: bool) -> Known | None:
    """Return what is known from some pieces; None if they exclude each other."""
    several = list(pieces)
    ways = ways_of([piece for piece in several if piece.goal is None], sides, may_be_nobodys)
    ways = _tight(ways)
    known = None if ways is None else Known(ways, ((ways, ()),))
    # What takes the most steps to meet comes last, when everything else has narrowed the ways.
    for piece in sorted((piece for piece in several if piece.goal is not None), key=lambda piece: piece.is_costly):
        known = None if known is None else known.narrowed(piece)
    return known
