"""Counts of the package ``limits`` in memory that the processes of a host share."""

from __future__ import annotations

import time
from collections import deque

from limits.storage import Storage

from ..limits import BRAKE_PROBE, COUNTED_LATER
from .memory import NoTurn, SharedMemory, probe


class SharedCounts(Storage):
    """A ``Storage`` of fixed size. A slot has a mark of two numbers, a count, and the moment at which it ends.

    What has a mark is in one of the few slots from that mark on. If all of them are taken, what ends soonest gives way,
    so a flood of short counts does not push out those of an hour.

    Only what writes holds the memory's lock. What cannot have it in time is counted with what has it next: a process
    with hundreds of busy threads is late with it, and that is when counts matter.
    """

    STORAGE_SCHEME = None

    def __init__(self, memory: SharedMemory, slots: int) -> None:
        super().__init__()
        self._memory = memory
        self._slots = memory.part(slots)
        self._numbers, self._times = memory.numbers, memory.times
        self._later: deque[tuple[tuple[int, int], int, int]] = deque(maxlen=COUNTED_LATER)
        """The marks, times and amounts that are still to be counted."""

    @property
    def base_exceptions(self) -> type[Exception]:
        """The error of a count that cannot be had."""
        return NoTurn

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a count, which begins at nothing and ends after ``expiry`` seconds; return it.

        Raises ``NoTurn`` where it is counted later.
        """
        mark = self._memory.mark(key)
        try:
            with self._memory.turn():
                while self._later:
                    self._add(*self._later.popleft())
                return self._add(mark, expiry, amount)
        except NoTurn:
            self._later.append((mark, expiry, amount))
            raise

    def _add(self, mark: tuple[int, int], expiry: int, amount: int) -> int:
        numbers, times = self._numbers, self._times
        now = time.monotonic()
        place, is_there = self._place(mark, now)
        if is_there:
            numbers[place + 2] += amount
            return numbers[place + 2]
        if amount <= 0:
            return 0
        # A slot that has ended is read by nobody, so a process that is killed here leaves none with half of its
        # numbers.
        times[place + 3] = 0.0
        numbers[place], numbers[place + 1] = mark
        numbers[place + 2] = amount
        times[place + 3] = now + expiry
        return amount

    def get(self, key: str) -> int:
        """Return a count; 0 where there is none. What another process writes meanwhile may be in it or not."""
        place, is_there = self._place(self._memory.mark(key), time.monotonic())
        return self._numbers[place + 2] if is_there else 0

    def get_expiry(self, key: str) -> float:
        """Return the moment at which a count ends, now if there is none."""
        now = time.monotonic()
        place, is_there = self._place(self._memory.mark(key), now)
        # Inside, the clock of the machine counts: nobody turns that back.
        return time.time() + (self._times[place + 3] - now if is_there else 0)

    def clear(self, key: str) -> None:
        """Forget a count. Raises ``NoTurn``."""
        mark = self._memory.mark(key)
        with self._memory.turn():
            place, is_there = self._place(mark, time.monotonic())
            if is_there:
                self._times[place + 3] = 0.0

    def reset(self) -> int:
        """Forget all counts, and return how many slots there are. Raises ``NoTurn``."""
        with self._memory.turn():
            for slot in self._slots:
                self._times[4 * slot + 3] = 0.0
        return len(self._slots)

    def check(self) -> bool:
        """Return whether counts can be had."""
        try:
            with self._memory.turn():
                return True
        except NoTurn:
            return False

    def _place(self, mark: tuple[int, int], now: float) -> tuple[int, bool]:
        """Return where a mark is and True, or where it is to be put and False."""
        first, second = mark
        numbers, times = self._numbers, self._times
        soonest, ends = -1, float("inf")
        for place in probe(self._slots, mark, BRAKE_PROBE):
            until = times[place + 3]
            if numbers[place] == first and numbers[place + 1] == second and until > now:
                return place, True
            if until < ends:
                soonest, ends = place, until
        return soonest, False
