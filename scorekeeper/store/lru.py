"""What a process keeps at hand of what it has worked out, under the version that it was worked out from."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class CacheVersion(NamedTuple):
    """What something was worked out from: ``of`` says of what, ``number`` grows whenever that changes."""

    of: Hashable
    number: int


class LruCache(Generic[Value]):
    """The values used last, as many as weigh ``most`` together, oldest use out first; safe between threads.

    Of what has versions only the newest is kept: nobody comes back to an older one.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._values: OrderedDict[Hashable, tuple[int, int, Value]] = OrderedDict()
        self.weight = 0

    def get(self, key: Hashable, version: int = 0) -> Value | None:
        """Return the value of that key, if it is still here in that very version."""
        with self._lock:
            kept = self._values.get(key)
            if kept is None or kept[0] != version:
                return None
            self._values.move_to_end(key)
            return kept[2]

    def put(self, key: Hashable, value: Value, version: int = 0, weight: int = 1) -> None:
        """Keep a value in place of an older version of it; one that weighs too much by itself is not kept."""
        with self._lock:
            kept = self._values.get(key)
            if kept is not None and kept[0] > version:
                return
            self._drop(key)
            if weight > self._most:
                return
            self._values[key] = (version, weight, value)
            self.weight += weight
            while self.weight > self._most:
                self._drop(next(iter(self._values)))

    def _drop(self, key: Hashable) -> None:
        kept = self._values.pop(key, None)
        if kept is not None:
            self.weight -= kept[1]
