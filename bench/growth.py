"""The time of a page among a thousand and a million entries, of a long history, and of what is found in one.

It is ``python -m bench.growth``; ``find`` measures the last.

The databases are filled with many copies of one played table. Pages of new copies are measured, so that the process has
no standing of them, and the sizes in turn, so that a busy machine affects all.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import islice
from random import Random
from typing import Any

from sqlalchemy import insert, text

from scorekeeper.store import history_rows
from scorekeeper.store.db import db, writing
from scorekeeper.store.digests import hash_of
from scorekeeper.store.models import LINKS, Link, Table

from .document import Measured, arguments, report
from .find import measured
from .stage import Stage, open_match, phone_of, play, print_machine, stage

DEALS = 14
SIZES = (10**3, 10**5, 10**6)
ASKED = 20
"""Tables whose pages are requested, for each size and each kind of page."""
PATHS = ("/t/{key}", "/t/{key}/matches/1", "/t/{key}/history")
MATCHES = 100
"""Matches of the table with a long history, of 14 deals each: 1,400 in all."""
COPIES = "WITH RECURSIVE copy(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < :copies)"
COPY_TABLES = """
    INSERT INTO tables (id, name, created_at, last_match)
    SELECT 1000 + n, name, created_at, last_match FROM tables, copy WHERE id = 1
"""
SEALED = "x" * 120
"""A seal in its length: no page that is asked for shows a link by it."""
ROWS = {
    "players": "number, name, created_at",
    "matches": "number, head, setup, taken_up, created_at",
    "entries": "id, match, seq, kind, payload, author, device, created_at",
    "match_summaries": (
        "match, game, status, sides, totals, course, winners, deals, started_at, ended_at, counted_at, evening"
    ),
    "seats": "who, match, evening, game, status",
    "line_ups": "span, sides, game, who, matches, played, won, ahead",
}
COPY_MATCHES = {
    "matches": ("number", "head, setup, created_at"),
    "match_summaries": (
        "match",
        "game, status, sides, totals, course, winners, deals, started_at, ended_at, counted_at, evening",
    ),
}


def fill(table: Stage, entries: int) -> int:
    """Copy the played table up to that many entries; return the number of copies."""
    copies = entries // (DEALS + 1)
    with table.app.app_context(), writing():
        db.session.execute(text(f"{COPIES} {COPY_TABLES}"), {"copies": copies})
        for kind in LINKS:
            rows = (
                {"hash": hash_of(kind, f"{kind}{n}"), "kind": kind, "table_id": 1000 + n, "sealed": SEALED}
                for n in range(1, copies + 1)
            )
            while several := list(islice(rows, 10_000)):
                db.session.execute(insert(Link), several)
        for name, columns in ROWS.items():
            rows = f"SELECT 1000 + n, {columns} FROM {name}, copy WHERE table_id = 1"
            statement = f"{COPIES} INSERT INTO {name} (table_id, {columns}) {rows}"
            db.session.execute(text(statement), {"copies": copies})
    return copies


def long_history(table: Stage) -> str:
    """Open a table that has played a hundred matches and return its key."""
    with table.app.app_context():
        match = open_match("Los de siempre")
        play(match, DEALS)
        key = db.session.get_one(Table, match.table_id).play_key
        with writing():
            for name, (number, columns) in COPY_MATCHES.items():
                rows = f"SELECT table_id, 1 + n, {columns} FROM {name}, copy WHERE table_id = :id"
                statement = f"{COPIES} INSERT INTO {name} (table_id, {number}, {columns}) {rows}"
                db.session.execute(text(statement), {"copies": MATCHES - 1, "id": match.table_id})
            history_rows.file_anew(match.table_id, None)
    return key


def taken(work: Callable[[], Any]) -> tuple[float, float]:
    """Return the seconds and the CPU seconds that a call takes."""
    began, spent = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - spent


def page(table: Stage, path: str) -> None:
    """Ask for a page."""
    answer = phone_of(table.app, path.split("/")[2]).get(path)
    assert answer.status_code == 200, answer.text


def compare(stages: dict[int, tuple[Stage, int]], path: str) -> list[list[str]]:
    """Return a row a size: the median time of a page, and its ratio to that among the fewest entries."""
    turn = PATHS.index(path)
    asked = {
        size: Random(1).sample(range(1, copies + 1), ASKED * len(PATHS))[ASKED * turn :]
        for size, (_table, copies) in stages.items()
    }
    times: dict[int, list[tuple[float, float]]] = {size: [] for size in stages}
    for turn in range(ASKED):
        for size, (table, _copies) in stages.items():
            address = path.format(key=f"play{asked[size][turn]}")
            times[size].append(taken(lambda table=table, address=address: page(table, address)))
    wall = {size: statistics.median(one for one, _cpu in each) for size, each in times.items()}
    spent = {size: statistics.median(cpu for _one, cpu in each) for size, each in times.items()}
    least = spent[min(stages)]
    return [
        [f"`{path}`", f"{size:,}", f"{wall[size] * 1e3:.1f}", f"{spent[size] * 1e3:.1f}", f"{spent[size] / least:.2f}"]
        for size in stages
    ]


def history_pages(table: Stage, key: str) -> list[list[str]]:
    """Return a row for each page of the long history."""
    numbers = islice([None, *range(MATCHES - 19, 0, -20)], MATCHES // 20)
    rows = []
    for number in numbers:
        path = f"/t/{key}/history" + (f"?before={number}" if number else "")
        times = [taken(lambda path=path: page(table, path)) for _turn in range(9)]
        first, median = times[0][0], statistics.median(one for one, _cpu in times)
        rows.append([str(number or "newest"), f"{first * 1e3:.1f}", f"{median * 1e3:.1f}"])
    return rows


def main() -> None:
    """Measure and print."""
    asked = arguments(__doc__).parse_args()
    print_machine()
    with ExitStack() as stack:
        stages = {}
        for size in SIZES:
            table = stack.enter_context(stage(DEALS))
            stages[size] = (table, fill(table, size))
        rows = [row for path in PATHS for row in compare(stages, path)]
        head = ["page, never asked for before", "entries", "ms", "CPU ms", "times the smallest"]
        growth = Measured("growth", "Page time by the size of the database", head, rows)
        largest, _copies = stages[max(SIZES)]
        rows = history_pages(largest, long_history(largest))
    title = f"A history of {MATCHES * DEALS:,} deals, 20 matches a page"
    history = Measured("history", title, ["before match", "first, ms", "median, ms"], rows)
    report([growth, history, measured()], asked.write)


if __name__ == "__main__":
    main()
