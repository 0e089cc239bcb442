"""The decision about a posted closing form: it is saved, or it is drawn again and says why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ...store import commands
from ...store.journal.entries import Full, JournalEntry, Locked, Stale
from ...store.standings import BrokenMatch
from ..base.access import match_or_404
from ..match.view import MatchView
from .closing_entry import ClosingEntry, deal_to_close, nothing_new
from .incoming import EntryRefused

SURE = "sure"
"""The field that is drawn beside the question whether the others have no card at all: the side that has them all."""
LIVE, SAVE = "live", "save"
"""Steps of the form: a tap that asks for the sheet so far, and the button that saves. Any other only draws it."""


@dataclass(frozen=True)
class Saved:
    """The closing is in the journal, from this post or from the same one before."""

    kind: str | None
    """The kind that it was written as: ``deal_closed``, or ``dealt_again`` if its opening voids what was dealt.

    Beside another closing it is ``confirmed`` or ``deal_contested``.
    """


@dataclass(frozen=True)
class Overtook:
    """The form was saved before this was asked, by a tap whose answer had not come; it changes nothing."""


@dataclass(frozen=True)
class Unchanged:
    """The deal was closed with these very facts: there is nothing to correct."""


@dataclass(frozen=True)
class Outdated:
    """Others wrote after the form was drawn: nothing is saved until a player has seen both."""

    since: Sequence[JournalEntry]


@dataclass(frozen=True)
class Refused:
    """Nothing was written: the deal is agreed on, there is no room, or the match could not be scored with it.

    Or it would be proposed, and gives the points that count already.
    """

    why: EntryRefused | Locked | Full | BrokenMatch


@dataclass(frozen=True)
class Open:
    """The form is not saved: it is still being filled in."""

    is_refused: bool = False
    """True if the button to save it was pressed."""
    is_asked: bool = False
    """True if that button was pressed before it was asked whether a side has no card at all."""


Decision = Saved | Overtook | Unchanged | Outdated | Refused | Open


def decide(entry: ClosingEntry, step: str, **written_by: Any) -> Decision:
    """Save a posted closing if it asks for that and may be saved, and return what became of it.

    Without being asked, a form is saved by the tap that settles its last open line, if nothing in it is doubtful.
    """
    others = entry.left_out()
    if others:
        return Outdated(others)
    closing = entry.closing
    if step == LIVE:
        overtaking = _overtake(entry, **written_by)
        if overtaking is not None:
            return overtaking
        is_first = entry.deal_state.closed is None
        has_just_settled = is_first and closing.form.was_open.data == "yes" and not closing.judged.is_doubtful
        # Two notes that may be one are asked about first; so are all cards that one tap gave to one side.
        is_asked = (entry.match.noted_twice is not None and is_first) or closing.without_cards
        if is_asked or not (closing.is_settled and has_just_settled):
            return Open()
    elif step != SAVE:
        return Open()
    if not closing.is_settled:
        return Open(is_refused=True)
    if closing.without_cards and not _was_asked(entry):
        return Open(is_asked=True)
    return _save(entry, **written_by)


def _was_asked(entry: ClosingEntry) -> bool:
    """Return whether it was asked, here or when the deal was closed, that one side has all cards nobody tapped."""
    closed, taker = entry.deal_state.closed, entry.closing.taker_of_all
    said = None if closed is None else cast(Mapping[str, Any], closed.payload["facts"]).get("rest")
    return taker in (entry.fields.get(SURE), said)


def _overtake(entry: ClosingEntry, **written_by: Any) -> Decision | None:
    """Decide about a tap that was faster than the answer to the one before it, which saved this very form.

    What the form says now takes the place of what was saved. None if no such answer was overtaken, or the form
    does not hold a whole deal any more.
    """
    saved, closing = entry.deal_state.closed, entry.closing
    if saved is None or not entry.has_sent(saved):
        return None
    if saved.payload["facts"] == closing.form.facts():
        return Overtook()
    if saved.id != entry.reported.id:
        return None
    if not closing.is_settled or closing.judged.is_doubtful or closing.without_cards:
        return None
    entry.go_on_from(saved.seq)
    return _save(entry, **written_by)


def _save(entry: ClosingEntry, **written_by: Any) -> Decision:
    """Write the closing, with the voiding of the one that it corrects."""
    closed = entry.deal_state.closed
    if closed is not None and closed.id != entry.reported.id and entry.is_same(closed):
        return Unchanged()
    row = entry.match.row
    if entry.says_nothing_new and commands.kind_of(row, entry.reported.id) is None:
        return Refused(nothing_new())
    new = entry.new_entries()
    try:
        commands.write(row, lambda: commands.draft(row, new, drawn_from=entry.knows_up_to, **written_by))
    except Stale as stale:
        second = _beside_a_correction(entry)
        return Outdated(stale.since) if second is None else _save(second, **written_by)
    except (Locked, Full, BrokenMatch) as refused:
        return Refused(refused)
    return Saved(commands.kind_of(row, entry.reported.id))


def _beside_a_correction(entry: ClosingEntry) -> ClosingEntry | None:
    """Return a correction as a second one, if another phone corrected the deal at this very moment; else None."""
    fresh = MatchView(*match_or_404(entry.match.key, entry.match.number))
    deal_state = deal_to_close(fresh, entry.deal_state.number)
    if entry.deal_state.closed is None or not entry.is_closed_meanwhile(deal_state):
        return None
    return entry.beside(fresh, deal_state)
