"""The journal of a match: entries are added, never overwritten; a correction voids an entry and adds another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID, uuid4

from sqlalchemy import CursorResult, bindparam, exists, insert, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.attributes import set_committed_value

from ...limits import MATCH_ENTRIES
from ..db import Base, db, lock, note_written
from ..faults import PART_COMES, Unreachable
from ..live import announce
from ..models import KEY_LENGTH, NAME_LENGTH, Entry, Import, ImportMatch, Match, Phone, Table, now, whole_second
from ..moved import Moved
from . import kinds

VERSION = 1
"""The version of the payloads that are written today; each entry names its own."""
LATE = timedelta(minutes=10)
"""Time from the tap to the journal from which on pages show both times of an entry."""


class JournalError(Exception):
    """Base of the refusals of the journal."""


class Stale(JournalError):
    """The form was drawn from an older version; ``since`` are the later entries: show both and ask."""

    def __init__(self, since: Sequence[JournalEntry]) -> None:
        super().__init__(f"{len(since)} entries were written since this form was drawn")
        self.since = tuple(since)


class TakeBackFirst(Stale):
    """A change of who plays cannot be taken back, or made, while another one counts."""

    def __init__(self, first: JournalEntry) -> None:
        super().__init__([first])
        self.first = first


class NoSuchEntry(JournalError):
    """The match has no such entry to void."""


class Locked(JournalError):
    """The deal is agreed on, in dispute, or has two versions: one side proposes a change, and all others accept it.

    ``deal`` is None if the rules of the match are agreed on.
    """

    def __init__(self, deal: int | None) -> None:
        super().__init__(f"deal {deal} is locked" if deal else "the rules are agreed on")
        self.deal = deal


class FromPaper(JournalError):
    """The match is a result from paper: nothing is ever written to it."""


class Full(JournalError):
    """There is no room for more of something (``limits``); ``most`` is the limit.

    ``what`` is ``entries`` or ``deals`` (of a match), ``notes``, ``adjustments``, ``dealings``, ``rivals`` or ``said``
    (of a deal), ``matches`` or ``players`` (of a table).
    """

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"no more than {most} {what}")
        self.what, self.most = what, most


@dataclass(frozen=True)
class NewEntry:
    """An entry about to be written; ``id`` comes from the form that reports it."""

    kind: str
    payload: kinds.AnyPayload
    id: str = field(default_factory=lambda: str(uuid4()))


class JournalEntry(NamedTuple):
    """An entry of the journal."""

    id: str
    seq: int
    kind: str
    payload: kinds.AnyPayload
    author: str | None
    """The label of the side that the writer's phone speaks for, if any."""
    created_at: datetime
    device: str | None = None
    """The writer's phone; never shown."""

    @property
    def happened_at(self) -> datetime:
        """When it was noted; a phone without signal notes it before it is written."""
        at = self.payload.get("at")
        return datetime.fromisoformat(at) if at else self.created_at

    @property
    def came_late(self) -> bool:
        """True if it arrived so long after it was noted that pages show both times."""
        return self.created_at - self.happened_at > LATE


def reported_in(payload: Mapping[str, object]) -> kinds.AnyPayload:
    """Return the fields of an entry about its deal: all but the version, the deal, the time and the writer."""
    reported = {name: value for name, value in payload.items() if name not in ("v", "deal", "at", "by")}
    return cast(kinds.AnyPayload, reported)


