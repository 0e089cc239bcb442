"""Pages under load, asked of two workers as phones ask: ``python -m bench.load``.

First as fast as they answer, over many connections, file and pages in turn: the median of some rounds, so that what
else the machine does at a moment falls on all alike. Then half as often as that, at moments that do not wait for the
answers before, for how long the slowest wait. All phones are one process, and each has an address of its own, so the
brakes are on as they come. It shares the machine's cores with the workers, so the capacity of the workers alone is
reckoned from their CPU for each request.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from statistics import median

from tests.helpers.serving import free_port

from .asking import Phones
from .document import Measured, arguments, report
from .pages import PAGES, SAID, SCRIPT
from .served import cpu_seconds, server, workers
from .stage import cookies_of, percentile, print_machine, stage

WORKERS = 2
CONNECTIONS = 16
"""Phones that ask as fast as they are answered."""
OPEN = 50
"""Phones that ask whether or not those before were answered."""
ROUNDS = 3
SECONDS = 6.0
WARM_UP = 2.0
"""Seconds of requests before the measurement: a new worker fills its caches."""
FILE = "a file, from memory: the floor of server and framework"
HEAD = [
    "page",
    "requests a second",
    "of a file's",
    "CPU of a request, ms",
    "a second, reckoned for cores of their own",
    "asked half as often: median ms",
    "p99 ms",
]


Cookies = Callable[[], Mapping[str, str]]


def capacity(port: int, processes: list[int], path: str, seconds: float, cookies: Cookies) -> tuple[float, float]:
    """Return the requests answered in a second, and the CPU of one, in seconds."""
    with closing(Phones(port, path, CONNECTIONS, cookies)) as phones:
        phones.as_fast_as_it_answers(WARM_UP)
        before = sum(map(cpu_seconds, processes))
        count = phones.as_fast_as_it_answers(seconds)
        spent = sum(map(cpu_seconds, processes)) - before
    return count / seconds, spent / count


def waits(port: int, path: str, rate: float, seconds: float, cookies: Cookies) -> list[float]:
    """Return the seconds of each request when so many are asked in a second."""
    with closing(Phones(port, path, OPEN, cookies)) as phones:
        phones.at_a_rate(rate, WARM_UP)
        return phones.at_a_rate(rate, seconds)


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    options.add_argument("--seconds", type=float, default=SECONDS, help=f"seconds of each measurement ({SECONDS:.0f})")
    asked = options.parse_args()
    print_machine()
    port = free_port()
    rows, most = [], 0.0
    with stage(40) as table, server(port, WORKERS) as parent:
        pages = {FILE: SCRIPT}
        pages |= {SAID[name]: PAGES[name].format(key=table.key) for name in ("board", "sheets", "history")}
        cookies = partial(cookies_of, table.app, table.key)
        found: dict[str, list[tuple[float, float]]] = {said: [] for said in pages}
        for _round in range(ROUNDS):
            for said, path in pages.items():
                found[said].append(capacity(port, workers(parent), path, asked.seconds, cookies))
        for said, path in pages.items():
            rate, each = (median(figures) for figures in zip(*found[said], strict=True))
            times = waits(port, path, rate / 2, asked.seconds, cookies)
            most = most or rate
            rates = [f"{rate:,.0f}", f"{rate / most:.0%}", f"{each * 1e3:.2f}", f"{(os.cpu_count() or 1) / each:,.0f}"]
            rows.append([said, *rates, *(f"{percentile(times, share) * 1e3:.1f}" for share in (0.5, 0.99))])
    report([Measured("load", f"{CONNECTIONS} connections, {WORKERS} workers", HEAD, rows)], asked.write)


if __name__ == "__main__":
    main()
