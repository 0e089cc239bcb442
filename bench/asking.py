"""Phones that ask a server for one page, all from one process: as fast as it answers, or as often as told.

Each phone has an address of its own, of this machine's own network, and a connection that stays open.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from .stage import AS_A_PHONE

PATIENCE = 30.0
"""Seconds that what is still under way in the end is waited for."""


@dataclass
class Phone:
    """One phone on its connection."""

    line: socket.socket
    path: str
    cookies: dict[bytes, bytes] = field(default_factory=dict)
    asked: bytes = b""
    came: bytearray = field(default_factory=bytearray)
    since: float = 0.0
    """The moment from which its answer is waited for."""

    def ask(self, since: float) -> None:
        """Send its request."""
        if not self.asked:
            head = [f"GET {self.path} HTTP/1.1", "Host: localhost", *(f"{k}: {v}" for k, v in AS_A_PHONE.items())]
            cookies = b"; ".join(b"=".join(each) for each in self.cookies.items())
            lines = [*(line.encode() for line in head), *([b"Cookie: " + cookies] if cookies else [])]
            self.asked = b"\r\n".join([*lines, b"", b""])
        self.since = since
        self.line.sendall(self.asked)

    def take(self) -> bool:
        """Read what has come; return whether the answer is whole. Raises ``ConnectionError``."""
        piece = self.line.recv(1 << 18)
        if not piece:
            raise ConnectionError("the server hung up")
        self.came += piece
        end = self.came.find(b"\r\n\r\n")
        if end < 0:
            return False
        head = bytes(self.came[: end + 2])
        assert head.startswith(b"HTTP/1.1 200"), head
        at = head.index(b"\r\nContent-Length: ") + 18
        if len(self.came) < end + 4 + int(head[at : head.index(b"\r\n", at)]):
            return False
        if b"\r\nSet-Cookie: " in head:
            for line in head.split(b"\r\nSet-Cookie: ")[1:]:
                name, _equals, value = line.partition(b";")[0].partition(b"=")
                self.cookies[name] = value
            self.asked = b""
        self.came.clear()
        return True


class Phones:
    """So many phones, which all ask for the page at ``path``; ``cookies`` makes those of each."""

    def __init__(self, port: int, path: str, many: int, cookies: Callable[[], Mapping[str, str]]) -> None:
        self.selector = selectors.DefaultSelector()
        self.all = []
        for number in range(many):
            place = (f"127.0.1.{1 + number % 250}", 0)
            phone = Phone(socket.create_connection(("127.0.0.1", port), PATIENCE, place), path)
            phone.cookies = {name.encode(): content.encode() for name, content in cookies().items()}
            phone.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(phone.line, selectors.EVENT_READ, phone)
            self.all.append(phone)

    def close(self) -> None:
        """Hang up."""
        for phone in self.all:
            phone.line.close()
        self.selector.close()

    def _answered(self, wait: float) -> list[Phone]:
        """Return the phones whose answers have come within so many seconds."""
        return [key.data for key, _events in self.selector.select(max(0.0, wait)) if key.data.take()]

    def as_fast_as_it_answers(self, seconds: float) -> int:
        """Let each ask again as soon as it is answered; return the number of answers."""
        began = time.perf_counter()
        until, count, waiting = began + seconds, 0, len(self.all)
        for phone in self.all:
            phone.ask(began)
        while waiting and time.perf_counter() < until + PATIENCE:
            for phone in self._answered(1.0):
                moment = time.perf_counter()
                if moment < until:
                    count += 1
                    phone.ask(moment)
                else:
                    waiting -= 1
        assert not waiting, "the server did not answer"
        return count

    def at_a_rate(self, rate: float, seconds: float) -> list[float]:
        """Ask so many times a second, by chance spread, whether or not the server keeps up; return the seconds of each.

        They are counted from when the request was due, so one that finds no phone free has waited, too.
        """
        random, idle, due = Random(1), deque(self.all), deque[float]()
        began = time.perf_counter()
        following, until = began + random.expovariate(rate), began + seconds
        times: list[float] = []
        while following < until or due or len(idle) < len(self.all):
            moment = time.perf_counter()
            assert moment < until + PATIENCE, "the server did not answer"
            while following <= moment and following < until:
                due.append(following)
                following += random.expovariate(rate)
            while due and idle:
                idle.popleft().ask(due.popleft())
            wait = following - time.perf_counter() if following < until else 1.0
            for phone in self._answered(wait):
                times.append(time.perf_counter() - phone.since)
                idle.append(phone)
        return times
