"""The file of a year, out and in, whole and in parts: ``python -m bench.table_file``.

A match is played and copied, with new ids, to as many as a table plays in a year: once with its closings alone, once
with the taps of an evening. Every part is written afresh, and taken in as a table of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any
from uuid import uuid4

from scorekeeper.store import history_rows, summaries
from scorekeeper.store.commands import record
from scorekeeper.store.db import db, read_at_once, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Entry, Match, Table
from scorekeeper.store.standings import standing_of
from scorekeeper.store.table_file import jobs
from scorekeeper.store.table_file.export import Part, part_of, parts_of, pieces_of
from scorekeeper.store.table_file.whole import in_parts, take_in
from tests.helpers.cold import forget
from tests.helpers.databases import postgres

from .growth import taken
from .stage import facts, open_match, print_machine, print_table, stage

MATCHES = 220
DEALS = 12
SWEEPS = 3
"""Taps of a deal before it is closed."""
PARTS = 5
HEAD = ["database", "entries", "file", "MB", "out, s", "CPU s", "in, s", "CPU s", "longest piece, CPU s"]


def year(taps: int) -> Table:
    """Return a table of as many matches as a year has, each with ``taps`` sweeps a deal."""
    match = open_match("Un año")
    random = Random(1)
    for deal in range(1, DEALS + 1):
        with writing():
            swept = [NewEntry(kinds.SWEPT, {"deal": deal, "side": "A", "count": 1}) for _tap in range(taps)]
            told = {**facts(random), **({"sweeps": {"A": taps, "B": 0}} if taps else {})}
            record(match, [*swept, NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": told})])
    with writing():
        table = db.session.get_one(Table, match.table_id)
        _copy(match, table)
    return table


def _copy(match: Match, table: Table) -> None:
    columns = [column.name for column in Entry.__table__.columns]
    read = db.select(Entry).where(Entry.table_id == table.id).order_by(Entry.seq)
    journal = [{name: getattr(one, name) for name in columns} for one in db.session.scalars(read)]
    for number in range(2, MATCHES + 1):
        copy = Match(table_id=table.id, number=number, setup=match.setup, taken_up=number, head=match.head)
        db.session.add(copy)
        db.session.flush()
        db.session.execute(db.insert(Entry), [{**entry, "id": str(uuid4()), "match": number} for entry in journal])
        summaries.project(copy, standing_of(copy))
    table.last_match = MATCHES
    history_rows.file_anew(table.id, table.zone)


def whole(table: Table) -> bytes:
    """Return the file of a table in one piece."""
    with read_at_once():
        return b"".join(pieces_of(table))


def measured(database: str, taps: int) -> list[list[str]]:
    """Return a row for the file in one piece, if it may be one, and a row for it in parts."""
    table = year(taps)
    entries = MATCHES * (1 + DEALS * (1 + taps))
    file = whole(table)
    step = MATCHES // PARTS
    small = [Part(first, first + step - 1) for first in range(1, MATCHES + 1, step)]
    ways: dict[str, tuple[Callable[[], Any], list[bytes]]] = {
        f"in {PARTS} parts": (lambda: [part_of(table, part) for part in small], [part_of(table, one) for one in small])
    }
    if len(parts_of(table)) == 1:
        ways["in one piece"] = (lambda: whole(table), [file])
    else:
        ways["whole, by the command"] = (lambda: whole(table), list(in_parts(file)))
    rows = []
    for name, (write, parts) in ways.items():
        out = min((taken(write) for _turn in range(5)), key=lambda times: times[1])
        into: list[Table] = []
        came_in = taken(lambda parts=parts, into=into: into.append(take_in(parts)))
        assert whole(into[0]) == file, "the same bytes come out again"
        figures = [f"{seconds:.2f}" for seconds in (*out, *came_in, longest_piece(parts))]
        rows.append([database, f"{entries:,}", name, f"{len(file) / 1e6:.2f}", *figures])
    return rows


def longest_piece(parts: list[bytes]) -> float:
    """Return the CPU seconds of the costliest piece of parts, each taken in by a process that has scored nothing."""
    into, longest = None, 0.0
    for part in parts:
        form_id = str(uuid4())
        longest = max(longest, taken(partial(jobs.begin, form_id, part, "", into))[1])
        far = None
        while far is None or not far.is_over:
            forget()
            longest = max(longest, taken(partial(jobs.go_on, form_id))[1])
            far = jobs.progress(form_id)
        into = far.table
    return longest


def main() -> None:
    """Measure and print."""
    print_machine()
    rows: list[list[str]] = []
    for taps in (0, SWEEPS):
        with stage(1) as sqlite, sqlite.app.app_context():
            rows += measured("SQLite", taps)
        with (
            postgres(durable=True) as server,
            server.database() as url,
            stage(1, url) as postgresql,
            postgresql.app.app_context(),
        ):
            rows += measured("PostgreSQL", taps)
    print_table(f"The file of {MATCHES} matches", HEAD, rows)


if __name__ == "__main__":
    main()
