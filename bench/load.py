"""Pages under load: many connections ask two workers for a page as fast as they answer: ``python -m bench.load``.

Clients and workers share the machine's cores, so the capacity of the workers alone is reckoned from their CPU for each
request.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from typing import BinaryIO

from tests.helpers.serving import free_port

from .document import Measured, arguments, report
from .pages import PAGES, SAID
from .served import cpu_seconds, server, workers
from .stage import print_machine, stage

WORKERS = 2
CONNECTIONS = 16
SECONDS = 8.0
WARM_UP = 2.0
"""Seconds of requests before the measurement: a new worker fills its caches."""


def ask(port: int, path: str, until: float, answered: list[int]) -> None:
    """Request a page again and again over one connection, with the cookie of a phone that the app knows."""
    cookie, count = "", 0
    with socket.create_connection(("127.0.0.1", port)) as stream, stream.makefile("rb") as answers:
        while time.perf_counter() < until:
            asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Language: es\r\n{cookie}\r\n"
            stream.sendall(asked.encode())
            received = read_answer(answers)
            cookie = f"Cookie: {received}\r\n" if received else cookie
            count += 1
    answered.append(count)


def read_answer(answers: BinaryIO) -> str:
    """Read one whole answer, and return the cookie that it sets."""
    status = answers.readline()
    assert b" 200 " in status, status
    length, cookie = 0, ""
    while (line := answers.readline().decode()) != "\r\n":
        name, _colon, value = line.partition(": ")
        if name == "Content-Length":
            length = int(value)
        elif name == "Set-Cookie":
            cookie = value.partition(";")[0]
    answers.read(length)
    return cookie


def everybody(port: int, path: str, seconds: float, answered: list[int]) -> None:
    """Request a page over all connections for some seconds."""
    wanted = (port, path, time.perf_counter() + seconds, answered)
    phones = [threading.Thread(target=ask, args=wanted) for _phone in range(CONNECTIONS)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()


def measure(port: int, processes: list[int], path: str) -> list[str]:
    """Return the requests answered in a second, and the cost of one to the workers."""
    answered: list[int] = []
    everybody(port, path, WARM_UP, [])
    before, began = sum(map(cpu_seconds, processes)), time.perf_counter()
    everybody(port, path, SECONDS, answered)
    spent = sum(map(cpu_seconds, processes)) - before
    each = spent / sum(answered)
    rate = sum(answered) / (time.perf_counter() - began)
    return [f"{rate:,.0f}", f"{each * 1e3:.2f}", f"{(os.cpu_count() or 1) / each:,.0f}"]


def main() -> None:
    """Measure and print."""
    asked = arguments(__doc__).parse_args()
    print_machine()
    port = free_port()
    with stage(40) as table, server(port, WORKERS) as parent:
        pages = {"a file, from memory: the floor of server and framework": "/sw.js"}
        pages |= {SAID[name]: PAGES[name].format(key=table.key) for name in ("board", "sheets")}
        rows = [[said, *measure(port, workers(parent), path)] for said, path in pages.items()]
    head = ["page", "requests a second", "CPU of a request, ms", "a second, reckoned for cores of their own"]
    report([Measured("load", f"{CONNECTIONS} connections, {WORKERS} workers", head, rows)], asked.write)


if __name__ == "__main__":
    main()
