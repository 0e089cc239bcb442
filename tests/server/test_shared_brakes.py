"""Counts and streams of two workers in one memory: nothing is lost, and nothing is held, when one of them is killed."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scorekeeper.brakes.brake import Brake
from scorekeeper.brakes.counts import SharedCounts
from scorekeeper.brakes.memory import NoTurn, SharedMemory
from scorekeeper.brakes.streams import OpenStreams
from scorekeeper.limits import BRAKE_PROBE

from ..helpers.draws import examples
from .braking_workers import Shared, Worker

KEYS = st.sampled_from(["ana", "beto", "carla"])
PLACES = st.sampled_from([0, 1])
MOST = 4


class Workers(RuleBasedStateMachine):
    """Two workers that count, open streams and close them, and are killed and replaced, against a model of it all."""

    def __init__(self) -> None:
        super().__init__()
        self.shared = Shared()
        self.workers = [Worker(self.shared), Worker(self.shared)]
        self.counts: dict[str, int] = {}
        self.open: list[list[str]] = [[], []]

    def teardown(self) -> None:
        for worker in self.workers:
            worker.kill()

    @initialize()
    def both_count(self) -> None:
        for place in (0, 1):
            self.count(place, "ana", 1)

    @rule(place=PLACES, key=KEYS, amount=st.integers(1, 50))
    def count(self, place: int, key: str, amount: int) -> None:
        self.counts[key] = self.counts.get(key, 0) + amount
        assert self.workers[place].ask("incr", key, 3600, amount) == self.counts[key]

    @rule(place=PLACES, key=KEYS)
    def forget(self, place: int, key: str) -> None:
        self.workers[place].ask("clear", key)
        self.counts.pop(key, None)

    @rule(place=PLACES, table=KEYS)
    def open_stream(self, place: int, table: str) -> None:
        is_room = sum(of_worker.count(table) for of_worker in self.open) < MOST
        assert self.workers[place].ask("enter", [(table, MOST), ("everybody", 100)]) == is_room
        if is_room:
            self.open[place].append(table)

    @precondition(lambda self: any(self.open))
    @rule(data=st.data())
    def close_stream(self, data: st.DataObject) -> None:
        place = data.draw(st.sampled_from([place for place in (0, 1) if self.open[place]]))
        number = data.draw(st.integers(0, len(self.open[place]) - 1))
        self.workers[place].ask("leave", number)
        self.open[place].pop(number)

    @rule(place=PLACES)
    def kill(self, place: int) -> None:
        """The streams of a dead worker are open no more, before another one has taken its place."""
        self.workers[place].kill()
        self.open[place] = []
        self.compare(1 - place)
        self.workers[place] = Worker(self.shared)

    @rule(place=PLACES, key=KEYS)
    def kill_while_it_counts(self, place: int, key: str) -> None:
        self.workers[place].ask("for ever", key, 3600)
        time.sleep(0.002)
        self.workers[place].kill()
        self.open[place] = []
        self.workers[place] = Worker(self.shared)
        now = self.workers[1 - place].ask("get", key)
        assert now >= self.counts.get(key, 0)
        if now:
            self.counts[key] = now

    @rule(place=PLACES)
    def kill_while_it_holds_the_lock(self, place: int) -> None:
        self.workers[place].ask("hold")
        self.workers[place].kill()
        self.open[place] = []
        self.workers[place] = Worker(self.shared)

    @invariant()
    def compare(self, place: int = 0) -> None:
        for key in ("ana", "beto", "carla"):
            assert self.workers[place].ask("get", key) == self.counts.get(key, 0)
            assert self.workers[place].ask("count", key) == sum(of_worker.count(key) for of_worker in self.open)
        assert self.workers[place].ask("count", "everybody") == sum(map(len, self.open))


TestWorkers = Workers.TestCase
TestWorkers.settings = settings(max_examples=examples(8), stateful_step_count=20, deadline=None)


@pytest.fixture
def shared() -> Shared:
    return Shared()


@pytest.fixture
def worker(shared: Shared) -> Iterator[Worker]:
    worker = Worker(shared)
    yield worker
    worker.kill()


def test_a_worker_killed_in_the_middle_of_new_counts_leaves_no_half_of_one(shared: Shared) -> None:
    for turn in range(5):
        worker = Worker(shared)
        worker.ask("flood", f"flood {turn}")
        time.sleep(0.01)
        worker.kill()
        for number in range(1, 500):
            assert shared.counts.get(f"flood {turn} {number}") in (0, 1)


def test_a_process_that_is_stopped_with_the_lock_stops_nobody(shared: Shared, worker: Worker) -> None:
    worker.ask("hold")
    with pytest.raises(NoTurn):
        shared.counts.incr("beto", 60)
    brake = Brake("braked", 1, 60, shared.counts)
    assert [brake.take("ana"), brake.take("ana"), brake.used("ana")] == [True, True, 0]


def test_what_had_to_wait_is_counted_by_whoever_comes_next(shared: Shared) -> None:
    """Hundreds of busy threads of one process are late with the lock: their counts were lost once."""
    brake = Brake("braked", 3, 60, shared.counts)
    with shared.counts._memory.turn():
        assert [brake.take("ana") for _turn in range(2)] == [True, True]
        assert brake.used("ana") == 0
    assert brake.take("beto")
    assert brake.used("ana") == 2
    with shared.counts._memory.turn():
        assert [brake.take("ana"), brake.take("ana", 2)] == [True, False], "judged by what was counted before"
    assert not brake.take("ana")


class Clocks:
    """The clock of the machine, and that of the calendar, which somebody may turn."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machine, self.calendar = 1_000.0, 1_800_000_000.0
        monkeypatch.setattr(time, "monotonic", lambda: self.machine)
        monkeypatch.setattr(time, "time", lambda: self.calendar)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def test_a_count_ends_with_its_time(shared: Shared, clocks: Clocks) -> None:
    brake = Brake("braked", 2, 60, shared.counts)
    assert [brake.take("ana") for _turn in range(3)] == [True, True, False]
    assert brake.seconds_left("ana") == 60
    clocks.machine += 59
    assert not brake.take("ana")
    assert brake.seconds_left("ana") == 1
    clocks.machine += 1
    assert brake.take("ana")


