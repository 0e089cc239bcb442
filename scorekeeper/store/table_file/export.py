"""Write a table as a file: whole, or in parts that a request can hold.

All of a file is read at one moment, match by match. The parts follow from the numbers and the lengths of entries, which
the database adds up.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, cast, func, select

from ...limits import FILE_BYTES, FILE_ENTRIES, FILE_MATCH_BYTES, FILE_PARTS, LARGEST_ID, NAME_LETTERS
from ..db import Base, db, read_at_once
from ..forgotten import forgotten_players, without_forgotten
from ..models import Entry, Match, Phone, Player, Table
from .shape import BESIDE_PAYLOAD, BETWEEN, CLOSED, FORMAT, VERSION, EntryRow, Head, MatchRow, moment, opened, written

READ_TOGETHER = 500
"""Rows that are read from the database at once: some hundred kilobytes."""
MEASURED_TOGETHER = 4 * FILE_ENTRIES
"""Entries whose lengths are read at once."""


def _length(column: Any) -> ColumnElement[int]:
    return func.length(cast(column, Text))


_MATCHES = Base.metadata.tables[Match.__tablename__].c
_ENTRIES = Base.metadata.tables[Entry.__tablename__].c
MEASURED = (_MATCHES.number, _MATCHES.head, _length(_MATCHES.setup))
"""The columns of matches from which the sizes of their parts are reckoned."""
_WIDEST: EntryRow = {
    "id": "x" * 36,
    "kind": "x" * 24,
    "v": 1,
    "at": "2026-01-01T00:00:00Z",
    "told": None,
    "side": "",
    "by": None,
    "phone": LARGEST_ID,
    "payload": {},
}
ENTRY_BYTES = len(written(_WIDEST))
"""The most bytes of an entry beside its payload and its side: a payload is never longer than the database has it."""
MATCH_BYTES = 200 + NAME_LETTERS
"""The most bytes of a match beside its set-up and its entries."""
LETTER_BYTES = 6
"""The most bytes of a letter in JSON."""


class Part(NamedTuple):
    """A range of matches by their numbers, both of them in it."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"


ALL = Part(1, LARGEST_ID)
_NAMED = re.compile(r"([0-9]{1,10})-([0-9]{1,10})")


def part_named(text: str) -> Part | None:
    """Return the range that a text such as ``1-200`` names; None if it names none."""
    found = _NAMED.fullmatch(text)
    first, last = map(int, found.groups()) if found else (0, 0)
    return Part(first, min(last, LARGEST_ID)) if 1 <= first <= min(last, LARGEST_ID) else None


class TooLarge(Exception):
    """A range is too large for one file. ``parts`` are its parts; there are none if it is one match, too large itself.

    Parts after ``FILE_PARTS`` of them are together the last, which has parts of its own.
    """

    def __init__(self, parts: Collection[Part]) -> None:
        super().__init__(f"{len(parts)} parts")
        self.parts = tuple(parts)


def part_of(table: Table, asked: Part = ALL) -> bytes:
    """Return the file of a range of matches, by default of all. Raises ``TooLarge``."""
    with read_at_once():
        parts = parts_of(table, asked)
        if len(parts) > 1:
            raise TooLarge(parts)
        found, size = [], 0
        for piece in pieces_of(table, asked):
            found.append(piece)
            size += len(piece)
            if size > FILE_MATCH_BYTES:
                raise TooLarge(())
        return b"".join(found)


def pieces_of(table: Table, asked: Part = ALL) -> Iterator[bytes]:
    """Yield the file of a range of matches, piece by piece, however long it is. Call inside ``read_at_once()``."""
    yield opened(head_of(table))
    phones = _numbers_of_phones(table)
    forgotten = forgotten_players(table.id)
    columns = (_MATCHES.number, _MATCHES.created_at, _MATCHES.setup, _MATCHES.taken_up)
    matches = {row.number: row for row in db.session.execute(_shown(table, asked, *columns))}
    read = (
        select(*(_ENTRIES[name] for name in ("match", "id", "kind", "payload", "author", "device", "created_at")))
        .where(_ENTRIES.table_id == table.id, _ENTRIES.match.between(*asked))
        .order_by(_ENTRIES.match, _ENTRIES.seq)
    )
    entries = db.session.execute(read, execution_options={"yield_per": READ_TOGETHER})
    before = b""
    for number, rows in groupby(entries, key=lambda row: row.match):
        if number in matches:
            yield before + written(_match(matches[number], rows, phones, forgotten))
            before = BETWEEN
    yield CLOSED


