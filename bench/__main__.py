"""Every bench of docs/scale.md beside its floor, some times in turn: ``python -m bench [--write] [--only pages load]``.

Each runs in a process of its own. The figures are the medians of the runs; a budget that they miss
(``bench/budgets.toml``) is named, and the command fails.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from . import budgets
from .document import INTO, Measured, arguments, medians, report, write_into_page

BENCHES = ("pages", "load", "growth", "writes", "live", "jobs", "taps")
RUNS = 3


def run(names: list[str], runs: int) -> tuple[list[Measured], list[str]]:
    """Run the benches in turn; return the tables, and the benches that failed."""
    found: dict[str, list[Measured]] = {}
    failed: list[str] = []
    for turn in range(runs):
        for name in names:
            if name in failed:
                continue
            print(f"\n{name}, run {turn + 1} of {runs}:", flush=True)
            with TemporaryDirectory(prefix="scorekeeper-bench-") as folder:
                environment = {**os.environ, INTO: folder}
                done = subprocess.run([sys.executable, "-m", f"bench.{name}"], env=environment, check=False)
                if done.returncode:
                    failed.append(name)
                for file in sorted(Path(folder).glob("*.json")):
                    table = Measured(**json.loads(file.read_text(encoding="utf-8")))
                    found.setdefault(table.name, []).append(table)
    return [medians(tables) for tables in found.values()], failed


def main() -> int:
    """Measure, print, write and judge; return 1 if a budget is missed or a bench failed."""
    options = arguments("Measure what the app carries beside its floors.")
    options.add_argument("--only", nargs="+", choices=BENCHES, default=BENCHES, help="only these benches")
    options.add_argument("--runs", type=int, default=RUNS, help=f"runs of each ({RUNS})")
    asked = options.parse_args()
    tables, failed = run([name for name in asked.only if find_spec(f"bench.{name}")], asked.runs)
    print(f"\nThe medians of {asked.runs} runs:")
    report(tables, write=False)
    if asked.write:
        write_into_page(tables)
    measured = {table.name: [dict(zip(table.head, row, strict=True)) for row in table.rows] for table in tables}
    faults = [f"{name}: the bench failed" for name in failed]
    faults += budgets.missed(budgets.read(budgets.FILE.read_text(encoding="utf-8")), measured, set(measured))
    print(*(["", "Missed:", *faults] if faults else ["", "Every budget is held."]), sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
