"""How many deals a second are written durably, by how many writers, beside the bare rows: ``python -m bench.writes``.

Three ways, each an equally durable transaction: SQLite in WAL with ``synchronous=FULL`` behind the same lock file,
PostgreSQL with its defaults (``synchronous_commit=on``, ``fsync=on``).

- ``app``: the app's work to save a deal: the journal's rules (posted before? stale? agreed on?), the entry, the match's
  version, its standing, its summary. The deal was scored before, as on its page.
- ``stack``: the floor, Flask-SQLAlchemy and the same driver: read the match's row, insert an entry, set the new total.
  Nothing is decided, scored or projected.
- ``driver``: the app's three rows by the driver alone; nothing is read.

The writers are threads of as many processes as the server has, each at its own table; all ways in turn with the same
writers.
"""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import count, repeat
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import psycopg

from scorekeeper import rules
from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Entry, Match, Table

from .document import Measured, arguments, report
from .stage import GAME, PRESET, facts, on_each_database, open_match, options, print_machine, stage, start

SECONDS = 1.0
PAUSE = 0.3
WAYS = ("app", "stack", "driver")
TURNS = WAYS * 3
MATCHES = 600
"""Matches for the app to write into, shared among the writers: more than a quick machine fills."""
WRITERS = (1, 8, 32)
PROCESSES = 2
DEALS = 14
"""Deals that a writer writes into a match."""
Writer = Callable[[Any], None]


def look_at_deals() -> None:
    """Score the deals in this process, as the page of a closing does."""
    asked = {"game": GAME, "preset": PRESET, "options": options(), "sides": ["A", "B"], "players_per_side": 1}
    for deal in range(1, DEALS + 1):
        rules.score({**asked, "deal": {"dealer": "AB"[(deal - 1) % 2], **facts(Random(deal))}})


def write_by_app(place: tuple[int, int, int]) -> None:
    """Close a deal by the app, as its page does: judge it, then write it."""
    table_id, number, deal = place
    match = db.session.get_one(Match, (table_id, number))
    closing = NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": facts(Random(deal))})
    commands.write(match, lambda: commands.draft(match, [closing]))


def write_by_stack(place: tuple[int, int, int]) -> None:
    """Read a row, insert one and update the first, by the stack."""
    table_id, number, deal = place
    with writing():
        match = db.session.get_one(Match, (table_id, number), with_for_update=True)
        payload = {"v": 1, "deal": deal, "facts": facts(Random(deal))}
        new = {"table_id": table_id, "id": str(uuid4()), "match": number, "seq": deal + 1, "kind": "deal_closed"}
        db.session.add(Entry(**new, payload=payload))
        match.head = deal + 1


def statements(mark: str) -> list[str]:
    """Return the bare statements of a deal, for a driver with this mark for parameters."""
    templates = [
        "INSERT INTO entries (table_id, id, match, seq, kind, payload, created_at)"
        " VALUES (?, ?, ?, ?, 'deal_closed', ?, ?)",
        "UPDATE matches SET head = ? WHERE table_id = ? AND number = ?",
        "UPDATE match_summaries SET totals = ?, course = ?, deals = ? WHERE table_id = ? AND match = ?",
    ]
    return [one.replace("?", mark) for one in templates]


def write_bare(execute: Callable[[str, tuple[Any, ...]], Any], mark: str, place: tuple[int, int, int]) -> None:
    """Write the same rows by the driver alone."""
    table_id, number, deal = place
    payload = json.dumps({"v": 1, "deal": deal, "facts": facts(Random(deal))})
    course = json.dumps([{"A": turn, "B": turn} for turn in range(deal % DEALS)])
    entry, head, summary = statements(mark)
    execute(entry, (table_id, str(uuid4()), number, deal + 1, payload, "2026-01-01 00:00:00+00:00"))
    execute(head, (deal + 1, table_id, number))
    execute(summary, (json.dumps({"A": deal, "B": deal}), course, deal, table_id, number))


