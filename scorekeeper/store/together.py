"""Plain writes of one process that wait for SQLite at the same time: one of the writers writes them all.

A commit waits for the disk, and SQLite commits one transaction after the other. So those who wait lie in one
transaction, each in a savepoint of its own: a fault of one takes none of the others along. None goes on before the
commit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from .locks import Queue

Do = Callable[[Connection], bool]
"""Runs statements on a connection; returns whether they wrote. It may be called by another thread."""


class _Waiting:
    """A write that waits for the thread that leads, or to lead itself."""

    def __init__(self, do: Do) -> None:
        self.do = do
        self.called = threading.Event()
        self.is_done = False
        self.is_written = False
        self.error: BaseException | None = None


class Together:
    """The writers of a process that wait. The first leads: it takes the turn, and writes for all who wait by then."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._change = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._is_led = False

    def write(self, engine: Engine, do: Do) -> bool:
        """Write in a transaction; return what ``do`` returns once it is committed.

        The caller has no connection of the pool. Raises what ``do`` or the commit raises, and ``Unreachable`` if the
        turn of the one that leads does not come in time.
        """
        mine = _Waiting(do)
        with self._change:
            self._waiting.append(mine)
            leads, self._is_led = not self._is_led, True
        if not leads:
            # Its wait has a bound: that of the one that leads.
            mine.called.wait()
        if not mine.is_done:
            self._lead(engine, mine)
        if mine.error is not None:
            raise mine.error
        return mine.is_written

    def _lead(self, engine: Engine, mine: _Waiting) -> None:
        """Write for all who wait, and let the first of those who have come meanwhile lead."""
        writing: Sequence[_Waiting] = ()
        try:
            with self._queue.turn():
                writing = self._taken()
                _write_all(engine, writing)
        except BaseException as error:
            # Where the turn did not come, nobody who waits would get it sooner.
            writing = writing or self._taken()
            for one in writing:
                one.error = one.error or error
            if not isinstance(error, Exception):
                raise
        finally:
            with self._change:
                following = self._waiting[0] if self._waiting else None
                self._is_led = following is not None
            if following is not None:
                following.called.set()
            for one in writing:
                one.is_done = True
                if one is not mine:
                    one.called.set()

    def _taken(self) -> Sequence[_Waiting]:
        with self._change:
            taken, self._waiting = self._waiting, []
        return taken


def _write_all(engine: Engine, writing: Sequence[_Waiting]) -> None:
    """Write in one transaction. Raises what takes all of them along."""
    with engine.connect().execution_options(sqlite_begin="IMMEDIATE") as connection, connection.begin():
        if len(writing) == 1:
            writing[0].is_written = writing[0].do(connection)
            return
        driver: Any = connection.connection.driver_connection
        for one in writing:
            driver.execute("SAVEPOINT one")
            try:
                one.is_written = one.do(connection)
            except Exception as error:
                # A full disk ends the whole transaction, with its savepoints.
                if not driver.in_transaction or (isinstance(error, DBAPIError) and error.connection_invalidated):
                    raise
                one.error = error
                driver.execute("ROLLBACK TO one")
            driver.execute("RELEASE one")
