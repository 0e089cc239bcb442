"""A result from paper that this phone has just typed: its page offers to take it back."""

from __future__ import annotations

from datetime import timedelta

from ...limits import FORM_SECONDS
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, entries_of
from ...store.models import Match, Table, now
from ..base.remembered import known_device


def entry_typed_here(table: Table, row: Match) -> JournalEntry | None:
    """Return the entry of a result from paper if this phone has typed it within the hour; else None."""
    entry = next(iter(entries_of(row)), None) if not row.taken_up else None
    if entry is None or entry.kind != kinds.RESULT_TYPED:
        return None
    is_own = entry.device is not None and entry.device == known_device(table)
    return entry if is_own and now() - entry.created_at < timedelta(seconds=FORM_SECONDS) else None
