"""The processes of a drill, each at a loopback address of its own as if it were a machine."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Self

import psycopg

from tests.helpers.serving import free_port

from .packages import POSTGRESQL

ROOT = Path(__file__).parents[2]
PROXY, STORE = "127.0.0.10", "127.0.0.20"
HOSTS = ("127.0.0.11", "127.0.0.12", "127.0.0.13")
NODES = ("127.0.0.21", "127.0.0.22")
SECRET = "only for drills, nothing to hide"
PATIENCE = 120
"""Seconds after which a process that does not come up is given up."""
DATABASE = "scorekeeper"
POOL = 16
"""Connections of a process: three hosts of two processes stay below what one PostgreSQL lets in."""


def until(what: str, is_so: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until something is so. Raises ``AssertionError``, which says what was not."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"after {seconds} seconds: {what}"
        time.sleep(0.1)


def answers(address: str) -> bool:
    """Return whether a GET of this address is answered 200."""
    with suppress(urllib.error.URLError, OSError):
        return bool(urllib.request.urlopen(address, timeout=2).status == 200)
    return False


class Machine:
    """A program with all its children, which may be killed as a machine dies."""

    def __init__(
        self, name: str, folder: Path, command: Sequence[str], cwd: Path = ROOT, user: str | None = None, **more: str
    ) -> None:
        self.log = folder / f"{name}.log"
        with self.log.open("a") as output:
            # A session of its own: what it starts dies with it, and nothing else does.
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env={**os.environ, **more},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=user,
            )

    def kill(self) -> None:
        """Kill it and all that it has started, at once."""
        kill_with_all(self._process.pid)
        self._process.wait(PATIENCE)

    def stop(self) -> None:
        """Ask it to end, and wait for that."""
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(PATIENCE)
            return
        self.kill()


def kill_with_all(process: int) -> None:
    """Kill a process and all below it."""
    for each in [*_descendants(process), process]:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def _descendants(parent: int) -> list[int]:
    """Return the processes below one, also those with a session of their own."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, task.read_text().split()):
                found += [child, *_descendants(child)]
    return found


class Host:
    """A host of the app: ``scorekeeper serve`` at an address of its own, with a folder of its own."""

    def __init__(self, place: int, folder: Path, port: int, url: str) -> None:
        self.address = f"http://{HOSTS[place]}:{port}/"
        self._place, self._folder, self._port, self._url = place, folder, port, url
        self._machine: Machine | None = None

    def start(self, code: Path = ROOT) -> None:
        """Serve the version whose checkout this is, and wait until it answers."""
        instance = self._folder / f"host{self._place}"
        instance.mkdir(exist_ok=True)
        command = [sys.executable, "-m", "scorekeeper.cli", "serve", "--host", HOSTS[self._place]]
        self._machine = Machine(
            f"host{self._place}",
            self._folder,
            [*command, "--port", str(self._port), "--workers", "2"],
            cwd=code,
            **settings(self._url, instance),
        )
        until(f"{self.address} does not answer:\n{self._machine.log}", lambda: answers(self.address))

    def kill(self) -> None:
        """Let the machine die."""
        assert self._machine is not None
        self._machine.kill()

    def stop(self) -> None:
        """End it as an operator does."""
        assert self._machine is not None
        self._machine.stop()


def settings(url: str, instance: Path) -> dict[str, str]:
    """Return the settings of a host, as an operator sets them."""
    return {
        "DATABASE_URL": url,
        "SECRET_KEY": SECRET,
        "SCOREKEEPER_INSTANCE": str(instance),
        "SCOREKEEPER_PROXIES": f"127.0.0.1 {PROXY}",
        "SCOREKEEPER_POOL": str(POOL),
        "PYTHONPATH": "",
    }


class Stage:
    """Three hosts behind HAProxy. ``nodes`` are those of the database, where HAProxy leads to its primary."""

    def __init__(self, folder: Path, url: str, nodes: Mapping[str, int] | None = None, port: int | None = None) -> None:
        self.folder, self.url, self._nodes, self._database_port = folder, url, nodes or {}, port
        self.port = free_port()
        self.hosts = [Host(place, folder, free_port(), url) for place in range(len(HOSTS))]
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.close()

    def start_proxy(self) -> None:
        """Start HAProxy in front of the hosts, and of the database where that fails over."""
        path = self.folder / "haproxy.cfg"
        path.write_text(self._haproxy())
        found = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
        assert found is not None
        proxy = Machine("haproxy", self.folder, [found, "-db", "-f", str(path)])
        self._ends.callback(proxy.kill)

    def start_hosts(self, code: Path = ROOT) -> None:
        """Start all hosts, one after the other, and wait until the proxy leads to them."""
        for host in self.hosts:
            host.start(code)
            self._ends.callback(host.stop)
        until("the proxy leads to no host", lambda: answers(f"http://{PROXY}:{self.port}/"))

    def _haproxy(self) -> str:
        lines = [
            "defaults",
            "  mode http",
            "  option redispatch 1",
            "  retries 3",
            "  # What is sent twice is stored once, so another host may be asked where one has died over a request.",
            "  retry-on conn-failure empty-response",
            "  timeout connect 2s",
            "  timeout check 2s",
            "  timeout client 90s",
            "  timeout server 90s",
            "  default-server inter 500ms fall 2 rise 1",
            "frontend phones",
            f"  bind {PROXY}:{self.port}",
            "  option forwardfor",
            "  default_backend hosts",
            "backend hosts",
            "  balance roundrobin",
            "  option httpchk GET /sw.js",
        ]
        for number, host in enumerate(self.hosts):
            lines.append(f"  server host{number} {host.address[7:-1]} check source {PROXY}")
        if self._nodes:
            lines += [
                "listen database",
                f"  bind {PROXY}:{self._database_port}",
                "  mode tcp",
                "  timeout client 30m",
                "  timeout server 30m",
                "  option httpchk GET /primary",
                "  http-check expect status 200",
            ]
            for node, rest in self._nodes.items():
                lines.append(f"  server {node} {node}:5432 check port {rest} on-marked-down shutdown-sessions")
        return "\n".join(lines) + "\n"


