"""Strangers who flood a server, and who is answered meanwhile: ``python -m bench.flood [--checkout FOLDER]``.

Each flood comes from one address of this machine for some seconds, against a server as it is installed (two workers).
Somebody at another address asks for a page twice a second. ``--checkout`` measures another version of the app.
"""

from __future__ import annotations

import argparse
import http.client
import json
import resource
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from tests.helpers.serving import free_port

from .stage import print_machine, print_table

SECONDS = 15.0
"""Seconds of each flood while somebody asks."""
PATIENCE = 8.0
"""Seconds that somebody waits for a page."""
PAUSE = 2.0
"""Seconds between two bytes of a slow connection."""
STRANGER, SOMEBODY = "127.0.0.1", "127.0.0.99"
HEAD = b"GET / HTTP/1.1\r\nHost: h\r\nX-Slow: "
FORM = b"POST /language HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CLOSING = b"GET /prime HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"


@dataclass
class Flood:
    """A flood of the server at a port, until it is stopped."""

    port: int
    stopped: threading.Event = field(default_factory=threading.Event)
    told: Counter[str] = field(default_factory=Counter)
    """How often what was done."""

    def open(self, sent: bytes) -> socket.socket | None:
        """Open a connection and send something; None if there is no room for it."""
        with suppress(OSError):
            connection = socket.create_connection(("127.0.0.1", self.port), 2, (STRANGER, 0))
            connection.sendall(sent)
            connection.setblocking(False)
            return connection
        return None

    def trickle(self, many: int, start: bytes, piece: bytes) -> None:
        """Hold many connections, send a piece on each at times, and open anew what was closed."""
        held = [self.open(start) for _one in range(many)]
        self.told["connections"] = many
        while not self.stopped.wait(PAUSE):
            for place, connection in enumerate(held):
                if self.stopped.is_set():
                    break
                try:
                    if connection is None or (piece and _has_end(connection)):
                        raise ConnectionError
                    connection.sendall(piece)
                except OSError:
                    if connection is not None:
                        connection.close()
                    held[place] = self.open(start)
        for connection in filter(None, held):
            connection.close()

    def ask_and_stay(self) -> None:
        """Ask for pages on connections that are to be closed, and close none of them."""
        held = []
        while not self.stopped.wait(0.05):
            held.append(self.open(CLOSING))
            self.told["pages asked for"] += 1
        for connection in filter(None, held):
            connection.close()

    def read_nothing(self, many: int) -> None:
        """Ask for a page on many connections with a small window, and read nothing."""
        held = []
        for _one in range(many):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
            # As small as over a network: the system takes the less of an answer at once.
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
            connection.settimeout(2)
            with suppress(OSError):
                connection.bind((STRANGER, 0))
                connection.connect(("127.0.0.1", self.port))
                connection.sendall(4 * b"GET /prime HTTP/1.1\r\nHost: h\r\n\r\n")
            held.append(connection)
        self.told["connections"] = many
        self.stopped.wait()
        for connection in held:
            connection.close()

    def send(self, method: str, path: Callable[[], str], body: Callable[[], bytes]) -> None:
        """Send requests one after the other on one connection, and count the answers by their status."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, 20, source_address=(STRANGER, 0))
        while not self.stopped.is_set():
            try:
                connection.request(method, path(), body(), {"Content-Type": "application/json"})
                with connection.getresponse() as answer:
                    answer.read()
                    self.told[str(answer.status)] += 1
            except (OSError, http.client.HTTPException):
                connection.close()
        seconds = time.monotonic() - began
        self.told = Counter({f"a second answered {status}": round(n / seconds) for status, n in self.told.items()})

    def follow(self) -> None:
        """Follow one table by as many streams as there is room for."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, 20, source_address=(STRANGER, 0))
        connection.request("POST", "/api/v1/tables", new_table(), {"Content-Type": "application/json"})
        key = json.loads(connection.getresponse().read())["keys"]["play"]
        held = []
        for _one in range(500):
            stream = self.open(f"GET /t/{key}/live?v=0.0 HTTP/1.1\r\nHost: h\r\n\r\n".encode())
            if stream is not None:
                with suppress(OSError):
                    stream.settimeout(2)
                    self.told["streams"] += stream.recv(12) == b"HTTP/1.1 200"
                held.append(stream)
        self.stopped.wait()
        for stream in held:
            stream.close()


