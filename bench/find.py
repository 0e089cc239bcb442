"""History, and what is found in it, at fifty, five hundred and five thousand matches; ``bench.growth`` prints it.

The oldest matches of each table are the ones that are looked for, and nobody plays like them later: whatever a view
read of the others, it would read for nothing. So all sizes show the same rows.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from sqlalchemy import text

from scorekeeper.store import queries
from scorekeeper.store.db import db, writing
from tests.helpers.databases import postgres
from tests.helpers.many_matches import Played, add, people

from .document import DATABASES, Measured
from .stage import Stage, phone_of, stage

SIZES = (50, 500, 5_000)
NAMES = ("Ana", "Beto", "Leo", "Cata", "Dora", "Eva", "Fito", "Gala")
OLD = 25
"""The oldest matches: of Fito and Gala against Ana and Beto, who play together in half of the others, too."""
A_WEEK = 4
"""Matches of an evening, one evening a week: some two hundred a year."""
ASKED = 60
BEGAN = datetime(2001, 1, 4, 20, tzinfo=UTC)
VIEWS = {
    "the newest matches": "",
    "an earlier page": "?before=30",
    "the last page": "?before=21",
    "the form": "/find",
    "a game": "?game=scopa",
    "a player": "?player=7",
    "a pair": "?pair=7-8",
    "a year": "?period=2001",
    "stopped": "?state=ended",
    "in doubt": "?state=doubt",
    "a pair that plays on": "?pair=1-2",
    "its matches with a player": "?pair=1-2&player=7",
    "its stopped matches of a game": "?pair=1-2&game=scopa&state=ended",
    "all of them": "?pair=1-2&player=7&game=scopa&state=ended&period=2001",
    "nothing at all": "?pair=1-2&player=7&game=carioca&state=won&period=2001-12",
}
"""What is asked for, behind the address of the history."""


def played(matches: int) -> list[Played]:
    """Return so many matches of the same people, the oldest first."""
    random = Random(1)
    found = []
    for number in range(matches):
        moment = BEGAN + timedelta(weeks=number // A_WEEK, minutes=25 * (number % A_WEEK))
        if number < OLD:
            status = "ended" if number < OLD - 3 else "won"
            found.append(Played(moment, ((7, 8), (1, 2)), "scopa", status, number % 2, timedelta(days=1)))
            continue
        others = random.sample(range(3, 7), 4)
        sides = ((1, 2), (others[0], others[1])) if number % 2 else ((1, others[0]), (2, others[1]))
        was_in_doubt = timedelta(days=400) if number % 20 == 0 else None
        found.append(Played(moment, sides, random.choice(["chorizo", "brisca"]), "won", number % 3 % 2, was_in_doubt))
    return found


def fill(table: Stage, matches: int) -> None:
    """Give the table so many matches in place of its own."""
    with table.app.app_context():
        row = queries.table_by_play_key(table.key)
        assert row is not None
        with writing():
            for name in ("match_summaries", "line_ups", "seats", "entries", "matches", "players"):
                db.session.execute(text(f"DELETE FROM {name} WHERE table_id = :table"), {"table": row.id})
            people(row, *NAMES)
        add(row, played(matches))
        if db.engine.dialect.name == "postgresql":
            # As a server does by itself some time after so many rows were written.
            db.session.execute(text("ANALYZE"))
            db.session.commit()


def backends(table: Stage) -> list[int]:
    """Return the processes of PostgreSQL that work for this process; none on SQLite, which works in it."""
    with table.app.app_context():
        if db.engine.dialect.name != "postgresql":
            return []
        ours = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        return [int(pid) for pid in db.session.scalars(text(ours))]


def spent(processes: list[int]) -> float:
    """Return the CPU seconds that this process and others have used."""
    others = [int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) for process in processes]
    return time.process_time() + sum(others) / 1e9


def least_of(stages: dict[int, Stage], path: str) -> dict[int, float]:
    """Return the least CPU seconds that a view takes at each size, asked in turn so that a busy machine affects all."""
    phones = {size: phone_of(table.app, table.key) for size, table in stages.items()}
    servers = {size: backends(table) for size, table in stages.items()}
    least = dict.fromkeys(stages, float("inf"))
    for _turn in range(ASKED):
        for size, table in stages.items():
            began = spent(servers[size])
            answer = phones[size].get(f"/t/{table.key}/history{path}")
            least[size] = min(least[size], spent(servers[size]) - began)
            assert answer.status_code == 200, answer.text
    return least


def measured() -> Measured:
    """Return the table of all views on both databases: of each the CPU at fifty matches, and its ratios to that.

    The CPU of PostgreSQL is counted, too.
    """
    rows = [[said] for said in VIEWS]
    with ExitStack() as stack:
        server = stack.enter_context(postgres(durable=True))
        version = server.run("SELECT version()")[0][0].split(" on ")[0]
        for database in DATABASES:
            stages = {}
            for size in SIZES:
                url = stack.enter_context(server.database()) if database == "PostgreSQL" else None
                stages[size] = stack.enter_context(stage(1, url))
                fill(stages[size], size)
            for row, path in zip(rows, VIEWS.values(), strict=True):
                least = least_of(stages, path)
                row.append(f"{least[SIZES[0]] * 1e3:.1f}")
                row += [f"{least[size] / least[SIZES[0]]:.2f}" for size in SIZES[1:]]
    head = ["shown of the history"]
    for database in DATABASES:
        head += [f"{database}, 50 matches, CPU ms", *(f"{database}, {size:,}, times that" for size in SIZES[1:])]
    return Measured("find", "History and what is found in it, by the matches of a table", head, rows, version)