def test_what_is_given_back_was_never_counted(shared: Shared) -> None:
    brake = Brake("braked", 1, 60, shared.counts)
    brake.give_back("ana")
    for _turn in range(3):
        assert brake.take("ana")
        brake.give_back("ana")


def test_a_flood_of_short_counts_pushes_out_no_long_one() -> None:
    """The memory does not grow; what ends soonest gives way."""
    counts = SharedCounts(SharedMemory(64), 64)
    counts.incr("an hour", 3600)
    for number in range(5000):
        assert counts.incr(f"stranger {number}", 60) == 1
    assert counts.get("an hour") == 1
    assert counts.incr("an hour", 3600) == 2


def test_two_subjects_share_no_count() -> None:
    counts = SharedCounts(SharedMemory(BRAKE_PROBE), BRAKE_PROBE)
    for number in range(BRAKE_PROBE):
        for _turn in range(number + 1):
            counts.incr(f"stranger {number}", 60)
    assert [counts.get(f"stranger {number}") for number in range(BRAKE_PROBE)] == list(range(1, BRAKE_PROBE + 1))


def test_the_memory_holds_no_address() -> None:
    memory = SharedMemory(64)
    SharedCounts(memory, 64).incr("203.0.113.7", 60)
    assert b"203.0.113" not in bytes(memory._bytes)


def test_a_stream_that_nobody_closes_is_given_back_with_its_place() -> None:
    streams = OpenStreams(SharedMemory(64), 64)
    place = streams.enter([("table 1", 1)])
    assert place is not None
    assert streams.enter([("table 1", 1)]) is None
    del place
    gc.collect()
    assert streams.count("table 1") == 0
    assert streams.enter([("table 1", 1)]) is not None


def test_where_no_slot_is_left_a_stream_is_refused() -> None:
    streams = OpenStreams(SharedMemory(4), 4)
    places = [streams.enter([(f"table {number}", 60)]) for number in range(6)]
    assert [place is not None for place in places] == [True] * 4 + [False] * 2
