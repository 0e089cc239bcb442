"""News of commits, from the process that has written to those whose pages follow the table.

They are sent after the commit, and nobody waits for them: they may be lost, and each process also looks by itself.
On SQLite they go through a pipe of each process that follows, in a folder beside the database; on PostgreSQL through
its channel, sent by a thread of its own, because a notice within a transaction makes commits wait for each other.
"""

from __future__ import annotations

import logging
import os
import secrets
import select
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

from .. import file_modes
from ..limits import MOST_LISTENERS, NEWS_AT_ONCE
from ..logs import Sparing, and_more
from .faults import cause_of, text_of

CHANNEL = "scorekeeper_tables"
SEND = f"SELECT pg_notify('{CHANNEL}', changed) FROM unnest(%s::text[]) AS changed"
NUMBER = struct.Struct("<q")
END = ".news"
IDLE = 10.0
"""Seconds without news after which the thread that sends them ends, and gives its connection back."""

log = logging.getLogger(__name__)


def folder_of(database: Path) -> Path:
    """Return the folder in which the processes that follow an SQLite database listen."""
    return database.parent / "listeners"


class Pipe:
    """The pipe by which a process hears of commits. Without one, on a full disk, it hears of nothing."""

    def __init__(self, number: int | None) -> None:
        self._number = number
        self._pause = threading.Event()

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[Pipe]:
        """Listen in the folder, which is made where it is missing."""
        name = secrets.token_hex(8)
        path, number = folder / (name + END), None
        hidden = folder / f".{name}"
        try:
            with suppress(OSError, AttributeError):
                folder.mkdir(exist_ok=True, mode=0o777 & ~file_modes.OTHERS)
                # Under another name at first: a pipe that nobody reads yet would be removed as one that is left over.
                os.mkfifo(hidden, 0o666 & ~file_modes.OTHERS)
                # For writing too: else it would be at its end whenever nobody writes.
                number = os.open(hidden, os.O_RDWR | os.O_NONBLOCK)
                hidden.rename(path)
            yield cls(number)
        finally:
            for left in (hidden, path):
                with suppress(OSError):
                    left.unlink()
            if number is not None:
                os.close(number)

    def wait(self, seconds: float) -> set[int]:
        """Wait for news, for so long at most; return the ids of the tables that have changed."""
        if self._number is None:
            self._pause.wait(seconds)
            return set()
        look = select.poll()
        look.register(self._number, select.POLLIN)
        look.poll(1000 * seconds)
        try:
            came = os.read(self._number, NUMBER.size * NEWS_AT_ONCE)
        except BlockingIOError:
            return set()
        whole = len(came) // NUMBER.size * NUMBER.size
        return {table for (table,) in NUMBER.iter_unpack(came[:whole])}


def notify_listeners(folder: Path, table_id: int) -> None:
    """Notify every process that listens in the folder; it waits for none and never fails."""
    with suppress(OSError):
        for name in os.listdir(folder)[:MOST_LISTENERS]:
            if name.endswith(END) and not name.startswith("."):
                _notify(folder / name, table_id)


def _notify(path: Path, table_id: int) -> None:
    try:
        number = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            return
        # Nobody reads it: its process is dead.
        with suppress(OSError):
            path.unlink()
        return
    try:
        with suppress(OSError):
            # So few bytes go as a whole or, where the pipe is full, not at all.
            os.write(number, NUMBER.pack(table_id))
    finally:
        os.close(number)


class Sender:
    """Sends the news of this process on PostgreSQL: all that have come since the last time by one statement."""

    def __init__(self, opened: Callable[[], AbstractContextManager[Any]]) -> None:
        self._opened = opened
        self._change = threading.Condition()
        self._changed: set[int] = set()
        self._runs = False
        self._sparing = Sparing()

    def notify(self, table_id: int) -> None:
        """Send the news of a table, and do not wait for that."""
        with self._change:
            if len(self._changed) < NEWS_AT_ONCE:
                self._changed.add(table_id)
            if not self._runs:
                threading.Thread(target=self._run, name="news", daemon=True).start()
                self._runs = True
            self._change.notify()

    def _run(self) -> None:
        try:
            with self._opened() as connection:
                while changed := self._next():
                    connection.execute(SEND, ([str(table) for table in changed],))
        except Exception as error:
            # What is lost is seen by those who look. The next news try it again.
            with self._change:
                self._runs = False
                self._changed.clear()
            cause = cause_of(error)
            left_out = self._sparing.next(cause or str(type(error)))
            if left_out is not None:
                log.warning(
                    "News are late: %s%s", cause or f"{type(error).__name__}: {text_of(error)}", and_more(left_out)
                )

    def _next(self) -> set[int]:
        """Return the tables with news; none when the thread is to end."""
        with self._change:
            self._change.wait_for(lambda: self._changed, IDLE)
            changed, self._changed = self._changed, set()
            self._runs = bool(changed)
            return changed