def head_of(table: Table) -> Head:
    """Return the file of a table without its matches."""
    columns = (Player.number, Player.name, Player.guest, Player.into, Player.forgotten_at)
    players = db.session.execute(select(*columns).where(Player.table_id == table.id).order_by(Player.number))
    return {
        "format": FORMAT,
        "version": VERSION,
        "name": table.name,
        "created": moment(table.created_at),
        "zone": table.zone,
        "last": table.last_match,
        "players": [
            {
                "number": row.number,
                "name": "" if row.forgotten_at is not None else row.name,
                "guest": row.guest,
                "into": row.into,
            }
            for row in players
        ],
    }


def parts_of(table: Table, asked: Part = ALL) -> list[Part]:
    """Return the parts of a range of matches, by default of all, in their order; none if there is no match in it.

    Each is one match, or has at most ``FILE_ENTRIES`` entries and ``FILE_BYTES`` bytes. After ``FILE_PARTS`` of them
    comes one with all the rest, however large.
    """
    around = len(opened(head_of(table))) + len(CLOSED)
    numbers = db.session.execute(_shown(table, asked, *MEASURED)).all()
    parts: list[Part] = []
    entries = size = 0
    for number, more_entries, more_bytes in _sizes(table, numbers):
        entries, size = entries + more_entries, size + more_bytes
        if parts and entries <= FILE_ENTRIES and around + size <= FILE_BYTES:
            parts[-1] = Part(parts[-1].first, number)
        elif len(parts) == FILE_PARTS:
            return [*parts, Part(number, numbers[-1].number)]
        else:
            parts.append(Part(number, number))
            entries, size = more_entries, more_bytes
    return parts


def _sizes(table: Table, matches: Collection[Any]) -> Iterator[tuple[int, int, int]]:
    """Yield the number, the count of entries, and the most bytes in the file of each of these matches."""
    of_entry = _length(_ENTRIES.payload) + LETTER_BYTES * func.coalesce(func.length(_ENTRIES.author), 0) + ENTRY_BYTES
    counted = select(_ENTRIES.match, func.count(), func.sum(of_entry)).where(_ENTRIES.table_id == table.id)
    for several in _in_chunks(matches):
        of_chunk = counted.where(_ENTRIES.match.between(several[0].number, several[-1].number))
        found = {match: (count, size) for match, count, size in db.session.execute(of_chunk.group_by(_ENTRIES.match))}
        for number, _head, setup in several:
            count, size = found.get(number, (0, 0))
            yield number, count, MATCH_BYTES + setup + size


def _in_chunks(matches: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield these matches in lists, each of ``MEASURED_TOGETHER`` entries or one match."""
    chunk: list[Any] = []
    entries = 0
    for match in matches:
        if chunk and entries + match.head > MEASURED_TOGETHER:
            yield chunk
            chunk, entries = [], 0
        chunk.append(match)
        entries += match.head
    if chunk:
        yield chunk


def _match(match: Any, rows: Iterable[Any], phones: Mapping[str, int], forgotten: Collection[int]) -> MatchRow:
    return {
        "number": match.number,
        "started": moment(match.created_at),
        "game": match.setup["game"],
        "setup": match.setup,
        "taken_up": match.taken_up,
        "entries": [_entry(row, phones, forgotten) for row in rows],
    }


def _entry(row: Any, phones: Mapping[str, int], forgotten: Collection[int]) -> EntryRow:
    stored = without_forgotten(row.kind, row.payload, forgotten)
    payload = {name: value for name, value in stored.items() if name not in BESIDE_PAYLOAD}
    if "phones" in payload:
        held = payload["phones"].items()
        payload["phones"] = {str(phones[mark]): player for mark, player in held if mark in phones}
    return {
        "id": row.id,
        "kind": row.kind,
        "v": stored["v"],
        "at": moment(row.created_at),
        "told": stored.get("at"),
        "side": row.author,
        "by": stored.get("by"),
        "phone": phones.get(row.device),
        "payload": payload,
    }


def _numbers_of_phones(table: Table) -> dict[str, int]:
    rows = db.session.execute(select(Phone.mark, Phone.number).where(Phone.table_id == table.id))
    return {row.mark: row.number for row in rows}


def _shown(table: Table, asked: Part, *columns: Any) -> Any:
    """Return the query for columns of the matches of a range that are not deleted, in their order."""
    those = (_MATCHES.table_id == table.id, _MATCHES.number.between(*asked), _MATCHES.deleted_at.is_(None))
    return select(*columns).where(*those).order_by(_MATCHES.number)
