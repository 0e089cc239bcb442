"""The journal of a match: what happened is added, never overwritten; a correction voids an entry and adds another."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID, uuid4

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.attributes import set_committed_value

from ...limits import MATCH_ENTRIES
from ..db import Base, db, lock
from ..live import announce
from ..models import KEY_LENGTH, NAME_LENGTH, Entry, Match, StoredSheets, now
from . import kinds

VERSION = 4
"""The shape of the payloads written today; each entry says which one it has.

Since 2, every side has to agree. Since 3, a closing is judged by the second tariff of the engine, since 4
by the third (``tariff_of``).
"""

CHARGED_ANEW = 3
"""The version of payloads since which closings are judged by the second tariff."""


LATE = timedelta(minutes=10)
"""Time from the tap to the journal after which pages say when an entry was told, and when it arrived."""


class JournalError(Exception):
    """Base of what the journal refuses.

    - ``Stale``: someone else wrote meanwhile; show both and ask
    - ``NoSuchEntry``: the entry to void is not in this match
    - ``Locked``: the deal is for all sides to change; a change of it is proposed
    - ``Full``: there is no room for more of its kind
    """


class Stale(JournalError):
    """The form was drawn from an older version; ``since`` is what was written after that."""

    def __init__(self, since: Sequence[JournalEntry]) -> None:
        super().__init__(f"{len(since)} entries were written since this form was drawn")
        self.since = tuple(since)


class NoSuchEntry(JournalError):
    """There is no such entry to void."""


class Locked(JournalError):
    """The deal is agreed on, in dispute, or has two versions: one side proposes a change, and all others accept it.

    ``deal`` is None where the rules of the match are agreed on.
    """

    def __init__(self, deal: int | None) -> None:
        super().__init__(f"deal {deal} is locked" if deal else "the rules are agreed on")
        self.deal = deal


class Full(JournalError):
    """There is as much of something as there may be (``limits``).

    ``what`` is ``entries`` or ``deals`` (of a match), ``notes``, ``rivals`` or ``said`` (of a deal), ``matches`` or
    ``players`` (of a table); ``most`` is how many there may be.
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
    """An entry as it stands in the journal."""

    id: str
    seq: int
    kind: str
    payload: kinds.AnyPayload
    author: str | None
    """The side that the writer's phone speaks for, by its label, where it speaks for one."""
    created_at: datetime
    device: str | None = None
    """The writer's phone; never shown."""
    sheets: StoredSheets | None = None
    """The sheets that a closing keeps, where a migration stored them."""

    @property
    def happened_at(self) -> datetime:
        """When it was noted: on a phone without signal, earlier than it could be written."""
        at = self.payload.get("at")
        return datetime.fromisoformat(at) if at else self.created_at

    @property
    def came_late(self) -> bool:
        """Whether it arrived so long after it was noted that both times are told."""
        return self.created_at - self.happened_at > LATE


def reported_in(payload: Mapping[str, object]) -> kinds.AnyPayload:
    """Return what an entry says of its deal, without what only surrounds it: version, deal, time and writer."""
    reported = {name: value for name, value in payload.items() if name not in ("v", "deal", "at", "by")}
    return cast(kinds.AnyPayload, reported)


def tariff_of(entry: JournalEntry) -> int:
    """Return the number of the engine's tariff by which a closing was judged when it was written."""
    return max(1, entry.payload["v"] - CHARGED_ANEW + 2)


def is_entry_id(text: str) -> bool:
    """Say whether ``text`` is a UUID in its usual form."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


# What every entry asks for is put together once: building a statement costs more than running it.
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
_MATCHES = Base.metadata.tables[Match.__tablename__]
MOVE_HEAD = (
    update(_MATCHES)
    .where(_MATCHES.c.table_id == bindparam("of_table"), _MATCHES.c.number == bindparam("of_number"))
    .values(head=bindparam("new_head"))
)


def entries_of(match: Match, after: int = 0) -> list[JournalEntry]:
    """Return the match's entries in their order, those after seq ``after`` only."""
    which = {"table": match.table_id, "match": match.number, "after": after}
    return [JournalEntry(*row) for row in db.session.execute(RECORDS, which)]


def entry_by_id(table_id: int, id: str) -> tuple[int, JournalEntry] | None:
    """Return the entry of a table that has this id, with the number of its match; None where there is none."""
    row = db.session.execute(ONE, {"table": table_id, "id": id}).first()
    return None if row is None else (row[0], JournalEntry(*row[1:]))


def written_about(match: Match, deal: int, seq: int) -> list[JournalEntry]:
    """Return what was written after ``seq`` that may change what a closing of ``deal`` drawn then would write.

    That is what was noted or said of this very deal, who sits where, and rules and players valid from it; what happened
    in other deals never does.
    """
    if seq == match.head:
        return []
    since = [entry for entry in entries_of(match, after=seq) if entry.kind not in kinds.MOVES_NO_POINTS]
    voided = [entry.payload["entry"] for entry in since if entry.kind == kinds.VOIDED]
    targets = (
        {row.id: row for row in db.session.execute(BY_ID, {"table": match.table_id, "ids": voided})} if voided else {}
    )

    def is_about(kind: str, payload: kinds.AnyPayload) -> bool:
        if kind == kinds.VOIDED:
            target = targets.get(payload["entry"])
            return target is not None and target.kind != kinds.VOIDED and is_about(target.kind, target.payload)
        if kind in kinds.CHANGES:
            return bool(payload["deal"] <= deal)
        return kind == kinds.SEATED or (kind in kinds.OF_A_DEAL and payload["deal"] == deal)

    return [entry for entry in since if is_about(entry.kind, entry.payload)]


