"""Locks between the processes of one machine: the queue of SQLite's writers, and the lock that a running app holds.

Both are locks on files (``flock``): the system releases them when a process dies, so none is ever left behind.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from .. import limits
from .faults import AWAY, LOCKED, Unreachable

PAUSE = 0.001
"""Seconds between two tries for a lock that another process holds. One write takes some milliseconds."""


class Queue:
    """The queue of SQLite's writers.

    Threads of one process wait for a lock in memory, which wakes them at once. Only the first of them then tries for
    the file, beside one thread of each other process. ``patience`` multiplies the time that a writer waits.
    """

    def __init__(self, path: Path, patience: int = 1) -> None:
        self._path = path
        self._seconds = limits.QUEUE_SECONDS * patience
        self._here = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn. Raises ``Unreachable`` when it does not come in time, or the file's folder is gone."""
        until = time.monotonic() + self._seconds
        if not self._here.acquire(timeout=self._seconds):
            raise Unreachable(LOCKED)
        try:
            with _held(self._path, fcntl.LOCK_EX, until):
                yield
        finally:
            self._here.release()

    @contextmanager
    def turn_at_once(self) -> Iterator[bool]:
        """Hold the turn where nobody else has it, and return whether that is so: nobody waits."""
        if not self._here.acquire(blocking=False):
            yield False
            return
        try:
            with ExitStack() as held:
                is_mine = True
                try:
                    held.enter_context(_held(self._path, fcntl.LOCK_EX, time.monotonic()))
                except Unreachable:
                    is_mine = False
                yield is_mine
        finally:
            self._here.release()


@contextmanager
def _held(path: Path, kind: int, until: float) -> Iterator[None]:
    """Hold the lock of a file.

    Raises ``Unreachable`` where another process still has it at the moment ``until``, and where its folder is gone.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except (FileNotFoundError, NotADirectoryError) as error:
        # Of another file that would be a mistake of the app: here its folder is gone, with the database.
        raise Unreachable(AWAY) from error
    try:
        while not _taken(descriptor, kind):
            if time.monotonic() > until:
                raise Unreachable(LOCKED)
            time.sleep(PAUSE)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int, kind: int) -> bool:
    """Try for the lock once, without waiting, and return whether it was free."""
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        return True
    return False


def shared(owner: Any, path: Path) -> None:
    """Hold a shared lock for as long as ``owner`` lives: the app runs. Raises ``Unreachable`` during a restore."""
    descriptor = _lockable(path)
    if descriptor is None:
        # No restore can run in a folder that cannot be written to, so there is nothing to lock out.
        return
    until = time.monotonic() + limits.QUEUE_SECONDS
    while not _taken(descriptor, fcntl.LOCK_SH):
        if time.monotonic() > until:
            os.close(descriptor)
            raise Unreachable(LOCKED)
        time.sleep(PAUSE)
    weakref.finalize(owner, os.close, descriptor)


def _lockable(path: Path) -> int | None:
    """Open a file to lock it, for reading only where it cannot be written to; None where it can be neither."""
    for mode in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, mode, 0o600)
    return None


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold the lock of the app alone, so that no process of it can start. Raises ``Unreachable`` where one runs."""
    with _held(path, fcntl.LOCK_EX, time.monotonic()):
        yield
