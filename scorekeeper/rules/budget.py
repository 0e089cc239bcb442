"""A budget for work whose cost is not known beforehand.

Work is counted in steps, not in time, so that every machine returns the same answer. A result that is cached between
requests costs the steps that it took to make, so that an answer does not depend on earlier requests either.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from ..limits import DEAL_STEPS

P = ParamSpec("P")
R = TypeVar("R")


class BudgetSpent(Exception):
    """The steps are used up; the work is not finished."""


class Work:
    """The work of one request: the steps taken so far, their limit, and the results of :func:`cached`."""

    __slots__ = ("_results", "_stop", "ran_out", "repeated", "spent", "steps")

    def __init__(self, steps: int = DEAL_STEPS) -> None:
        self.steps = steps
        self.spent = 0
        self.repeated = 0
        """Steps of results from a cache."""
        self.ran_out = False
        """True if the whole budget is used up, not only a portion of it."""
        self._stop = steps
        self._results: dict[tuple[Any, ...], Any] = {}

    @property
    def is_spent(self) -> bool:
        """True if no step is left."""
        return self.spent >= self._stop

    def spend(self, steps: int) -> None:
        """Take some steps; raises :class:`BudgetSpent` if too few are left."""
        if self.spent + steps > self._stop:
            # Exactly at the end, independent of the size of the last stride.
            self.spent = self._stop
            self.ran_out = self.ran_out or self.spent >= self.steps
            raise BudgetSpent
        self.spent += steps

    @contextmanager
    def portion(self, steps: int) -> Iterator[None]:
        """Limit the block to so many steps."""
        outer = self._stop
        if self.is_spent:
            raise BudgetSpent
        self._stop = min(outer, self.spent + steps)
        try:
            yield
        finally:
            self._stop = outer

    def share(self, steps: int) -> _Share:
        """Leave the steps beyond so many to later work; the block itself handles ``BudgetSpent``."""
        return _Share(self, steps)

    @property
    def left(self) -> int:
        """Number of steps left."""
        return self._stop - self.spent

    def repeat(self, steps: int) -> None:
        """Take the steps that a cached result took when it was made."""
        self.spent += steps
        self.repeated += steps
        self.ran_out = self.ran_out or self.spent >= self.steps


class Taken(NamedTuple):
    """The steps that a result took, and the steps that were left for it."""

    steps: int
    left: int


class Memo:
    """Results that are worked out once; each takes the same steps, stored or made."""

    __slots__ = ("_results",)

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[Any, Taken]] = {}

    def find(self, name: Hashable, make: Callable[[], R]) -> R:
        """Return the result of this name; with other steps left it is made again only if it might differ."""
        work = current()
        left = work.left
        if name in self._results:
            result, taken = self._results[name]
            # A result that was not cut short is the same with any number of steps that is enough for it.
            if taken.left == left or taken.steps < min(taken.left, left):
                work.repeat(taken.steps)
                return cast(R, result)
        before = work.spent
        made = make()
        self._results[name] = made, Taken(work.spent - before, left)
        return made


class _Share:
    """A block that may take so many steps of the whole. A class, because it is quick and each deal enters several."""

    __slots__ = ("_outer", "_steps", "_work")

    def __init__(self, work: Work, steps: int) -> None:
        self._work = work
        self._steps = steps

    def __enter__(self) -> None:
        work = self._work
        self._outer = work._stop
        work._stop = min(work._stop, work.spent + self._steps)

    def __exit__(self, *error: object) -> None:
        self._work._stop = self._outer


class Tally:
    """The steps that a process really took for a block, without those of cached results."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


_tally: ContextVar[Tally | None] = ContextVar("tally", default=None)
_work: ContextVar[Work | None] = ContextVar("work", default=None)


def spend(steps: int) -> None:
    """Take some steps of the current request; raises :class:`BudgetSpent` if too few are left."""
    work = _work.get()
    if work is not None:
        work.spend(steps)


def spend_with_many(holders: int, steps: int) -> None:
    """Take steps that only a deal of more than two ``holders`` takes, so that a step is as long for any number."""
    if holders > 2:
        spend(steps)


def current() -> Work:
    """Return the work of the current request; outside of a request the whole work of a deal."""
    return _work.get() or Work()


class at_work:
    """Count the steps of the block as steps of this work."""

    __slots__ = ("_outer", "_work")

    def __init__(self, work: Work) -> None:
        self._work = work

    def __enter__(self) -> Work:
        self._outer = _work.set(self._work)
        return self._work

    def __exit__(self, *error: object) -> None:
        _work.reset(self._outer)
        tally = _tally.get()
        if tally is not None:
            tally.steps += self._work.spent - self._work.repeated


@contextmanager
def tallied() -> Iterator[Tally]:
    """Tally the steps that the block takes: for a caller with several requests and limited time."""
    tally = Tally()
    outer = _tally.set(tally)
    try:
        yield tally
    finally:
        _tally.reset(outer)
        if (around := _tally.get()) is not None:
            around.steps += tally.steps


def cached(make: Callable[P, R]) -> Callable[P, R]:
    """Cache the results of a function of hashable arguments: each is made, and charged, once a request."""

    @wraps(make)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        work = _work.get()
        if work is None:
            return make(*args, **kwargs)
        key = (make, *args)
        if key not in work._results:
            work._results[key] = make(*args, **kwargs)
        result: R = work._results[key]
        return result

    return again
