"""Phones that write and follow through the proxy, and note what was acknowledged."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from typing import Any
from uuid import uuid4

PAUSE = 0.2
"""Seconds between two entries of a writer, and after one that was not acknowledged."""
NOTES = 5
"""Sweeps that a writer notes in a deal, before it closes that."""
AWARDS = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "A", "prime": "B"}
RETRY = 1.0
"""Seconds after which a page opens its stream again: what the stream itself asks for."""
SILENCE = 15.0
"""Seconds after which a page believes that its stream is dead: twice the beat and more."""


@dataclass
class Place:
    """Where the phones of a drill ask: the proxy."""

    host: str
    port: int
    stops: threading.Event = field(default_factory=threading.Event)

    def ask(self, source: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes]:
        """Ask as the phone at this address; return status and body. Raises ``OSError`` or ``HTTPException``."""
        connection = self.connect(source, 30)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, path, content, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def connect(self, source: str, timeout: float) -> http.client.HTTPConnection:
        """Return a connection from a phone's address, not opened yet."""
        return http.client.HTTPConnection(self.host, self.port, timeout, source_address=(source, 0))


class Writer:
    """A phone that pushes one entry after the other, each until it is acknowledged: some notes, then a closing."""

    def __init__(self, place: Place, number: int, key: str) -> None:
        self._place, self.key, self._source = place, key, f"127.1.0.{number + 1}"
        self.acknowledged: dict[str, float] = {}
        """When the server said that it has an entry, by the entry's id."""
        self.sent: list[str] = []
        self.failures: Counter[str] = Counter()
        """The answers that acknowledged nothing, by their status, and the connections that failed."""
        self.stops = threading.Event()
        self._seq = 0
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        for deal in count(1):
            swept = {"A": 0, "B": 0}
            for number in range(NOTES):
                side = "AB"[number % 2]
                swept[side] += 1
                self._write({"kind": "swept", "deal": deal, "fields": {"side": [side]}})
            facts = {"awards": AWARDS, "sweeps": swept}
            closing = {"kind": "deal_closed", "deal": deal, "payload": {"deal": deal, "facts": facts}}
            self._write({**closing, "drawn_from": self._seq})
            if self.stops.is_set():
                return

    def _write(self, entry: dict[str, Any]) -> None:
        """Push an entry until it is acknowledged, or the writers are to stop."""
        entry = {"id": str(uuid4()), "match": 1, **entry}
        if not self.stops.is_set():
            self.sent.append(entry["id"])
        while not self.stops.is_set():
            seq = self._push(entry)
            if seq is not None:
                self.acknowledged[entry["id"]] = time.monotonic()
                self._seq = seq
            time.sleep(PAUSE)
            if seq is not None:
                return

    def _push(self, entry: dict[str, Any]) -> int | None:
        """Push an entry once; return its seq, None if it was not acknowledged."""
        try:
            body = {"table": self.key, "entries": [entry]}
            status, answer = self._place.ask(self._source, "POST", "/api/v1/entries", body)
        except (OSError, http.client.HTTPException) as error:
            self.failures[type(error).__name__] += 1
            return None
        [said] = json.loads(answer)["answers"] if status in (200, 409, 422) else [{"status": str(status)}]
        if said["status"] not in ("written", "known"):
            self.failures[said["status"]] += 1
            return None
        return int(said["seq"])

    def head(self) -> int:
        """Return the seq of the newest entry, read through the proxy."""
        return int(self._pull(0)["head"])

    def journal(self) -> list[str]:
        """Return the ids of notes and closings in the journal, in its order, read through the proxy."""
        found: list[str] = []
        after, more = 0, True
        while more:
            page = self._pull(after)
            found += [entry["id"] for entry in page["entries"] if entry["kind"] in ("swept", "deal_closed")]
            after = page["entries"][-1]["seq"] if page["entries"] else after
            more = page["more"]
        return found

    def _pull(self, after: int) -> dict[str, Any]:
        path = f"/api/v1/entries?match=1&after={after}"
        status, answer = self._place.ask(self._source, "GET", path, Authorization=f"Bearer {self.key}")
        assert status == 200, answer
        page: dict[str, Any] = json.loads(answer)
        return page


class Follower:
    """An open page, which opens its stream anew whenever that ends."""

    def __init__(self, place: Place, number: int, key: str) -> None:
        self._place, self.key, self._source = place, key, f"127.1.1.{number + 1}"
        self.version = ""
        self.opened = self.cut = 0
        """How often a stream was opened, and how often one ended or gave no sign."""
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while not self._place.stops.is_set():
            with suppress(OSError, http.client.HTTPException):
                self._follow()
            self._place.stops.wait(RETRY)

    def _follow(self) -> None:
        connection = self._place.connect(self._source, SILENCE)
        try:
            connection.request("GET", f"/t/{self.key}/live?v={self.version}")
            answer = connection.getresponse()
            if answer.status != 200:
                return
            self.opened += 1
            try:
                self._listen(answer)
            finally:
                self.cut += not self._place.stops.is_set()
        finally:
            connection.close()

    def _listen(self, answer: http.client.HTTPResponse) -> None:
        while (line := answer.readline()) and not self._place.stops.is_set():
            if line.startswith(b"data: ") and line.strip() != b"data: -":
                self.version = line[6:].decode().strip()
