"""Readings of deals: the evidence about the piles, and what settles each item.

They are cached, because many deals report the same about their piles and differ only in layout and sweeps: deals just
opened, and deals closed by awards alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from ...limits import LINES_STEPS
from ..budget import Memo, current
from ..problems import Problems
from ..sheet import Line
from .evidence import Evidence
from .facts import Penalty
from .item_lines import ItemScorer, KnownDeal, Settled
from .primes import Given

REMEMBERED = 512
"""Texts whose readings are cached; each reading holds a few kilobytes."""

LONGEST = 2048
"""The most letters of a report about the piles whose reading is cached."""


@dataclass
class Reading:
    """The evidence of a deal, and what settles its items."""

    evidence: Evidence
    given: Given
    penalties: tuple[Penalty, ...]
    problems: tuple[Problems, Problems]
    """The problems from before the sums of the piles are checked, and those from after."""
    settled: Settled = field(default_factory=dict)
    """Strength and verdict of each item. Empty if every card is placed."""
    steps_to_settle: int = 0
    memo: Memo = field(default_factory=Memo)

    @property
    def deal(self) -> KnownDeal:
        """The known deal, with nothing worked out from it yet."""
        return KnownDeal(self.evidence, self.given, self.penalties)

    def explained(self, scorer: ItemScorer) -> dict[str, Line]:
        """Return the lines of the items with everything that is certain of them, by item."""
        with current().share(LINES_STEPS - self.steps_to_settle):
            return self.memo.find("explained", lambda: scorer.explained_lines(self.deal, self.settled))


@lru_cache(maxsize=REMEMBERED)
def _memo(_text: str, _is_bare: bool) -> Memo:
    return Memo()


def read_once(text: str, is_bare: bool, read: Callable[[], Reading | None]) -> Reading | None:
    """Return a reading at the beginning of a request, the cached one if there is one; ``text`` is the report."""
    if len(text) > LONGEST:
        return read()
    return _memo(text, is_bare).find("", read)
