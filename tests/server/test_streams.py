"""Live streams of ``scorekeeper serve``: they hold no thread, hear of every process, and give back what they had."""

from __future__ import annotations

import resource
import selectors
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.cli import streams as loop
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match

from ..conftest import SECRET
from ..helpers.databases import on_both
from ..helpers.serving import serving
from ..store.conftest import start

LONG = 60
"""Seconds after which a test no longer waits. No measure of speed."""
BEAT = "event: beat\ndata: 1.1\n\n"


# The server has the folder of the app.
pytestmark = [pytest.mark.own_app, pytest.mark.whole]


class Table:
    """A table to which this process writes, beside the server."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        with app.app_context(), writing():
            table = commands.open_table("Los jueves", str(uuid4()))
            self.id, self.key = start(table).table_id, table.play_key

    def sweep(self) -> None:
        with self.app.app_context(), writing():
            match = db.session.get_one(Match, (self.id, 1))
            commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])


class Stream:
    """The stream of a phone."""

    def __init__(self, address: str, key: str, http: str = "1.1", source: str = "127.0.0.1") -> None:
        at = urlsplit(address)
        self.socket = socket.create_connection((at.hostname, at.port), LONG, (source, 0))
        self.socket.sendall(f"GET /t/{key}/live?v=1.1 HTTP/{http}\r\nHost: localhost\r\n\r\n".encode())
        self.came = b""

    def hear(self, words: str) -> bytes:
        """Wait for these words; return all that came up to them."""
        while words.encode() not in self.came:
            piece = self.socket.recv(4096)
            assert piece, f"it ended after {self.came!r}"
            self.came += piece
        end = self.came.index(words.encode()) + len(words)
        heard, self.came = self.came[:end], self.came[end:]
        return heard

    def rest(self) -> bytes:
        """Return what comes until the other side closes."""
        while piece := self.socket.recv(4096):
            self.came += piece
        return self.came

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app)


@pytest.fixture
def address(tmp_path: Path, table: Table) -> Iterator[str]:
    """A server of two workers with few threads."""
    with serving(tmp_path, workers=2, threads=2, SECRET_KEY=SECRET, SCOREKEEPER_TABLE_STREAMS="50") as address:
        yield address


def opened(stack: ExitStack, address: str, table: Table, many: int) -> list[Stream]:
    streams = [stack.enter_context(closing(Stream(address, table.key))) for _one in range(many)]
    for stream in streams:
        assert stream.hear(BEAT).startswith(b"HTTP/1.1 200")
    return streams


def ask(address: str) -> int:
    with urllib.request.urlopen(f"{address}/privacy", timeout=LONG) as answer:
        return int(answer.status)


# Each database has a way of its own to tell of commits.
@on_both
def test_streams_hold_no_thread_and_hear_of_what_any_process_writes(address: str, table: Table) -> None:
    with ExitStack() as stack:
        streams = opened(stack, address, table, 50)
        assert [ask(address) for _turn in range(8)] == [200] * 8
        for version in ("1.2", "1.3"):
            table.sweep()
            for stream in streams:
                stream.hear(f"data: {version}\n\n")


def test_a_phone_that_leaves_makes_room_for_another(address: str, table: Table) -> None:
    with ExitStack() as stack:
        streams = opened(stack, address, table, 50)
        with closing(Stream(address, table.key)) as one_too_many:
            one_too_many.hear("HTTP/1.1 204")
        streams[0].close()
        came = b""
        while b" 200 " not in came:
            with closing(Stream(address, table.key)) as another:
                came = another.hear("\r\n\r\n")


def test_a_stream_is_in_pieces_unless_the_phone_is_of_an_earlier_time(address: str, table: Table) -> None:
    with closing(Stream(address, table.key)) as now, closing(Stream(address, table.key, "1.0")) as earlier:
        assert b"Transfer-Encoding: chunked" in now.hear(BEAT)
        assert b"Transfer-Encoding" not in earlier.hear(BEAT)
        table.sweep()
        assert now.hear("data: 1.2\n\n").endswith(b"B\r\ndata: 1.2\n\n")
        assert earlier.hear("data: 1.2\n\n") == b"data: 1.2\n\n"
        now.hear("event: beat\ndata: 1.2\n\n")
        earlier.hear("event: beat\ndata: 1.2\n\n")


def test_a_server_that_stops_ends_its_streams(tmp_path: Path, table: Table) -> None:
    with ExitStack() as stack:
        with serving(tmp_path, SECRET_KEY=SECRET) as address:
            streams = opened(stack, address, table, 20)
        assert [stream.rest().endswith(b"0\r\n\r\n") for stream in streams] == [True] * 20
    assert "Traceback" not in (tmp_path / "server.log").read_text()


@pytest.fixture
def room() -> Iterator[None]:
    """Handles for many streams, here and in a server that is started here."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class Words:
    """What a stream says: news without an end."""

    is_begun = True
    is_released = False
    pause = 0.0

    def __init__(self) -> None:
        self.until = time.monotonic() + LONG
        self.left = 0

    def wake_by(self, wake: Callable[[], None]) -> None:
        self.wake = wake

    def news(self) -> bytes:
        return b"x" * 1_000_000

    def beat(self) -> bytes:
        return b"beat"

    def leave(self) -> None:
        self.left += 1


class Followed:
    """A phone that follows one stream, whose loop is turned by the test."""

    def __init__(self, poller: selectors.BaseSelector, here: socket.socket) -> None:
        self.ends: list[bool] = []
        self.words = Words()
        self.streams = loop.Streams(poller, lambda call: call())
        self.streams.add(loop.Stream(here, self.words, True, self.ends.append))

    def came_to(self) -> tuple[list[bool], int]:
        """Return how the stream has ended, if it has, and how often its place was given back."""
        return self.ends, self.words.left


def test_a_phone_that_takes_nothing_any_more_is_let_go_and_has_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loop, "TAKING_SECONDS", 0)
    here, phone = socket.socketpair()
    with here, phone, selectors.DefaultSelector() as poller:
        followed = Followed(poller, here)
        assert followed.came_to() == ([], 0)
        followed.streams.turn()
        assert followed.came_to() == ([False], 1)
        followed.words.wake()
        followed.streams.turn()
        followed.streams.end_all()
        assert followed.came_to() == ([False], 1), "it ends once"
        assert not poller.get_map()


def test_a_phone_that_takes_what_waits_for_it_goes_on() -> None:
    here, phone = socket.socketpair()
    with here, phone, selectors.DefaultSelector() as poller:
        followed = Followed(poller, here)
        came, until = 0, time.monotonic() + LONG
        while came < 3_000_000:
            assert time.monotonic() < until
            came += len(phone.recv(65_536))
            followed.streams.turn()
            for ready, _events in poller.select(0):
                ready.data(ready.fileobj)
        assert followed.came_to() == ([], 0)
