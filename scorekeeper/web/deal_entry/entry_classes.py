"""The class of each kind of entry that a phone may report later, once it has signal again."""

from __future__ import annotations

from . import entries, notes, players
from .entries import IncomingEntry

ENTRY_CLASSES: dict[str, type[IncomingEntry]] = {
    entry_class.kind: entry_class
    for entry_class in (
        entries.SweepEntry,
        entries.PointsEntry,
        entries.PenaltyEntry,
        entries.DeclarationEntry,
        entries.LayoutEntry,
        notes.AdjustmentEntry,
        notes.CreditEntry,
        notes.DealerEntry,
        notes.DealtAgainEntry,
        entries.ClosingEntry,
        entries.VoidEntry,
        entries.EndEntry,
        notes.ResumedEntry,
        notes.MatchNoteEntry,
        players.SeatsEntry,
        players.SubstituteEntry,
        players.LatecomerEntry,
        players.LeavingEntry,
    )
}
"""The classes by their kinds."""

WITH_SIGNAL: dict[str, type[IncomingEntry]] = {notes.ToldApartEntry.kind: notes.ToldApartEntry}
"""Those of kinds that answer a question of the server, and never wait on a phone."""
