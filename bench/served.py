"""Serve the app as a host does, and measure its processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def server(port: int, processes: int, streams: int = 0, **settings: str) -> Iterator[int]:
    """Serve the app of this environment; yield the first process.

    Everything is as it comes, brakes included, but for ``settings`` of the environment, and for room for ``streams`` a
    worker if any are named.
    """
    command = [sys.executable, "-m", "scorekeeper.cli", "serve", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--workers", str(processes)]
    environment = {**os.environ, **settings}
    if streams:
        environment["SCOREKEEPER_LIVE_STREAMS"] = str(streams)
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    try:
        for _turn in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def workers(parent: int) -> list[int]:
    """Return the processes that a server has forked."""
    return list(map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split()))


def memory(process: int) -> float:
    """Return a process's resident memory, in KB."""
    resident = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return float(resident[1]) if resident else 0.0


def cpu_seconds(process: int) -> float:
    """Return the CPU seconds a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
