"""Bad weather between a phone and the app: requests lost, late, answered by somebody else; streams that fall silent."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
from contextlib import suppress

from .proxy import Proxy, Request

FATES = {
    "fair": 60,
    "slow": 12,
    "lost": 6,
    "answer lost": 6,
    "busy": 4,
    "busy, not ours": 4,
    "wifi": 4,
}
"""What may happen to a request, and how often of a hundred."""
SLOW = (0.5, 6.0)
STREAM = (2.0, 30.0)
"""Seconds until a stream is cut or falls silent."""
NEVER = 1e9
DOWN = (3.0, 25.0)
"""Seconds that a phone is without any network."""
LOGIN = b"<!doctype html><title>Wi-Fi</title><h1>Log in to the Wi-Fi</h1>"
OWN = {"connection", "transfer-encoding", "content-length"}
"""Headers of a connection, not of an answer."""
OF_TABLE = ("/t/", "/api/")
"""What tells a phone of its table; files and the start page do not."""
OF_DEAL = "/deals/"
"""What tells a form of its deal, and may be fetched only to be kept: the board behind it learns nothing by it."""
PIECE = 4096


class Weather(Proxy):
    """The network of one phone. It is fair until ``begin``, and again after ``clear``.

    ``heard`` are the answers about the table that have reached the phone: when each came, of which moment it tells, and
    to what.
    """

    def __init__(self, app: str, seed: str) -> None:
        super().__init__(app)
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._is_bad = False
        self._down_until = 0.0
        self._last: tuple[str, bool] | None = None
        self._silent = ""
        self.heard = [(time.monotonic(), time.monotonic(), "")]

    def heard_until(self, moment: float) -> float:
        """Return of which moment the newest answer tells a board that had come until then."""
        of_board = [(came, told) for came, told, path in list(self.heard) if OF_DEAL not in path]
        return max((told for came, told in of_board if came <= moment), default=self.heard[0][1])

    def _note(self, path: str, told_at: float) -> None:
        if path.startswith(OF_TABLE):
            self.heard.append((time.monotonic(), told_at, path))

    def begin(self) -> None:
        """Let the weather become bad."""
        self._is_bad = True

    def clear(self) -> None:
        """Let it be fair for good."""
        self._is_bad = False
        self._down_until = 0

    @property
    def is_down(self) -> bool:
        """Whether the phone has no network at all."""
        return time.monotonic() < self._down_until

    def go_down(self, seconds: float | None = None) -> None:
        """Take the network away for so long, or for a while."""
        self._down_until = time.monotonic() + (self._random.uniform(*DOWN) if seconds is None else seconds)

    def go_down_at(self, path: str, *, is_answered: bool) -> None:
        """Take the network away for good with the next post to a path that ends so: the app hears it.

        ``is_answered`` says whether its answer still reaches the phone.
        """
        self._last = (path, is_answered)

    def fall_silent_at(self, path: str) -> None:
        """Take the network away for good with the next post to a path that ends so: the app hears it.

        Its answer does not fail either: the phone waits for it.
        """
        self._silent = path

    def answer(self, request: Request, body: bytes) -> None:
        """Answer as the weather is; a file of the app is only slow, or out of reach."""
        with suppress(OSError, http.client.HTTPException):
            self._answer(request, body)

    def _fate(self, path: str) -> tuple[str, float]:
        with self._lock:
            fate = self._random.choices(list(FATES), FATES.values())[0]
            span = self._random.uniform(*(STREAM if "/live" in path else SLOW))
        if not self._is_bad or (path.startswith("/static/") and fate != "slow"):
            fate = "fair"
        return fate, span

    def _answer(self, request: Request, body: bytes) -> None:
        if self.is_down:
            self._hang_up(request)
            return
        fate, span = self._fate(request.path)
        if "/live" in request.path:
            self._stream(request, body, span if self._is_bad else 1e9, falls_silent=fate == "slow")
        elif fate == "lost":
            self._hang_up(request)
        elif fate.startswith("busy"):
            ours = [] if "not" in fate else [("X-Scorekeeper", "1")]
            request.say(503, [("Content-Type", "text/html"), ("Retry-After", "1"), *ours], b"busy")
        elif fate == "wifi":
            request.say(200, [("Content-Type", "text/html")], LOGIN)
        else:
            self._pass_on(request, body, fate, span)

    def _pass_on(self, request: Request, body: bytes, fate: str, span: float) -> None:
        upstream = self.ask(request, body, "Accept-Encoding")
        answer = upstream.getresponse()
        page = answer.read()
        told_at = time.monotonic()
        headers = [pair for pair in answer.getheaders() if pair[0].lower() not in OWN]
        upstream.close()
        if self._silent and request.command == "POST" and request.path.endswith(self._silent):
            self._silent = ""
            self.go_down(NEVER)
            while self.is_down:
                time.sleep(0.05)
            self._hang_up(request)
            return
        if fate == "slow":
            time.sleep(span)
        if self._last is not None and request.command == "POST" and request.path.endswith(self._last[0]):
            is_answered, self._last = self._last[1], None
            if is_answered:
                request.say(answer.status, headers, page)
            self.go_down(NEVER)
        if fate == "answer lost" or self.is_down:
            self._hang_up(request)
            return
        self._note(request.path, told_at)
        request.say(answer.status, headers, page)

    def _stream(self, request: Request, body: bytes, seconds: float, *, falls_silent: bool) -> None:
        """Pass a stream on, byte by byte, until it is cut; one that falls silent stays open a while longer."""
        request.close_connection = True
        upstream = self.ask(request, body, "Accept-Encoding")
        until = time.monotonic() + seconds
        with suppress(OSError), upstream.sock:
            upstream.sock.settimeout(0.2)
            while (time.monotonic() < until or not self._is_bad) and not self.is_down:
                with suppress(TimeoutError):
                    piece = upstream.sock.recv(PIECE)
                    if not piece:
                        break
                    request.connection.sendall(piece)
                    self._note(request.path, time.monotonic())
            while falls_silent and self._is_bad and not self.is_down and time.monotonic() < until + seconds:
                time.sleep(0.2)

    def _hang_up(self, request: Request) -> None:
        request.close_connection = True
        with suppress(OSError):
            request.connection.shutdown(socket.SHUT_RDWR)
