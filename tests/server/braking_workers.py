"""Processes that count in one shared memory, as the workers of a server do, and that can be killed at any moment."""

from __future__ import annotations

import multiprocessing
import os
import signal
from multiprocessing.connection import Connection
from typing import Any

from scorekeeper.brakes.counts import SharedCounts
from scorekeeper.brakes.memory import NoTurn, SharedMemory
from scorekeeper.brakes.streams import OpenStreams, Place

FORK = multiprocessing.get_context("fork")
SLOTS = 256


class Shared:
    """What a server makes before it forks its workers, smaller."""

    def __init__(self) -> None:
        memory = SharedMemory(2 * SLOTS)
        self.counts = SharedCounts(memory, SLOTS)
        self.streams = OpenStreams(memory, SLOTS)


def answer(shared: Shared, pipe: Connection) -> None:
    """Do what comes by the pipe, until its end."""
    places: list[Place] = []
    while True:
        try:
            name, *values = pipe.recv()
        except EOFError:
            os._exit(0)
        if name == "enter":
            place = shared.streams.enter(*values)
            if place is not None:
                places.append(place)
            pipe.send(place is not None)
        elif name == "leave":
            places.pop(*values).leave()
            pipe.send(None)
        elif name == "for ever":
            # Until it is killed: in the middle of a count, most likely.
            pipe.send(None)
            while True:
                shared.counts.incr(*values)
        elif name == "flood":
            pipe.send(None)
            number = 0
            while True:
                number += 1
                shared.counts.incr(f"{values[0]} {number}", 60)
        elif name == "hold":
            try:
                with shared.counts._memory.turn():
                    pipe.send(None)
                    signal.pause()
            except NoTurn:
                pipe.send(None)
        else:
            pipe.send(getattr(shared.streams if name == "count" else shared.counts, name)(*values))


class Worker:
    """One such process."""

    def __init__(self, shared: Shared) -> None:
        self._pipe, theirs = FORK.Pipe()
        self._process = FORK.Process(target=answer, args=(shared, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, *question: Any) -> Any:
        """Return its answer."""
        self._pipe.send(question)
        assert self._pipe.poll(30), "no answer"
        return self._pipe.recv()

    def kill(self) -> None:
        """Kill it at once, whatever it does."""
        self._process.kill()
        self._process.join()
        self._pipe.close()
