"""The CPU time of one tap on a pad that counts at once, beside a sweep in Scopa: ``python -m bench.pad_taps``.

A tap is the post with the board that answers it, as htmx asks for it. It is measured with 10, 500 and nearly 1,000
notes in the round, in turns with a sweep, so that both meet the same machine.
"""

from __future__ import annotations

from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from uuid import uuid4

from jinja2 import FileSystemBytecodeCache

from scorekeeper.store import commands, queries
from scorekeeper.store.db import migrate_database, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from tests.conftest import app_in, close
from tests.web.conftest import Player, open_table

TAPS = 40
HTMX = {"HX-Request": "true", "HX-Target": "board"}


def timed(player: Player, page: str, **fields: str) -> float:
    """Return the seconds of CPU that one tap takes with its answer."""
    data = {"id": str(uuid4()), "side": "A", **fields}
    began = process_time()
    answer = player.client.post(f"/t/{player.key}{player.deal(1)}/{page}", data=data, headers=HTMX)
    took = process_time() - began
    assert answer.status_code == 200, answer.status
    return took


def fill(pad: Player, notes: int) -> None:
    """Write so many notes into the round, as taps would."""
    with pad.app.app_context():
        table = queries.table_by_play_key(pad.key)
        match = queries.match_by_number(table, 1) if table is not None else None
        assert match is not None
        new = [NewEntry(kinds.POINTS_NOTED, {"deal": 1, "side": "A", "points": 1}) for _tap in range(notes)]
        with writing():
            commands.record(match, new)


def main() -> None:
    """Print the median of each, and their ratio."""
    with TemporaryDirectory() as folder:
        app = app_in(Path(folder), FileSystemBytecodeCache(folder))
        migrate_database(app)
        print(f"{'notes':>6} {'tap, ms':>8} {'sweep, ms':>9} {'ratio':>6}")
        for notes in (10, 500, 1_000 - TAPS - 5):
            pad = open_table(app, game="free", opt__target="5000")
            scopa = open_table(app, game="scopa")
            fill(pad, notes)
            for _warm in range(4):
                timed(pad, "points", points="1")
                timed(scopa, "sweep", count="1")
            taps, sweeps = [], []
            for _turn in range(TAPS):
                taps.append(timed(pad, "points", points="1"))
                sweeps.append(timed(scopa, "sweep", count="1"))
            tap, sweep = median(taps) * 1_000, median(sweeps) * 1_000
            print(f"{notes:6} {tap:8.2f} {sweep:9.2f} {tap / sweep:6.2f}")
        close(app)


if __name__ == "__main__":
    main()
