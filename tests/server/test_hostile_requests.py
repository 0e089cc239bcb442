"""The served app under requests and shortages that no browser sends: no key in its log, no worker that ends."""

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
from urllib.parse import urlsplit
from uuid import uuid4

from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import writing

from ..helpers.serving import free_port, serving


def open_table(folder: Path) -> list[str]:
    """Open a table and return its play, watch and owner key."""
    app = create_app({"INSTANCE": folder})
    with app.app_context(), writing():
        table = commands.open_table("Los jueves", str(uuid4()))
        return [table.play_key, table.watch_key, table.owner_key]


def raw(address: str, request: str) -> str:
    """Send bytes as they are and return the status line of what comes back."""
    at = urlsplit(address)
    with socket.create_connection((at.hostname, at.port), timeout=20) as connection:
        connection.sendall(request.encode())
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile("rb").readline().decode()


def test_no_key_reaches_the_log_however_it_is_sent(tmp_path: Path) -> None:
    with serving(tmp_path) as address:
        keys = open_table(tmp_path)
        asked = []
        for letter, key in zip("two", keys, strict=True):
            spelt = "".join(f"%{ord(one):02X}" for one in key)
            asked += [
                (f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n", host)
                for path in (f"/{letter}/{key}", f"/%{ord(letter):x}/{key}", f"/{letter}/{spelt}", f"//{letter}//{key}")
                for host in ("cards.example", "a..b")
                for more in ("", f"SCRIPT_NAME: /x\r\nReferer: http://h/{letter}/{key}\r\nUser-Agent: {key}\r\n")
            ]
            asked.append((f"GET /{letter}/{key} nonsense HTTP/9.9\r\n\r\n", ""))
            asked.append((f"GET /{letter}/{key} HTTP/1.1\r\nHost: h\r\nBad Header {key}: x\r\n\r\n", ""))
        answers = [(raw(address, request), request, host) for request, host in asked]
    for answer, request, host in answers:
        assert " 5" not in answer[:13], (answer, request)
        if host != "cards.example":
            assert answer.startswith("HTTP/1.1 400"), (answer, request)
    log = (tmp_path / "server.log").read_text()
    assert "/t/…" in log
    assert "Traceback" not in log
    for key in keys:
        assert key not in log
        assert "".join(f"%{ord(one):02X}" for one in key) not in log


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
