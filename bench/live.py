"""A thousand phones following live on two workers: how soon they hear, what they cost: ``python -m bench.live``.

Five phones a table hold an event stream each; a table is written to every ten seconds. The time is from before the
write until the stream of a phone has the new version. Phones and server share the machine's cores.
"""

from __future__ import annotations

import resource
import selectors
import socket
import statistics
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match, Table
from tests.helpers.serving import free_port

from .document import Measured, arguments, report
from .served import cpu_seconds, memory, server, workers
from .stage import on_each_database, open_match, percentile, print_machine, stage

A_TABLE = 5
EVERY = 10.0
SECONDS = 20.0
WORKERS = 2


@dataclass
class Phones:
    """Open streams, and the times until they had new versions."""

    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    written: dict[int, float] = field(default_factory=dict)
    """The start of the last write to each table."""
    heard: list[float] = field(default_factory=list)
    streams: int = 0
    refused: int = 0

    def open(self, port: int, table: int, key: str, version: str) -> None:
        """Open the stream of one phone."""
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(f"GET /t/{key}/live?v={version} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = stream.recv(4096)
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            self.refused += 1
            stream.close()
            return
        self.streams += 1
        self.selector.register(stream, selectors.EVENT_READ, table)

    def listen(self, until: float) -> None:
        """Note the times of new versions."""
        while (left := until - time.perf_counter()) > 0:
            for stream, _events in self.selector.select(min(left, 0.5)):
                said = stream.fileobj.recv(4096)  # type: ignore[union-attr]
                if b"data: " in said and stream.data in self.written:
                    self.heard.append(time.perf_counter() - self.written[stream.data])
                if not said:
                    self.selector.unregister(stream.fileobj)

    def close(self) -> None:
        """Close the streams."""
        for stream in list(self.selector.get_map().values()):
            stream.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()


def write_in_turn(app: Any, tables: list[int], phones: Phones, until: float) -> None:
    """Write to every table once in ten seconds, evenly spread."""
    pause = EVERY / len(tables)
    with app.app_context():
        for table_id in cycle(tables):
            began = time.perf_counter()
            if began + pause >= until:
                return
            phones.written[table_id] = began
            with writing():
                match = db.session.get_one(Match, (table_id, 1))
                commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])
            time.sleep(max(0.0, pause - (time.perf_counter() - began)))


def measure(name: str, count: int, url: str | None) -> list[str]:
    """Return a row: the times of ``count`` phones, and the costs of their streams."""
    port = free_port()
    with ExitStack() as stack:
        app = stack.enter_context(stage(0, url)).app
        with app.app_context():
            tables = [open_match().table_id for _table in range(count // A_TABLE)]
            keys = {table: db.session.get_one(Table, table).play_key for table in tables}
            db.session.remove()
        processes = workers(stack.enter_context(server(port, WORKERS, count, SCOREKEEPER_BRAKES="off")))
        phones = Phones()
        stack.callback(phones.close)
        empty = sum(map(memory, processes))
        for table, key in keys.items():
            for _phone in range(A_TABLE):
                phones.open(port, table, key, "1.1")
        full = sum(map(memory, processes))
        before, began = sum(map(cpu_seconds, processes)), time.perf_counter()
        until = began + SECONDS
        writer = threading.Thread(target=write_in_turn, args=(app, tables, phones, until - 1))
        writer.start()
        phones.listen(until)
        writer.join()
        spent = (sum(map(cpu_seconds, processes)) - before) / SECONDS
    times = phones.heard
    return [
        name,
        f"{phones.streams:,}" + (f" ({phones.refused} refused)" if phones.refused else ""),
        f"{len(times):,}",
        f"{statistics.median(times) * 1e3:.0f}",
        f"{percentile(times, 0.95) * 1e3:.0f}",
        f"{spent:.0%}",
        f"{full / 1000:.0f}",
        f"{(full - empty) / max(1, phones.streams):.0f}",
    ]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    options.add_argument("--phones", type=int, nargs="+", default=[100, 1000])
    asked = options.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    print_machine()
    on, rows = on_each_database(measure, asked.phones)
    head = ["database", "phones", "heard", "median ms", "p95 ms", "CPU of a core", "both workers, MB", "KB a phone"]
    report([Measured("live", f"Phones following live on {WORKERS} workers", head, rows, on)], asked.write)


if __name__ == "__main__":
    main()
