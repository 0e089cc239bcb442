"""Locks between the processes of one machine: the queue of SQLite's writers, and the lock that a running app holds.

Both are locks on files (``flock``), which the system releases when a process dies.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from .. import limits
from .faults import AWAY, LOCKED, Unreachable

PAUSE = 0.001
"""Seconds between two tries for a lock that another process holds. One write takes some milliseconds."""


class Queue:
    """The queue of SQLite's writers.

    Threads of one process wait for a lock in memory, which wakes them at once. Only the first of them then tries for
    the file, beside one thread of each other process. ``patience`` multiplies the time limit of a writer.
    """

    def __init__(self, path: Path, patience: int = 1) -> None:
        self._path = path
        self._seconds = limits.QUEUE_SECONDS * patience
        self._here = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn. Raises ``Unreachable`` if it does not come in time, or the file's folder is gone."""
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
        """Hold the turn if it is free, without waiting; yield whether it was."""
        with ExitStack() as held:
            is_free = self._here.acquire(blocking=False)
            if is_free:
                held.callback(self._here.release)
                try:
                    held.enter_context(_held(self._path, fcntl.LOCK_EX, time.monotonic()))
                except Unreachable:
                    is_free = False
            yield is_free


@contextmanager
def _held(path: Path, kind: int, until: float) -> Iterator[None]:
    """Hold the lock of a file. Raises ``Unreachable`` if it is not free by ``until``, or its folder is gone."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except (FileNotFoundError, NotADirectoryError) as error:
        # Its folder is gone, with the database.
        raise Unreachable(AWAY) from error
    try:
        _take(descriptor, kind, until)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, kind: int, until: float) -> None:
    """Take the lock, with one try at least. Raises ``Unreachable`` if it is not free until ``until``."""
    while True:
        with suppress(BlockingIOError):
            return fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        if time.monotonic() > until:
            raise Unreachable(LOCKED)
        time.sleep(PAUSE)


def shared(owner: Any, path: Path) -> None:
    """Hold a shared lock for the life of ``owner``, the running app. Raises ``Unreachable`` during a restore."""
    descriptor = _lockable(path)
    if descriptor is None:
        # No restore can run in a folder that cannot be written to.
        return
    try:
        _take(descriptor, fcntl.LOCK_SH, time.monotonic() + limits.QUEUE_SECONDS)
    except Unreachable:
        os.close(descriptor)
        raise
    weakref.finalize(owner, os.close, descriptor)


def _lockable(path: Path) -> int | None:
    """Open a file to lock it, only for reading if it cannot be written to; None if neither is possible."""
    for mode in (os.O_RDWR | os.O_CREAT, os.O_RDONLY):
        with suppress(OSError):
            return os.open(path, mode, 0o600)
    return None


def alone(path: Path) -> AbstractContextManager[None]:
    """Return the lock of the app, which no process of it shares. Entering raises ``Unreachable`` if one runs."""
    return _held(path, fcntl.LOCK_EX, time.monotonic())
