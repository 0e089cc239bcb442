"""Events that concern security, one line each in the log: no key, no name, no address, no text of a stranger.

``link_renewed``, ``table_deleted``, ``match_deleted``, ``refused``, ``brake``, ``secret_rotated``. Tables and matches
are in it by their numbers in the database. Of each kind and reason a process logs only so many lines a minute.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from .limits import EVENT_LINES, QUIET_SECONDS

log = logging.getLogger(__name__)


class Lines:
    """Counts the lines of each kind in a minute. There are few kinds, and none of them comes from a request."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._minutes: dict[str, tuple[float, int]] = {}

    def next(self, kind: str) -> int | None:
        """Return how many lines of a kind were left out before this one, or None if this one is left out too."""
        with self._lock:
            moment = self._clock()
            begun, count = self._minutes.get(kind, (moment, 0))
            left_out = 0
            if moment - begun >= QUIET_SECONDS:
                begun, count, left_out = moment, 0, max(0, count - EVENT_LINES)
            self._minutes[kind] = (begun, count + 1)
            return left_out if count < EVENT_LINES else None


_lines = Lines()


def note(kind: str, **numbers: int | str) -> None:
    """Log an event of a kind, with numbers or words of the app's own that say more of it."""
    # Forms that anybody may post must not leave out the refused rights.
    counted = f"{kind} why={numbers['why']}" if "why" in numbers else kind
    left_out = _lines.next(counted)
    if left_out is None:
        return
    if left_out:
        log.warning("event %s left_out=%d", counted, left_out)
    log.warning("event %s", " ".join([kind, *(f"{name}={value}" for name, value in numbers.items())]))
