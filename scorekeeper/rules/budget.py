"""Work whose cost is not known beforehand: counted in steps, kept within a budget, remembered by weight.

Steps are counted, not time, so that every machine gives the same answer. What was remembered costs what it cost when it
was made, so that an answer does not depend on what was asked before either. Within one request everything is paid for
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from ..limits import CACHED_WEIGHT, HEAVIEST_CACHED

P = ParamSpec("P")
R = TypeVar("R")


ENOUGH = 10**15
"""Steps that do not run out, where there are bounds but the steps are paid for."""


class BudgetSpent(Exception):
    """The steps are used up: what was begun is left undone."""


class _Key(tuple[Any, ...]):
    """A tuple that remembers its hash: what it holds is deep."""

    _hash: int

    def __new__(cls, parts: tuple[Any, ...]) -> _Key:
        key = super().__new__(cls, parts)
        key._hash = tuple.__hash__(key)
        return key

    def __hash__(self) -> int:
        return self._hash


class _Bill:
    """What a result costs: steps of its own, and the bills of the results that it is made of."""

    __slots__ = ("key", "own", "parts")

    def __init__(self, key: _Key) -> None:
        self.key = key
        self.own = 0
        self.parts: dict[_Key, _Bill] = {}


class Work:
    """The work of one request: the steps taken so far, where they end, and what is paid for."""

    __slots__ = ("_paid", "_stop", "ran_out", "spent", "steps")

    def __init__(self, steps: int | None = None) -> None:
        self.steps = steps
        self.spent = 0
        self.ran_out = False
        """Whether the whole budget came to its end, not only a portion of it."""
        self._stop: float = float("inf") if steps is None else steps
        self._paid: dict[_Key, Any] = {}

    @property
    def is_bounded(self) -> bool:
        """Whether there is a budget at all."""
        return self.steps is not None

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.spent >= self._stop

    def spend(self, steps: int) -> None:
        """Take some steps; raises :class:`Spent` where there are not as many left."""
        if self.spent + steps > self._stop:
            # On the end exactly, however large the last stride would have been.
            self.spent = int(self._stop)
            self.ran_out = self.ran_out or (self.steps is not None and self.spent >= self.steps)
            raise BudgetSpent
        self.spent += steps

    @contextmanager
    def portion(self, steps: int) -> Iterator[None]:
        """Take no more than so many steps inside; what was paid for in a portion that ran out is paid for anew."""
        if self.steps is None:
            yield
            return
        outer, paid = self._stop, len(self._paid)
        if self.is_spent:
            raise BudgetSpent
        self._stop = min(outer, self.spent + steps)
        try:
            yield
        except BudgetSpent:
            while len(self._paid) > paid:
                self._paid.popitem()
            raise
        finally:
            self._stop = outer

    @contextmanager
    def share(self, steps: int) -> Iterator[None]:
        """Leave the steps beyond so many to what comes later; what runs out inside notices by itself."""
        if self.steps is None:
            yield
            return
        outer = self._stop
        self._stop = min(outer, self.spent + steps)
        try:
            yield
        finally:
            self._stop = outer

    def pay(self, bill: _Bill) -> None:
        """Take the steps of a bill, and of the bills that it is made of, where they are not paid for."""
        due = [bill]
        while due:
            one = due.pop()
            if one.key not in self._paid:
                self._paid[one.key] = None
                self.spend(one.own)
                due += one.parts.values()


_work: ContextVar[Work | None] = ContextVar("work", default=None)
_bill: ContextVar[_Bill | None] = ContextVar("bill", default=None)


def spend(steps: int) -> None:
    """Take some steps of the request that is worked on; raises :class:`Spent` where there are not as many left."""
    bill, work = _bill.get(), _work.get()
    if bill is not None:
        bill.own += steps
    if work is not None:
        work.spend(steps)


def is_bounded() -> bool:
    """Return whether the request that is worked on has bounds: on its steps, its lists and its problems."""
    work = _work.get()
    return work is not None and work.is_bounded


def current() -> Work:
    """Return the work of the request that is worked on; where there is none, work without bounds."""
    return _work.get() or Work()


@contextmanager
def at_work(work: Work) -> Iterator[Work]:
    """Count what is done inside as this work's."""
    outer, bill = _work.set(work), _bill.set(None)
    try:
        yield work
    finally:
        _work.reset(outer)
        _bill.reset(bill)


class _CachedResult(Generic[R]):
    __slots__ = ("bill", "value")

    def __init__(self, value: R, bill: _Bill) -> None:
        self.value = value
        self.bill = bill


class _Cache:
    """Results of all requests, up to a weight: two generations, of which the older goes when the younger is full."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.young: dict[_Key, _CachedResult[Any]] = {}
        self.old: dict[_Key, _CachedResult[Any]] = {}
        self.weight = 0

    def find(self, key: _Key) -> _CachedResult[Any] | None:
        return self.young.get(key) or self.old.get(key)

    def put(self, key: _Key, entry: _CachedResult[Any], weight: int) -> None:
        # Two threads at once may lose a result, or weigh one less: nothing that an answer depends on.
        if self.weight + weight > self.most // 2:
            self.old, self.young, self.weight = self.young, {}, 0
        self.young[key] = entry
        self.weight += weight


SHELF = _Cache(CACHED_WEIGHT)


def cached(weigh: Callable[[Any], int]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember the results of a function of hashable positions; ``weigh`` says how many numbers a result holds.

    Within a request every result is kept, as the steps bound them all; beyond it, those that are not too heavy.
    """

    def decorate(make: Callable[P, R]) -> Callable[P, R]:
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def again(*args: P.args, **kwargs: P.kwargs) -> R:
            key = _Key((name, *args))
            work, outer = _work.get(), _bill.get()
            entry: _CachedResult[R] | None = None
            if work is not None:
                entry = work._paid.get(key)
            if entry is None:
                entry = SHELF.find(key)
                if entry is not None and work is not None:
                    work.pay(entry.bill)
                    work._paid[key] = entry
            if entry is None:
                # Paid for as part of another result, but no longer at hand: made again without counting it twice.
                paid_for = work if work is not None and key in work._paid else None
                bill = _Bill(key)
                billed = _bill.set(bill)
                try:
                    if paid_for is not None:
                        with at_work(Work(ENOUGH if paid_for.is_bounded else None)):
                            _bill.set(bill)
                            entry = _CachedResult(make(*args, **kwargs), bill)
                    else:
                        entry = _CachedResult(make(*args, **kwargs), bill)
                finally:
                    _bill.reset(billed)
                weight = weigh(entry.value)
                if weight <= HEAVIEST_CACHED:
                    SHELF.put(key, entry, weight + len(bill.parts) + 50)
                if work is not None:
                    work._paid[key] = entry
            if outer is not None:
                outer.parts[key] = entry.bill
            return entry.value

        return again

    return decorate


__all__ = ["SHELF", "BudgetSpent", "Work", "at_work", "cached", "current", "is_bounded", "spend"]
