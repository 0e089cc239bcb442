"""Several hosts count together in a Redis; while it is away each counts for itself, and nobody waits for it."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.app import create_app
from scorekeeper.brakes import remote
from scorekeeper.config import UnsafeConfiguration, brakes, load
from scorekeeper.limits import REDIS_PAUSE
from scorekeeper.store.db import migrate_database

from ..conftest import SECRET, close
from ..helpers.serving import free_port

pytestmark = pytest.mark.whole

WITHOUT = "needs Debian's redis-server: python -m tests.server.packages"
GIVEN_UP = 30
"""Seconds after which a test no longer waits. No measure of speed."""


class Redis:
    """A Redis of the tests' own, which may be stopped, hang and come back."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port = folder, free_port()
        self.address = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Answer."""
        import redis

        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self._folder)]
        self._process = subprocess.Popen(["redis-server", *options], stdout=subprocess.DEVNULL)
        until = time.monotonic() + GIVEN_UP
        while time.monotonic() < until:
            with suppress(redis.ConnectionError):
                redis.Redis.from_url(self.address).ping()
                return
            time.sleep(0.02)
        raise AssertionError("Redis does not answer")

    def kill(self) -> None:
        """Be gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def hang(self) -> None:
        """Take connections, and answer nothing."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGSTOP)

    def names(self) -> list[str]:
        """Return the names of all counts."""
        import redis

        return [key.decode() for key in redis.Redis.from_url(self.address).scan_iter()]


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    if shutil.which("redis-server") is None:
        pytest.skip(WITHOUT)
    pytest.importorskip("redis", reason="needs the package redis")
    server = Redis(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def hosts(redis: Redis, tmp_path: Path) -> Iterator[list[Flask]]:
    """Two hosts of one club: one secret and one Redis, each with a memory of its own. Three tables an hour."""
    settings = {"SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False, "BRAKES": redis.address}
    found = [
        create_app({"INSTANCE": tmp_path / name, "BRAKED": {**brakes(), "NEW_TABLES": 3}, **settings})
        for name in ("one", "two")
    ]
    for host in found:
        migrate_database(host)
    yield found
    for host in found:
        close(host)


def opened(host: Flask, address: str = "203.0.113.7") -> int:
    """Open a table, and return the status of the answer."""
    client = host.test_client()
    asked = {"id": str(uuid4()), "game": "scopa", "sides": [["Ana"], ["Beto"]]}
    return client.post("/api/v1/tables", json=asked, environ_base={"REMOTE_ADDR": address}).status_code


def test_the_hosts_count_together(hosts: list[Flask], redis: Redis) -> None:
    one, two = hosts
    assert [opened(one), opened(two), opened(one)] == [201] * 3
    assert [opened(one), opened(two)] == [429] * 2
    assert opened(two, "198.51.100.9") == 201
    assert redis.names()
    assert not [key for key in redis.names() if "203.0.113" in key], "no address is stored"


def test_without_it_each_host_counts_for_itself(
    hosts: list[Flask], redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = hosts
    redis.kill()
    with caplog.at_level(logging.WARNING, "scorekeeper.brakes"):
        assert [opened(one) for _turn in range(4)] == [201, 201, 201, 429]
        assert [opened(two) for _turn in range(4)] == [201, 201, 201, 429]
    lines = [record.getMessage() for record in caplog.records if "Redis" in record.getMessage()]
    assert len(lines) == 2, "one of each host"


def test_when_it_is_back_it_counts_again(hosts: list[Flask], redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = hosts
    redis.kill()
    assert [opened(one) for _turn in range(4)] == [201, 201, 201, 429]
    redis.start()
    later = time.monotonic() + REDIS_PAUSE
    monkeypatch.setattr(remote.time, "monotonic", lambda: later)
    assert [opened(one), opened(two), opened(one), opened(two)] == [201, 201, 201, 429]


def test_one_that_hangs_makes_nobody_wait_but_the_first(
    hosts: list[Flask], redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis.hang()
    asked = []
    from_remote = remote.RemoteCounts._from_remote

    def noted(counts: remote.RemoteCounts, question: object) -> object:
        asked.append(question)
        return from_remote(counts, question)  # type: ignore[arg-type]

    monkeypatch.setattr(remote.RemoteCounts, "_from_remote", noted)
    assert [opened(hosts[0]) for _turn in range(4)] == [201, 201, 201, 429]
    assert len(asked) == 1


def test_the_package_is_asked_for_where_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "redis", None)
    with pytest.raises(UnsafeConfiguration, match="extra 'redis'"):
        load({"INSTANCE": tmp_path}, {"SCOREKEEPER_BRAKES": "redis://localhost:6379/0"})
