"""Live updates: open pages learn that their table has changed, whichever process wrote the change.

Each process has one hub with one thread. Each writer notifies the hubs after the commit (``news``); as news may be
lost, or another program may write, each hub that pages follow looks once a second, too. Then it reads the versions of
the matches that pages follow and passes on those that are new. A version such as ``3.17`` (match 3, entry 17) follows
from the rows alone, so a late or repeated message does no harm: a page compares the version with its own and asks for
the newer entries. Once the table has moved it is ``3.17.1``.

::

    commit ──▶ SQLite: a pipe of each process ──▶ Feed.wait ──▶ Hub ──▶ Follower ──▶ stream of one page
               PostgreSQL: pg_notify
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol
from weakref import WeakSet

from flask import Flask, current_app
from sqlalchemy import URL, select

from ..limits import LARGEST_ID, THREAD_STREAMS
from ..logs import Sparing, and_more
from .connection import impatient, sqlite_address
from .db import database_file, db, once_committed
from .faults import cause_of, text_of
from .hung_up import Connection, hung_up
from .models import Match, Table
from .news import CHANNEL, Pipe, Sender, folder_of, notify_listeners

RETRY = 1.0
"""Seconds before the hub tries again after a fault of the database."""
LOOK = 1.0
"""Seconds between two looks for what was written without news, and which pages are still there."""
CURRENT = 0
"""In place of a match's number: the match being played at the table at that moment."""
Topic = tuple[int, int]
"""The subject of a page: the id of a table, and the number of a match or ``CURRENT``."""

log = logging.getLogger(__name__)


def version_name(match: int, head: int, moved_to: str | None) -> str:
    """Return the version of a match whose newest entry is ``head``, at a table that has perhaps moved."""
    return f"{match}.{head}" if moved_to is None else f"{match}.{head}.1"


def is_of_moved(version: str) -> bool:
    """Return whether a version is of a table that has moved."""
    return version.count(".") > 1


def current_version(topic: Topic) -> str | None:
    """Return the version of a topic by the session; None if there is no such match."""
    table_id, number = topic
    query = select(Match.number, Match.head, Table.moved_to).join_from(Match, Table, Table.id == Match.table_id)
    query = query.where(Match.table_id == table_id, Match.deleted_at.is_(None))
    played_last = query.where(Match.taken_up > 0).order_by(Match.taken_up.desc(), Match.number.desc()).limit(1)
    row = db.session.execute(played_last if number == CURRENT else query.where(Match.number == number)).first()
    return version_name(*row) if row else None


def announce(table_id: int) -> None:
    """Notify every process of this table after the commit. It fails nobody who writes."""
    notify: Callable[[int], None] = current_app.extensions["scorekeeper.news"]
    once_committed(lambda: notify(table_id))


class Feed(Protocol):
    """A connection of the hub that learns of commits."""

    def wait(self) -> Collection[int] | None:
        """Wait a moment, and return the ids of the tables that changed in it; None if any table may have changed."""

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions of these topics; a topic without a match is left out."""


class SqliteFeed:
    """Hears of commits by the pipe of this process, and asks SQLite's counter of them (``PRAGMA data_version``).

    The counter leaves out the connection's own commits, so this connection is used for nothing else and never writes.
    """

    HEADS = """
        SELECT value ->> 0, value ->> 1, (
            SELECT number || '.' || head || (SELECT iif(moved_to IS NULL, '', '.1') FROM tables WHERE id = table_id)
            FROM matches
            WHERE table_id = value ->> 0 AND (value ->> 1 = 0 AND taken_up > 0 OR number = value ->> 1)
                AND deleted_at IS NULL
            ORDER BY taken_up DESC, number DESC LIMIT 1)
        FROM json_each(?)"""

    def __init__(self, connection: sqlite3.Connection, pipe: Pipe) -> None:
        self._connection = connection
        self._pipe = pipe
        self._seen = self._counter()
        self._next_look = time.monotonic() + LOOK

    @classmethod
    @contextmanager
    def opened(cls, url: URL, _patience: int) -> Iterator[Feed]:
        """Open the database file of ``url``, and listen beside it."""
        address = sqlite_address(str(url.database))
        with (
            closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection,
            Pipe.opened(folder_of(Path(str(url.database)))) as pipe,
        ):
            yield cls(connection, pipe)

    def _counter(self) -> int:
        (counter,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(counter)

    def wait(self) -> Collection[int] | None:
        """Wait for news until the next look. The counter does not name the changed table, so any may have changed."""
        changed = self._pipe.wait(max(0.0, self._next_look - time.monotonic()))
        if time.monotonic() < self._next_look:
            return changed
        self._next_look = time.monotonic() + LOOK
        seen, self._seen = self._seen, self._counter()
        return changed if seen == self._seen else None

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions, all by one query."""
        rows = self._connection.execute(self.HEADS, (json.dumps(list(topics)),))
        return {(table_id, number): version for table_id, number, version in rows if version}


