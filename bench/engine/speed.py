"""How fast the engine is: ``make bench``, or ``python -m bench.engine.speed [--write]``, which writes README's table.

Every deal and every question is drawn afresh and asked once, so nothing is read again from a cache, and every answer
is looked at. CPU seconds are counted, not time, and the best of several rounds is shown. Beside each figure stands its
floor: what Python's ``json`` alone takes to read the same requests and to write the same answers, in the same round.
Only what ``--jobs`` gains is a matter of time by the clock: one job and one for each core, in turn.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from scorekeeper import rules
from scorekeeper.rules.cards import NUMBERS, pile_of
from scorekeeper.rules.fishing.captures import legal_captures
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.table import FishingTable
from scorekeeper.strict_json import answer, write_json

from .drawn import as_line, capture_questions, whole_deals

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- written by bench/engine/speed.py -->", "<!-- as far as here -->"
"""The place of the table in the README."""

ROUNDS, DEALS, QUESTIONS, STREAM = 5, 1_000, 5_000, 10_000
"""Rounds, deals of a round, questions about captures of a round, and deals of a stream that jobs share."""


class Took(NamedTuple):
    """CPU seconds of one round: those of the engine, and those that ``json`` alone takes for the same."""

    engine: float
    floor: float


class Row(NamedTuple):
    """A row of the table: what is measured, on what, how, and how many of them make a round."""

    what: str
    drawn: Iterator[dict[str, Any]]
    measure: Callable[[list[dict[str, Any]]], Took]
    many: int


def rows() -> list[Row]:
    """Return everything that is measured."""
    deals = [
        Row("whole deals of Scopa, in process", whole_deals("scopa", 0), in_process, DEALS),
        Row("whole deals of Scopa, through `--lines`", whole_deals("scopa", 1), through_lines, DEALS),
        Row("whole deals of Chorizo, through `--lines`", whole_deals("chorizo", 1), through_lines, DEALS),
    ]
    captures = [
        Row(f"captures with eight cards on the table, {name}", capture_questions(game, 0), of_captures, QUESTIONS)
        for game, name in (("scopa", "Scopa"), ("chorizo", "Chorizo"), ("escopa", "Escopa"), ("cirulla", "Cirulla"))
    ]
    return deals + captures


def floor_of(requests: list[bytes], answers: list[bytes]) -> float:
    """Return the CPU seconds to read the requests and to write the answers, each once, without the engine."""
    to_write = [json.loads(line) for line in answers]
    began = time.process_time()
    for line in requests:
        json.loads(line)
    for value in to_write:
        json.dumps(value, ensure_ascii=False)
    return time.process_time() - began


def check_deals(answers: list[bytes]) -> None:
    """Refuse a round in which a deal was not scored to its end."""
    for line in answers:
        scored = json.loads(line)
        wrong = [problem for problem in scored["problems"] if problem["severity"] == "error"]
        assert scored["status"] == "complete", scored
        assert not wrong, wrong


def in_process(requests: list[dict[str, Any]]) -> Took:
    """Measure deals from bytes to bytes, within this process."""
    lines = [as_line(request) for request in requests]
    began = time.process_time()
    answers = [write_json(answer("score", line)[1]).encode() for line in lines]
    engine = time.process_time() - began
    check_deals(answers)
    return Took(engine, floor_of(lines, answers))


def _children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _printed(file: Path, jobs: int = 1) -> bytes:
    command = [sys.executable, "-m", "scorekeeper.cli", "score", "--lines", "--jobs", str(jobs), str(file)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def _run_lines(file: Path) -> tuple[float, list[bytes]]:
    """Run ``scorekeeper score --lines`` on a file; return its CPU seconds and what it printed."""
    before = _children()
    printed = _printed(file)
    return _children() - before, printed.splitlines()


def through_lines(requests: list[dict[str, Any]]) -> Took:
    """Measure deals through ``--lines`` in a process of its own, without what the process takes to start."""
    lines = [as_line(request) for request in requests]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "deals")
        file.write_bytes(b"")
        started, _ = _run_lines(file)
        file.write_bytes(b"".join(lines))
        whole, answers = _run_lines(file)
    assert len(answers) == len(lines)
    check_deals(answers)
    return Took(whole - started, floor_of(lines, answers))


def table_of(game: str) -> FishingTable:
    """Return a game for two with its usual options."""
    table = rules.read_table({"game": game, "sides": ["A", "B"]}, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)
    return table.game.table


def of_captures(requests: list[dict[str, Any]]) -> Took:
    """Measure what cards may take, as the engine is asked from within; the floor is that of the same through JSON."""
    table = table_of(requests[0]["game"])
    asked = [(pile_of(NUMBERS[card] for card in each["layout"]), NUMBERS[each["card"]]) for each in requests]
    began = time.process_time()
    captures = [legal_captures(table, layout, card) for layout, card in asked]
    engine = time.process_time() - began
    assert any(each.sets for each in captures)
    lines = [as_line(request) for request in requests]
    return Took(engine, floor_of(lines, [write_json(answer("captures", line)[1]).encode() for line in lines]))


def gain_of_jobs(jobs: int, many: int = STREAM) -> float:
    """Return how many times faster so many jobs answer a stream than one does, starts included: the best of each."""
    alone, shared = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "deals")
        file.write_bytes(b"".join(as_line(request) for request in islice(whole_deals("scopa", 2), many)))
        for _ in range(ROUNDS):
            began = time.perf_counter()
            answers = _printed(file)
            between = time.perf_counter()
            assert _printed(file, jobs) == answers
            alone.append(between - began)
            shared.append(time.perf_counter() - between)
    return min(alone) / min(shared)


def best_of(row: Row, rounds: int = ROUNDS) -> tuple[float, float]:
    """Return how many a second the best of some rounds did, and how many times as long as ``json`` alone it took."""
    took = [row.measure(list(islice(row.drawn, row.many))) for _ in range(rounds)]
    best = min(took)
    return row.many / best.engine, best.engine / best.floor


def rounded(figure: float) -> str:
    """Return a figure with two digits, as the last ones are chance."""
    return f"{float(f'{figure:.2g}'):,.0f}"


def main() -> None:
    """Print the table, and with ``--write`` put it into the README."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the table into README.md")
    write = parser.parse_args().write
    lines = ["| each drawn afresh and asked once | a second | times `json` alone |", "| --- | --- | --- |"]
    print(*lines, sep="\n")
    for row in rows():
        a_second, times = best_of(row)
        lines.append(f"| {row.what} | {rounded(a_second)} | {times:.2g} |")
        print(lines[-1], flush=True)
    cores = len(os.sched_getaffinity(0))
    gain = f"{gain_of_jobs(cores):.2g} times as fast as `--lines`"
    lines += ["", f"`--lines --jobs {cores}` scores {STREAM:,} deals of Scopa {gain}, where {cores} cores are free."]
    print(*lines[-2:], sep="\n")
    if write:
        before, _, rest = README.read_text().partition(BEGIN)
        README.write_text("\n".join([before + BEGIN, *lines, END + rest.partition(END)[2]]))


if __name__ == "__main__":
    main()
