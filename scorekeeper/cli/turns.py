"""Whose turn it is: a few requests of a process run at once, and those that wait for something let others run.

Threads that all have something to work out take the interpreter from each other at every call into the database: fifty
that draw a board at once need longer than one after the other, each with a connection to the database meanwhile, and
the loop that sends the live streams waits behind all of them. A request that waits itself, for the disk or the
database, works out nothing, and others run beside it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from ..limits import RUNNING_REQUESTS, WAITS_ALWAYS_SECONDS, WAITS_SECONDS

Request = TypeVar("Request")


class Turns(Generic[Request]):
    """The requests that have a thread, and those whose turn is to come. Only the loop calls it."""

    def __init__(self, start: Callable[[Request], None]) -> None:
        self._start = start
        """Gives a request to a thread."""
        self._to_come: deque[Request] = deque()
        self._running: dict[Request, float] = {}
        """Since when each of those runs that work, as far as is known."""
        self._looked = self._worked = 0.0

    def add(self, request: Request) -> None:
        """Let a request run once it is its turn."""
        self._to_come.append(request)
        self.go_on()

    def done(self, request: Request) -> None:
        """Let the next one run after a request that was answered."""
        self._running.pop(request, None)
        self.go_on()

    def go_on(self) -> None:
        """Start those whose turn it is."""
        if self._to_come and len(self._running) >= RUNNING_REQUESTS:
            self._leave_out_waiting()
        while self._to_come and len(self._running) < RUNNING_REQUESTS:
            request = self._to_come.popleft()
            self._running[request] = time.monotonic()
            self._start(request)

    def pause(self, most: float) -> float:
        """Return the seconds after which ``go_on`` is to be called, at most those given."""
        return min(most, WAITS_SECONDS) if self._to_come else most

    def _leave_out_waiting(self) -> None:
        """Leave out of the running ones those that wait: while they had a thread the process did little."""
        now = time.monotonic()
        looked, passed = self._looked, now - self._looked
        if passed < WAITS_SECONDS:
            return
        worked = time.process_time()
        is_idle = worked - self._worked < passed / 2
        self._looked, self._worked = now, worked
        for request, since in [*self._running.items()]:
            if (is_idle and since <= looked) or since <= now - WAITS_ALWAYS_SECONDS:
                del self._running[request]
