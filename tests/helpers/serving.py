"""The app as ``scorekeeper serve`` runs it: a process of its own, with a folder of its own."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Self

OURS = range(12_000, 32_000)
"""Ports that the system gives to nobody by itself: a server that is stopped for a while finds its own free again."""
PATIENCE = 60
"""Seconds after which a server is given up. A machine that does much else at the same time is only slow."""


def free_port() -> int:
    """Return a free port, at random: other processes look for one at the same time."""
    while True:
        port = random.SystemRandom().choice(OURS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@contextmanager
def serving(
    folder: Path, port: int | None = None, workers: int = 1, threads: int | None = None, **environment: str
) -> Iterator[str]:
    """Serve the app from ``folder``, with these settings in its environment; yield its address.

    The server logs to ``server.log`` in the folder. It opens as many tables as tests ask for; its other brakes are
    those of any server, unless the settings say otherwise.
    """
    port = port or free_port()
    address = f"http://127.0.0.1:{port}"
    log = folder / "server.log"
    options = ["--host", "127.0.0.1", "--port", str(port), "--workers", str(workers), "--access-log"]
    options += ["--threads", str(threads)] if threads else []
    with log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "scorekeeper.cli", "serve", *options],
            env={**os.environ, "SCOREKEEPER_INSTANCE": str(folder), "SCOREKEEPER_NEW_TABLES": "0", **environment},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_for(address, process, log)
            yield address
        finally:
            process.terminate()
            process.wait(PATIENCE)


class Server:
    """A server that may fail: stopped, and started again at the same address with the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._port = folder, free_port()
        self.address = f"http://127.0.0.1:{self._port}"
        self._running = ExitStack()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Answer."""
        self._running.enter_context(serving(self.folder, self._port))

    def stop(self) -> None:
        """Be gone: nobody is at the port."""
        self._running.close()


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        assert process.poll() is None, f"the server stopped:\n{log.read_text()}"
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise AssertionError(f"the server did not answer:\n{log.read_text()}")