def is_entry_id(text: str) -> bool:
    """Return whether ``text`` is a UUID in its usual form."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


# Statements that every entry runs are built once: building one takes longer than running it.
_ENTRIES = Base.metadata.tables[Entry.__tablename__]
RECORDS = (
    select(*(_ENTRIES.c[name] for name in JournalEntry._fields))
    .where(_ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.match == bindparam("match"))
    .where(_ENTRIES.c.seq > bindparam("after"))
    .order_by(_ENTRIES.c.seq)
)
BY_ID = select(_ENTRIES.c.id, _ENTRIES.c.match, _ENTRIES.c.kind, _ENTRIES.c.payload).where(
    _ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.id.in_(bindparam("ids", expanding=True))
)
ONE = select(_ENTRIES.c.match, *(_ENTRIES.c[name] for name in JournalEntry._fields)).where(
    _ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.id == bindparam("id")
)
INSERT = insert(_ENTRIES)
_PHONES = Base.metadata.tables[Phone.__tablename__].c
NUMBERED = select(_PHONES.mark).where(
    _PHONES.table_id == bindparam("table"), _PHONES.mark.in_(bindparam("marks", expanding=True))
)
NUMBER_ONE = text(
    "INSERT INTO phones (table_id, number, mark)"
    " SELECT :table, coalesce(max(number), 0) + 1, :mark FROM phones WHERE table_id = :table"
    " ON CONFLICT DO NOTHING"
)
_MATCHES = Base.metadata.tables[Match.__tablename__]
_TABLES = Base.metadata.tables[Table.__tablename__]
_MOVED_TO = select(_TABLES.c.moved_to).where(_TABLES.c.id == bindparam("of_table"))
_COMES = (
    exists()
    .where(Import.table_id == bindparam("of_table"), Import.adds, Import.done_at.is_(None))
    .where(ImportMatch.import_id == Import.id, ImportMatch.number == bindparam("of_number"))
)
MOVABLE = (
    # In the statement itself: a phone may write at the moment in which the owner closes the table.
    _MOVED_TO.scalar_subquery().is_(None),
    # A further part of a file of which not all is written may still be taken back, and this match with it.
    ~_COMES,
)
"""The conditions under which a match may be written to."""
MOVE_HEAD = (
    update(_MATCHES)
    .where(_MATCHES.c.table_id == bindparam("of_table"), _MATCHES.c.number == bindparam("of_number"), *MOVABLE)
    .values(head=bindparam("new_head"))
)
"""Its number of rows is 0 if nothing may be written to the match."""


def entries_of(match: Match, after: int = 0) -> list[JournalEntry]:
    """Return the match's entries after the seq ``after``, in their order."""
    which = {"table": match.table_id, "match": match.number, "after": after}
    return [JournalEntry(*row) for row in db.session.execute(RECORDS, which)]


def entry_by_id(table_id: int, id: str) -> tuple[int, JournalEntry] | None:
    """Return the number of the match and the entry of a table with this id; None if there is none."""
    row = db.session.execute(ONE, {"table": table_id, "id": id}).first()
    return None if row is None else (row[0], JournalEntry(*row[1:]))


def written_about(match: Match, deal: int, seq: int) -> list[JournalEntry]:
    """Return the entries after ``seq`` that may change a closing of ``deal`` that was drawn then.

    These are notes and statements of this deal, seats, and rules and players valid from it; never entries of other
    deals.
    """
    if seq == match.head:
        return []
    since = [entry for entry in entries_of(match, after=seq) if entry.kind not in kinds.MOVES_NO_POINTS]
    voided = [entry.payload["entry"] for entry in since if entry.kind == kinds.VOIDED]
    targets = _rows_by_id(match, voided) if voided else {}

    def is_about(kind: str, payload: kinds.AnyPayload) -> bool:
        if kind == kinds.VOIDED:
            target = targets.get(payload["entry"])
            return target is not None and target.kind != kinds.VOIDED and is_about(target.kind, target.payload)
        if kind in kinds.CHANGES:
            return bool(payload["deal"] <= deal)
        return kind == kinds.SEATED or (kind in kinds.OF_A_DEAL and payload["deal"] == deal)

    return [entry for entry in since if is_about(entry.kind, entry.payload)]


def append(match: Match, new: Sequence[NewEntry], **written_by: Any) -> bool:
    """Write ``new`` together and return whether that was needed; call inside ``db.writing()``.

    Entries that are already written (same id, kind and payload) are left out: a repeated post is one entry.
    ``written_by`` is as in ``as_written``. Raises ``Stale`` for an id with another content.
    """
    lock(match)
    if are_written(match, new):
        return False
    write_entries(match, as_written(match.head, new, **written_by))
    return True


def _rows_by_id(match: Match, ids: Sequence[str]) -> dict[str, Any]:
    rows = db.session.execute(BY_ID, {"table": match.table_id, "ids": ids})
    return {row.id: row for row in rows}


def are_written(match: Match, new: Sequence[NewEntry], drawn_from: int | None = None) -> bool:
    """Return whether these entries are already written. Raises ``Stale`` if only some are, or with another content."""
    known = _rows_by_id(match, [entry.id for entry in new])
    if known and not (len(known) == len(new) and all(_same(known[entry.id], entry, match) for entry in new)):
        raise Stale(entries_of(match, after=drawn_from or 0))
    return bool(known)


def refuse_stale(match: Match, new: Sequence[NewEntry], drawn_from: int | None) -> None:
    """Raise ``Stale`` if an entry after ``drawn_from`` may change a closing among ``new``."""
    if drawn_from is None:
        return
    deals = {entry.payload["deal"] for entry in new if entry.kind in kinds.OF_A_DEAL}
    moved = [entry for deal in sorted(deals) for entry in written_about(match, deal, drawn_from)]
    if moved:
        raise Stale(moved)


