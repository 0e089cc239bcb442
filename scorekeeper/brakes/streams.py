"""How many live streams are open at once for a table and for an address, over all processes of a host."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

from ..limits import STREAM_PROBE
from .memory import NoTurn, SharedMemory, probe

Mark = tuple[int, int]
Bound = tuple[str, int]
"""A subject, and how many streams it may have at once."""


class Place:
    """The place of one open stream. It is given back by ``leave``, and when nothing refers to it any more."""

    def __init__(self, streams: OpenStreams, marks: Sequence[Mark]) -> None:
        # A finalizer may run in the middle of anything, also of a count: it only notes what is to be given back.
        self._end = weakref.finalize(self, streams.left.append, tuple(marks))
        self._end.atexit = False
        self._streams = streams

    def leave(self) -> None:
        """Give the place back; a second call does nothing."""
        if self._end.alive:
            self._end()
            self._streams.give_back()


class OpenStreams:
    """Counts by process: each slot has the number of its process (0 is free), a mark of two numbers, and a count.

    What a process had that is dead counts for nothing. That is looked at where somebody would be refused.
    """

    def __init__(self, memory: SharedMemory, slots: int) -> None:
        self._memory = memory
        self._slots = memory.part(slots)
        self._numbers = memory.numbers
        self.left: deque[tuple[Mark, ...]] = deque()
        """The marks of places that were left, and that are still counted."""

    def enter(self, bounds: Sequence[Bound]) -> Place | None:
        """Return a place for a stream of all these subjects; None if one of them has as many as it may.

        Raises ``NoTurn``.
        """
        marks = [self._memory.mark(subject) for subject, _most in bounds]
        with self._memory.turn():
            worker = self._me()
            for mark, (_subject, most) in zip(marks, bounds, strict=True):
                if self._count(mark) >= most:
                    self._forget_dead(mark)
                    if self._count(mark) >= most:
                        return None
            added: list[Mark] = []
            for mark in marks:
                if not self._add(worker, mark):
                    # No slot is free for it, so nobody could count it.
                    for one in added:
                        self._take(worker, one)
                    return None
                added.append(mark)
        return Place(self, marks)

    def give_back(self) -> None:
        """Take off the counts of the places that were left. Where the lock is held, the next who enters does it."""
        with suppress(NoTurn), self._memory.turn():
            self._me()

    def count(self, subject: str) -> int:
        """Return how many streams of a subject are open. Raises ``NoTurn``."""
        mark = self._memory.mark(subject)
        with self._memory.turn():
            self._me()
            self._forget_dead(mark)
            return self._count(mark)

    def _me(self) -> int:
        """Return the number of this process, once what it has left is taken off. Holds the turn."""
        worker, is_new = self._memory.worker()
        if is_new:
            self.left.clear()
            for slot in self._slots:
                if self._numbers[4 * slot] == worker:
                    self._numbers[4 * slot] = 0
        while self.left:
            for mark in self.left.popleft():
                self._take(worker, mark)
        return worker

    def _of(self, mark: Mark) -> list[int]:
        numbers = self._numbers
        return [
            place
            for place in probe(self._slots, mark, STREAM_PROBE)
            if numbers[place] and numbers[place + 1] == mark[0] and numbers[place + 2] == mark[1]
        ]

    def _count(self, mark: Mark) -> int:
        return sum(self._numbers[place + 3] for place in self._of(mark))

    def _add(self, worker: int, mark: Mark) -> bool:
        numbers = self._numbers
        for place in self._of(mark):
            if numbers[place] == worker:
                numbers[place + 3] += 1
                return True
        for place in probe(self._slots, mark, STREAM_PROBE):
            if not numbers[place] or not self._memory.lives(numbers[place]):
                numbers[place] = 0
                numbers[place + 1], numbers[place + 2] = mark
                numbers[place + 3] = 1
                # Last, because with it the slot is taken.
                numbers[place] = worker
                return True
        return False

    def _take(self, worker: int, mark: Mark) -> None:
        for place in self._of(mark):
            if self._numbers[place] == worker:
                self._numbers[place + 3] -= 1
                if self._numbers[place + 3] <= 0:
                    self._numbers[place] = 0

    def _forget_dead(self, mark: Mark) -> None:
        for place in self._of(mark):
            if not self._memory.lives(self._numbers[place]):
                self._numbers[place] = 0
