"""The contract in bulk: lines scored by one job and by one for each core, and captures: ``python -m bench.jobs``.

Lines are counted by the clock, starts included, in turn; captures by the CPU of the best of some rounds, beside what
``json`` alone takes for the same (``bench/engine/speed.py``).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from bench.engine.drawn import as_line, capture_questions, whole_deals
from bench.engine.speed import QUESTIONS, Row, best_of, of_captures, rounded

from .document import Measured, arguments, report
from .stage import print_machine

LINES = 10_000
TURNS = 3
CAPTURES = {"scopa": "Scopa", "chorizo": "Chorizo", "escopa": "Escopa", "cirulla": "Cirulla"}


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def taken(file: Path, jobs: int) -> float:
    """Return the seconds in which so many jobs score the lines of a file."""
    command = [sys.executable, "-m", "scorekeeper.cli", "score", "--lines", "--jobs", str(jobs), str(file)]
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def of_lines(lines: int) -> list[list[str]]:
    """Return a row for one job, and one for as many as there are cores."""
    rows = []
    for game, name in (("scopa", "Scopa"), ("chorizo", "Chorizo")):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "deals")
            file.write_bytes(b"".join(map(as_line, islice(whole_deals(game, 1), lines))))
            times: dict[int, list[float]] = {jobs: [] for jobs in sorted({1, cores()})}
            for _turn in range(TURNS):
                for jobs, each in times.items():
                    each.append(taken(file, jobs))
        alone = statistics.median(times[1])
        for jobs, each in times.items():
            seconds = statistics.median(each)
            said = "one" if jobs == 1 else f"all {jobs}"
            gain = alone / seconds
            rows.append([name, said, f"{lines / seconds:,.0f}", f"{gain:.2f}", f"{gain / jobs:.0%}"])
    return rows


def of_all_captures() -> list[list[str]]:
    """Return a row a game: captures a second, and how many times as long as ``json`` alone they take."""
    rows = []
    for game, name in CAPTURES.items():
        row = Row(name, capture_questions(game, 0), of_captures, QUESTIONS)
        a_second, times = best_of(row)
        rows.append([name, rounded(a_second), f"{times:.2f}"])
    return rows


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    options.add_argument("--lines", type=int, default=LINES, help=f"lines of a game ({LINES:,})")
    asked = options.parse_args()
    print_machine()
    head = ["whole deals of", "jobs", "lines a second", "times one job", "of the cores"]
    jobs = Measured("jobs", "Lines scored by several jobs", head, of_lines(asked.lines))
    title = "Captures with eight cards on the table"
    captures = Measured("captures", title, ["game", "a second", "times `json` alone"], of_all_captures())
    report([jobs, captures], asked.write)


if __name__ == "__main__":
    main()
