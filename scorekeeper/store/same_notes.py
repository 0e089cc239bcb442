"""One thing noted twice: two phones note the same of a side within seconds, and are asked whether it is one.

Both notes count until then. The result follows from the deal alone, so it is the same on every phone and in every
replay.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from .journal import kinds
from .journal.entries import JournalEntry
from .journal.replay import DealState

TOGETHER = timedelta(seconds=15)
"""Two phones may note one thing within this time."""


class NotedTwice(NamedTuple):
    """Two notes that may be one: the newest of their kind, and the one before it."""

    first: JournalEntry
    second: JournalEntry

    @property
    def devices(self) -> tuple[str | None, str | None]:
        """The phones that wrote them."""
        return self.first.device, self.second.device


def noted_twice(deal: DealState) -> NotedTwice | None:
    """Return the newest two notes of a deal that may be one; None if there are none.

    They are equal sweeps, or declarations without cards, of one side from two phones: the newest of a kind and the one
    before it.
    """
    equal: dict[object, list[JournalEntry]] = {}
    for entry in deal.noted:
        if (thing := _thing(entry)) is not None:
            equal.setdefault(thing, []).append(entry)
    pairs = (NotedTwice(*notes[-2:]) for notes in equal.values() if len(notes) > 1)
    asked = (pair for pair in pairs if _may_be_one(pair) and {pair.first.id, pair.second.id} not in deal.apart)
    return max(asked, key=lambda pair: pair.second.seq, default=None)


def _thing(entry: JournalEntry) -> object:
    """Return the comparable content of a note; None for a note that is never asked about."""
    payload = entry.payload
    if entry.kind == kinds.SWEPT:
        return kinds.SWEPT, payload["side"], payload["count"]
    if entry.kind == kinds.DECLARED and not payload.get("cards"):
        return kinds.DECLARED, payload["side"], tuple(sorted(payload.get("items") or ())), payload.get("batch")
    return None


def _may_be_one(pair: NotedTwice) -> bool:
    first, second = pair
    is_of_two = None not in pair.devices and first.device != second.device
    return is_of_two and abs(second.happened_at - first.happened_at) <= TOGETHER
