"""Work whose cost is not known beforehand: it is counted in steps, and stays within a budget.

Steps are counted, not time, so that every machine returns the same answer. Whatever is cached between requests costs
the steps that it took to make, so that an answer does not depend on earlier requests either.

What a step is, and how many a deal may take, is a :class:`Tariff`. A closing keeps the tariff that it was judged by, so
that its sheet stays as it was when another tariff takes the place of that one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from ..limits import DEAL_STEPS, STORED_MATCH_STEPS

P = ParamSpec("P")
R = TypeVar("R")


UNHURRIED = 20
"""How many times as many steps a portion has in work without a budget: a search is never without an end."""


@dataclass(frozen=True)
class Tariff:
    """What work is charged, and how many steps of it a deal and a stored match may take. It never changes.

    Portions of a deal are the same under all tariffs.
    """

    number: int
    deal: int
    """Steps of one deal, its question included."""
    stored_match: int
    """Steps of all deals of a stored match that are scored by this tariff."""
    charges_more: bool = True
    """Whether it also charges deals of more than two sides what the first tariff left out. With that a step takes about
    the same time however many the sides are."""
    explains_apart: bool = True
    """Whether a stored match is charged what settles its lines, and not what else is certain of them: that is worked
    out for a deal whose sheet somebody looks at."""


TARIFFS = {
    1: Tariff(1, deal=550_000, stored_match=1_200_000, charges_more=False, explains_apart=False),
    2: Tariff(2, deal=550_000, stored_match=1_200_000, explains_apart=False),
    3: Tariff(3, deal=DEAL_STEPS, stored_match=STORED_MATCH_STEPS),
}
"""Every tariff by which a stored closing may have been judged."""

FIRST_TARIFF = 1
"""The tariff by which all closings were judged while no step was dearer than another."""

NEWEST_TARIFF = max(TARIFFS)
"""The tariff by which a deal is judged that nobody has judged before."""


class BudgetSpent(Exception):
    """The steps are used up; the work that was begun stays undone."""


class Work:
    """The work of one request: the steps taken so far, where they end, and the results of :func:`cached`."""

    __slots__ = ("_results", "_stop", "charges_more", "ran_out", "repeated", "spent", "steps", "tariff")

    def __init__(self, steps: int | None = None, tariff: int = NEWEST_TARIFF, charges_more: bool = True) -> None:
        self.steps = steps
        self.tariff = TARIFFS[tariff]
        self.charges_more = charges_more and self.tariff.charges_more
        """Whether it is charged what the first tariff left out: for deals of more than two sides."""
        self.spent = 0
        self.repeated = 0
        """Steps of results that were found in a cache."""
        self.ran_out = False
        """Whether the whole budget is used up, not only a portion of it."""
        self._stop: float = float("inf") if steps is None else steps
        self._results: dict[tuple[Any, ...], Any] = {}

    @property
    def is_bounded(self) -> bool:
        """Whether there is a budget at all."""
        return self.steps is not None

    @property
    def is_spent(self) -> bool:
        """Whether no step is left."""
        return self.spent >= self._stop

    def spend(self, steps: int) -> None:
        """Take some steps; raises :class:`BudgetSpent` where too few are left."""
        if self.spent + steps > self._stop:
            # Exactly at the end, however large the last stride would have been.
            self.spent = int(self._stop)
            self.ran_out = self.ran_out or (self.steps is not None and self.spent >= self.steps)
            raise BudgetSpent
        self.spent += steps

    @contextmanager
    def portion(self, steps: int, unhurried: bool = True) -> Iterator[None]:
        """Let the block take no more than so many steps.

        Without a budget an ``unhurried`` block has many more.
        """
        if self.steps is None and unhurried:
            steps *= UNHURRIED
        outer = self._stop
        if self.is_spent:
            raise BudgetSpent
        self._stop = min(outer, self.spent + steps)
        try:
            yield
        finally:
            self._stop = outer

    def share(self, steps: int) -> _Share:
        """Leave the steps beyond so many to later work; the block itself handles running out of them."""
        return _Share(self, steps)

    @property
    def left(self) -> int | None:
        """The steps that are left; None without a budget."""
        return None if self.steps is None else int(self._stop) - self.spent

    def repeat(self, steps: int) -> None:
        """Take the steps that a cached result took when it was made."""
        self.spent += steps
        self.repeated += steps
        self.ran_out = self.ran_out or (self.steps is not None and self.spent >= self.steps)

    @contextmanager
    def charged_afterwards(self, percent: int) -> Iterator[None]:
        """Charge the block as the first tariff does, and so much of its steps again when it is done.

        So which evidence is believed does not depend on the tariff, but what is left for later work does.
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
    """The steps that a result took, and how many it might have taken (None: any number)."""

    steps: int
    left: int | None


class Memo:
    """Results that are worked out once. Each takes the same steps whether it is found here or made."""

    __slots__ = ("_results",)

    def __init__(self) -> None:
        self._results: dict[Hashable, tuple[Any, Taken]] = {}

    def find(self, name: Hashable, make: Callable[[], R]) -> R:
        """Return the result of this name; with other steps left it is made anew only if it might be another one."""
        work = current()
        left = work.left
        if name in self._results:
            result, taken = self._results[name]
            # What was never cut short comes out alike with any number of steps that is enough for it.
            is_enough = taken.left is not None and left is not None and taken.steps < min(taken.left, left)
            if taken.left == left or is_enough:
                work.repeat(taken.steps)
                found: R = result
                return found
        before = work.spent
        found = make()
        self._results[name] = found, Taken(work.spent - before, left)
        return found


class _Share:
    """A block of work that may take so many steps of the whole. A class, because each deal enters several of them."""

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
    """The steps that a process really took for a block: what it found in a cache is not among them."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


_tally: ContextVar[Tally | None] = ContextVar("tally", default=None)
_work: ContextVar[Work | None] = ContextVar("work", default=None)


def spend(steps: int, more: int = 0) -> None:
    """Take some steps of the current request; raises :class:`BudgetSpent` where too few are left.

    ``more`` are steps that the first tariff does not charge.
    """
    work = _work.get()
    if work is not None:
        work.spend(steps + more if work.charges_more else steps)


def is_bounded() -> bool:
    """Return whether the current request has bounds: on its steps, its lists and its problems."""
    work = _work.get()
    return work is not None and work.is_bounded


def current() -> Work:
    """Return the work of the current request; work without bounds where there is no request."""
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
    """Tally the steps that the block takes, for whoever asks the engine several times and must not take too long."""
    tally = Tally()
    outer = _tally.set(tally)
    try:
        yield tally
    finally:
        _tally.reset(outer)
        if (around := _tally.get()) is not None:
            around.steps += tally.steps


def cached(make: Callable[P, R]) -> Callable[P, R]:
    """Cache the results of a function of hashable arguments for the request: within it each is made, and paid, once."""

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


__all__ = [
    "FIRST_TARIFF",
    "NEWEST_TARIFF",
    "TARIFFS",
    "BudgetSpent",
    "Tally",
    "Tariff",
    "Work",
    "at_work",
    "cached",
    "current",
    "is_bounded",
    "spend",
    "tallied",
]
