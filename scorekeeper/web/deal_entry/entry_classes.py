"""The class of each kind of entry that a phone may report later, once it has signal again."""

from __future__ import annotations

from . import closing_entry, match_entries, notes, players
from .incoming import IncomingEntry

ENTRY_CLASSES: dict[str, type[IncomingEntry]] = {
    entry_class.kind: entry_class
    for entry_class in (
        notes.SweepEntry,
        notes.PointsEntry,
        notes.PenaltyEntry,
        notes.DeclarationEntry,
        notes.LayoutEntry,
        notes.TrumpEntry,
        notes.AdjustmentEntry,
        notes.CreditEntry,
        notes.DealerEntry,
        notes.DealtAgainEntry,
        closing_entry.ClosingEntry,
        match_entries.VoidEntry,
        match_entries.EndEntry,
        match_entries.ResumedEntry,
        match_entries.MatchNoteEntry,
        players.SeatsEntry,
        players.SubstituteEntry,
        players.LatecomerEntry,
        players.LeavingEntry,
    )
}
"""The classes by their kinds."""
