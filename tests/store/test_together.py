"""Writers of one process that wait for SQLite are written with one commit, and each answers for its own entry alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event

from scorekeeper.store import commands, faults
from scorekeeper.store.db import db
from scorekeeper.store.journal.entries import NewEntry, Stale
from scorekeeper.store.locks import Queue
from scorekeeper.store.models import Match
from scorekeeper.store.together import Together

from .test_many_writers import Place, matches, sweep, written

WRITERS = 6


@contextmanager
def held(app: Flask, *tasks: Callable[[], Any]) -> Iterator[list[Any]]:
    """Let all tasks wait for the turn while the block runs, then let them go on; yield what becomes of each."""
    queue: Queue = app.extensions["scorekeeper.queue"]
    group: Together = app.extensions["scorekeeper.together"]
    found: list[Any] = [None] * len(tasks)

    def run(place: int) -> None:
        with app.app_context():
            try:
                found[place] = tasks[place]()
            except Exception as error:
                found[place] = error

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(tasks))]
    with queue.turn():
        for count, thread in enumerate(threads, 1):
            thread.start()
            while len(group._waiting) < count:
                time.sleep(0.005)
        yield found
    for thread in threads:
        thread.join()
    db.session.rollback()


@contextmanager
def at_commit(do: Callable[[object], None]) -> Iterator[None]:
    event.listen(db.engine, "commit", do)
    try:
        yield
    finally:
        event.remove(db.engine, "commit", do)


def write(place: Place, new: NewEntry) -> int:
    match = db.session.get_one(Match, place)
    return commands.write(match, lambda: commands.draft(match, [new]))


def tasks(places: list[Place], taps: list[NewEntry]) -> list[Callable[[], int]]:
    return [lambda place=place, new=new: write(place, new) for place, new in zip(places, taps, strict=True)]  # type: ignore[misc]


def test_writers_that_wait_are_written_with_one_commit_and_told_after_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, taps = matches(WRITERS, at_one_table=True), [sweep() for _writer in range(WRITERS)]
    seen: list[str] = []
    monkeypatch.setitem(app.extensions, "scorekeeper.news", lambda _table: seen.append("news"))
    with at_commit(lambda _connection: seen.append("commit")), held(app, *tasks(places, taps)) as found:
        assert found == [None] * WRITERS
    assert found == [2] * WRITERS
    assert seen == ["commit", *["news"] * WRITERS]
    assert [written(place) for place in places] == [[new.id] for new in taps]


def test_a_fault_of_one_writer_that_waits_is_its_own(app: Flask) -> None:
    places, taps = matches(WRITERS, at_one_table=True), [sweep() for _writer in range(WRITERS)]
    taps[2] = NewEntry(taps[2].kind, taps[2].payload, id=taps[0].id)
    with held(app, *tasks(places, taps)) as found:
        pass
    assert isinstance(found[2], Stale)
    assert [one for place, one in enumerate(found) if place != 2] == [2] * (WRITERS - 1)
    expected = [[] if place == 2 else [new.id] for place, new in enumerate(taps)]
    assert [written(place) for place in places] == expected


def test_all_who_wait_with_the_same_match_are_written(app: Flask) -> None:
    [place], taps = matches(1, at_one_table=True), [sweep() for _writer in range(WRITERS)]
    with held(app, *tasks([place] * WRITERS, taps)) as found:
        pass
    assert sorted(found) == list(range(2, WRITERS + 2))
    assert sorted(written(place)) == sorted(new.id for new in taps)


def test_where_the_commit_fails_nobody_is_told_that_it_is_written(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    places, taps = matches(WRITERS, at_one_table=True), [sweep() for _writer in range(WRITERS)]
    news: list[int] = []
    monkeypatch.setitem(app.extensions, "scorekeeper.news", news.append)

    def fail(_connection: object) -> None:
        raise RuntimeError("the disk is full")

    with at_commit(fail), held(app, *tasks(places, taps)) as found:
        pass
    assert [str(one) for one in found] == ["the disk is full"] * WRITERS
    assert news == []
    assert [written(place) for place in places] == [[]] * WRITERS
    assert [write(place, new) for place, new in zip(places, taps, strict=True)] == [2] * WRITERS


def test_where_the_turn_does_not_come_all_who_wait_are_told_and_the_next_writes(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, taps = matches(3, at_one_table=True), [sweep() for _writer in range(3)]
    monkeypatch.setattr(app.extensions["scorekeeper.queue"], "_seconds", 1)
    with held(app, *tasks(places, taps)) as found:
        while None in found:
            time.sleep(0.01)
    assert [faults.cause_of(one) for one in found] == [faults.LOCKED] * 3
    assert [write(place, new) for place, new in zip(places, taps, strict=True)] == [2] * 3
