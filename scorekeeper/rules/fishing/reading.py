"""What is known of the piles of a deal, and what settles each item: cached, because many deals are told alike.

A deal that was just opened differs from others in its layout and its sweeps, on which the piles do not depend. Deals of
which the table only says who took what repeat each other, too.
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
"""Letters of what is told of the piles, for its reading to be cached."""


@dataclass
class Reading:
    """The evidence of a deal, and what settles its items."""

    evidence: Evidence
    given: Given
    penalties: tuple[Penalty, ...]
    problems: tuple[Problems, Problems]
    """The problems found before the sums of the piles are checked, and those found after."""
    settled: Settled = field(default_factory=dict)
    """What settles each item. Empty where every card is placed."""
    steps_to_settle: int = 0
    memo: Memo = field(default_factory=Memo)

    @property
    def deal(self) -> KnownDeal:
        """What is known of the deal, with nothing worked out from it yet."""
        return KnownDeal(self.evidence, self.given, self.penalties)

    def explained(self, scorer: ItemScorer) -> dict[str, Line]:
        """Return the lines of the items with everything that is certain of them, by item."""
        with current().share(LINES_STEPS - self.steps_to_settle):
            return self.memo.find("explained", lambda: scorer.explained_lines(self.deal, self.settled))


@lru_cache(maxsize=REMEMBERED)
def _memo(_text: str, _tariff: int, _is_bare: bool) -> Memo:
    return Memo()


def read_once(text: str, is_bare: bool, read: Callable[[], Reading | None]) -> Reading | None:
    """Return a reading at the beginning of a request, the cached one where as much was told before.

    The text is as in :class:`~..match.ReportedDeal`.
    """
    if len(text) > LONGEST:
        return read()
    return _memo(text, current().tariff.number, is_bare).find("", read)


__all__ = ["Reading", "read_once"]
