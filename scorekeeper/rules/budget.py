"""Work whose cost is not known beforehand: it is counted in steps, stays within a budget, and its results are cached.

Steps are counted, not time, so that every machine returns the same answer. A cached result costs as many steps as it
took to make, so that an answer does not depend on earlier requests either. Within one request each result is paid for
once.

What a step is, and how many a deal may take, is a :class:`Tariff`. A closing keeps the tariff that it was judged by, so
that its sheet stays as it was when another tariff takes the place of that one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

from ..limits import CACHED_WEIGHT, DEAL_STEPS, HEAVIEST_CACHED, STORED_MATCH_STEPS

P = ParamSpec("P")
R = TypeVar("R")


UNHURRIED = 20
"""How many times as many steps a portion has in work without a budget: a search is never without an end."""

ENOUGH = 10**15
"""Steps that never run out, for bounded work whose steps are paid for already."""


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


TARIFFS = {
    1: Tariff(1, deal=550_000, stored_match=1_200_000, charges_more=False),
    2: Tariff(2, deal=DEAL_STEPS, stored_match=STORED_MATCH_STEPS),
}
"""Every tariff by which a stored closing may have been judged."""

FIRST_TARIFF = 1
"""The tariff by which all closings were judged while no step was dearer than another."""

NEWEST_TARIFF = max(TARIFFS)
"""The tariff by which a deal is judged that nobody has judged before."""


class BudgetSpent(Exception):
    """The steps are used up; the work that was begun stays undone."""


class _Key(tuple[Any, ...]):
    """A tuple that stores its hash, because hashing its deep content again would be slow."""

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
    """The work of one request: the steps taken so far, where they end, and the results that are paid for."""

    __slots__ = ("_paid", "_stop", "charges_more", "ran_out", "spent", "steps", "tariff")

    def __init__(self, steps: int | None = None, tariff: int = NEWEST_TARIFF, charges_more: bool = True) -> None:
        self.steps = steps
        self.tariff = TARIFFS[tariff]
        self.charges_more = charges_more and self.tariff.charges_more
        """Whether it is charged what the first tariff left out: for deals of more than two sides."""
        self.spent = 0
        self.ran_out = False
        """Whether the whole budget is used up, not only a portion of it."""
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
        """Take some steps; raises :class:`BudgetSpent` where too few are left."""
        if self.spent + steps > self._stop:
            # Exactly at the end, however large the last stride would have been.
            self.spent = int(self._stop)
            self.ran_out = self.ran_out or (self.steps is not None and self.spent >= self.steps)
            raise BudgetSpent
        self.spent += steps

    @contextmanager
    def portion(self, steps: int, unhurried: bool = True) -> Iterator[None]:
        """Let the block take no more than so many steps; where they run out, its results have to be paid for again.

        Without a budget an ``unhurried`` block has many more.
        """
        if self.steps is None and unhurried:
            steps *= UNHURRIED
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

    def share(self, steps: int) -> _Share:
        """Leave the steps beyond so many to later work; the block itself handles running out of them."""
        return _Share(self, steps)

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

    def pay(self, bill: _Bill) -> None:
        """Take the steps of a bill, and of the bills that it is made of, unless they are paid for already."""
        due = [bill]
        while due:
            part = due.pop()
            if part.key not in self._paid:
                self._paid[part.key] = None
                self.spend(part.own)
                due += part.parts.values()


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
    """The steps that a process really took for a block: what it found in a cache of sheets is not among them."""

    __slots__ = ("steps",)

    def __init__(self) -> None:
        self.steps = 0


_tally: ContextVar[Tally | None] = ContextVar("tally", default=None)
_work: ContextVar[Work | None] = ContextVar("work", default=None)
_bill: ContextVar[_Bill | None] = ContextVar("bill", default=None)


def spend(steps: int, more: int = 0) -> None:
    """Take some steps of the current request; raises :class:`BudgetSpent` where too few are left.

    ``more`` are steps that the first tariff does not charge.
    """
    bill, work = _bill.get(), _work.get()
    if work is not None and work.charges_more:
        steps += more
    if bill is not None:
        bill.own += steps
    if work is not None:
        work.spend(steps)


def is_bounded() -> bool:
    """Return whether the current request has bounds: on its steps, its lists and its problems."""
    work = _work.get()
    return work is not None and work.is_bounded


def current() -> Work:
    """Return the work of the current request; work without bounds where there is no request."""
    return _work.get() or Work()


class at_work:
    """Count the steps of the block as steps of this work."""

    __slots__ = ("_bill", "_outer", "_work")

    def __init__(self, work: Work) -> None:
        self._work = work

    def __enter__(self) -> Work:
        self._outer, self._bill = _work.set(self._work), _bill.set(None)
        return self._work

    def __exit__(self, *error: object) -> None:
        _work.reset(self._outer)
        _bill.reset(self._bill)
        tally = _tally.get()
        if tally is not None:
            tally.steps += self._work.spent


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


class _CachedResult(Generic[R]):
    __slots__ = ("bill", "value")

    def __init__(self, value: R, bill: _Bill) -> None:
        self.value = value
        self.bill = bill


class _Cache:
    """Results of all requests, up to a weight, in two generations; the older is dropped when the younger is full."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.young: dict[_Key, _CachedResult[Any]] = {}
        self.old: dict[_Key, _CachedResult[Any]] = {}
        self.weight = 0

    def find(self, key: _Key) -> _CachedResult[Any] | None:
        return self.young.get(key) or self.old.get(key)

    def put(self, key: _Key, entry: _CachedResult[Any], weight: int) -> None:
        # Two threads at once may lose a result, or miss the weight of one; no answer depends on either.
        if self.weight + weight > self.most // 2:
            self.old, self.young, self.weight = self.young, {}, 0
        self.young[key] = entry
        self.weight += weight


SHELF = _Cache(CACHED_WEIGHT)


def cached(weigh: Callable[[Any], int]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache the results of a function of hashable arguments; ``weigh`` returns how many numbers a result holds.

    Every result is cached for its own request, because the steps bound them all. Other requests find only results that
    are not too heavy.
    """

    def decorate(make: Callable[P, R]) -> Callable[P, R]:
        name = f"{make.__module__}.{make.__qualname__}"

        @wraps(make)
        def again(*args: P.args, **kwargs: P.kwargs) -> R:
            work, outer = _work.get(), _bill.get()
            # What a result cost, and what it found within its steps, it did by one tariff.
            tariff, charges_more = (NEWEST_TARIFF, False) if work is None else (work.tariff.number, work.charges_more)
            key = _Key((name, tariff, charges_more, *args))
            entry: _CachedResult[R] | None = None
            if work is not None:
                entry = work._paid.get(key)
            if entry is None:
                entry = SHELF.find(key)
                if entry is not None and work is not None:
                    work.pay(entry.bill)
                    work._paid[key] = entry
            if entry is None:
                # It was paid for as part of another result and dropped since: it is made again, and not counted twice.
                paid_for = work if work is not None and key in work._paid else None
                bill = _Bill(key)
                billed = _bill.set(bill)
                try:
                    if paid_for is not None:
                        with at_work(Work(ENOUGH if paid_for.is_bounded else None, tariff, charges_more)):
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


__all__ = [
    "FIRST_TARIFF",
    "NEWEST_TARIFF",
    "SHELF",
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
