"""Make the rows of a table of its file: exactly those of which the file is written again.

Call all functions inside ``writing()``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import func, insert, select

from .. import links
from ..db import Base, db
from ..journal.entries import INSERT
from ..models import Entry, Match, Phone, Player, Table, new_key, now
from ..standings import Standing
from ..summaries import project
from .judging import journal_of
from .shape import Head
from .values import refuse

T = TypeVar("T")
LONG_AGO = datetime.fromtimestamp(0, UTC)
"""When a person was forgotten whose name is not in the file: so long ago that nobody can undo it."""
LOOKED_UP = 500
"""Ids, or numbers, that are looked up with one statement."""
_PHONES = Base.metadata.tables[Phone.__tablename__]
_ENTRIES = Base.metadata.tables[Entry.__tablename__].c


def make_table(head: Head) -> Table:
    """Make a table without matches, and return it: nobody knows a key of it yet."""
    table = Table(
        name=head["name"],
        zone=head["zone"],
        last_match=head["last"],
        created_at=datetime.fromisoformat(head["created"]),
    )
    db.session.add(table)
    db.session.flush()
    links.make(table)
    for player in head["players"]:
        row = Player(table_id=table.id, number=player["number"], name=player["name"], guest=player["guest"])
        row.into = player["into"]
        if not player["name"]:
            row.forgotten_at = LONG_AGO
        db.session.add(row)
    db.session.flush()
    return table


def add_match(table_id: int, match: Mapping[str, Any], at: str, standing: Standing) -> None:
    """Write a match that is judged, with the rows that follow from it. Raises ``Refused`` if an id is taken.

    Once all are written ``history_rows.settle`` sets the evenings of the matches around them.
    """
    _refuse_taken(table_id, match, at)
    row = Match(
        table_id=table_id,
        number=match["number"],
        head=len(match["entries"]),
        setup=match["setup"],
        taken_up=match["taken_up"],
        created_at=datetime.fromisoformat(match["started"]),
    )
    db.session.add(row)
    db.session.flush()
    marks = _marks_of(table_id, _phones_in(match["entries"]))
    whose = {"table_id": table_id, "match": match["number"]}
    journal = journal_of(match, marks)
    db.session.execute(INSERT, [{**whose, **entry._asdict()} for entry in journal])
    project(row, standing, settles=False)


def _several(values: Iterable[T]) -> Iterator[list[T]]:
    """Yield values in lists of as many as one statement looks up."""
    rest = iter(values)
    while several := list(islice(rest, LOOKED_UP)):
        yield several


def taken_numbers(table_id: int, numbers: Iterable[int]) -> set[int]:
    """Return those of some numbers that matches of a table have, also deleted ones."""
    taken: set[int] = set()
    for several in _several(numbers):
        query = select(Match.number).where(Match.table_id == table_id, Match.number.in_(several))
        taken |= set(db.session.scalars(query))
    return taken


def entries_of_table(table_id: int) -> int:
    """Return the number of all entries of a table."""
    return db.session.scalar(select(func.coalesce(func.sum(Match.head), 0)).where(Match.table_id == table_id)) or 0


def _refuse_taken(table_id: int, match: Mapping[str, Any], at: str) -> None:
    places = {entry["id"]: place for place, entry in enumerate(match["entries"])}
    for several in _several(places):
        query = select(_ENTRIES.id).where(_ENTRIES.table_id == table_id, _ENTRIES.id.in_(several)).limit(1)
        taken = db.session.scalar(query)
        if taken is not None:
            refuse(f"{at}.entries[{places[taken]}].id", "Another entry of the table has this id.", "twice")


def _phones_in(entries: Iterable[Mapping[str, Any]]) -> list[int]:
    """Return the numbers of the phones in entries, each once."""
    found: dict[int, None] = {}
    for entry in entries:
        found.update(dict.fromkeys(map(int, entry["payload"].get("phones", ()))))
        if entry["phone"] is not None:
            found[entry["phone"]] = None
    return list(found)


def _marks_of(table_id: int, numbers: Iterable[int]) -> dict[int, str]:
    """Return the marks of phones by their numbers; those that are new get random ones, which no cookie holds."""
    marks: dict[int, str] = {}
    numbers = list(numbers)
    for several in _several(numbers):
        known = select(_PHONES.c.number, _PHONES.c.mark).where(
            _PHONES.c.table_id == table_id, _PHONES.c.number.in_(several)
        )
        marks.update({row.number: row.mark for row in db.session.execute(known)})
    new = {number: new_key() for number in numbers if number not in marks}
    if new:
        rows = [{"table_id": table_id, "number": number, "mark": mark} for number, mark in new.items()]
        db.session.execute(insert(_PHONES), rows)
    return marks | new


def finish(table: Table, entries: int) -> None:
    """Mark a table as one of a file, to which so many entries have come with this part."""
    table.imported_at = now()
    table.imported_entries += entries
    db.session.flush()
