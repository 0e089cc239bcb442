"""The changes of a score, or of who may speak for a side, that a phone has not seen yet.

Pure functions of the journal. Each phone remembers the newest entry that it has seen (``seq``). Its changes are the
later entries of others that change a closed deal, a total, the seats, the rules or the phones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .agreement import agreement_of, voiding_id
from .journal import kinds
from .journal.entries import JournalEntry
from .journal.replay import MatchState, phones_of
from .voices import OF_RULES, SPEAKS, Speaker

SEATS = frozenset({kinds.SEATED, kinds.SUBSTITUTED, kinds.ENTERED, kinds.LEFT})
UNDONE = SEATS | {kinds.ADJUSTED, kinds.RULES_CHANGED, kinds.MATCH_ENDED}
"""The kinds that are a change when they are voided, also by their own author."""

What = Literal["points", "reopened", "undone", "adjusted", "rules", "seats", "phone", "said"]
WHAT: dict[str, What] = {kinds.ADJUSTED: "adjusted", kinds.RULES_CHANGED: "rules", **dict.fromkeys(SEATS, "seats")}
"""The thing that an entry of a kind changes, if no more has to be known."""


@dataclass(frozen=True)
class Change:
    """Something that others changed.

    ``entry`` made the change; it is the newest if several changed the points of one deal. ``what`` was changed:

    - ``points``: the points of a closed deal, from those of the closing ``before``
    - ``reopened``: a deal whose closing ``before`` was taken back
    - ``undone``: the entry ``before`` no longer counts
    - ``adjusted``, ``rules``, ``seats``: what the entry says
    - ``phone``: who holds a phone; ``held_before`` is the former holder, None for nobody
    - ``said``: a statement for a side on a phone of another
    """

    what: What
    entry: JournalEntry
    before: JournalEntry | None = None
    held_before: int | None = None

    @property
    def deal(self) -> int | None:
        """The number of the deal that it is about; None if it is about none."""
        about = self.before if self.what in ("reopened", "undone") and self.before is not None else self.entry
        return about.payload.get("deal")


def changes_after(state: MatchState, seq: int, by: Speaker) -> list[Change]:
    """Return the changes after the entry ``seq`` that the phone of ``by`` did not write itself, oldest first.

    Several corrections of one deal are one change, at the place of the newest.
    """
    changes = list(_changes(state, seq, by)) if seq < state.head else []
    of_deals: dict[int, Change] = {}
    for change in changes:
        if change.what in ("points", "reopened"):
            assert change.deal is not None
            first = of_deals.get(change.deal)
            before = change.before if first is None else first.before
            of_deals[change.deal] = Change(change.what, change.entry, before)
    others = [change for change in changes if change.what not in ("points", "reopened")]
    return sorted([*others, *of_deals.values()], key=lambda change: change.entry.seq)


def last_change(state: MatchState) -> int:
    """Return the newest entry that is a change to any phone, or may be; 0 if there is none."""
    by_id = {entry.id: entry for entry in state.entries}
    of_nobody = Speaker(None, None)
    for entry in reversed(state.entries):
        if entry.kind in SPEAKS or _change_by(state, entry, by_id, of_nobody) is not None:
            return entry.seq
    return 0


def _changes(state: MatchState, seq: int, by: Speaker) -> Iterator[Change]:
    by_id = {entry.id: entry for entry in state.entries}
    voided = {entry.payload["entry"] for entry in state.entries if entry.kind == kinds.VOIDED}
    for entry in state.entries[max(seq, 0) :]:
        if by.device is not None and entry.device == by.device:
            continue
        change = _change_by(state, entry, by_id, by)
        # What is undone by now appears as undone.
        if change is not None and (entry.id not in voided or entry.kind == kinds.DEAL_CLOSED):
            yield change


def _change_by(state: MatchState, entry: JournalEntry, by_id: dict[str, JournalEntry], by: Speaker) -> Change | None:
    """Return what an entry changed; None if that is not to be shown."""
    if entry.kind == kinds.DEAL_CLOSED:
        former = closing_before(state, entry)
        return None if former is None else Change("points", entry, former)
    if entry.kind == kinds.VOIDED:
        return _undone(state, entry, by_id.get(entry.payload["entry"]))
    if entry.kind == kinds.PHONE_HELD:
        return _phone(state, entry)
    if entry.kind in SPEAKS:
        return Change("said", entry) if is_said_elsewhere(state, entry, by) else None
    what = WHAT.get(entry.kind)
    return None if what is None else Change(what, entry)


def closing_before(state: MatchState, closing: JournalEntry) -> JournalEntry | None:
    """Return the voided closing of the deal that this one replaces; None if it replaces none."""
    number, earlier = closing.payload["deal"], state.entries[: closing.seq - 1]
    closings = (one for one in reversed(earlier) if one.kind == kinds.DEAL_CLOSED and one.payload["deal"] == number)
    former = next(closings, None)
    voided = {one.payload["entry"] for one in earlier if one.kind == kinds.VOIDED}
    return former if former is not None and former.id in voided else None


def _undone(state: MatchState, entry: JournalEntry, undone: JournalEntry | None) -> Change | None:
    """Return what the voiding of an entry changed; None if the voiding is a part of a correction."""
    if undone is None:
        return None
    if undone.kind == kinds.DEAL_CLOSED:
        later = state.entries[entry.seq :]
        if any(one.kind == kinds.DEAL_CLOSED and one.payload["deal"] == undone.payload["deal"] for one in later):
            return None
        return Change("reopened", entry, undone)
    if undone.kind in UNDONE:
        return Change("undone", entry, undone)
    is_of_another = None not in (undone.device, entry.device) and undone.device != entry.device
    is_part = any(voiding_id(one.id, undone.id) == entry.id for one in state.entries[entry.seq :])
    if undone.kind in kinds.NOTED and is_of_another and not is_part:
        return Change("undone", entry, undone)
    return None


def _phone(state: MatchState, entry: JournalEntry) -> Change | None:
    """Return the change if a phone gets another holder; a first holder is one only while something is open."""
    if entry.device is None:
        # No page writes this; the file of a table may have it.
        return None
    earlier = state.entries[: entry.seq - 1]
    held = phones_of(earlier)
    before, now = held.get(entry.device), entry.payload["player"]
    if before == now or entry.payload.get("watches"):
        return None
    others = {player for mark, player in held.items() if mark != entry.device}
    is_second = now is not None and any(now in side.players and others & {*side.players} for side in state.setup.sides)
    if before is None and not is_second and not _was_something_open(state, entry):
        return None
    return Change("phone", entry, held_before=before)


def _was_something_open(state: MatchState, entry: JournalEntry) -> bool:
    """Return whether a deal was in doubt, or other rules were proposed, before an entry was written, and still are."""
    if state.proposal is not None and state.proposal.entry.seq < entry.seq:
        return True
    for deal in state.closed:
        if any(one.seq < entry.seq for one in (*deal.rivals, *deal.statements)):
            agreement = agreement_of(state, deal)
            if deal.contested or agreement.disputes or agreement.proposal:
                return True
    return False


def is_said_elsewhere(state: MatchState, entry: JournalEntry, by: Speaker) -> bool:
    """Return whether an entry speaks for the side of ``by`` on a phone that is none of that side's."""
    side = entry.payload.get("side")
    if side is None or side != by.side:
        return False
    sides = (one for deal in state.deals for one in deal.setup.sides if one.label == side)
    players = {player for one in sides for player in one.players}
    return entry.payload.get("by") not in players and entry.author != side


def may_be_unsaid(state: MatchState, entry: JournalEntry, by: Speaker) -> bool:
    """Return whether a phone may take back a statement for its side from elsewhere: once, while it still counts."""
    voided = any(one.kind == kinds.VOIDED and one.payload["entry"] == entry.id for one in state.entries)
    unsaid = any(one.payload.get("unsays") == entry.id for one in state.entries)
    if voided or unsaid or entry.kind not in SPEAKS or not is_said_elsewhere(state, entry, by):
        return False
    if entry.kind in OF_RULES:
        changed = [one for one in state.changes if one.payload.get("asked") == entry.payload.get("asked")]
        played = max((deal.number for deal in state.closed), default=0)
        return all(one.payload["deal"] > played for one in changed)
    return state.closed_deal(entry.payload["deal"]) is not None