class Cluster:
    """Two nodes of PostgreSQL 15 under Patroni, the standby synchronous, with an etcd that names the primary."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._user = "postgres" if os.geteuid() == 0 else None
        self.port = free_port()
        """Where HAProxy leads to the primary."""
        self._etcd, self._peer = free_port(), free_port()
        self.nodes = {node: free_port() for node in NODES}
        """The port of Patroni's own answers, by node."""
        self._machines: dict[str, Machine] = {}
        self.url = f"postgresql://postgres@{PROXY}:{self.port}/{DATABASE}"

    def __enter__(self) -> Self:
        client, peer = f"http://{STORE}:{self._etcd}", f"http://{STORE}:{self._peer}"
        options = {
            "data-dir": str(self._folder / "etcd"),
            "listen-client-urls": client,
            "advertise-client-urls": client,
            "listen-peer-urls": peer,
            "initial-advertise-peer-urls": peer,
            "initial-cluster": f"default={peer}",
        }
        command = ["etcd", *(part for name, value in options.items() for part in (f"--{name}", value))]
        self._machines["etcd"] = Machine("etcd", self._folder, command)
        for node in NODES:
            self._start(node)
            until(f"{node} does not run, see {self._folder}", lambda node=node: self.is_at(node, "/health"))
        until("no standby is synchronous", self.has_synchronous)
        with psycopg.connect(f"postgresql://postgres@{self.primary()}:5432/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE}")
        return self

    def __exit__(self, *_error: object) -> None:
        for name in self._machines:
            self.kill(name)

    def is_at(self, node: str, path: str) -> bool:
        """Return whether Patroni's own answer of a node at this path is 200."""
        return answers(f"http://{node}:{self.nodes[node]}{path}")

    def has_synchronous(self) -> bool:
        """Return whether a standby has everything that is acknowledged."""
        return any(self.is_at(node, "/synchronous") for node in NODES)

    def primary(self) -> str:
        """Return the node that may be written to now. Raises ``StopIteration`` while there is none."""
        return next(node for node in NODES if self.is_at(node, "/primary"))

    def kill(self, node: str) -> None:
        """Let the machine of a node die: its PostgreSQL and its Patroni."""
        self._machines[node].kill()
        # Patroni lets go of the server that it starts.
        with suppress(FileNotFoundError):
            number = (self._folder / node / "data" / "postmaster.pid").read_text().split()[0]
            kill_with_all(int(number))

    def _start(self, node: str) -> None:
        path = self._folder / f"{node}.yml"
        # JSON is YAML.
        path.write_text(json.dumps(self._patroni(node)))
        data = self._folder / node
        data.mkdir(mode=0o700)
        if self._user:
            owner = pwd.getpwnam(self._user)
            os.chown(data, owner.pw_uid, owner.pw_gid)
        patroni = shutil.which("patroni")
        assert patroni is not None
        self._machines[node] = Machine(f"patroni-{node}", self._folder, [patroni, str(path)], data, self._user)

    def _patroni(self, node: str) -> dict[str, Any]:
        rest = f"{node}:{self.nodes[node]}"
        entries = ["local all all trust", "host all all 127.0.0.0/8 trust", "host replication all 127.0.0.0/8 trust"]
        return {
            "scope": "drill",
            "name": node,
            "restapi": {"listen": rest, "connect_address": rest},
            "etcd3": {"host": f"{STORE}:{self._etcd}"},
            "bootstrap": {
                # The shortest times that Patroni takes: so long a dead primary is waited for.
                "dcs": {"ttl": 20, "loop_wait": 5, "retry_timeout": 5, "synchronous_mode": True},
                "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"{node}:5432",
                "connect_address": f"{node}:5432",
                "data_dir": str(self._folder / node / "data"),
                "bin_dir": str(POSTGRESQL),
                "pgpass": str(self._folder / node / "pgpass"),
                "pg_hba": entries,
                "authentication": {"superuser": {"username": "postgres"}, "replication": {"username": "replicator"}},
                "parameters": {"max_connections": 200, "unix_socket_directories": str(self._folder / node)},
            },
        }
