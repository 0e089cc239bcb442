"""Memory that the processes of a server share, made before they are forked, with a lock that no dead process holds."""

from __future__ import annotations

import errno
import fcntl
import mmap
import os
import secrets
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b

from ..limits import BRAKE_LOCK_SECONDS

PAUSE = 0.0002
"""Seconds between two tries for the lock. It is held for some twenty microseconds."""
SLOT = 32
"""Bytes of a slot: four numbers."""
_FIRST_WORKER = 1
"""The byte of the file whose lock shows that the first worker lives; byte 0 is the lock of the memory."""
_ALL: weakref.WeakSet[SharedMemory] = weakref.WeakSet()


class NoTurn(Exception):
    """Another process holds the lock for too long, as if it was stopped: nothing is counted then."""


class SharedMemory:
    """Slots that this process and all that are forked from it read and write.

    The lock is one of POSIX on the file behind the memory: the system gives it back when a process dies, however that
    comes. A second lock is for the threads of one process, which are all one to the first.
    """

    def __init__(self, slots: int) -> None:
        self._file = _new_file()
        os.ftruncate(self._file, slots * SLOT)
        self._bytes = mmap.mmap(self._file, slots * SLOT)
        whole = memoryview(self._bytes)
        self.numbers = whole.cast("q")
        self.times = whole.cast("d")
        self._slots = slots
        self._given = 0
        self._salt = secrets.token_bytes(16)
        self._here = threading.Lock()
        self._worker: tuple[int, int] | None = None
        weakref.finalize(self, os.close, self._file)
        _ALL.add(self)

    def part(self, slots: int) -> range:
        """Return the next slots that nobody has yet, for one use. Call before the processes are forked."""
        first, self._given = self._given, self._given + slots
        assert self._given <= self._slots, "the memory is too small"
        return range(first, first + slots)

    def mark(self, text: str) -> tuple[int, int]:
        """Return the mark of a text: two numbers that nobody outside can choose, and that do not show the text."""
        digest = blake2b(text.encode(), digest_size=16, key=self._salt).digest()
        return int.from_bytes(digest[:8], "little", signed=True), int.from_bytes(digest[8:], "little", signed=True)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the lock. Raises ``NoTurn`` if it does not come in time."""
        until = time.monotonic() + BRAKE_LOCK_SECONDS
        if not self._here.acquire(timeout=BRAKE_LOCK_SECONDS):
            raise NoTurn
        try:
            while not self._lock(0):
                if time.monotonic() > until:
                    raise NoTurn
                time.sleep(PAUSE)
            try:
                yield
            finally:
                self._unlock(0)
        finally:
            self._here.release()

    def worker(self) -> tuple[int, bool]:
        """Return the number of this process, which no other one that lives has, and whether it is new. Holds the turn.

        A number that is new may have been that of a process which is dead: what that one has left behind is void.
        """
        process = os.getpid()
        if self._worker is not None and self._worker[0] == process:
            return self._worker[1], False
        number = _FIRST_WORKER
        while not self._lock(number):
            number += 1
        self._worker = process, number
        return number, True

    def lives(self, worker: int) -> bool:
        """Return whether the process of this number lives. Holds the turn."""
        if self._worker == (os.getpid(), worker):
            return True
        if not self._lock(worker):
            return True
        self._unlock(worker)
        return False

    def forked(self) -> None:
        """Begin anew in a process that was just forked: a thread of its parent may have held the threads' lock."""
        self._here = threading.Lock()

    def _lock(self, byte: int) -> bool:
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, byte)
        except OSError as error:
            if error.errno in (errno.EACCES, errno.EAGAIN):
                return False
            raise NoTurn from error
        return True

    def _unlock(self, byte: int) -> None:
        with suppress(OSError):
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)


def probe(slots: range, mark: tuple[int, int], most: int) -> Iterator[int]:
    """Yield the slots in which what has this mark may be, ``most`` of them, as places of their first numbers."""
    home = mark[0] % len(slots)
    for step in range(min(most, len(slots))):
        yield 4 * (slots.start + (home + step) % len(slots))


def _new_file() -> int:
    """Return a file in memory without a name; on systems that know none, one on the disk whose name is gone."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("scorekeeper-brakes")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _renew() -> None:
    for memory in _ALL:
        memory.forked()


os.register_at_fork(after_in_child=_renew)
