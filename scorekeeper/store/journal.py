"""The journal of a match: what happened is added, never overwritten; a correction voids an entry and adds another.

The standing is a fold over the entries (``replay``), so a voided entry leaves no trace in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid4

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm.attributes import set_committed_value

from ..limits import MATCH_ENTRIES
from ..names import drawn
from .changes import announce
from .db import Base, Gone, db, lock
from .models import KEY_LENGTH, NAME_LENGTH, Entry, Match, now

VERSION = 1

MATCH_STARTED = "match_started"
LAYOUT_NOTED = "layout_noted"
SWEPT = "swept"
DECLARED = "declared"
PENALISED = "penalised"
DEAL_CLOSED = "deal_closed"
VOIDED = "voided"
MATCH_ENDED = "match_ended"
PLAYER_RENAMED = "player_renamed"
TABLE_RENAMED = "table_renamed"
RENAMED = frozenset({PLAYER_RENAMED, TABLE_RENAMED})
DEAL_CONTESTED = "deal_contested"
"""Another closing of a closed deal, with facts of its own: kept beside the one that stands until the table chooses."""
CONFIRMED = "confirmed"
"""Somebody stands behind the closing that ``entry`` names; with ``facts``: by a closing that comes to the same."""
DISPUTED = "disputed"
REOPENING_ASKED = "reopening_asked"
REOPENING_ACCEPTED = "reopening_accepted"
ABOUT_A_CLOSING = frozenset({CONFIRMED, DISPUTED, REOPENING_ASKED, REOPENING_ACCEPTED})
"""What is said about a closing, which ``entry`` names; ``side`` says who says it."""
OF_A_DEAL = frozenset({LAYOUT_NOTED, SWEPT, DECLARED, PENALISED, DEAL_CLOSED, DEAL_CONTESTED}) | ABOUT_A_CLOSING
NOTED = frozenset({LAYOUT_NOTED, SWEPT, DECLARED, PENALISED})
"""What is told of a deal while it is played."""
KINDS = OF_A_DEAL | RENAMED | {MATCH_STARTED, VOIDED, MATCH_ENDED}
COUNTS_NOTHING = ABOUT_A_CLOSING | RENAMED | {DEAL_CONTESTED}
"""What moves no point: a form drawn before it was written is as good as new."""
NOTES = NOTED | RENAMED
"""What is written beside whatever else was noted meanwhile: two sweeps are two sweeps."""
BEYOND_MEASURE = frozenset({VOIDED, MATCH_ENDED})
"""What may be written to a full match too: it happens once."""
NEVER_VOIDED = RENAMED | {VOIDED, MATCH_STARTED}
"""What voiding would not undo: a name is taken back by giving the former one again."""


class JournalError(Exception):
    """Base of what the journal refuses.

    - ``Stale``: someone else wrote meanwhile; show both and ask
    - ``NotThere``: the entry to void is not in this match, or is void already
    - ``Locked``: the deal is agreed; it is opened again first
    - ``Full``: there is no room for more of its kind
    """


class Stale(JournalError):
    """The form was drawn from an older version; ``since`` is what was written after that."""

    def __init__(self, since: Sequence[Record]) -> None:
        super().__init__(f"{len(since)} entries were written since this form was drawn")
        self.since = tuple(since)


class NotThere(JournalError):
    """There is no such entry to void."""


class Locked(JournalError):
    """Two who are independent of each other agreed on this deal; to change it, one asks and the other accepts."""

    def __init__(self, deal: int) -> None:
        super().__init__(f"deal {deal} is locked")
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
    """An entry about to be written; ``id`` comes from the form that tells it."""

    kind: str
    payload: Mapping[str, Any]
    id: str = field(default_factory=lambda: str(uuid4()))


class Record(NamedTuple):
    """An entry as it stands in the journal."""

    id: str
    seq: int
    kind: str
    payload: Mapping[str, Any]
    author: str | None
    """The side that the writer's phone speaks for, by its label, where it speaks for one."""
    created_at: datetime
    device: str | None = None
    """The writer's phone; never shown."""

    @property
    def happened_at(self) -> datetime:
        """When it was told: on a phone without signal, earlier than it could be written."""
        told = self.payload.get("at")
        return datetime.fromisoformat(told) if told else self.created_at