def _has_end(connection: socket.socket) -> bool:
    with suppress(BlockingIOError):
        return not connection.recv(65536)
    return False


def new_table() -> bytes:
    """Return the request for a new table."""
    return json.dumps({"id": str(uuid4()), "game": "chorizo", "sides": [["Ana"], ["Beto"]]}).encode()


FLOODS: dict[str, Callable[[Flood], None]] = {
    "nothing": lambda flood: None,
    "1,100 half-sent headers, a byte each 2 s": lambda flood: flood.trickle(1_100, HEAD, b"x"),
    "2,200 of them": lambda flood: flood.trickle(2_200, HEAD, b"x"),
    "2,200 connections that say nothing": lambda flood: flood.trickle(2_200, b"", b""),
    "600 forms, a byte each 2 s": lambda flood: flood.trickle(600, FORM + b"Content-Length: 60000\r\n\r\n", b"x"),
    "600 bodies in pieces, a byte each 2 s": lambda flood: flood.trickle(
        600, FORM + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n"
    ),
    "20 pages a second, connections left open": Flood.ask_and_stay,
    "600 connections that ask for four pages and read none": lambda flood: flood.read_nothing(600),
    "new tables": lambda flood: flood.send("POST", lambda: "/api/v1/tables", new_table),
    "wrong keys": lambda flood: flood.send("GET", lambda: f"/t/{uuid4().hex[:22]}", lambda: b""),
    "live streams": Flood.follow,
}


@contextmanager
def served(checkout: Path) -> Iterator[int]:
    """Serve a version of the app on a new database, with the settings as they come; yield its port."""
    port = free_port()
    command = [sys.executable, "-m", "scorekeeper.cli", "serve", "--host", "127.0.0.1", "--port", str(port)]
    with TemporaryDirectory(prefix="scorekeeper-bench-") as folder:
        environment = {"PATH": "/usr/bin:/bin", "SCOREKEEPER_INSTANCE": folder}
        process = subprocess.Popen(
            command, cwd=checkout, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            while asked(port) is None:
                time.sleep(0.2)
            yield port
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)


def asked(port: int) -> float | None:
    """Return the seconds until a page was there, None if it did not come."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, PATIENCE, source_address=(SOMEBODY, 0))
    try:
        connection.request("GET", "/prime", headers={"Connection": "close"})
        with connection.getresponse() as answer:
            answer.read()
        return time.monotonic() - began
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def measured(name: str, checkout: Path) -> list[str]:
    """Return a row: of the pages asked for during a flood those that came, and how long they took."""
    with served(checkout) as port:
        flood = Flood(port)
        thread = threading.Thread(target=FLOODS[name], args=(flood,))
        thread.start()
        time.sleep(3)
        until, times = time.monotonic() + SECONDS, []
        while time.monotonic() < until:
            times.append(asked(port))
            time.sleep(0.5)
        flood.stopped.set()
        thread.join()
    came = [taken for taken in times if taken is not None]
    middle, most = (f"{statistics.median(came):.2f}", f"{max(came):.2f}") if came else ("-", "-")
    told = ", ".join(f"{count:,} {what}" for what, count in sorted(flood.told.items()))
    return [name, f"{len(came)} of {len(times)}", middle, most, told]


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--checkout", type=Path, default=Path.cwd(), help="the folder of the version to measure")
    options.add_argument("--only", type=int, nargs="+", help="only these floods, by their place")
    chosen = options.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 8192)), hard))
    print_machine()
    names = [name for place, name in enumerate(FLOODS) if not chosen.only or place in chosen.only]
    rows = [measured(name, chosen.checkout.resolve()) for name in names]
    print_table(
        "Strangers who flood a server",
        ["flood", f"answered within {PATIENCE:.0f} s", "median s", "longest s", "flood told"],
        rows,
    )


if __name__ == "__main__":
    main()
