"""Whatever many writers write at once, and wherever one of them dies: what was acknowledged is there, once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import select, text

from scorekeeper.store import commands
from scorekeeper.store.db import db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry, NoSuchEntry, Stale, entries_of
from scorekeeper.store.models import Entry, Match, MatchSummary
from scorekeeper.store.standings import standing_after, standing_of

from ..conftest import SECRET
from ..helpers.databases import on_both
from .conftest import start
from .test_at_once import at_once

pytestmark = [on_both, pytest.mark.own_app]

WRITERS = 8
DEALS = 6
Place = tuple[int, int]

WRITES_UNTIL_KILLED = """
import os, sys, threading
from scorekeeper.app import create_app
from scorekeeper.store import commands
from scorekeeper.store.db import db
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import NewEntry
from scorekeeper.store.models import Match

app = create_app({"INSTANCE": sys.argv[1], "SECRET_KEY": sys.argv[2]})

def play(place):
    with app.app_context():
        match = db.session.get_one(Match, place)
        for deal in range(1, 400):
            closing = NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"sweeps": {"A": deal % 2, "B": 0}}})
            commands.write(match, lambda: commands.draft(match, [closing]))
            os.write(1, f"{closing.id}\\n".encode())

places = [tuple(map(int, place.split("-"))) for place in sys.argv[3:]]
for place in places:
    threading.Thread(target=play, args=(place,)).start()
"""


def matches(count: int, *, at_one_table: bool) -> list[Place]:
    """Start matches; return where they are."""
    places: list[Place] = []
    with writing():
        table = commands.open_table("Los jueves", str(uuid4()))
        for _match in range(count):
            if not at_one_table:
                table = commands.open_table("Los jueves", str(uuid4()))
            places.append((table.id, start(table).number))
    return places


def sweep(deal: int = 1) -> NewEntry:
    return NewEntry(kinds.SWEPT, {"deal": deal, "side": "A", "count": 1})


def written(place: Place) -> list[str]:
    """Return the ids of the entries of a match after its start, once all that follows from them is found right."""
    match = db.session.get_one(Match, place)
    entries = entries_of(match)
    assert [entry.seq for entry in entries] == list(range(1, match.head + 1))
    standing = standing_after(None, entries)
    assert standing_of(match) == standing
    summary = db.session.get_one(MatchSummary, place)
    assert (summary.totals, summary.deals) == (standing.totals, len(standing.state.closed))
    return [entry.id for entry in entries[1:]]


@pytest.mark.parametrize("at_one_table", [True, False], ids=["at one table", "each at a table"])
def test_of_many_writers_no_entry_is_lost_and_none_is_written_twice(app: Flask, at_one_table: bool) -> None:
    places = matches(WRITERS, at_one_table=at_one_table)

    def play(place: Place) -> list[str]:
        match, ids = db.session.get_one(Match, place), []
        for deal in range(1, DEALS + 1):
            closing = NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"sweeps": {"A": deal % 2, "B": 1}}})
            for new in (sweep(deal), closing):
                commands.write(match, lambda new=new: commands.draft(match, [new]))  # type: ignore[misc]
                ids.append(new.id)
        return ids

    played = at_once(app, *(lambda place=place: play(place) for place in places))  # type: ignore[misc]
    assert [written(place) for place in places] == played
    assert all(len(ids) == 2 * DEALS for ids in played)


def test_of_many_writers_in_one_match_no_entry_is_lost_and_none_is_written_twice(app: Flask, match: Match) -> None:
    place = (match.table_id, match.number)

    def tap() -> list[str]:
        mine, taps = db.session.get_one(Match, place), [sweep() for _turn in range(DEALS)]
        for new in taps:
            commands.write(mine, lambda new=new: commands.draft(mine, [new]))  # type: ignore[misc]
        return [new.id for new in taps]

    tapped = [id for ids in at_once(app, *[tap] * WRITERS) for id in ids]
    assert sorted(written(place)) == sorted(tapped)


def test_a_refused_entry_takes_none_of_those_beside_it_along(app: Flask) -> None:
    places = matches(WRITERS, at_one_table=True)
    used = sweep()
    first = db.session.get_one(Match, places[0])
    commands.write(first, lambda: commands.draft(first, [used]))
    db.session.rollback()

    def play(place: Place) -> list[str]:
        mine, taps = db.session.get_one(Match, place), [sweep() for _turn in range(DEALS)]
        for new in taps:
            commands.write(mine, lambda new=new: commands.draft(mine, [new]))  # type: ignore[misc]
            with pytest.raises(Stale):
                commands.write(mine, lambda: commands.draft(mine, [used]))
            with pytest.raises(NoSuchEntry):
                commands.write(mine, lambda: commands.draft(mine, commands.voiding(entries_of(mine), str(uuid4()))))
        return [new.id for new in taps]

    tapped = at_once(app, *(lambda place=place: play(place) for place in places[1:]))  # type: ignore[misc]
    assert [written(place) for place in places[1:]] == tapped
    assert written(places[0]) == [used.id]


def test_what_was_acknowledged_before_its_process_was_killed_is_there_once(app: Flask, tmp_path: Path) -> None:
    places = matches(4, at_one_table=True)
    where = [f"{table}-{number}" for table, number in places]
    command = [sys.executable, "-c", WRITES_UNTIL_KILLED, str(tmp_path), SECRET, *where]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline().strip() for _entry in range(25)]
        writer.kill()
        acknowledged += [line.strip() for line in writer.stdout if line.endswith("\n")]
    db.session.rollback()
    wait_for_the_server()
    stored = Counter(db.session.scalars(select(Entry.id)))
    assert [id for id in acknowledged if stored[id] != 1] == []
    ids = [id for place in places for id in written(place)]
    assert len(ids) - len(acknowledged) <= len(places), "more is there than was on its way"
    assert all(write_one_more(place) for place in places)


def wait_for_the_server() -> None:
    """Wait until the server is done with what the dead process had asked of it."""
    if db.engine.dialect.name == "postgresql":
        busy = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        while db.session.execute(text(f"{busy} AND state <> 'idle'")).first():
            db.session.rollback()
            time.sleep(0.02)


def write_one_more(place: Place) -> bool:
    """Return whether a match can be written to."""
    match = db.session.get_one(Match, place)
    return commands.write(match, lambda: commands.draft(match, [sweep(match.head)])) == match.head
