"""The served app without file handles: the worker waits, and goes on."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from uuid import uuid4

import pytest

from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import writing

from ..helpers.serving import free_port

pytestmark = pytest.mark.whole


def open_table(folder: Path) -> list[str]:
    """Open a table and return its play, watch and owner key."""
    app = create_app({"INSTANCE": folder})
    with app.app_context(), writing():
        table = commands.open_table("Los jueves", str(uuid4()))
        return [table.play_key, table.watch_key, table.owner_key]


def test_without_file_handles_the_worker_waits_and_goes_on(tmp_path: Path) -> None:
    port = free_port()
    command = f"ulimit -n 64; exec {sys.executable} -m scorekeeper.cli serve --host 127.0.0.1 --port {port} --workers 1"
    log = tmp_path / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen(
            ["bash", "-c", command],
            env={**os.environ, "SCOREKEEPER_INSTANCE": str(tmp_path)},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(address)
            key = open_table(tmp_path)[0]
            with ExitStack() as held:
                # Another thread may lack a handle first: it closes its connection, and then one more comes in.
                for turn in range(600):
                    held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
                    if turn > 120 and "Nobody can come in" in log.read_text():
                        break
                time.sleep(1)
            wait_for(f"{address}/t/{key}/history")
            wait_for(f"{address}/prime")
        finally:
            server.terminate()
            server.wait(20)
    told = log.read_text()
    assert "Nobody can come in" in told
    assert "Traceback" not in told
    assert "Worker" not in told, "the process that served before serves still"


def wait_for(address: str) -> None:
    until = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(address, timeout=20).close()
            return
        except (urllib.error.URLError, OSError):
            assert time.monotonic() < until, address
            time.sleep(0.1)
