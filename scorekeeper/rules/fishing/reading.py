"""What is known of the piles of a deal, and what settles each item: cached, because many deals are told alike.

A deal that was just opened differs from others in its layout and its sweeps, of which the piles do not depend; so do
deals of which the table only says who took what.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from ...limits import LINES_STEPS
from ..budget import Memo, Taken, current
from ..problems import Problems
from ..sheet import Line
from .evidence import Evidence
from .facts import Penalty
from .item_lines import ItemScorer, KnownDeal, Settled
from .primes import Given

REMEMBERED = 512
"""Readings that are cached; each holds a few kilobytes."""

LONGEST = 2048
"""Letters of what is told of the piles, for its reading to be cached."""


@dataclass
class Reading:
    """The evidence of a deal, what settles its items, and what that took."""

    evidence: Evidence
    given: Given
    penalties: tuple[Penalty, ...]
    problems: tuple[Problems, Problems]
    """The problems found before the sums of the piles are checked, and those found after."""
    settled: Settled = field(default_factory=dict)
    """What settles each item. Empty where every card is placed."""
    taken: Taken = field(default_factory=lambda: Taken(0, False))
    taken_by_lines: int = 0
    """Steps to settle the items, of those that were taken."""
    memo: Memo = field(default_factory=Memo)

    @property
    def deal(self) -> KnownDeal:
        """What is known of the deal, with nothing worked out from it yet."""
        return KnownDeal(self.evidence, self.given, self.penalties)

    def explained(self, scorer: ItemScorer) -> dict[str, Line]:
        """Return the lines of the items with everything that is certain of them, by item."""
        with current().share(LINES_STEPS - self.taken_by_lines):
            return self.memo.find("explained", lambda: scorer.explained_lines(self.deal, self.settled))


@dataclass(frozen=True)
class Told:
    """What a deal tells of its piles, to be read by ``read`` within the steps of a request.

    Equal where the texts and the work are equal; the text is as in :class:`~..match.ReportedDeal`.
    """

    text: str
    steps: int | None
    tariff: int
    read: Callable[[], Reading | None] = field(compare=False)


@lru_cache(maxsize=REMEMBERED)
def _read(told: Told) -> Reading | None:
    return told.read()


def read_once(text: str, read: Callable[[], Reading | None]) -> Reading | None:
    """Return a reading at the beginning of a request, the cached one where as much was told before.

    It takes the same steps whether it is cached or not.
    """
    work = current()
    if len(text) > LONGEST or work.spent:
        return read()
    reading = _read(Told(text, work.steps, work.tariff.number, read))
    if reading is not None and not work.spent:
        work.repeat(reading.taken)
    return reading


__all__ = ["Reading", "read_once"]