class PostgresFeed:
    """Listens to the news, on a connection outside the pool."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._next_look = time.monotonic() + LOOK

    @classmethod
    @contextmanager
    def opened(cls, url: URL, patience: int) -> Iterator[Feed]:
        """Connect to the server of ``url`` and listen."""
        with impatient(url, patience) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            yield cls(connection)

    def wait(self) -> Collection[int] | None:
        """Wait for news until the next look, for which any table may have changed."""
        left = max(0.0, self._next_look - time.monotonic())
        payloads = [notice.payload for notice in self._connection.notifies(timeout=left, stop_after=1)]
        if time.monotonic() < self._next_look:
            return {int(table) for table in payloads if table.isascii() and table.isdigit()}
        self._next_look = time.monotonic() + LOOK
        return None

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions, all by one query."""
        heads = """
            SELECT table_id, number, (
                SELECT m.number || '.' || m.head || CASE WHEN t.moved_to IS NULL THEN '' ELSE '.1' END
                FROM matches m JOIN tables t ON t.id = m.table_id
                WHERE m.table_id = topic.table_id
                    AND (topic.number = 0 AND m.taken_up > 0 OR m.number = topic.number) AND m.deleted_at IS NULL
                ORDER BY m.taken_up DESC, m.number DESC LIMIT 1)
            FROM unnest(%s::bigint[], %s::int[]) AS topic (table_id, number)"""
        columns = [list(column) for column in zip(*topics, strict=True)] or [[], []]
        rows = self._connection.execute(heads, columns)
        return {(table_id, number): version for table_id, number, version in rows if version}


class Follower:
    """One open page, its topic, and the version that it shows."""

    def __init__(self, topic: Topic, known: str | None, connection: Connection | None = None) -> None:
        self.topic = topic
        self.connection = connection
        """The connection of the page, where the server gives it."""
        self._known = known
        self.latest: str | None = None
        """The newest version from the hub; None if there is no match."""
        self._news = threading.Event()
        self.wake: Callable[[], None] | None = None
        """Called with news instead of waking ``next``, once a loop of many streams has the page. It must not wait."""
        self._telling = threading.Lock()
        self._is_told = False
        self.is_released = False
        """True if no more versions will come, because the process ends or the topic cannot be read."""

    def notify(self, version: str | None) -> None:
        """Pass on the newest version, and wake who waits for it. Called by the thread of the hub."""
        with self._telling:
            self._is_told = True
            self.latest = version
        self._wake()

    def begin(self, version: str | None) -> None:
        """Pass on the version that the page's own thread has read, unless the hub was faster: its version counts."""
        with self._telling:
            if not self._is_told:
                self.latest = version
                self._news.set()

    def release(self) -> None:
        """End the wait for good."""
        self.is_released = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        if wake := self.wake:
            wake()

    def take(self) -> str | None:
        """Return a version that the page does not show yet, and count it as shown; None if there is none."""
        if self.latest in (None, self._known):
            return None
        self._known = self.latest
        return self.latest

    def next(self, seconds: float) -> str | None:
        """Wait for a version that the page does not show yet; None when the time is up or the follower is released."""
        until = time.monotonic() + seconds
        while self._news.wait(max(0, until - time.monotonic())) and not self.is_released:
            self._news.clear()
            if version := self.take():
                return version
        return None


