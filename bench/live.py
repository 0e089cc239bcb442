"""Phones following live on two workers: how soon they hear and see, what they cost: ``python -m bench.live``.

They come from fifty addresses and sit at a hundred tables, each of which is written to every ten seconds; the brakes
are on. Each holds an event stream, and fetches its board after each news over a connection of its own. The times are
from before the write. Phones and server share the machine's cores.
"""

from __future__ import annotations

import resource
import selectors
import socket
import statistics
import threading
import time
from contextlib import ExitStack, suppress
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
from .stage import on_each_database, open_match, percentile, phone_of, print_machine, stage

TABLES, ADDRESSES = 100, 50
EVERY = 10.0
SECONDS = 20.0
WORKERS = 2
HEADERS = "Host: localhost\r\nAccept-Encoding: br\r\nHX-Request: true\r\n"


@dataclass
class Phone:
    """One phone: its stream, and the connection by which it fetches its board."""

    table: int
    key: str
    cookie: str
    source: str
    stream: socket.socket
    asking: socket.socket | None = None
    shown: str = "1.1"
    since: float = 0.0
    """When the write began whose board it fetches; 0 while it fetches none."""
    came: bytes = b""


@dataclass
class Phones:
    """All phones, and the times until they heard of a write and had its board."""

    port: int
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    written: dict[int, float] = field(default_factory=dict)
    """The start of the last write to each table."""
    heard: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    streams: int = 0
    refused: int = 0
    lost: int = 0

    def open(self, number: int, table: int, key: str, cookie: str) -> None:
        """Open the stream of one phone, and its other connection."""
        source = f"127.0.1.{1 + number % ADDRESSES}"
        stream = self._connect(source)
        path = f"/t/{key}/live?v=1.1"
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
        if b" 200 " not in stream.recv(4096).split(b"\r\n", 1)[0]:
            self.refused += 1
            stream.close()
            return
        self.streams += 1
        self.selector.register(stream, selectors.EVENT_READ, Phone(table, key, cookie, source, stream))

    def _connect(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 60, (source, 0))

    def listen(self, until: float) -> None:
        """Note the times of news and of boards."""
        while (left := until - time.perf_counter()) > 0:
            for ready, _events in self.selector.select(min(left, 0.5)):
                phone: Phone = ready.data
                if ready.fileobj is phone.stream:
                    self._hear(phone)
                else:
                    self._read_board(phone)

    def _hear(self, phone: Phone) -> None:
        said = phone.stream.recv(4096)
        if not said:
            self.selector.unregister(phone.stream)
            self.lost += 1
        elif said.startswith(b"data: ", said.find(b"\n") + 1) and (began := self.written.get(phone.table)):
            self.heard.append(time.perf_counter() - began)
            if not phone.since:
                self._fetch(phone, began)

    def _fetch(self, phone: Phone, began: float) -> None:
        phone.since, phone.came = began, b""
        path = f"/t/{phone.key}?v={phone.shown}"
        asked = f"GET {path} HTTP/1.1\r\n{HEADERS}Cookie: {phone.cookie}\r\n\r\n".encode()
        if phone.asking is not None:
            with suppress(OSError):
                phone.asking.sendall(asked)
                return
        self._ask_anew(phone, asked)

    def _ask_anew(self, phone: Phone, asked: bytes) -> None:
        phone.asking = self._connect(phone.source)
        phone.asking.sendall(asked)
        self.selector.register(phone.asking, selectors.EVENT_READ, phone)

    def _read_board(self, phone: Phone) -> None:
        assert phone.asking is not None
        try:
            piece = phone.asking.recv(65_536)
        except OSError:
            piece = b""
        if not piece:
            # The server has closed what was silent for ten seconds, as a browser sees it.
            self.selector.unregister(phone.asking)
            phone.asking.close()
            phone.asking = None
            if phone.since:
                self._fetch(phone, phone.since)
            return
        phone.came += piece
        head, _blank, body = phone.came.partition(b"\r\n\r\n")
        length = header(head, b"content-length")
        if phone.since and length is not None and len(body) >= int(length):
            self.seen.append(time.perf_counter() - phone.since)
            phone.since, phone.came = 0.0, b""
            if version := header(head, b"table-version"):
                phone.shown = version.decode()

    def close(self) -> None:
        """Close all connections."""
        for each in list(self.selector.get_map().values()):
            each.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()