def make_room(head: int, new: Sequence[NewEntry]) -> None:
    """Raise ``Full`` if a match whose newest entry is ``head`` has no room for these."""
    if head + len(new) > MATCH_ENTRIES and not all(entry.kind in kinds.ALWAYS_ROOM_FOR for entry in new):
        raise Full("entries", MATCH_ENTRIES)


def as_written(
    head: int,
    new: Sequence[NewEntry],
    *,
    author: str | None = None,
    device: str | None = None,
    player: int | None = None,
) -> list[JournalEntry]:
    """Return the entries of the journal for ``new``, after ``head``. Raises ``Full``.

    ``player`` holds the phone that writes them, also those that copy an entry of another writer.
    """
    make_room(head, new)
    unknown = [entry.kind for entry in new if entry.kind not in kinds.KINDS]
    if unknown:
        raise ValueError(f"unknown kind of entry: {unknown[0]}")
    # The label of a side fits its column.
    at = whole_second(now())
    who = (author[:NAME_LENGTH] if author else None, at, device[:KEY_LENGTH] if device else None)
    by = {} if player is None else {"by": player}
    payloads = [{name: value for name, value in entry.payload.items() if name != "by"} for entry in new]
    # As the database will return it: JSON has no tuples.
    return [
        JournalEntry(entry.id, seq, entry.kind, json.loads(json.dumps({"v": VERSION, **payload, **by})), *who)
        for seq, (entry, payload) in enumerate(zip(new, payloads, strict=True), head + 1)
    ]


def write_entries(match: Match, new: Sequence[JournalEntry]) -> None:
    """Write new entries that follow the match's head; the match is locked.

    Raises ``Stale`` if another match of the table takes one of their ids at the same moment, ``Moved`` if the table is
    only read by now, and ``Unreachable`` while the match comes with a part of a file that is not there as a whole.
    """
    db.session.flush()
    note_written(match.table_id)
    whose = {"table_id": match.table_id, "match": match.number}
    try:
        db.session.execute(INSERT, [{**whose, **record._asdict()} for record in new])
    except IntegrityError as error:
        raise Stale(()) from error
    number_phones(match.table_id, marks_in(new))
    head = new[-1].seq
    which = {"of_table": match.table_id, "of_number": match.number, "new_head": head}
    if cast(CursorResult[Any], db.session.execute(MOVE_HEAD, which)).rowcount == 0:
        has_moved = db.session.scalar(_MOVED_TO, {"of_table": match.table_id}) is not None
        raise Moved if has_moved else Unreachable(PART_COMES)
    set_committed_value(match, "head", head)
    announce(match.table_id)


def marks_in(entries: Iterable[JournalEntry]) -> list[str]:
    """Return the marks of the phones in entries, each once, in the order in which they come."""
    marks = (mark for entry in entries for mark in (entry.device, *entry.payload.get("phones", ())))
    return list(dict.fromkeys(mark for mark in marks if mark))


def number_phones(table_id: int, marks: Sequence[str]) -> None:
    """Give these phones their numbers at a table, if they have none yet. Call inside ``writing()``."""
    numbered = set(db.session.scalars(NUMBERED, {"table": table_id, "marks": marks})) if marks else set()
    for mark in marks:
        while mark not in numbered:
            # Another phone may take the same number at the same moment: then this one takes the next.
            db.session.execute(NUMBER_ONE, {"table": table_id, "mark": mark})
            numbered |= set(db.session.scalars(NUMBERED, {"table": table_id, "marks": [mark]}))


def _same(entry: Any, new: NewEntry, match: Match) -> bool:
    return (entry.match, *_comparable(entry.kind, entry.payload)) == (match.number, *_comparable(new.kind, new.payload))


def _comparable(kind: str, payload: kinds.AnyPayload) -> tuple[str, int | None, kinds.AnyPayload]:
    """Return what an entry reports of which deal; a closing that was written as another kind is still a closing."""
    reported = reported_in(payload)
    if "facts" in reported:
        kind = kinds.DEAL_CLOSED
        reported.pop("entry", None)
    return kind, payload.get("deal"), reported


def voiding(entries: Sequence[JournalEntry], entry_id: str, id: str | None = None) -> list[NewEntry]:
    """Return the entry that voids one of these entries; nothing if it is void already.

    ``id`` is the id of the voiding, by default a new one. Raises ``NoSuchEntry``.
    """
    if any(entry.kind == kinds.VOIDED and entry.payload["entry"] == entry_id for entry in entries):
        return []
    if not any(entry.id == entry_id and entry.kind not in kinds.NEVER_VOIDED for entry in entries):
        raise NoSuchEntry(entry_id)
    return [NewEntry(kinds.VOIDED, {"entry": entry_id}, id=id or str(uuid4()))]