class Hub:
    """Passes versions on to the followers of this process.

    Its thread runs only while there are followers, and so starts after the server has forked its workers: a thread from
    before a fork does not exist in the child.
    """

    def __init__(self, opened: Callable[[], AbstractContextManager[Feed]], most: int) -> None:
        self._opened = opened
        self._most = most
        # Weak references: a request that breaks off before its answer has begun leaves no follower behind.
        self._followers: WeakSet[Follower] = WeakSet()
        self._topics: dict[Topic, WeakSet[Follower]] = {}
        self._change = threading.Condition()
        self._runs = False
        self._stops = False
        self._sparing = Sparing()
        self._next_look = 0.0
        self.is_hearing = True
        """True if the hub notices commits: False from a fault of the database until it can be read again."""

    def stop(self) -> None:
        """Release every follower within a tick or two, and refuse new ones. A signal handler may call it: no lock."""
        self._stops = True

    def follow(
        self, topic: Topic, known: str | None, connection: Connection | None = None, holds_thread: bool = True
    ) -> Follower | None:
        """Return a follower for a page that shows version ``known``; None if the process has no room for another.

        Those that hold a thread leave threads for other requests. The caller finally calls ``leave``; else the follower
        gives its room back when it is garbage-collected.
        """
        if not CURRENT <= topic[1] <= LARGEST_ID:
            return None
        with self._change:
            most = min(self._most, THREAD_STREAMS) if holds_thread else self._most
            if self._stops or len(self._followers) >= most:
                return None
            follower = Follower(topic, known, connection)
            if not self._runs:
                threading.Thread(target=self._run, name="changes", daemon=True).start()
                self._runs = True
            self._followers.add(follower)
            self._topics.setdefault(topic, WeakSet()).add(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        """Remove a follower; a second call does nothing."""
        with self._change:
            self._forget(follower)
            self._change.notify_all()

    def _forget(self, follower: Follower) -> None:
        self._followers.discard(follower)
        of_topic = self._topics.get(follower.topic)
        if of_topic is not None:
            of_topic.discard(follower)
            if not of_topic:
                del self._topics[follower.topic]

    def _run(self) -> None:
        while self._has_followers():
            if self._stops:
                self._release()
                return
            try:
                with self._opened() as feed:
                    self._listen(feed)
            except Exception as error:  # The database may come back.
                self.is_hearing = False
                self._report(error)
                with self._change:
                    self._change.wait_for(lambda: not self._followers, RETRY)

    def _report(self, error: Exception) -> None:
        cause = cause_of(error)
        left_out = self._sparing.next(cause or str(type(error)))
        if left_out is not None:
            words = f"Live updates wait: {cause or type(error).__name__}: {text_of(error)}{and_more(left_out)}"
            log.warning(words, exc_info=None if cause else error)

    def _release(self) -> None:
        with self._change:
            for follower in self._followers:
                follower.release()

    def _has_followers(self) -> bool:
        with self._change:
            self._runs = bool(self._followers)
            return self._runs

    def _listen(self, feed: Feed) -> None:
        # The first look reads every topic, because of commits before this connection was open.
        changed: Collection[int] | None = None
        while self._followers and not self._stops:
            if changed is None or changed:
                self._publish(feed, changed)
            self.is_hearing = True
            changed = feed.wait()
            self._release_gone()

    def _release_gone(self) -> None:
        """Release the followers whose page is not there any more: a reload leaves one behind."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOK
        with self._change:
            connected = {each.connection: each for each in self._followers if each.connection is not None}
        for connection in hung_up(connected):
            connected[connection].release()

    def _publish(self, feed: Feed, changed: Collection[int] | None) -> None:
        with self._change:
            # Those whose last follower was lost have nobody any more.
            self._topics = {topic: of_topic for topic, of_topic in self._topics.items() if of_topic}
            topics = [topic for topic in self._topics if changed is None or topic[0] in changed]
        versions = self._versions(feed, topics)
        for topic in topics:
            version = versions.get(topic)
            with self._change:
                concerned = [each for each in self._topics.get(topic, ()) if each.latest != version]
            for follower in concerned:
                follower.notify(version)

    def _versions(self, feed: Feed, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions of these topics.

        A topic that makes the query fail is left out and its followers are removed and released, so that it does not
        affect the others. Raises if every topic fails: then the fault is the database's.
        """
        try:
            return feed.versions(topics)
        except Exception:
            versions, refused = {}, []
            for topic in topics:
                try:
                    versions.update(feed.versions({topic}))
                except Exception:
                    refused.append(topic)
            if len(refused) == len(topics):
                raise
        log.warning("Live updates leave out %d pages that ask for what cannot be", len(refused))
        with self._change:
            for follower in [each for each in self._followers if each.topic in refused]:
                self._forget(follower)
                follower.release()
        return versions


def init_live(app: Flask) -> None:
    """Give the app its hub, and the way by which it notifies the others; call inside the app's context."""
    url, patience = db.engine.url, app.config["PATIENCE"]
    is_file = db.engine.dialect.name == "sqlite"
    kind = SqliteFeed if is_file else PostgresFeed
    app.extensions["scorekeeper.hub"] = Hub(lambda: kind.opened(url, patience), app.config["LIVE_STREAMS"])
    tell = (
        partial(notify_listeners, folder_of(database_file()))
        if is_file
        else Sender(lambda: impatient(url, patience)).notify
    )
    app.extensions["scorekeeper.news"] = tell


def hub() -> Hub:
    """Return this process's hub."""
    of_app: Hub = current_app.extensions["scorekeeper.hub"]
    return of_app


def follow(
    topic: Topic, known: str | None, connection: Connection | None = None, holds_thread: bool = True
) -> Follower | None:
    """Follow a topic, as ``Hub.follow``. A version that differs from ``known`` is passed on at once."""
    follower = hub().follow(topic, known, connection, holds_thread)
    if follower is None:
        return None
    try:
        # Read only after the hub has the follower, which then gets every later commit.
        follower.begin(current_version(topic))
    except BaseException:
        hub().leave(follower)
        raise
    return follower
