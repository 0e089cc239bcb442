"""A cache of this process: the values used last, each with its version."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class CacheVersion(NamedTuple):
    """A part of a cache key: ``of`` names a thing, ``number`` grows with each of its changes."""

    of: Hashable
    number: int


class LruCache(Generic[Value]):
    """The values used last, up to the weight ``most`` together; the value unused for longest goes first.

    A key has only the value of its newest version. Threads may share the cache.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._values: OrderedDict[Hashable, tuple[int, int, Value]] = OrderedDict()
        self.weight = 0

    def get(self, key: Hashable, version: int = 0) -> Value | None:
        """Return the value of the key in exactly this version, or None."""
        with self._lock:
            cached = self._values.get(key)
            if cached is None or cached[0] != version:
                return None
            self._values.move_to_end(key)
            return cached[2]

    def put(self, key: Hashable, value: Value, version: int = 0, weight: int = 1) -> None:
        """Cache a value in place of an older version. An older version, or one heavier than the cache, is left out."""
        with self._lock:
            cached = self._values.get(key)
            if cached is not None and cached[0] > version:
                return
            self._drop(key)
            if weight > self._most:
                return
            self._values[key] = (version, weight, value)
            self.weight += weight
            while self.weight > self._most:
                self._drop(next(iter(self._values)))

    def forget(self, is_of: Callable[[Any], bool]) -> None:
        """Drop the values whose keys are such."""
        with self._lock:
            for key in [key for key in self._values if is_of(key)]:
                self._drop(key)

    def _drop(self, key: Hashable) -> None:
        cached = self._values.pop(key, None)
        if cached is not None:
            self.weight -= cached[1]
