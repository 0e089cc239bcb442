"""Phones following live on two workers: how soon they hear and see, what they cost: ``python -m bench.live``.

They come from fifty addresses and sit at a hundred tables, each of which is written to every ten seconds; the brakes
are on. Each has opened its board with cookies of its own, holds an event stream, and fetches the board after each news
over another connection. The times are from before the write. Phones and server share the machine's cores.
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
from .stage import cookies_of, on_each_database, open_match, percentile, print_machine, stage

TABLES, ADDRESSES = 100, 50
EVERY = 10.0
SECONDS = 20.0
WORKERS = 2
PAGE = "Host: localhost\r\nAccept-Encoding: br\r\n"
FRAGMENT = f"{PAGE}HX-Request: true\r\n"


@dataclass
class Phone:
    """One phone: its stream, and the connection by which it fetches its board."""

    table: int
    key: str
    cookies: dict[str, str]
    source: str
    stream: socket.socket | None = None
    asking: socket.socket | None = None
    shown: str = "1.1"
    since: float = 0.0
    """When the write began whose board it fetches; 0 while it fetches none."""
    came: bytes = b""

    def keep(self, answer: bytes) -> None:
        """Keep the cookies of an answer."""
        head = answer.partition(b"\r\n\r\n")[0].decode("latin-1")
        for line in head.split("\r\n")[1:]:
            name, _colon, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _equals, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content


@dataclass
class Phones:
    """All phones, and the times until they heard of a write and had its board."""

    port: int
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    written: dict[int, float] = field(default_factory=dict)
    """The start of the last write to each table."""
    heard: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    opened: list[Phone] = field(default_factory=list)
    streams: int = 0
    refused: int = 0
    lost: int = 0

    def open(self, number: int, table: int, key: str, cookies: dict[str, str]) -> None:
        """Open the board of one phone."""
        source = f"127.0.1.{1 + number % ADDRESSES}"
        path = f"/t/{key}"
        phone = Phone(table, key, cookies, source)
        with self._connect(source) as asking:
            asking.sendall(f"GET {path} HTTP/1.1\r\n{PAGE}{sent(cookies)}\r\n\r\n".encode())
            came = b""
            while not is_whole(came):
                piece = asking.recv(65_536)
                assert piece, f"{path} ended after {came!r}"
                came += piece
        phone.keep(came)
        self.opened.append(phone)

    def follow(self) -> None:
        """Open the stream of each phone."""
        for phone in self.opened:
            stream = phone.stream = self._connect(phone.source)
            asked = f"GET /t/{phone.key}/live?v=1.1 HTTP/1.1\r\nHost: localhost\r\n{sent(phone.cookies)}\r\n\r\n"
            stream.sendall(asked.encode())
            if b" 200 " in stream.recv(4096).split(b"\r\n", 1)[0]:
                self.selector.register(stream, selectors.EVENT_READ, phone)
                self.streams += 1
            else:
                self.refused += 1
                stream.close()

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
        assert phone.stream is not None
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
        asked = f"GET {path} HTTP/1.1\r\n{FRAGMENT}{sent(phone.cookies)}\r\n\r\n".encode()
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
        if phone.since and is_whole(phone.came):
            self.seen.append(time.perf_counter() - phone.since)
            if version := header(phone.came, b"table-version"):
                phone.shown = version.decode()
            phone.keep(phone.came)
            phone.since, phone.came = 0.0, b""

    def close(self) -> None:
        """Close all connections."""
        for each in list(self.selector.get_map().values()):
            each.fileobj.close()  # type: ignore[union-attr]
        self.selector.close()


def sent(cookies: dict[str, str]) -> str:
    """Return the header with these cookies."""
    return "Cookie: " + "; ".join(f"{name}={content}" for name, content in cookies.items())


def is_whole(answer: bytes) -> bool:
    """Return whether all of an answer is here."""
    head, blank, body = answer.partition(b"\r\n\r\n")
    length = header(head, b"content-length")
    return bool(blank) and length is not None and len(body) >= int(length)


def header(answer: bytes, name: bytes) -> bytes | None:
    """Return a header of an answer."""
    head = answer.partition(b"\r\n\r\n")[0]
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
        processes = workers(stack.enter_context(server(port, WORKERS, count)))
        phones = Phones(port)
        stack.callback(phones.close)
        for number in range(count):
            table = tables[number % TABLES]
            phones.open(number, table, keys[table], cookies_of(app, keys[table]))
        # What is kept of pages is bounded: it does not grow with those that follow.
        empty = sum(map(memory, processes))
        phones.follow()
        full = sum(map(memory, processes))
        idle = spent_while(processes, phones)
        before, until = sum(map(cpu_seconds, processes)), time.perf_counter() + SECONDS
        own = time.process_time()
        writer = threading.Thread(target=write_in_turn, args=(app, tables, phones, until - 1))
        writer.start()
        phones.listen(until)
        writer.join()
        spent = (sum(map(cpu_seconds, processes)) - before) / SECONDS
        asking = (time.process_time() - own) / SECONDS
    refused = f" ({phones.refused} refused)" if phones.refused else ""
    return [
        name,
        f"{phones.streams:,}{refused}",
        *times(phones),
        f"{spent:.0%}",
        f"{asking:.0%}",
        f"{idle:.1%}",
        *kept(full, empty, phones),
    ]


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
        f"{statistics.median(seen) * 1e3:.0f}",
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
    head = ["database", "phones", "heard", "median ms", "p95 ms", "board median ms", "board p95 ms"]
    head += ["CPU of a core", "the phones' own", "idle CPU", "both workers, MB", "KB a phone"]
    report([Measured("live", f"Phones following live on {WORKERS} workers", head, rows, on)], asked.write)


if __name__ == "__main__":
    main()
