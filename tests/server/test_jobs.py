"""Many requests shared by several processes: the answers of one, in their order, and no process left over."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.cli import jobs
from scorekeeper.cli.command import CommandRefused
from scorekeeper.cli.jobs import answered
from scorekeeper.limits import JOB_AHEAD, JOB_BYTES, JOB_LINES

pytestmark = pytest.mark.whole

DEAL = {"game": "scopa", "sides": ["A", "B"], "deal": {"awards": {"cards": "A"}}}
PRIME = b'{"method": "face", "piles": {"A": ["7O"]}}\n'
COMMAND = [sys.executable, "-m", "scorekeeper.cli"]
SOON = 60


@pytest.fixture
def started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start each process as systems do that cannot copy one: a copy of the tests' own would have its threads."""
    monkeypatch.setattr(jobs, "_CONTEXT", multiprocessing.get_context("spawn"))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let what is started be interrupted: where the tests run in the background, all of it would ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def echo(chunk: list[bytes]) -> bytes:
    return b"".join(chunk)


def echo_the_first_late(chunk: list[bytes]) -> bytes:
    if chunk[0] == b"0\n":
        time.sleep(0.5)
    return b"".join(chunk)


def die_at_the_third(chunk: list[bytes]) -> bytes:
    if chunk[0] == b"%d\n" % (2 * JOB_LINES):
        os._exit(1)
    return b"".join(chunk)


def numbered(many: int) -> list[bytes]:
    return [b"%d\n" % number for number in range(many)]


def with_jobs(command: str, number: int, file: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, command, "--lines", "--jobs", str(number), str(file)], capture_output=True, timeout=SOON
    )


def test_two_jobs_answer_every_line_as_one_does(tmp_path: Path) -> None:
    deals = [
        json.dumps({**DEAL, "deal": {"sweeps": {"A": sweeps % 9, "B": sweeps % 4}}}).encode() for sweeps in range(300)
    ]
    odd = [b"", b"nonsense", b'{"game": "\xff"}', b"[" * 30_000, b"x" * 1_200_000, b'{"game": "canasta"}']
    lines = [*deals[:100], *odd, *deals[100:], *odd, deals[0]]
    file = tmp_path / "deals"
    file.write_bytes(b"\n".join(lines))
    alone, shared = with_jobs("score", 1, file), with_jobs("score", 3, file)

    assert alone.stdout.count(b"\n") == len(lines)
    assert (shared.stdout, shared.stderr, shared.returncode) == (alone.stdout, b"", 0)


@pytest.mark.parametrize("command", ["match", "captures"])
def test_every_command_that_takes_lines_shares_them(command: str, tmp_path: Path) -> None:
    file = tmp_path / "requests"
    file.write_bytes(PRIME * (3 * JOB_LINES))
    alone, shared = with_jobs(command, 1, file), with_jobs(command, 2, file)

    assert alone.stdout.count(b"\n") == 3 * JOB_LINES
    assert shared.stdout == alone.stdout


@pytest.mark.usefixtures("started_anew")
def test_answers_keep_the_order_of_their_lines_where_the_first_takes_longest() -> None:
    lines = numbered(6 * JOB_LINES + 1)
    assert b"".join(answered(echo_the_first_late, lines, 2)) == b"".join(lines)
    assert multiprocessing.active_children() == []


@pytest.mark.usefixtures("started_anew")
def test_a_stream_is_read_a_little_ahead_of_its_answers_and_no_further() -> None:
    read = 0

    def endless() -> Iterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield b"line\n"

    with closing(answered(echo, endless(), 2)) as answers:
        for taken in range(1, 30):
            assert next(answers) == b"line\n" * JOB_LINES
            assert read <= (taken + 2 * JOB_AHEAD) * JOB_LINES
    assert multiprocessing.active_children() == []


def test_long_lines_are_handed_over_few_at_a_time() -> None:
    chunks = list(jobs.chunks_of([b"x" * JOB_BYTES] * 2 + [b"x"] * (JOB_LINES + 1)))
    assert [len(chunk) for chunk in chunks] == [1, 1, JOB_LINES, 1]


@pytest.mark.usefixtures("started_anew")
def test_a_process_that_ends_by_itself_is_named_after_the_answers_before_it() -> None:
    answers = answered(die_at_the_third, numbered(8 * JOB_LINES), 1)
    assert [next(answers), next(answers)] == [
        b"".join(numbered(2 * JOB_LINES)[:JOB_LINES]),
        b"".join(numbered(2 * JOB_LINES)[JOB_LINES:]),
    ]
    with pytest.raises(CommandRefused, match="ended before it had answered"):
        next(answers)
    assert multiprocessing.active_children() == []


def primes(*args: str) -> subprocess.Popen[bytes]:
    """Start a command for many requests, with the ends of its pipes here, in a group of processes of its own."""
    return subprocess.Popen(
        [*COMMAND, "prime", "--lines", *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.mark.parametrize("args", [(), ("--jobs", "2")], ids=["one process", "two jobs"])
def test_answers_that_nobody_reads_to_the_end_are_no_fault(args: tuple[str, ...]) -> None:
    with primes(*args) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(PRIME * 1000)
        process.stdin.close()

        assert process.stderr.read() == b""
        assert process.wait() == 0


def has_answered(process: subprocess.Popen[bytes]) -> bool:
    """Give a command more lines than it reads ahead, so that it answers and waits for more."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(PRIME * (3 * JOB_LINES * JOB_AHEAD))
    process.stdin.flush()
    return bool(process.stdout.readline())


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_every_job_without_a_word() -> None:
    with primes("--jobs", "2") as process:
        assert has_answered(process)
        os.killpg(process.pid, signal.SIGINT)

        # Its errors end once no process has them open.
        _, said = process.communicate(timeout=SOON)
        assert (said, process.returncode) == (b"", 130)


def test_jobs_end_with_the_command_however_it_ends() -> None:
    with primes("--jobs", "2") as process:
        assert has_answered(process)
        process.kill()

        _, said = process.communicate(timeout=SOON)
        assert (said, process.returncode) == (b"", -signal.SIGKILL)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_one_process_without_a_word_too() -> None:
    with primes() as process:
        assert has_answered(process)
        process.send_signal(signal.SIGINT)

        _, said = process.communicate(timeout=SOON)
        assert (said, process.returncode) == (b"", 130)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--jobs", "2"], b"--jobs is for many requests: it goes with --lines.\n"),
        (["--lines", "--jobs", "65"], b"a whole number from 1 to 64 is needed, not '65'\n"),
    ],
)
def test_jobs_that_cannot_be_are_refused_with_the_reason(args: list[str], said: bytes) -> None:
    done = subprocess.run([*COMMAND, "score", *args], input=b"", capture_output=True, timeout=SOON)
    assert done.stderr.endswith(said)
    assert (done.stdout, done.returncode) == (b"", 2)
