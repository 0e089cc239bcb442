"""Locks between the processes of one machine: the queue of SQLite's writers, and the mark of an app that runs."""

from __future__ import annotations

import fcntl
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from .. import limits
from .faults import LOCKED, Unreachable

PAUSE = 0.001
"""Between two tries for a lock that another process holds; one writing takes some milliseconds."""


class Queue:
    """Where the writers of SQLite wait for their turn, first those of one process, then one of each process."""

    def __init__(self, path: Path, patience: int = 1) -> None:
        self._path = path
        self._seconds = limits.QUEUE_SECONDS * patience
        self._here = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn. Raises ``Unreachable`` where it has not come in time, ``OSError`` where there is no file."""
        until = time.monotonic() + self._seconds
        if not self._here.acquire(timeout=self._seconds):
            raise Unreachable(LOCKED)
        try:
            with _held(self._path, fcntl.LOCK_EX, until):
                yield
        finally:
            self._here.release()


@contextmanager
def _held(path: Path, kind: int, until: float) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        while not _taken(descriptor, kind):
            if time.monotonic() > until:
                raise Unreachable(LOCKED)
            time.sleep(PAUSE)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int, kind: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        return True
    return False


def shared(owner: Any, path: Path) -> None:
    """Mark that the app runs for as long as ``owner`` lives. Raises ``Unreachable`` while a copy is being restored."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        # In a folder that cannot be written to nothing can be restored meanwhile either.
        return
    until = time.monotonic() + limits.QUEUE_SECONDS
    while not _taken(descriptor, fcntl.LOCK_SH):
        if time.monotonic() > until:
            os.close(descriptor)
            raise Unreachable(LOCKED)
        time.sleep(PAUSE)
    weakref.finalize(owner, os.close, descriptor)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep the app from running. Raises ``Unreachable`` where it runs."""
    with _held(path, fcntl.LOCK_EX, time.monotonic()):
        yield