def header(head: bytes, name: bytes) -> bytes | None:
    """Return a header of an answer."""
    for line in head.split(b"\r\n")[1:]:
        if line.lower().startswith(name + b":"):
            return line.partition(b":")[2].strip()
    return b"0" if name == b"content-length" and b" 204 " in head[:16] else None


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
            tables = [open_match().table_id for _table in range(TABLES)]
            keys = {table: db.session.get_one(Table, table).play_key for table in tables}
            db.session.remove()
        cookies = {table: cookie_of(app, key) for table, key in keys.items()}
        processes = workers(stack.enter_context(server(port, WORKERS, count)))
        phones = Phones(port)
        stack.callback(phones.close)
        empty = sum(map(memory, processes))
        for number in range(count):
            table = tables[number % TABLES]
            phones.open(number, table, keys[table], cookies[table])
        full = sum(map(memory, processes))
        idle = spent_while(processes, phones)
        before, until = sum(map(cpu_seconds, processes)), time.perf_counter() + SECONDS
        writer = threading.Thread(target=write_in_turn, args=(app, tables, phones, until - 1))
        writer.start()
        phones.listen(until)
        writer.join()
        spent = (sum(map(cpu_seconds, processes)) - before) / SECONDS
    refused = f" ({phones.refused} refused)" if phones.refused else ""
    return [
        name,
        f"{phones.streams:,}{refused}",
        *times(phones),
        f"{spent:.0%}",
        f"{idle:.1%}",
        *kept(full, empty, phones),
    ]


def cookie_of(app: Any, key: str) -> str:
    """Return the cookie of a phone that remembers a table."""
    name = app.config["SESSION_COOKIE_NAME"]
    cookie = phone_of(app, key).get_cookie(name)
    assert cookie is not None
    return f"{name}={cookie.value}"


def spent_while(processes: list[int], phones: Phones) -> float:
    """Return the share of a core that the workers take while nothing is written."""
    before = sum(map(cpu_seconds, processes))
    phones.listen(time.perf_counter() + EVERY)
    return (sum(map(cpu_seconds, processes)) - before) / EVERY


def times(phones: Phones) -> list[str]:
    """Return how many heard, and the times until they heard and saw."""
    heard, seen = phones.heard or [0.0], phones.seen or [0.0]
    return [
        f"{len(phones.heard):,}",
        f"{statistics.median(heard) * 1e3:.0f}",
        f"{percentile(heard, 0.95) * 1e3:.0f}",
        f"{percentile(seen, 0.95) * 1e3:.0f}",
    ]


def kept(full: float, empty: float, phones: Phones) -> list[str]:
    """Return the memory of the workers, and of each phone."""
    return [f"{full / 1000:.0f}", f"{(full - empty) / max(1, phones.streams):.0f}"]


def main() -> None:
    """Measure and print."""
    options = arguments(__doc__)
    options.add_argument("--phones", type=int, nargs="+", default=[100, 1000, 5000])
    asked = options.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 16_384)), hard))
    print_machine()
    on, rows = on_each_database(measure, asked.phones)
    head = ["database", "phones", "heard", "median ms", "p95 ms", "board p95 ms"]
    head += ["CPU of a core", "idle", "both workers, MB", "KB a phone"]
    report([Measured("live", f"Phones following live on {WORKERS} workers", head, rows, on)], asked.write)


if __name__ == "__main__":
    main()