def append(
    match: Match,
    new: Sequence[NewEntry],
    *,
    drawn_from: int | None = None,
    **written_by: Any,
) -> bool:
    """Write ``new`` in one go and say whether that was needed; call inside ``db.writing()``.

    Entries that are there already (same id, kind and payload) are not written again: a repeated post is one entry.
    ``drawn_from`` is the seq that the form was drawn from, None where the entries hold whatever was written meanwhile
    (two sweeps are two sweeps). The rest, who writes, is as in ``as_written``.
    Raises ``Stale``, also for an id used before with something else in it.
    """
    lock(match)
    if are_written(match, new, drawn_from):
        return False
    refuse_stale(match, new, drawn_from)
    write_entries(match, as_written(match.head, new, **written_by))
    return True


def are_written(match: Match, new: Sequence[NewEntry], drawn_from: int | None = None) -> bool:
    """Say whether these very entries are there already. Raises ``Stale`` where some are, or say something else."""
    rows = db.session.execute(BY_ID, {"table": match.table_id, "ids": [entry.id for entry in new]})
    known = {row.id: row for row in rows}
    if known and not (len(known) == len(new) and all(_same(known[entry.id], entry, match) for entry in new)):
        raise Stale(entries_of(match, after=drawn_from or 0))
    return bool(known)


def refuse_stale(match: Match, new: Sequence[NewEntry], drawn_from: int | None) -> None:
    """Raise ``Stale`` where something was written after ``drawn_from`` that a closing among ``new`` has to know."""
    if drawn_from is None:
        return
    deals = {entry.payload["deal"] for entry in new if entry.kind in kinds.OF_A_DEAL}
    moved = [entry for deal in sorted(deals) for entry in written_about(match, deal, drawn_from)]
    if moved:
        raise Stale(moved)


def make_room(head: int, new: Sequence[NewEntry]) -> None:
    """Raise ``Full`` where a match whose newest entry is ``head`` has no room for these."""
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
    """Return entries as they stand in the journal once they are written after ``head``. Raises ``Full``.

    ``player`` holds the phone that writes them; an entry copied from another one does not keep who wrote that.
    """
    make_room(head, new)
    unknown = [entry.kind for entry in new if entry.kind not in kinds.KINDS]
    if unknown:
        raise ValueError(f"unknown kind of entry: {unknown[0]}")
    # Whatever a side is called, it fits its column.
    who = (author[:NAME_LENGTH] if author else None, now(), device[:KEY_LENGTH] if device else None)
    by = {} if player is None else {"by": player}
    payloads = [{name: value for name, value in entry.payload.items() if name != "by"} for entry in new]
    # The payload as it will be read: JSON knows no tuples.
    return [
        JournalEntry(entry.id, seq, entry.kind, json.loads(json.dumps({"v": VERSION, **payload, **by})), *who)
        for seq, (entry, payload) in enumerate(zip(new, payloads, strict=True), head + 1)
    ]


def write_entries(match: Match, new: Sequence[JournalEntry]) -> None:
    """Write entries that are known to be new and to follow the match's head; the match is locked.

    Raises ``Stale`` where another match of the table took an id of theirs at this very moment.
    """
    db.session.flush()
    whose = {"table_id": match.table_id, "match": match.number}
    try:
        db.session.execute(INSERT, [{**whose, **record._asdict()} for record in new])
    except IntegrityError as error:
        raise Stale(()) from error
    head = new[-1].seq
    db.session.execute(MOVE_HEAD, {"of_table": match.table_id, "of_number": match.number, "new_head": head})
    set_committed_value(match, "head", head)
    announce(match.table_id)


def _same(entry: Any, new: NewEntry, match: Match) -> bool:
    return (entry.match, *_comparable(entry.kind, entry.payload)) == (match.number, *_comparable(new.kind, new.payload))


def _comparable(kind: str, payload: kinds.AnyPayload) -> tuple[str, int | None, kinds.AnyPayload]:
    """Return what was reported of which deal: a closing is the same one, whatever it was written as beside another."""
    reported = reported_in(payload)
    if "facts" in reported:
        kind = kinds.DEAL_CLOSED
        reported.pop("entry", None)
    return kind, payload.get("deal"), reported


def voiding(entries: Sequence[JournalEntry], entry_id: str, id: str | None = None) -> list[NewEntry]:
    """Return what voids one of these entries, by its id: nothing where it is void already, as once is enough.

    ``id`` is the id of the correction itself, made anew unless given. Raises ``NotThere``.
    """
    if any(entry.kind == kinds.VOIDED and entry.payload["entry"] == entry_id for entry in entries):
        return []
    if not any(entry.id == entry_id and entry.kind not in kinds.NEVER_VOIDED for entry in entries):
        raise NoSuchEntry(entry_id)
    return [NewEntry(kinds.VOIDED, {"entry": entry_id}, id=id or str(uuid4()))]
