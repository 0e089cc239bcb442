"""Tells the open pages that a table has changed, whichever process wrote it: one hub, one thread a process.

SQLite is asked some fifteen times a second whether anything was committed; PostgreSQL says so itself (``LISTEN``).
What a page is told is a version that follows from the rows alone, such as ``3.17``: match 3, entry 17.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Protocol
from weakref import WeakSet

from flask import Flask, current_app
from sqlalchemy import URL, select, text

from .. import limits
from ..limits import LARGEST_ID
from ..logs import Sparing, and_more
from .connection import sqlite_address
from .db import db
from .faults import cause_of, text_of
from .models import Match

CHANNEL = "scorekeeper_tables"
TICK = 0.07
RETRY = 1.0
NEWEST = 0
"""Stands for the table's newest match, whichever that is."""

Topic = tuple[int, int]
"""What a page follows: the id of a table, and the number of a match or ``NEWEST``."""

log = logging.getLogger(__name__)


def version_name(match: int, head: int) -> str:
    """Return the version of a match whose newest entry is ``head``."""
    return f"{match}.{head}"


def current_version(topic: Topic) -> str | None:
    """Return the version as the session sees it, or None where there is no such match."""
    table_id, number = topic
    query = select(Match.number, Match.head).where(Match.table_id == table_id).order_by(Match.number.desc()).limit(1)
    row = db.session.execute(query if number == NEWEST else query.where(Match.number == number)).first()
    return version_name(*row) if row else None


def announce(table_id: int) -> None:
    """Have every process told of this table once the transaction is committed (SQLite's hubs see it by themselves)."""
    if db.engine.dialect.name == "postgresql":
        db.session.execute(text("SELECT pg_notify(:channel, :table)"), {"channel": CHANNEL, "table": str(table_id)})


