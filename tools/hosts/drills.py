"""The drills: a host dies, all are updated one after the other, the database fails over to its standby."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from tests.helpers.databases import postgres

from . import processes
from .phones import Follower, Place, Writer
from .processes import ROOT, Cluster, Stage

WRITERS, FOLLOWERS = 8, 2
"""Writers, each at its own table, and the pages that follow each table."""
BEFORE, AFTER = 5.0, 10.0
"""Seconds of writing before something dies, and after all of it is over."""
HEAD = ("drill", "acknowledged", "found", "lost", "twice", "longest gap, s", "streams cut", "followers back")


@dataclass(frozen=True)
class Result:
    """What became of a drill."""

    name: str
    acknowledged: int
    found: int
    lost: int
    twice: int
    gap: float
    """Seconds between two acknowledgements of anybody, the longest."""
    cut: int
    followers: int
    back: int
    """Followers that have the newest version in the end."""

    @property
    def is_good(self) -> bool:
        """True if nothing was lost, nothing is there twice, and everybody follows again."""
        return self.acknowledged > 0 and not self.lost and not self.twice and self.back == self.followers

    def row(self) -> list[str]:
        """Return the row of the table."""
        figures = [self.name, f"{self.acknowledged:,}", f"{self.found:,}", str(self.lost), str(self.twice)]
        return [*figures, f"{self.gap:.1f}", str(self.cut), f"{self.back} of {self.followers}"]


def kill_a_host() -> Result:
    """Let one of three hosts die under load."""
    with plain() as stage:
        stage.start_hosts()

        def happens() -> None:
            stage.hosts[1].kill()
            time.sleep(AFTER)

        return under_load("a host killed", stage, happens)


def update_one_by_one(commit: str) -> Result:
    """Update three hosts of an earlier commit one after the other, under load; both versions are at work meanwhile."""
    with checkout(commit) as before, plain() as stage:
        stage.start_hosts(before)

        def happens() -> None:
            for host in stage.hosts:
                host.stop()
                host.start()
                time.sleep(3)
            time.sleep(AFTER)

        return under_load(f"updated from {commit[:8]}", stage, happens)


def fail_over() -> Result:
    """Let the machine of the database's primary die under load: Patroni makes its synchronous standby the primary."""
    with ExitStack() as stack:
        folder = stack.enter_context(a_folder())
        cluster = Cluster(folder)
        stage = stack.enter_context(Stage(folder, cluster.url, cluster.nodes, cluster.port))
        stack.enter_context(cluster)
        stage.start_proxy()
        migrate(stage)
        stage.start_hosts()

        def happens() -> None:
            cluster.kill(cluster.primary())
            processes.until(
                "nobody became the primary", lambda: any(cluster.is_at(n, "/primary") for n in cluster.nodes)
            )
            time.sleep(2 * AFTER)

        return under_load("the primary killed", stage, happens)


@contextmanager
def plain() -> Iterator[Stage]:
    """Yield a stage on one PostgreSQL, migrated, without hosts yet."""
    with postgres(durable=True) as server, server.database() as url, a_folder() as folder, Stage(folder, url) as stage:
        stage.start_proxy()
        migrate(stage)
        yield stage


@contextmanager
def a_folder() -> Iterator[Path]:
    """Yield a folder that the database's own user may enter."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-hosts-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o755)
        yield Path(name)


@contextmanager
def checkout(commit: str) -> Iterator[Path]:
    """Yield a folder with the files of a commit."""
    with tempfile.TemporaryDirectory(prefix="scorekeeper-before-") as name:
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
        subprocess.run(["tar", "-x", "-C", name], input=packed, check=True)
        yield Path(name)


def migrate(stage: Stage) -> None:
    """Bring the database to the newest shape by this version, before any host."""
    command = [sys.executable, "-m", "scorekeeper.cli", "migrate"]
    instance = stage.folder / "operator"
    instance.mkdir()
    environment = {**os.environ, **processes.settings(stage.url, instance)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)


def open_tables(stage: Stage) -> list[str]:
    """Open a table with a match for each writer; return their keys to play."""
    command = [sys.executable, "-m", "tools.hosts.tables", str(WRITERS)]
    environment = {**os.environ, **processes.settings(stage.url, stage.folder / "operator")}
    made = subprocess.run(command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return made.stdout.split()


def under_load(name: str, stage: Stage, happens: Callable[[], None]) -> Result:
    """Write and follow while something happens; return what became of all that was acknowledged."""
    place = Place(processes.PROXY, stage.port)
    keys = open_tables(stage)
    writers = [Writer(place, number, key) for number, key in enumerate(keys)]
    followers = [Follower(place, number, keys[number % len(keys)]) for number in range(FOLLOWERS * len(keys))]
    threads: list[threading.Thread] = [each.thread for each in (*followers, *writers)]
    for thread in threads:
        thread.start()
    try:
        time.sleep(BEFORE)
        happens()
    finally:
        # The pages hear of the last entry before they close.
        for writer in writers:
            writer.stops.set()
        for writer in writers:
            writer.thread.join()
        time.sleep(2 * BEFORE)
        place.stops.set()
        for thread in threads:
            thread.join()
    for writer in writers:
        if writer.failures:
            print(f"  {name}, answers of another kind: {dict(writer.failures)}", file=sys.stderr)
    return _counted(name, writers, followers)


def _counted(name: str, writers: list[Writer], followers: list[Follower]) -> Result:
    acknowledged = found = lost = twice = back = 0
    for writer in writers:
        journal = writer.journal()
        acknowledged += len(writer.acknowledged)
        found += len(journal)
        lost += len(writer.acknowledged.keys() - set(journal))
        # An entry that nobody has sent would be one of somebody's under another id.
        twice += len(journal) - len(set(journal) & set(writer.sent))
        newest = f"1.{writer.head()}"
        back += sum(each.version == newest for each in followers if each.key == writer.key)
    moments = sorted(moment for writer in writers for moment in writer.acknowledged.values())
    gap = max((later - earlier for earlier, later in pairwise(moments)), default=0.0)
    cut = sum(each.cut for each in followers)
    return Result(name, acknowledged, found, lost, twice, gap, cut, len(followers), back)
