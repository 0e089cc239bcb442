"""A stream of requests answered by several processes: in order, and with few of them in memory at a time."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import NamedTuple

from ..limits import JOB_AHEAD, JOB_BYTES, JOB_LINES
from .command import CommandRefused

LOST = "A process ended before it had answered; the answers above are whole."

if sys.platform == "linux":
    # A copy of this process has all modules at once. It has no threads, so a copy is safe there.
    _CONTEXT = multiprocessing.get_context("fork")
else:
    _CONTEXT = multiprocessing.get_context("spawn")

Chunk = list[bytes]
"""Some lines that follow each other."""


class _Job(NamedTuple):
    process: BaseProcess
    here: Connection


def chunks_of(lines: Iterable[bytes]) -> Iterator[Chunk]:
    """Yield the lines in chunks of ``JOB_LINES``, and of fewer where they have ``JOB_BYTES`` before."""
    chunk: Chunk = []
    size = 0
    for line in lines:
        chunk.append(line)
        size += len(line)
        if len(chunk) == JOB_LINES or size >= JOB_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def answered(work: Callable[[Chunk], bytes], lines: Iterable[bytes], jobs: int) -> Generator[bytes]:
    """Yield what ``work`` makes of the lines, in their order, by so many processes at a time.

    No line is read that is more than ``JOB_AHEAD`` chunks for each process ahead of the answers that were taken. Raises
    ``CommandRefused`` where a process ended; the others end with the iterator, finished or closed.
    """
    chunks = chunks_of(lines)
    first = next(chunks, None)
    if first is None:
        return
    chunks = chain([first], chunks)
    with _started(work, jobs) as idle:
        busy: dict[Connection, int] = {}
        done: dict[int, bytes] = {}
        given = taken = 0
        while True:
            while idle and given < taken + jobs * JOB_AHEAD and (chunk := next(chunks, None)) is not None:
                here = idle.pop()
                _give(here, chunk)
                busy[here] = given
                given += 1
            if not busy:
                return
            ready = wait(busy)
            for here in [each for each in busy if each in ready]:
                done[busy.pop(here)] = _take(here)
                idle.append(here)
            while taken in done:
                yield done.pop(taken)
                taken += 1


def _give(here: Connection, chunk: Chunk) -> None:
    try:
        here.send(chunk)
    except OSError as fault:
        raise CommandRefused(LOST) from fault


def _take(here: Connection) -> bytes:
    try:
        return here.recv_bytes()
    except (EOFError, OSError) as fault:
        raise CommandRefused(LOST) from fault


@contextmanager
def _started(work: Callable[[Chunk], bytes], jobs: int) -> Iterator[list[Connection]]:
    """Start the processes, and end them all at the end; yield this process's end of the pipe of each."""
    started: list[_Job] = []
    try:
        # Ctrl-C reaches every process of a terminal; this one alone hears it, and ends the others.
        hears = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for _ in range(jobs):
                started.append(_start(work, [job.here for job in started]))
        finally:
            signal.signal(signal.SIGINT, hears)
        yield [job.here for job in started]
    finally:
        for job in started:
            job.here.close()
            # It has answered all that it was given, or nobody waits for its answers any more.
            job.process.terminate()
        for job in started:
            job.process.join()


def _start(work: Callable[[Chunk], bytes], others: list[Connection]) -> _Job:
    here, there = multiprocessing.Pipe()
    process = _CONTEXT.Process(target=_work, args=(work, there, [here, *others]), daemon=True)
    process.start()
    there.close()
    return _Job(process, here)


def _work(work: Callable[[Chunk], bytes], there: Connection, copied: list[Connection]) -> None:
    """Answer chunk after chunk until the process that gives them closes the pipe, or ends in any way."""
    # A copy of the other end of a pipe would keep it open.
    for each in copied:
        each.close()
    try:
        while True:
            there.send_bytes(work(there.recv()))
    except (EOFError, OSError):
        return
