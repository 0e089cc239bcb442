"""An open page hears of every commit that concerns it, whichever process wrote it."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext

import pytest
from flask import Flask, current_app

from scorekeeper.store import commands, live
from scorekeeper.store.db import db, writing
from scorekeeper.store.hung_up import CLOSED, hung_up
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.live import CURRENT, Feed, Hub, Topic, follow, hub
from scorekeeper.store.models import Match, Table
from scorekeeper.store.news import Pipe

from ..helpers.databases import on_both
from .conftest import start

pytestmark = on_both

LONG = 20.0
ANOTHER_PROCESS = """
import os, sys
from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match
app = create_app({"INSTANCE": sys.argv[1], "SQLALCHEMY_DATABASE_URI": sys.argv[2], "SECRET_KEY": "x" * 32})
with app.app_context(), writing():
    match = db.session.get_one(Match, (int(sys.argv[3]), 1))
    commands.record(match, [NewEntry("swept", {"deal": 1, "side": "A", "count": 1})])
"""


def sweep(match: Match) -> None:
    with writing():
        commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])


def test_a_follower_hears_of_a_write(match: Match) -> None:
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    sweep(match)
    assert follower.next(LONG) == "1.2"
    sweep(match)
    assert follower.next(LONG) == "1.3"
    hub().leave(follower)


@pytest.mark.parametrize("how", ["lost", "without a listener"])
def test_what_is_written_without_news_is_seen(match: Match, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    if how == "lost":
        monkeypatch.setitem(current_app.extensions, "scorekeeper.news", lambda _table: None)
    else:
        monkeypatch.setattr(Pipe, "opened", lambda _folder: nullcontext(Pipe(None)))
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    for version in ("1.2", "1.3"):
        sweep(match)
        assert follower.next(LONG) == version
    hub().leave(follower)


def test_news_come_without_a_look(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK", 1000.0)
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    for version in ("1.2", "1.3"):
        sweep(match)
        assert follower.next(LONG) == version
    hub().leave(follower)


@pytest.mark.whole
def test_a_follower_hears_of_what_another_process_writes(app: Flask, match: Match) -> None:
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    url = db.engine.url.render_as_string(hide_password=False)
    db.session.rollback()
    subprocess.run(
        [sys.executable, "-c", ANOTHER_PROCESS, app.config["INSTANCE"], url, str(match.table_id)], check=True
    )
    assert follower.next(LONG) == "1.2"
    hub().leave(follower)


def test_a_late_follower_gets_the_version_at_once(match: Match) -> None:
    sweep(match)
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    assert follower.next(LONG) == "1.2"
    hub().leave(follower)


def test_what_is_written_while_a_follower_comes_is_not_lost_to_it(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    current_version = live.current_version

    def overtaken(topic: Topic) -> str | None:
        read = current_version(topic)
        sweep(match)
        (coming,) = hub()._followers
        assert coming.next(LONG) == "1.2"
        return read

    monkeypatch.setattr(live, "current_version", overtaken)
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    assert follower.latest == "1.2", "what was read before is older than what the hub has told"
    hub().leave(follower)


def test_a_new_match_is_the_news_of_its_table(table: Table, match: Match) -> None:
    newest, first = follow((table.id, CURRENT), "1.1"), follow((table.id, 1), "1.1")
    assert newest is not None
    assert first is not None
    with writing():
        start(table)
    assert newest.next(LONG) == "2.1"
    sweep(match)
    assert first.next(LONG) == "1.2"
    for one in (newest, first):
        hub().leave(one)


def test_what_is_rolled_back_is_no_news(match: Match) -> None:
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    with pytest.raises(ZeroDivisionError), writing():  # noqa: PT012
        commands.record(match, [NewEntry(kinds.SWEPT, {"deal": 1, "side": "A", "count": 1})])
        raise ZeroDivisionError
    sweep(match)
    assert follower.next(LONG) == "1.2"
    hub().leave(follower)


def test_only_so_many_follow_and_who_leaves_makes_room(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub(), "_most", 1)
    first = follow((match.table_id, CURRENT), "1.1")
    assert first is not None
    assert follow((match.table_id, CURRENT), "1.1") is None
    hub().leave(first)
    second = follow((match.table_id, CURRENT), "1.1")
    assert second is not None
    hub().leave(second)


def test_the_hub_comes_back_after_the_database_was_away(
    app: Flask, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = threading.Event()
    whole = live.SqliteFeed.wait if db.engine.dialect.name == "sqlite" else live.PostgresFeed.wait

    def wait(feed: object) -> object:
        if not broken.is_set():
            broken.set()
            raise OSError("the database is away")
        return whole(feed)  # type: ignore[arg-type]

    monkeypatch.setattr(live, "RETRY", 0.01)
    for kind in (live.SqliteFeed, live.PostgresFeed):
        monkeypatch.setattr(kind, "wait", wait)
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    assert broken.wait(LONG)
    sweep(match)
    assert follower.next(LONG) == "1.2"
    hub().leave(follower)


class SilentFeed:
    """Hears of nothing, and says when it is listened to."""

    def __init__(self) -> None:
        self.thread: threading.Thread | None = None
        self.is_heard = threading.Event()

    @contextmanager
    def opened(self) -> Iterator[Feed]:
        self.thread = threading.current_thread()
        yield self

    def wait(self) -> Collection[int]:
        self.is_heard.set()
        return ()

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        return {}


def test_only_the_pages_of_a_table_with_news_hear_of_it() -> None:
    feed = SilentFeed()
    feed.versions = lambda topics: dict.fromkeys(topics, "1.2")  # type: ignore[method-assign]
    own = Hub(feed.opened, most=2)
    mine, other = own.follow((1, CURRENT), "1.1"), own.follow((2, CURRENT), "1.1")
    assert mine is not None
    assert other is not None
    # The first look of the hub may have been before the other came.
    assert feed.is_heard.wait(LONG)
    own._publish(feed, None)
    assert (mine.next(LONG), other.next(LONG)) == ("1.2", "1.2")
    woken: list[str] = []
    mine.wake, other.wake = (lambda: woken.append("mine")), (lambda: woken.append("other"))
    feed.versions = lambda topics: dict.fromkeys(topics, "1.3")  # type: ignore[method-assign]
    own._publish(feed, {1})
    assert woken == ["mine"]
    own._publish(feed, {1})
    assert woken == ["mine"], "it has heard of that"
    for one in (mine, other):
        own.leave(one)


def test_the_thread_ends_with_its_last_follower_and_another_starts_with_the_next() -> None:
    feed = SilentFeed()
    own = Hub(feed.opened, most=2)
    threads = []
    for _turn in range(2):
        feed.is_heard.clear()
        first, last = own.follow((1, CURRENT), "1.1"), own.follow((2, CURRENT), "1.1")
        assert first is not None
        assert last is not None
        assert feed.is_heard.wait(LONG)
        thread = feed.thread
        assert thread is not None
        own.leave(first)
        assert thread.is_alive()
        own.leave(last)
        thread.join(LONG)
        assert not thread.is_alive()
        threads.append(thread)
    assert threads[0] is not threads[1]


def test_a_process_that_stops_lets_its_pages_go_and_takes_no_more(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub(), "_stops", False)
    follower = follow((match.table_id, CURRENT), "1.1")
    assert follower is not None
    hub().stop()
    assert follower.next(LONG) is None
    assert follower.is_released
    assert follow((match.table_id, CURRENT), "1.1") is None
    hub().leave(follower)


@pytest.mark.skipif(not CLOSED, reason="only Linux says that the other end has closed a connection")
def test_a_page_that_is_gone_is_let_go_before_it_is_sent_a_word() -> None:
    own = Hub(SilentFeed().opened, most=2)
    here, gone = socket.socketpair(), socket.socketpair()
    with here[0], here[1], gone[0]:
        stays, goes = own.follow((1, CURRENT), "1.1", here[0]), own.follow((1, CURRENT), "1.1", gone[0])
        assert stays is not None
        assert goes is not None
        gone[1].close()
        assert goes.next(LONG) is None
        assert goes.is_released
        assert not stays.is_released
        own.leave(stays)
        own.leave(goes)


def test_a_connection_that_is_closed_here_is_not_looked_at() -> None:
    ours, theirs = socket.socketpair()
    with theirs:
        assert hung_up([ours]) == []
        ours.close()
        assert hung_up([ours]) == []
