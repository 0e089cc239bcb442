"""The server in a bad moment: a master that is killed alone, a worker that cannot start, a disk without room."""

from __future__ import annotations

import ctypes
import errno
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from gunicorn.arbiter import Arbiter

from scorekeeper.cli import gunicorn_app
from scorekeeper.file_modes import APP_LOCK, DATABASE, WRITE_LOCK
from scorekeeper.file_modes import SECRET as SECRET_FILE
from scorekeeper.store.faults import READ_ONLY

from ..conftest import SECRET
from ..helpers.serving import serving

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="reads what a process has open in /proc")

DROP_CAPABILITY, DAC_OVERRIDE = 24, 1
"""Linux's ``PR_CAPBSET_DROP``, and what it is that lets root write to any file."""
GIVEN_UP = 60
"""Seconds after which a test no longer waits. No measure of speed."""
ON_A_READ_ONLY_DISK = """
import sys
from uuid import uuid4
from scorekeeper.app import create_app
from scorekeeper.cli.main import main
from scorekeeper.store import commands, faults
from scorekeeper.store.db import writing
assert main(["migrate"]) == 0
app = create_app()
print([app.test_client().get(f"/t/{'k' * 22}").status_code for turn in range(3)])
with app.app_context():
    try:
        with writing():
            commands.open_table("Los viernes", str(uuid4()))
    except Exception as fault:
        print(faults.cause_of(fault))
sys.exit(main(["backup", sys.argv[1]]))
"""


def waited(until: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + GIVEN_UP
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)


def open_files(process: int) -> set[str]:
    """Return the names of the files that a process has open, without their folders."""
    found = set()
    for handle in Path(f"/proc/{process}/fd").iterdir():
        try:
            found.add(os.readlink(handle).rpartition("/")[2])
        except FileNotFoundError:
            # It was closed meanwhile.
            continue
    return found


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def holders(file: Path) -> set[int]:
    """Return the processes that hold a lock of the kind that SQLite takes on a file."""
    inode = str(file.stat().st_ino)
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return {int(line[4]) for line in lines if line[1] == "POSIX" and line[5].rpartition(":")[2] == inode}


def master_at(address: str) -> int:
    """Return the process that serves at an address, of those that this test has started."""
    port = address.rpartition(":")[2].encode()
    commands = ((child, Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")) for child in children(os.getpid()))
    return next(child for child, words in commands if b"serve" in words and port in words)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def ask(address: str) -> int:
    """Ask for what only the database knows, and return the status."""
    try:
        with urllib.request.urlopen(f"{address}/t/{'k' * 22}", timeout=20) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


def test_nothing_of_the_database_is_open_when_the_server_forks(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        assert ask(address) == 404
        master = master_at(address)
        assert not {name for name in open_files(master) if name.startswith(DATABASE)}
        [worker] = children(master)
        assert holders(tmp_path / f"{DATABASE}-shm") == {worker}, "each process holds locks of its own"


def test_a_worker_ends_with_its_master(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        master = master_at(address)
        [worker] = children(master)
        assert ask(address) == 404
        os.kill(master, signal.SIGKILL)
        waited(lambda: not is_running(worker))


@pytest.mark.whole
def test_who_waits_at_the_door_of_a_process_that_stops_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path, workers=2) as address, ExitStack() as stack:
        host, port = address.removeprefix("http://").split(":")
        master = master_at(address)
        workers = children(master)
        # The master stands still, so that it starts no other worker, which would answer.
        stack.callback(os.kill, master, signal.SIGCONT)
        for process in (master, *workers):
            os.kill(process, signal.SIGSTOP)
        visitors = [stack.enter_context(socket.create_connection((host, int(port)), GIVEN_UP)) for _each in range(20)]
        for visitor in visitors:
            visitor.sendall(b"GET /sw.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        for worker in workers:
            os.kill(worker, signal.SIGTERM)
            os.kill(worker, signal.SIGCONT)
        for visitor in visitors:
            assert visitor.recv(100).startswith(b"HTTP/1.1 200")


def without_rights_over_files() -> None:
    """Take from root what lets it write where nobody may; without root nothing is taken."""
    ctypes.CDLL(None).prctl(DROP_CAPABILITY, DAC_OVERRIDE, 0, 0, 0)


@pytest.fixture
def read_only(tmp_path: Path, migrated: Path) -> Iterator[Path]:
    """An instance folder that was in use and takes no writing any more."""
    folder = tmp_path / "instance"
    folder.mkdir(0o700)
    shutil.copy(migrated, folder / DATABASE)
    for name in (APP_LOCK, WRITE_LOCK):
        (folder / name).touch(0o600)
    (folder / SECRET_FILE).write_text(SECRET)
    for path in (*folder.iterdir(), folder):
        path.chmod(path.stat().st_mode & 0o555)
    yield folder
    folder.chmod(0o700)


@pytest.mark.whole
def test_the_app_starts_and_answers_on_a_read_only_disk(read_only: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ON_A_READ_ONLY_DISK, str(tmp_path / "copy.db")],
        env={**os.environ, "SCOREKEEPER_INSTANCE": str(read_only), "DATABASE_URL": "", "SECRET_KEY": ""},
        preexec_fn=without_rights_over_files,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[:2] == ["[404, 404, 404]", READ_ONLY]
    assert "the copy is whole" in done.stdout
    assert {path.name for path in read_only.iterdir()} == {DATABASE, APP_LOCK, WRITE_LOCK, SECRET_FILE}


def test_a_worker_that_cannot_start_for_now_does_not_stop_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gunicorn_app, "BOOT_PAUSE", 0)
    worker = object.__new__(gunicorn_app.Worker)
    worker.log = logging.getLogger("a worker")

    def starts(fault: Exception) -> None:
        def wsgi() -> Flask:
            raise fault

        worker.app = SimpleNamespace(wsgi=wsgi)
        worker.cfg = SimpleNamespace(reload=False)
        worker.load_wsgi()

    with pytest.raises(SystemExit) as ended:
        starts(OSError(errno.ENOSPC, "No space left on device"))
    assert ended.value.code not in (None, 0, Arbiter.WORKER_BOOT_ERROR, Arbiter.APP_LOAD_ERROR)
    with pytest.raises(KeyError):
        starts(KeyError("a mistake of the app"))


def test_workers_show_that_they_live_where_no_disk_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found")

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_get_default_tempdir", none)
    folder = gunicorn_app.folder_of_signs()
    assert folder == "/dev/shm"
    assert tempfile.gettempdir() == folder, "gunicorn asks for it at its start"
