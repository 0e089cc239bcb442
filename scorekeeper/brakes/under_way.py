"""How many requests of a subject a process is answering just now: what they take is known only afterwards."""

from __future__ import annotations

import threading
from collections import Counter


class UnderWay:
    """Counts what has begun and not ended, in this process alone: nothing is left of it when the process dies."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def begin(self, subject: str) -> int:
        """Count one more of a subject, and return how many others there are."""
        with self._lock:
            others = self._counts[subject]
            self._counts[subject] += 1
            return others

    def end(self, subject: str) -> None:
        """Count one less."""
        with self._lock:
            self._counts[subject] -= 1
            if self._counts[subject] <= 0:
                del self._counts[subject]
