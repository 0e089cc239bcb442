"""News of commits are told to all processes that listen, and fail nobody who writes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from scorekeeper.store.news import Pipe, Sender, notify_listeners

LONG = 20.0


def test_every_process_that_listens_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "listeners"
    with Pipe.opened(folder) as one, Pipe.opened(folder) as other:
        for table in (7, 2**62):
            notify_listeners(folder, table)
        assert one.wait(LONG) == other.wait(LONG) == {7, 2**62}
        assert one.wait(0) == set()
    assert list(folder.iterdir()) == []


def test_only_the_app_s_own_user_can_tell_or_listen(tmp_path: Path) -> None:
    folder = tmp_path / "listeners"
    with Pipe.opened(folder):
        assert [stat.S_IMODE(each.stat().st_mode) & 0o077 for each in (folder, *folder.iterdir())] == [0, 0]


def test_a_listener_that_is_dead_is_removed(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "dead.news")
    with Pipe.opened(tmp_path) as pipe:
        notify_listeners(tmp_path, 7)
        assert pipe.wait(LONG) == {7}
        assert len(list(tmp_path.glob("*.news"))) == 1


def test_a_listener_that_takes_nothing_fails_nobody(tmp_path: Path) -> None:
    with Pipe.opened(tmp_path) as full:
        for table in range(20_000):
            notify_listeners(tmp_path, table)
        assert 0 in full.wait(LONG)
        while full.wait(0):
            pass
        notify_listeners(tmp_path, 7)
        assert full.wait(LONG) == {7}


def test_without_a_folder_nobody_fails(tmp_path: Path) -> None:
    notify_listeners(tmp_path / "none", 7)
    (tmp_path / "file").touch()
    with Pipe.opened(tmp_path / "file") as deaf:
        assert deaf.wait(0) == set()


class Server:
    """Notes what is sent to it, and may be away."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.is_away = False
        self.has_some, self.was_asked = Event(), Event()

    @contextmanager
    def opened(self) -> Iterator[Any]:
        self.was_asked.set()
        if self.is_away:
            raise OSError("the server is away")
        yield self

    def execute(self, _statement: str, values: tuple[list[str]]) -> None:
        self.sent += values[0]
        self.has_some.set()


def test_news_are_sent_by_a_thread_of_their_own() -> None:
    server = Server()
    sender = Sender(server.opened)
    sender.notify(7)
    assert server.has_some.wait(LONG)
    assert server.sent == ["7"]


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_server_that_is_away_loses_news_and_gets_the_next() -> None:
    server = Server()
    server.is_away = True
    sender = Sender(server.opened)
    sender.notify(7)
    assert server.was_asked.wait(LONG)
    while sender._runs:
        pass
    server.is_away = False
    sender.notify(8)
    assert server.has_some.wait(LONG)
    assert server.sent == ["8"]