@contextmanager
def bare_writer() -> Iterator[Writer]:
    """Yield the bare write of this thread."""
    url = os.environ["DATABASE_URL"]
    with ExitStack() as stack:
        if url:
            server = stack.enter_context(psycopg.connect(url, autocommit=True))

            def write(place: Any) -> None:
                with server.transaction():
                    write_bare(server.execute, "%s", place)
        else:
            folder = Path(os.environ["SCOREKEEPER_INSTANCE"])
            file = sqlite3.connect(folder / "scorekeeper.db", timeout=5, isolation_level=None)
            stack.callback(file.close)
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
                file.execute(f"PRAGMA {pragma}")

            def write(place: Any) -> None:
                lock = os.open(folder / "write.lock", os.O_RDWR | os.O_CREAT, 0o600)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX)
                    file.execute("BEGIN IMMEDIATE")
                    write_bare(file.execute, "?", place)
                    file.execute("COMMIT")
                finally:
                    os.close(lock)

        yield write


def places(table_id: int) -> Iterator[tuple[int, int, int]]:
    """Yield each deal of the table's matches; the first two matches are for the other ways."""
    for number in count(3):
        for deal in range(1, DEALS + 1):
            yield table_id, number, deal


def join(together: Any) -> None:
    """Store the barrier of the processes."""
    global everybody
    everybody = together


def run_process(tables: list[int]) -> list[int]:
    """Write with a thread a table, in all ways in turn; return the deals written in each turn."""
    app = create_app()
    with app.app_context():
        look_at_deals()
    everybody.wait()
    began = time.time() + PAUSE

    def run(table_id: int) -> list[int]:
        with app.app_context(), bare_writer() as bare:
            ways = {"app": write_by_app, "stack": write_by_stack, "driver": bare}
            endless = {way: zip(repeat(table_id), repeat(match), count(1)) for match, way in enumerate(WAYS[1:], 1)}
            todo = {"app": places(table_id), **endless}
            return [
                write_until(ways[way], todo[way], began + turn * (SECONDS + PAUSE)) for turn, way in enumerate(TURNS)
            ]

    with ThreadPoolExecutor(len(tables)) as threads:
        return [sum(turn) for turn in zip(*threads.map(run, tables), strict=True)]


def write_until(write: Writer, todo: Iterator[tuple[int, int, int]], began: float) -> int:
    """Write for ``SECONDS`` from ``began`` on; return the number of deals written."""
    time.sleep(max(0.0, began - time.time()))
    written = 0
    while time.time() < began + SECONDS:
        write(next(todo))
        written += 1
    return written


def prepare(writers: int, matches: int) -> list[int]:
    """Open a table a writer, with matches to write into; return the tables' ids."""
    tables = []
    for _writer in range(writers):
        table_id = open_match().table_id
        with writing():
            table = db.session.get_one(Table, table_id)
            for _match in range(matches - 1):
                start(table)
        tables.append(table_id)
    return tables


def compare(name: str, writers: int, url: str | None) -> list[str]:
    """Return a row: deals a second in each way, the median of its turns."""
    processes = multiprocessing.get_context("spawn")
    with stage(0, url) as table:
        with table.app.app_context():
            tables = prepare(writers, max(10, MATCHES // writers))
            db.session.remove()
        shares = [tables[turn::PROCESSES] for turn in range(min(PROCESSES, writers))]
        with processes.Pool(len(shares), join, (processes.Barrier(len(shares)),)) as pool:
            written = pool.map(run_process, shares, chunksize=1)
    rates: dict[str, list[float]] = {way: [] for way in WAYS}
    for way, together in zip(TURNS, zip(*written, strict=True), strict=True):
        rates[way].append(sum(together) / SECONDS)
    app, stacked, driver = (statistics.median(each) for each in rates.values())
    figures = [f"{app:,.0f}", f"{stacked:,.0f}", f"{driver:,.0f}", f"{app / stacked:.0%}", f"{app / driver:.0%}"]
    return [name, str(writers), *figures]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    options.add_argument("--writers", type=int, nargs="+", default=WRITERS)
    asked = options.parse_args()
    print_machine()
    on, rows = on_each_database(compare, asked.writers)
    head = ["database", "writers", "app, deals/s", "stack", "driver", "app of stack", "app of driver"]
    report([Measured("writes", "Deals written durably", head, rows, on)], asked.write)


if __name__ == "__main__":
    main()
