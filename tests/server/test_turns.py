"""Few requests of a process run at once; those that wait for the disk or the database keep nobody else waiting."""

from __future__ import annotations

import pytest

from scorekeeper.cli import turns
from scorekeeper.cli.turns import Turns
from scorekeeper.limits import RUNNING_REQUESTS, WAITS_ALWAYS_SECONDS, WAITS_SECONDS

ALL = list(range(3 * RUNNING_REQUESTS))
FIRST, SECOND = ALL[:RUNNING_REQUESTS], ALL[RUNNING_REQUESTS : 2 * RUNNING_REQUESTS]


class Process:
    """A process whose clocks go as the tests say, and to which more requests come than run at once."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.worked = 100.0, 10.0
        monkeypatch.setattr(turns, "time", self)
        self.started: list[int] = []
        self.turns = Turns[int](self.started.append)
        for request in ALL:
            self.turns.add(request)

    def monotonic(self) -> float:
        return self.now

    def process_time(self) -> float:
        return self.worked

    def go_on(self, seconds: float, *, works: bool) -> None:
        """Let time pass in which the process works, or does nothing."""
        self.now += seconds
        self.worked += seconds if works else 0
        self.turns.go_on()


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Process:
    return Process(monkeypatch)


def test_few_run_at_once_and_the_next_after_each_that_was_answered(process: Process) -> None:
    assert process.started == FIRST
    process.turns.done(2)
    process.turns.done(0)
    assert process.started == ALL[: RUNNING_REQUESTS + 2]


def test_the_others_run_while_these_wait_for_something(process: Process) -> None:
    process.go_on(WAITS_SECONDS * 1.5, works=False)
    assert process.started == [*FIRST, *SECOND]
    process.turns.done(FIRST[0])
    assert process.started == [*FIRST, *SECOND], "one that waited had no turn that another may have"


def test_while_the_process_works_the_others_have_to_wait(process: Process) -> None:
    for _turn in range(5):
        process.go_on(WAITS_SECONDS * 1.5, works=True)
    assert process.started == FIRST


def test_nobody_has_a_turn_for_longer_than_a_bound(process: Process) -> None:
    process.go_on(WAITS_ALWAYS_SECONDS * 1.5, works=True)
    assert process.started == [*FIRST, *SECOND]


def test_the_loop_looks_again_soon_while_somebody_is_to_come(process: Process) -> None:
    assert process.turns.pause(1.0) == WAITS_SECONDS
    for request in ALL:
        process.turns.done(request)
    assert process.turns.pause(1.0) == 1.0
    assert process.started == ALL
