"""A budget for work whose cost is not known beforehand.

Work is counted in steps, not in time, so that every machine returns the same answer. A result that is cached between
requests costs the steps that it took to make, so that an answer does not depend on earlier requests either.

A :class:`Tariff` defines what a step is and how many a deal may take. A closing is always read by the tariff that it
was judged by, so a newer tariff does not change its sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from ..limits import DEAL_STEPS, STORED_MATCH_STEPS

P = ParamSpec("P")
R = TypeVar("R")


UNHURRIED = 20
"""Factor for the steps of a portion in work without a budget, so that every search ends."""


@dataclass(frozen=True)
class Tariff:
    """The charges for work, and the most steps of a deal and of a stored match. A tariff never changes.

    The portions of a deal are the same under all tariffs.
    """

    number: int
    deal: int
    """Steps of one deal, its question included."""
    stored_match: int
    """Steps of all deals of a stored match that are scored by this tariff."""
    charges_more: bool = True
    """True if deals of more than two sides are also charged for what the first tariff left out. Then a step takes about
    the same time for any number of sides."""
    is_lean: bool = True
    """True if nothing is charged that decides nothing: awards are looked at once, and a stored match is charged only
    what settles its lines."""


TARIFFS = {
    1: Tariff(1, deal=550_000, stored_match=1_200_000, charges_more=False, is_lean=False),
    2: Tariff(2, deal=550_000, stored_match=1_200_000, is_lean=False),
    3: Tariff(3, deal=DEAL_STEPS, stored_match=STORED_MATCH_STEPS),
}
"""Every tariff of a stored closing, by number."""

FIRST_TARIFF = 1
"""The tariff of all closings from the time when all steps cost the same."""

NEWEST_TARIFF = max(TARIFFS)
"""The tariff of a deal that is judged for the first time."""


class BudgetSpent(Exception):
    """The steps are used up; the work is not finished."""


class TooMuchWork(Exception):
    """Work without a budget took more steps than its caller waits for (:func:`at_most`)."""


_patience: ContextVar[float] = ContextVar("patience", default=float("inf"))


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """Give up work without a budget after so many steps, each request for itself: it raises :class:`TooMuchWork`.

    This is no budget: no portion of the work is smaller because of it, and a result within it is the same as without.
    """
    outer = _patience.set(steps)
    try:
        yield
    finally:
        _patience.reset(outer)


class Work:
    """The work of one request: the steps taken so far, their limit, and the results of :func:`cached`."""

    __slots__ = ("_results", "_stop", "charges_more", "ran_out", "repeated", "spent", "steps", "tariff")

    def __init__(self, steps: int | None = None, tariff: int = NEWEST_TARIFF, charges_more: bool = True) -> None:
        self.steps = steps
        self.tariff = TARIFFS[tariff]
        self.charges_more = charges_more and self.tariff.charges_more
        """True if the request is charged for what the first tariff left out: for deals of more than two sides."""
        self.spent = 0
        self.repeated = 0
        """Steps of results from a cache."""
        self.ran_out = False
        """True if the whole budget is used up, not only a portion of it."""
        self._stop: float = _patience.get() if steps is None else steps
        self._results: dict[tuple[Any, ...], Any] = {}

    @property
    def is_bounded(self) -> bool:
        """True if the request has a budget."""
        return self.steps is not None

    @property
    def is_spent(self) -> bool:
        """True if no step is left."""
        return self.spent >= self._stop

    def spend(self, steps: int) -> None:
        """Take some steps; raises :class:`BudgetSpent` if too few are left, or :class:`TooMuchWork`."""
        if self.spent + steps > self._stop:
            self._be_patient(steps)
            # Exactly at the end, independent of the size of the last stride.
            self.spent = int(self._stop)
            self.ran_out = self.ran_out or (self.steps is not None and self.spent >= self.steps)
            raise BudgetSpent
        self.spent += steps

    def _be_patient(self, steps: int = 0) -> None:
        """Raise :class:`TooMuchWork` if so many more steps, without a budget, are beyond what the caller waits for."""
        if self.steps is None and self.spent + steps > _patience.get():
            raise TooMuchWork

    @contextmanager
    def portion(self, steps: int, unhurried: bool = True) -> Iterator[None]:
        """Limit the block to so many steps; without a budget an ``unhurried`` block has many more."""
        if self.steps is None and unhurried:
            steps *= UNHURRIED
        outer = self._stop
        if self.is_spent:
            self._be_patient(1)
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
    def left(self) -> int | None:
        """Number of steps left; None without a budget."""
        return None if self.steps is None else int(self._stop) - self.spent

    def repeat(self, steps: int) -> None:
        """Take the steps that a cached result took when it was made."""
        self.spent += steps
        self.repeated += steps
        self.ran_out = self.ran_out or (self.steps is not None and self.spent >= self.steps)
        self._be_patient()

    @contextmanager
    def charged_afterwards(self, percent: int) -> Iterator[None]:
        """Charge the block as the first tariff does, and then that percentage of its steps again.

        So the tariff does not change which evidence is believed, only the steps left for later work.
        """
        outer, before = self.charges_more, self.spent
        self.charges_more = False
        try:
            yield
        finally:
            self.charges_more = outer
            if outer:
                self.spent = int(min(self.spent + (self.spent - before) * percent // 100, self._stop))


class Taken(NamedTuple):
    """The steps that a result took, and the steps that were left for it (None: any number)."""

    steps: int
    left: int | None


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
            is_enough = taken.left is not None and left is not None and taken.steps < min(taken.left, left)
            if taken.left == left or is_enough:
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
        if work.steps is not None:
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


def spend(steps: int, more: int = 0) -> None:
    """Take some steps of the current request; raises :class:`BudgetSpent` if too few are left.

    ``more`` are steps that the first tariff does not charge.
    """
    work = _work.get()
    if work is not None:
        work.spend(steps + more if work.charges_more else steps)


def is_bounded() -> bool:
    """Return whether the steps, lists and problems of the current request have bounds."""
    work = _work.get()
    return work is not None and work.is_bounded


def current() -> Work:
    """Return the work of the current request, or work without bounds outside of a request."""
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
