"""One bound: so much of something in so many seconds, for each of its subjects."""

from __future__ import annotations

import time

from limits import RateLimitItemPerSecond
from limits.storage import Storage
from limits.strategies import FixedWindowRateLimiter

from .memory import NoTurn


class Brake:
    """A bound over a storage of counts; ``most`` 0 is none.

    The time of a subject begins with its first count, and after it all is as at the start (a fixed window). What
    cannot be counted at once is judged by what was counted before.
    """

    def __init__(self, name: str, most: int, seconds: int, counts: Storage) -> None:
        self.name, self.most = name, most
        self._item = RateLimitItemPerSecond(most, seconds, namespace=name)
        self._limiter = FixedWindowRateLimiter(counts)

    def take(self, subject: str, cost: int = 1) -> bool:
        """Count for a subject, and return whether that was within the bound."""
        if not self.most:
            return True
        try:
            return self._limiter.hit(self._item, subject, cost=cost)
        except NoTurn:
            return self.used(subject) + cost <= self.most

    def give_back(self, subject: str, cost: int = 1) -> None:
        """Take off what was counted for nothing."""
        self.take(subject, -cost)

    def used(self, subject: str) -> int:
        """Return the count of a subject; 0 if nothing is counted."""
        return self._limiter.storage.get(self._item.key_for(subject)) if self.most else 0

    def seconds_left(self, subject: str) -> float:
        """Return the time after which the count of a subject begins anew."""
        return max(0.0, self._limiter.storage.get_expiry(self._item.key_for(subject)) - time.time())
