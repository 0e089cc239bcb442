"""Readings of deals: the evidence about the piles, and what settles each item.

They are cached, because many deals report the same about their piles and differ only in layout and sweeps: deals just
opened, and deals closed by awards alone.
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
"""The most letters of a report about the piles whose reading is cached."""


@dataclass
class Reading:
    """The evidence of a deal, what settles its items, and what that took."""

    evidence: Evidence
    given: Given
    penalties: tuple[Penalty, ...]
    problems: tuple[Problems, Problems]
    """The problems from before the sums of the piles are checked, and those from after."""
    settled: Settled = field(default_factory=dict)
    """Strength and verdict of each item. Empty if every card is placed."""
    taken: Taken = field(default_factory=lambda: Taken(0, False))
    taken_by_lines: int = 0
    """Steps to settle the items, of those that were taken."""
    memo: Memo = field(default_factory=Memo)

    @property
    def deal(self) -> KnownDeal:
        """The known deal, with nothing worked out from it yet."""
        return KnownDeal(self.evidence, self.given, self.penalties)

    def explained(self, scorer: ItemScorer) -> dict[str, Line]:
        """Return the lines of the items with everything that is certain of them, by item."""
        with current().share(LINES_STEPS - self.taken_by_lines):
            return self.memo.find("explained", lambda: scorer.explained_lines(self.deal, self.settled))


@dataclass(frozen=True)
class _ReportedPiles:
    """The report of a deal about its piles, for ``read`` to read within the steps of a request.

    Reports are equal if text and work are equal; the text is as in ``match._ReportedDeal``.
    """

    text: str
    steps: int | None
    tariff: int
    read: Callable[[], Reading | None] = field(compare=False)


@lru_cache(maxsize=REMEMBERED)
def _read(reported: _ReportedPiles) -> Reading | None:
    return reported.read()


def read_once(text: str, read: Callable[[], Reading | None]) -> Reading | None:
    """Return a reading at the beginning of a request, the cached one if there is one; both take the same steps."""
    work = current()
    if len(text) > LONGEST or work.spent:
        return read()
    reading = _read(_ReportedPiles(text, work.steps, work.tariff.number, read))
    if reading is not None and not work.spent:
        work.repeat(reading.taken)
    return reading