class Feed(Protocol):
    """An open connection that hears of commits. ``wait`` returns the tables written to, None for any of them."""

    def wait(self) -> Collection[int] | None:
        """Wait a moment, and return the tables that changed in it."""

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions of these topics."""


class SqliteFeed:
    """Asks SQLite's own counter of other connections' commits. The connection is nobody else's: it must not write."""

    HEADS = """
        SELECT value ->> 0, value ->> 1, (
            SELECT number || '.' || head FROM matches
            WHERE table_id = value ->> 0 AND (value ->> 1 = 0 OR number = value ->> 1)
            ORDER BY number DESC LIMIT 1)
        FROM json_each(?)"""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._seen = self._counter()
        self._pause = threading.Event()

    @classmethod
    @contextmanager
    def opened(cls, url: URL) -> Iterator[Feed]:
        """Open the database file of ``url``."""
        address = sqlite_address(str(url.database))
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            yield cls(connection)

    def _counter(self) -> int:
        (counter,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(counter)

    def wait(self) -> Collection[int] | None:
        """Sleep for a tick; any commit at all may have changed any table."""
        self._pause.wait(TICK)
        seen, self._seen = self._seen, self._counter()
        return () if seen == self._seen else None

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions, all by one query."""
        rows = self._connection.execute(self.HEADS, (json.dumps(list(topics)),))
        return {(table_id, number): version for table_id, number, version in rows if version}


class PostgresFeed:
    """Listens for ``announce`` on a connection of its own."""

    def __init__(self, connection: object) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def opened(cls, url: URL) -> Iterator[Feed]:
        """Connect to the server of ``url`` and listen."""
        import psycopg

        address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, connect_timeout=limits.CONNECT_SECONDS) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            yield cls(connection)

    def wait(self) -> Collection[int] | None:
        """Wait for a notice, a second at most."""
        heard = [notice.payload for notice in self._connection.notifies(timeout=1, stop_after=1)]  # type: ignore[attr-defined]
        return {int(table) for table in heard if table.isascii() and table.isdigit()}

    def versions(self, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions, all by one query."""
        heads = """
            SELECT table_id, number, (
                SELECT m.number || '.' || m.head FROM matches m
                WHERE m.table_id = topic.table_id AND (topic.number = 0 OR m.number = topic.number)
                ORDER BY m.number DESC LIMIT 1)
            FROM unnest(%s::bigint[], %s::int[]) AS topic (table_id, number)"""
        columns = [list(column) for column in zip(*topics, strict=True)] or [[], []]
        rows = self._connection.execute(heads, columns)  # type: ignore[attr-defined]
        return {(table_id, number): version for table_id, number, version in rows if version}


class Follower:
    """One open page: what it follows, and the version it shows."""

    def __init__(self, topic: Topic, known: str | None) -> None:
        self.topic = topic
        self._known = known
        self._latest: str | None = None
        self._news = threading.Event()
        self.let_go = False
        """The process ends: nothing more will come."""

    def notify(self, version: str | None) -> None:
        """Leave word of a version."""
        self._latest = version
        self._news.set()

    def release(self) -> None:
        """Have whoever waits for news wait no longer."""
        self.let_go = True
        self._news.set()

    def next(self, seconds: float) -> str | None:
        """Return the next version that the page does not show yet; None when the time is up, or the page let go."""
        until = time.monotonic() + seconds
        while self._news.wait(max(0, until - time.monotonic())) and not self.let_go:
            self._news.clear()
            if self._latest not in (None, self._known):
                self._known = self._latest
                return self._latest
        return None


class Hub:
    """Tells the followers of this process. Its thread runs only while there are some: so it starts after a fork."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Feed]], most: int) -> None:
        self._opened = opened
        self._most = most
        # A request that breaks off before its answer has begun takes its follower with it.
        self._followers: WeakSet[Follower] = WeakSet()
        self._change = threading.Condition()
        self._runs = False
        self._stops = False
        self._sparing = Sparing()

    def stop(self) -> None:
        """Let every page go within a tick or two, and take none in any more; safe in a signal handler."""
        self._stops = True

    def follow(self, topic: Topic, known: str | None) -> Follower | None:
        """Take a page in that shows version ``known``; None where the process has as many as it may have.

        Whoever follows calls ``leave`` in the end; one that is lost without it makes room as soon as it is forgotten.
        """
        if not NEWEST <= topic[1] <= LARGEST_ID:
            return None
        with self._change:
            if self._stops or len(self._followers) >= self._most:
                return None
            follower = Follower(topic, known)
            if not self._runs:
                threading.Thread(target=self._run, name="changes", daemon=True).start()
                self._runs = True
            self._followers.add(follower)
        return follower

    def leave(self, follower: Follower) -> None:
        """Let a page go; once is enough."""
        with self._change:
            self._followers.discard(follower)
            self._change.notify_all()

    def _run(self) -> None:
        while self._has_followers():
            if self._stops:
                self._release()
                return
            try:
                with self._opened() as feed:
                    self._listen(feed)
            except Exception as error:  # The database may come back: meanwhile the pages keep what they show.
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
            for one in self._followers:
                one.release()

    def _has_followers(self) -> bool:
        with self._change:
            self._runs = bool(self._followers)
            return self._runs

    def _listen(self, feed: Feed) -> None:
        # Whatever was written before the connection heard of it counts as changed.
        changed: Collection[int] | None = None
        while self._followers and not self._stops:
            if changed is None or changed:
                self._publish(feed, changed)
            changed = feed.wait()

    def _publish(self, feed: Feed, changed: Collection[int] | None) -> None:
        with self._change:
            concerned = [one for one in self._followers if changed is None or one.topic[0] in changed]
        versions = self._versions(feed, {one.topic for one in concerned})
        for one in concerned:
            one.notify(versions.get(one.topic))

    def _versions(self, feed: Feed, topics: Collection[Topic]) -> dict[Topic, str]:
        """Return the versions of these topics. One that cannot be asked for has none, and takes nothing from others."""
        try:
            return feed.versions(topics)
        except Exception:
            found, refused = {}, []
            for topic in topics:
                try:
                    found.update(feed.versions({topic}))
                except Exception:
                    refused.append(topic)
            if len(refused) == len(topics):
                # Not one of them is to blame: the database is away.
                raise
        self._let_go(refused)
        return found

    def _let_go(self, topics: Collection[Topic]) -> None:
        """End what follows these topics: nothing can be told of them."""
        log.warning("Live updates leave out %d pages that ask for what cannot be", len(topics))
        with self._change:
            for one in [one for one in self._followers if one.topic in topics]:
                self._followers.discard(one)
                one.release()


def init_live(app: Flask) -> None:
    """Give the app its hub; call inside the app's context."""
    url = db.engine.url
    kind = SqliteFeed if db.engine.dialect.name == "sqlite" else PostgresFeed
    app.extensions["scorekeeper.hub"] = Hub(lambda: kind.opened(url), app.config["LIVE_STREAMS"])


def hub() -> Hub:
    """Return this process's hub."""
    found: Hub = current_app.extensions["scorekeeper.hub"]
    return found


def follow(topic: Topic, known: str | None) -> Follower | None:
    """Follow a topic from now on: a version that differs from ``known`` already is told at once. As ``Hub.follow``."""
    follower = hub().follow(topic, known)
    if follower is None:
        return None
    try:
        # Read after the hub knows of the page: what is written later reaches it through the hub.
        follower.notify(current_version(topic))
    except BaseException:
        hub().leave(follower)
        raise
    return follower