def what_was_told(payload: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an entry says of its deal, without what only surrounds it: version, deal and time."""
    return {name: value for name, value in payload.items() if name not in ("v", "deal", "at")}


def is_entry_id(text: str) -> bool:
    """Say whether ``text`` is a UUID in its usual form."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False


# What every entry asks for is put together once: building a statement costs more than running it.
_ENTRIES = Base.metadata.tables[Entry.__tablename__]
RECORDS = (
    select(*(_ENTRIES.c[name] for name in Record._fields))
    .where(_ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.match == bindparam("match"))
    .where(_ENTRIES.c.seq > bindparam("after"))
    .order_by(_ENTRIES.c.seq)
)
BY_ID = select(_ENTRIES.c.id, _ENTRIES.c.match, _ENTRIES.c.kind, _ENTRIES.c.payload).where(
    _ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.id.in_(bindparam("ids", expanding=True))
)
ONE = select(_ENTRIES.c.match, *(_ENTRIES.c[name] for name in Record._fields)).where(
    _ENTRIES.c.table_id == bindparam("table"), _ENTRIES.c.id == bindparam("id")
)
INSERT = insert(_ENTRIES)
_MATCHES = Base.metadata.tables[Match.__tablename__]
MOVE_HEAD = (
    update(_MATCHES)
    .where(_MATCHES.c.table_id == bindparam("of_table"), _MATCHES.c.number == bindparam("of_number"))
    .values(head=bindparam("new_head"))
)


def entries_of(match: Match, after: int = 0) -> list[Record]:
    """Return the match's entries in their order, those after seq ``after`` only."""
    which = {"table": match.table_id, "match": match.number, "after": after}
    return [Record(*row) for row in db.session.execute(RECORDS, which)]


def entry_by_id(table_id: int, id: str) -> tuple[int, Record] | None:
    """Return the entry of a table that has this id, with the number of its match; None where there is none."""
    row = db.session.execute(ONE, {"table": table_id, "id": id}).first()
    return None if row is None else (row[0], Record(*row[1:]))


def written_since(match: Match, seq: int) -> list[Record]:
    """Return what was written after ``seq`` that may change what a form drawn then would write."""
    if seq == match.head:
        return []
    return [entry for entry in entries_of(match, after=seq) if entry.kind not in COUNTS_NOTHING]


def append(
    match: Match,
    new: Sequence[NewEntry],
    *,
    drawn_from: int | None = None,
    author: str | None = None,
    device: str | None = None,
) -> bool:
    """Write ``new`` in one go and say whether that was needed; call inside ``db.writing()``.

    Entries that are there already (same id, kind and payload) are not written again: a repeated post is one entry.
    ``drawn_from`` is the seq that the form was drawn from, None where the entries hold whatever was written meanwhile
    (two sweeps are two sweeps).
    Raises ``Stale``, also for an id used before with something else in it.
    """
    lock(match)
    if are_written(match, new, drawn_from):
        return False
    refuse_stale(match, drawn_from)
    write(match, records(match.head, new, author=author, device=device))
    return True


def are_written(match: Match, new: Sequence[NewEntry], drawn_from: int | None = None) -> bool:
    """Say whether these very entries are there already. Raises ``Stale`` where some are, or say something else."""
    rows = db.session.execute(BY_ID, {"table": match.table_id, "ids": [one.id for one in new]})
    known = {row.id: row for row in rows}
    if known and not (len(known) == len(new) and all(_same(known[one.id], one, match) for one in new)):
        raise Stale(entries_of(match, after=drawn_from or 0))
    return bool(known)


def refuse_stale(match: Match, drawn_from: int | None) -> None:
    """Raise ``Stale`` where something that counts was written after ``drawn_from``."""
    moved = [] if drawn_from is None else written_since(match, drawn_from)
    if moved:
        raise Stale(moved)


def make_room(head: int, new: Sequence[NewEntry]) -> None:
    """Raise ``Full`` where a match whose newest entry is ``head`` has no room for these."""
    if head + len(new) > MATCH_ENTRIES and not all(one.kind in BEYOND_MEASURE for one in new):
        raise Full("entries", MATCH_ENTRIES)


def records(
    head: int, new: Sequence[NewEntry], *, author: str | None = None, device: str | None = None
) -> list[Record]:
    """Return entries as they stand in the journal once they are written after ``head``. Raises ``Full``."""
    make_room(head, new)
    unknown = [one.kind for one in new if one.kind not in KINDS]
    if unknown:
        raise ValueError(f"unknown kind of entry: {unknown[0]}")
    # Whatever a side is called, it fits its column.
    who = (author[:NAME_LENGTH] if author else None, now(), device[:KEY_LENGTH] if device else None)
    # The payload as it will be read: JSON knows no tuples.
    return [
        Record(one.id, seq, one.kind, json.loads(json.dumps({"v": VERSION, **one.payload})), *who)
        for seq, one in enumerate(new, head + 1)
    ]


def write(match: Match, new: Sequence[Record]) -> None:
    """Write entries that are known to be new and to follow the match's head; the match is locked.

    Raises ``Stale`` where another match of the table took an id of theirs at this very moment.
    """
    db.session.flush()
    whose = {"table_id": match.table_id, "match": match.number}
    try:
        db.session.execute(INSERT, [{**whose, **record._asdict()} for record in new])
    except IntegrityError as taken:
        raise Stale(()) from taken
    head = new[-1].seq
    db.session.execute(MOVE_HEAD, {"of_table": match.table_id, "of_number": match.number, "new_head": head})
    set_committed_value(match, "head", head)
    announce(match.table_id)


def _same(entry: Any, new: NewEntry, match: Match) -> bool:
    return (entry.match, *_told(entry.kind, entry.payload)) == (match.number, *_told(new.kind, new.payload))


def _told(kind: str, payload: Mapping[str, Any]) -> tuple[str, Any, dict[str, Any]]:
    """Return what was told of which deal: a closing is the same one, whatever it turned out to be beside another."""
    told = what_was_told(payload)
    if "facts" in told:
        kind = DEAL_CLOSED
        told.pop("entry", None)
    return kind, payload.get("deal"), told


def voiding(entries: Sequence[Record], entry_id: str, id: str | None = None) -> list[NewEntry]:
    """Return what voids one of these entries, by its id: nothing where it is void already, as once is enough.

    ``id`` is the id of the correction itself, made anew unless given. Raises ``NotThere``.
    """
    if any(one.kind == VOIDED and one.payload["entry"] == entry_id for one in entries):
        return []
    if not any(one.id == entry_id and one.kind not in NEVER_VOIDED for one in entries):
        raise NotThere(entry_id)
    return [NewEntry(VOIDED, {"entry": entry_id}, id=id or str(uuid4()))]


@dataclass(frozen=True)
class Side:
    """Who scores together: a label for the engine and the numbers of its players."""

    label: str
    players: tuple[int, ...]


@dataclass(frozen=True)
class Setup:
    """What is fixed when a match starts. ``options`` are resolved: a later default changes nothing here."""

    game: str
    preset: str | None
    options: Mapping[str, Any]
    sides: tuple[Side, ...]
    first_dealer: int
    """The seat that deals first; seat i is of side i modulo the number of sides."""
    rules_name: str | None = None
    """The name under which the table keeps these house rules, if it does."""
    rules: int = 1
    """The version of the engine's rules that the match was started under, and is read with for good."""

    @property
    def labels(self) -> list[str]:
        """The sides' labels in playing order."""
        return [side.label for side in self.sides]

    @property
    def players_per_side(self) -> int:
        """How many play on each side."""
        return len(self.sides[0].players)

    @property
    def seats(self) -> list[int]:
        """The players' numbers round the table, in playing order: partners sit opposite."""
        return [side.players[turn] for turn in range(self.players_per_side) for side in self.sides]

    def side_at(self, seat: int) -> Side:
        """Return the side that sits at ``seat``."""
        return self.sides[seat % len(self.sides)]

    def as_json(self) -> dict[str, Any]:
        """Write the set-up as JSON, as ``from_json`` reads it."""
        return {
            "game": self.game,
            "preset": self.preset,
            "options": dict(self.options),
            "sides": [{"label": side.label, "players": list(side.players)} for side in self.sides],
            "first_dealer": self.first_dealer,
            "rules": self.rules,
            **({"rules_name": self.rules_name} if self.rules_name else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Setup:
        """Read what ``as_json`` wrote; where it does not name its rules, it was written before there were others."""
        return cls(
            game=data["game"],
            preset=data["preset"],
            options=data["options"],
            sides=tuple(Side(side["label"], tuple(side["players"])) for side in data["sides"]),
            first_dealer=data["first_dealer"],
            rules_name=drawn(data["rules_name"]) if data.get("rules_name") else None,
            rules=data.get("rules", 1),
        )


def same_facts(one: Record, other: Record) -> bool:
    """Say whether two closings were told alike, to the letter."""
    return bool(one.payload["facts"] == other.payload["facts"])


@dataclass
class DealState:
    """One deal: what was noted while it was played and, once closed, the facts it was closed with."""

    number: int
    dealer_seat: int
    noted: list[Record] = field(default_factory=list)
    """Sweeps, declarations, penalties and the layout, oldest first, the voided ones left out."""
    closed: Record | None = None
    former: Record | None = None
    """The last closing that was voided: what the form is filled with when the deal is closed again."""
    rivals: list[Record] = field(default_factory=list)
    """Every other closing of this deal that nobody has voided, oldest first."""
    said: list[Record] = field(default_factory=list)
    """What was said about the closing that stands, oldest first: confirmed, disputed, asked to be opened again."""
    taken: Record | None = None
    """The contested closing that the table chose, where the one that stands repeats it."""

    @property
    def contested(self) -> list[Record]:
        """The closings that differ from the one that stands and wait for the table to choose."""
        standing = self.closed
        return [] if standing is None else [one for one in self.rivals if not same_facts(one, standing)]

    def facts(self) -> dict[str, Any]:
        """Return the deal in the engine's shape: as it was closed, else what was noted so far."""
        if self.closed is not None:
            return dict(self.closed.payload["facts"])
        return self.noted_facts()

    def noted_facts(self) -> dict[str, Any]:
        """Return what was noted while the deal was played, in the engine's shape."""
        facts: dict[str, Any] = {}
        sweeps: dict[str, int] = {}
        for entry in self.noted:
            told = what_was_told(entry.payload)
            if entry.kind == SWEPT:
                sweeps[told["side"]] = sweeps.get(told["side"], 0) + told["count"]
            elif entry.kind == DECLARED:
                facts.setdefault("declarations", []).append(told)
            elif entry.kind == PENALISED:
                facts.setdefault("penalties", []).append(told)
            elif entry.kind == LAYOUT_NOTED:
                facts.pop("layout", None)
                facts.pop("layout_result", None)
                facts.update(told)
        if sweeps:
            facts["sweeps"] = sweeps
        return facts


@dataclass
class MatchState:
    """A match as its entries tell it."""

    setup: Setup
    head: int
    deals: list[DealState]
    """The closed deals and the one being played, by number."""
    current: DealState
    """The deal being played: the first that is not closed."""
    ended: Record | None = None
    entries: tuple[Record, ...] = ()
    """The journal that it follows from."""

    @property
    def closed(self) -> list[DealState]:
        """The deals that were closed."""
        return [deal for deal in self.deals if deal.closed]

    def deal(self, number: int) -> DealState | None:
        """Return the deal of that number, closed or being played; None where it was never dealt."""
        return next((one for one in self.deals if one.number == number), None)

    def closed_deal(self, number: int) -> DealState | None:
        """Return the deal of that number, if it was closed."""
        one = self.deal(number)
        return one if one and one.closed else None

    def request(self) -> dict[str, Any]:
        """Return the closed deals as the engine's ``match`` takes them."""
        return {**self.engine_setup(), "deals": [self.deal_request(deal) for deal in self.closed]}

    def engine_setup(self) -> dict[str, Any]:
        """Return what every request about this match has in common; its options, all resolved, override the preset."""
        return {
            "game": self.setup.game,
            "preset": self.setup.preset,
            "options": dict(self.setup.options),
            "sides": self.setup.labels,
            "players_per_side": self.setup.players_per_side,
            "rules": self.setup.rules,
        }

    def deal_request(self, deal: DealState, facts: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return ``facts`` (the deal's own unless given) with the side that dealt."""
        return {
            "dealer": self.setup.side_at(deal.dealer_seat).label,
            **(deal.facts() if facts is None else facts),
        }


def replay(entries: Iterable[Record]) -> MatchState:
    """Fold the entries of one match, in order, into where it stands.

    Raises ``Gone`` where there are none: every match has its first, unless it was deleted meanwhile.
    """
    entries = list(entries)
    if not entries:
        raise Gone
    voided = {entry.payload["entry"] for entry in entries if entry.kind == VOIDED}
    setup = Setup.from_json(entries[0].payload["setup"])
    deals: dict[int, DealState] = {}
    ended = None

    def deal(number: int) -> DealState:
        return deals.setdefault(number, DealState(number, dealer_seat=0))

    for entry in entries:
        if entry.kind in OF_A_DEAL:
            _tell(deal(entry.payload["deal"]), entry, entry.id in voided)
        elif entry.kind == MATCH_ENDED and entry.id not in voided:
            ended = entry
    by_id = {entry.id: entry for entry in entries}
    for one in deals.values():
        _hear(one, by_id)
    closed = [one for one in deals.values() if one.closed]
    current = deal(
        next(number for number in range(1, len(deals) + 2) if number not in deals or not deals[number].closed)
    )
    ordered = sorted([*closed, current], key=lambda one: one.number)
    seat = setup.first_dealer
    for one in ordered:
        one.dealer_seat = seat
        if one.closed is None or one.closed.payload.get("redeal") != "same":
            seat = (seat + 1) % len(setup.seats)
    return MatchState(setup, entries[-1].seq, ordered, current, ended, tuple(entries))


def with_notes(state: MatchState, new: Sequence[Record]) -> MatchState | None:
    """Return the state after what was noted in the deal being played; None where ``new`` holds anything else.

    As ``replay`` of the whole journal, without folding it anew: a tap costs the same in a long match.
    """
    deal = state.current
    if not all(one.kind in NOTED and one.payload["deal"] == deal.number for one in new):
        return None
    current = replace(deal, noted=[*deal.noted, *new])
    deals = [current if one is deal else one for one in state.deals]
    return replace(state, head=new[-1].seq, deals=deals, current=current, entries=(*state.entries, *new))


def _tell(one: DealState, entry: Record, is_void: bool) -> None:
    """Put an entry where it belongs in its deal. The first closing stands until it is voided: none replaces another."""
    if is_void:
        if entry.kind == DEAL_CLOSED:
            one.former = entry
    elif entry.kind in ABOUT_A_CLOSING:
        one.said.append(entry)
    elif entry.kind == DEAL_CONTESTED or (entry.kind == DEAL_CLOSED and one.closed is not None):
        one.rivals.append(entry)
    elif entry.kind == DEAL_CLOSED:
        one.closed = entry
    else:
        one.noted.append(entry)


def _hear(one: DealState, by_id: Mapping[str, Record]) -> None:
    """Keep only what was said about the closing that stands; what was said about another went with it."""
    standing = one.closed
    one.said = [entry for entry in one.said if standing is not None and entry.payload["entry"] == standing.id]
    chosen = standing.payload.get("takes") if standing is not None else None
    one.taken = by_id.get(chosen) if chosen else None
