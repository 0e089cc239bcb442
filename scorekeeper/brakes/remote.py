"""Counts in Redis, which several hosts share; while Redis is away, those of this host."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from limits.errors import StorageError
from limits.storage import RedisStorage, Storage

from ..limits import REDIS_CONNECTIONS, REDIS_PAUSE, REDIS_SECONDS
from ..logs import Sparing, and_more

log = logging.getLogger(__name__)
T = TypeVar("T")


def redis_counts(address: str) -> Storage:
    """Return the counts in the Redis of an address; nothing is asked of it yet. Raises ``ValueError``."""
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    return RedisStorage(
        address,
        key_prefix="scorekeeper",
        wrap_exceptions=True,
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
        max_connections=REDIS_CONNECTIONS,
        # One try: a request that waits for another waits longer.
        retry=Retry(NoBackoff(), 0),  # type: ignore[arg-type]
    )


class RemoteCounts(Storage):
    """A ``Storage`` that asks ``remote``, and ``here`` for some seconds after that has failed."""

    STORAGE_SCHEME = None

    def __init__(self, remote: Storage, here: Storage) -> None:
        super().__init__()
        self._remote, self._here = remote, here
        self._away_until = 0.0
        self._asking = threading.Lock()
        self._sparing = Sparing()

    @property
    def base_exceptions(self) -> type[Exception] | tuple[type[Exception], ...]:
        """The errors of a count that cannot be had."""
        return self._here.base_exceptions

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a count and return it."""
        return self._ask(lambda counts: counts.incr(key, expiry, amount))

    def get(self, key: str) -> int:
        """Return a count; 0 where there is none."""
        return self._ask(lambda counts: counts.get(key))

    def get_expiry(self, key: str) -> float:
        """Return the moment at which a count ends."""
        return self._ask(lambda counts: counts.get_expiry(key))

    def clear(self, key: str) -> None:
        """Forget a count."""
        self._ask(lambda counts: counts.clear(key))

    def reset(self) -> int | None:
        """Forget the counts of this host. Those in Redis are of other hosts, too, and end by themselves."""
        return self._here.reset()

    def check(self) -> bool:
        """Return whether counts can be had."""
        return self._here.check()

    def _ask(self, question: Callable[[Storage], T]) -> T:
        away = self._away_until
        if not away:
            return self._from_remote(question)
        if time.monotonic() < away or not self._asking.acquire(blocking=False):
            return question(self._here)
        # One request alone tries whether it is there again; nobody else waits for that.
        try:
            return self._from_remote(question)
        finally:
            self._asking.release()

    def _from_remote(self, question: Callable[[Storage], T]) -> T:
        try:
            answer = question(self._remote)
        except StorageError as error:
            self._away_until = time.monotonic() + REDIS_PAUSE
            left_out = self._sparing.next("away")
            if left_out is not None:
                words = "Redis is away, so each host counts for itself: %s%s"
                log.warning(words, error.storage_error, and_more(left_out))
            return question(self._here)
        self._away_until = 0.0
        return answer
