"""One sweep noted by two: two phones note the same of a side within seconds, and are asked whether it is one.

Both count, and nobody is stopped. Found in the deal alone, so every phone and every replay finds the same.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from .journal import kinds
from .journal.entries import JournalEntry
from .journal.replay import DealState

TOGETHER = timedelta(seconds=15)
"""Within this time two phones may tell of one thing."""


class NotedTwice(NamedTuple):
    """Two notes that may be one: the newest of their kind, and the one before it."""

    first: JournalEntry
    second: JournalEntry

    @property
    def devices(self) -> tuple[str | None, str | None]:
        """The phones that wrote them."""
        return self.first.device, self.second.device


def noted_twice(deal: DealState) -> NotedTwice | None:
    """Return the newest two notes of a deal that may be one; None where nobody is to be asked.

    Sweeps, and declarations without cards, of the same side and worth the same, from two phones. Of three or more only
    the newest and the one before it are asked about.
    """
    newest: dict[object, list[JournalEntry]] = {}
    for entry in deal.noted:
        thing = _thing(entry)
        if thing is not None:
            newest.setdefault(thing, []).append(entry)
    pairs = [NotedTwice(*notes[-2:]) for notes in newest.values() if len(notes) > 1]
    asked = [
        pair for pair in pairs if _may_be_one(pair) and frozenset((pair.first.id, pair.second.id)) not in deal.apart
    ]
    return max(asked, key=lambda pair: pair.second.seq, default=None)


def _thing(entry: JournalEntry) -> object:
    """Return what a note says, to be compared; None for what is never taken for another."""
    payload = entry.payload
    if entry.kind == kinds.SWEPT:
        return kinds.SWEPT, payload["side"], payload["count"]
    if entry.kind == kinds.DECLARED and not payload.get("cards"):
        return kinds.DECLARED, payload["side"], tuple(sorted(payload.get("items") or ())), payload.get("batch")
    return None


def _may_be_one(pair: NotedTwice) -> bool:
    first, second = pair
    if None in pair.devices or first.device == second.device:
        return False
    return abs(second.happened_at - first.happened_at) <= TOGETHER
