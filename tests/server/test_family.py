"""One family behind one address never meets a brake: a whole evening at a server as it is installed.

And what a stranger meets there, over two workers, of which one is killed.
"""

from __future__ import annotations

import json
import os
import signal
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPResponse
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from ..helpers.reading import forms_of
from ..helpers.serving import serving
from ..web.conftest import ON_TRUST

pytestmark = pytest.mark.whole

AS_INSTALLED = {"SCOREKEEPER_NEW_TABLES": ""}
ON_LINUX = pytest.mark.skipif(not Path("/proc/self/environ").is_file(), reason="reads in /proc what a server has")
GIVEN_UP = 60
"""Seconds after which a test no longer waits. No measure of speed."""


class Phone:
    """A phone with its cookies; every answer is counted by its status."""

    def __init__(self, server: str, answers: Counter[int]) -> None:
        self.server, self.answers = server, answers
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.stream: HTTPResponse | None = None
        self.at = ""

    def ask(self, path: str, data: Any = None, **headers: str) -> str:
        """Return the text of an answer; the last address is in ``at``."""
        body = None if data is None else urlencode(list(data), doseq=True).encode()
        request = urllib.request.Request(self.server + path, body, headers)
        try:
            with self._opener.open(request, timeout=GIVEN_UP) as answer:
                self.answers[answer.status] += 1
                self.at = answer.url.removeprefix(self.server)
                return str(answer.read().decode())
        except urllib.error.HTTPError as refused:
            self.answers[refused.code] += 1
            return refused.read().decode()

    def follow(self, key: str) -> bool:
        """Open the stream of a table, in the place of the one that is open; return whether there was room for it."""
        self.hang_up()
        self.stream = self._opener.open(f"{self.server}{key}/live?v=0.0", timeout=GIVEN_UP)
        self.answers[self.stream.status] += 1
        return self.stream.status == 200

    def hang_up(self) -> None:
        """Close the stream."""
        if self.stream is not None:
            self.stream.close()

    def may_follow(self, key: str) -> bool:
        """Follow, also where the server has just lost a worker."""
        with suppress(OSError):
            return self.follow(key)
        return False


def filled(html: str, ending: str, **fields: Any) -> tuple[str, list[tuple[str, str]]]:
    """Return the address of a form as drawn, which ends so, and what it posts with fields filled in."""
    address, form = next(found for found in forms_of(html) if found[0].endswith(ending))
    for name, value in fields.items():
        form.setlist(name.replace("__", "-"), [value])
    return address, list(form.items(multi=True))


def new_table(phone: Phone) -> str:
    """Open a table and return the address of its link to play."""
    drawn = phone.ask("/tables/new?game=scopa")
    phone.ask(*filled(drawn, "/tables/new", player__0="Ana", player__1="Beto", step="save"))
    assert phone.at.startswith("/t/"), phone.at
    return phone.at


def all_look(family: list[Phone], table: str) -> None:
    """Everybody's page asks for the newest board."""
    for phone in family:
        phone.ask(f"{table}?v=0.0", HX_Request="true")


def close_deal(phone: Phone, table: str, deal: int) -> None:
    drawn = phone.ask(f"{table}/matches/1/deals/{deal}/close")
    told = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
    phone.ask(*filled(drawn, "/close", **told, step="save"))


def processor_seconds(folder: Path) -> float:
    """Return the seconds of a processor that the workers of this server have used."""
    found = 0.0
    for process in workers(folder):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def workers(folder: Path) -> list[int]:
    """Return the processes that the server of a folder has forked."""
    found = []
    for status in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if f"SCOREKEEPER_INSTANCE={folder}\0".encode() in status.read_bytes():
                found.append(int(status.parent.name))
    parents = {
        process: int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1]) for process in found
    }
    return [process for process, parent in parents.items() if parent in parents]


@ON_LINUX
def test_an_evening_of_eight_phones_and_a_television_meets_no_brake(
    tmp_path: Path,
) -> None:
    answers: Counter[int] = Counter()
    with serving(tmp_path, workers=2, **AS_INSTALLED) as server:
        began, used = time.monotonic(), processor_seconds(tmp_path)
        family = [Phone(server, answers) for _phone in range(9)]
        table = new_table(family[0])
        for phone in family[1:]:
            phone.ask(*filled(phone.ask(table), "/phone", holder="everybody"))
        assert all(phone.follow(table) for phone in family)
        for deal in range(1, 4):
            for number in range(8):
                family[number].ask(*filled(family[number].ask(table), "/sweep", side="AB"[number % 2]))
                all_look(family, table)
            close_deal(family[deal % 8], table, deal)
            all_look(family, table)
        # At once, so that the streams of the pages before are still being closed.
        for number in range(50):
            family[number % 9].ask(table)
            assert family[number % 9].follow(table)
        for _turn in range(20):
            for phone in family:
                phone.ask(f"/t/{'k' * 22}")
        for _more in range(3):
            new_table(family[1])
        took, used = time.monotonic() - began, processor_seconds(tmp_path) - used
    assert 429 not in answers, answers
    assert 204 not in answers, "no stream was refused"
    assert answers[404] == 180
    seconds = f"{took:.0f} s, {used:.1f} s of a processor"
    print(f"The family had {sum(answers.values())} answers in {seconds}: {dict(answers)}")


def waited(until: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + GIVEN_UP
    while not until():
        assert time.monotonic() < end
        time.sleep(0.1)


def opened_by_the_api(server: str) -> int:
    """Open a table with a connection of its own, which any worker may take; return the status."""
    asked = json.dumps({"id": str(uuid4()), "game": "scopa", "sides": [["Ana"], ["Beto"]]}).encode()
    request = urllib.request.Request(f"{server}/api/v1/tables", asked, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=GIVEN_UP) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        refused.read()
        return refused.code


@ON_LINUX
def test_workers_count_together_and_what_they_counted_outlives_them(tmp_path: Path) -> None:
    with serving(tmp_path, workers=2, SCOREKEEPER_NEW_TABLES="3") as server:
        assert sorted(opened_by_the_api(server) for _turn in range(12)) == [201] * 3 + [429] * 9
        before = workers(tmp_path)
        assert len(before) == 2
        for worker in before:
            os.kill(worker, signal.SIGKILL)
        waited(lambda: len(workers(tmp_path)) == 2 and not {*before} & {*workers(tmp_path)})
        assert {opened_by_the_api(server) for _turn in range(4)} == {429}


@ON_LINUX
def test_streams_are_given_back_by_whom_closes_them_and_by_a_worker_that_is_killed(tmp_path: Path) -> None:
    answers: Counter[int] = Counter()
    with serving(tmp_path, workers=2, SCOREKEEPER_TABLE_STREAMS="6") as server:
        ana = Phone(server, answers)
        table = new_table(ana)
        others = [Phone(server, answers) for _phone in range(6)]
        assert all(phone.follow(table) for phone in others)
        assert not ana.follow(table)
        for phone in others:
            phone.hang_up()
        for phone in others:
            waited(partial(phone.follow, table))
        assert not ana.follow(table)
        for worker in workers(tmp_path):
            os.kill(worker, signal.SIGKILL)
        again = [Phone(server, answers) for _phone in range(6)]
        for phone in again:
            waited(partial(phone.may_follow, table))
        assert not ana.follow(table)
