"""What many phones do at the same instant ends as if they had done it one after the other."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import func, select

from scorekeeper.store import commands, ownership, queries, summaries
from scorekeeper.store.db import Gone, db, writing
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.entries import JournalError, NewEntry
from scorekeeper.store.journal.match_setup import Setup, sides_of
from scorekeeper.store.models import Entry, Match, MatchSummary, Player, Table

from ..helpers.databases import on_both, on_postgresql
from .conftest import resolved, start

pytestmark = on_both

PHONES = 6


def at_once(app: Flask, *tasks: Callable[[], Any]) -> list[Any]:
    """Do all tasks at the same instant, each in a thread and a connection of its own; return what became of each."""
    barrier, found = threading.Barrier(len(tasks)), [None] * len(tasks)

    def run(place: int) -> None:
        with app.app_context():
            barrier.wait()
            try:
                found[place] = tasks[place]()
            except Exception as error:
                found[place] = error  # type: ignore[call-overload]

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    db.session.rollback()
    return found


def count(rows: Any) -> int:
    return int(db.session.scalar(select(func.count()).select_from(rows)) or 0)


def test_the_same_form_opens_one_table(app: Flask) -> None:
    form, entry = str(uuid4()), str(uuid4())

    def post() -> tuple[int, int]:
        with writing():
            table = commands.open_table("Los jueves", form)
            match = start(table, entry)
            return table.id, match.number

    for _turn in range(3):
        found = at_once(app, *[post] * PHONES)
        assert len(set(map(str, found))) == 1, found
    assert (count(Table), count(Match), count(Player)) == (1, 1, 2)


def test_the_same_form_starts_one_match_and_seats_a_newcomer_once(app: Flask, table: Table) -> None:
    own, entry = table.id, str(uuid4())
    options = resolved()

    def post() -> int:
        with writing():
            mine = db.session.get_one(Table, own)
            numbers = commands.seat_players(mine, ["Nora", "Omar"])
            agreed = Setup("chorizo", "flores", options, sides_of([[numbers[0]], [numbers[1]]]), first_dealer=0)
            return commands.start_match(mine, entry, agreed).number

    assert at_once(app, *[post] * PHONES) == [1] * PHONES
    assert (count(Match), count(Player)) == (1, 2)


def test_a_rematch_that_several_ask_for_is_one(app: Flask, table: Table, match: Match) -> None:
    own, former, options = table.id, match.number, resolved()

    def press(*, beside_newer: bool = False) -> int:
        with writing():
            mine = db.session.get_one(Table, own)
            agreed = Setup("chorizo", "flores", options, sides_of([[1], [2]]), first_dealer=1)
            return commands.start_match(mine, str(uuid4()), agreed, rematch_of=former, beside_newer=beside_newer).number

    assert at_once(app, press, press, press) == [2, 2, 2]
    again = db.session.get_one(Match, (own, 2))
    commands.write(again, lambda: commands.draft(again, [NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {}})]))
    with pytest.raises(commands.NewerMatch):
        press()
    assert press(beside_newer=True) == 3, "once it is played, a rematch is another match, if the table says so"


def test_a_table_is_deleted_while_phones_write(app: Flask) -> None:
    for _turn in range(4):
        with writing():
            table = commands.open_table("Los jueves", str(uuid4()))
            own, numbers = table.id, [start(table).number for _match in range(3)]

        def play(number: int, own: int = own) -> None:
            match = db.session.get(Match, (own, number))
            for deal in range(1, 8):
                if match is None:
                    return
                closing = NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"sweeps": {"A": 1, "B": 0}}})
                mine = match
                commands.write(mine, lambda mine=mine, closing=closing: commands.draft(mine, [closing]))  # type: ignore[misc]

        def delete(own: int = own) -> None:
            with writing():
                ownership.delete_table(db.session.get_one(Table, own))

        phones = [lambda number=number: play(number) for number in [*numbers, *numbers]]
        *played, deleted = at_once(app, *phones, delete)
        assert deleted is None
        # Two who close the same deal at once are told so; whoever writes to what is deleted finds it gone.
        assert all(one is None or isinstance(one, Gone | JournalError) for one in played), played
        assert (count(Table), count(Match), count(Entry), count(MatchSummary)) == (0, 0, 0, 0)


def test_summaries_are_rebuilt_while_phones_write(app: Flask, table: Table, match: Match) -> None:
    own, number = table.id, match.number

    def play() -> None:
        mine = db.session.get_one(Match, (own, number))
        for deal in range(1, 16):
            closing = NewEntry(kinds.DEAL_CLOSED, {"deal": deal, "facts": {"sweeps": {"A": 1, "B": 0}}})
            commands.write(mine, lambda closing=closing: commands.draft(mine, [closing]))  # type: ignore[misc]

    def rebuild() -> None:
        for _turn in range(15):
            list(summaries.rebuild())

    assert at_once(app, play, rebuild) == [None, None]
    [summary], _more = queries.history(table, size=2)
    assert summary.totals == {"A": 15, "B": 0}


@on_postgresql
def test_a_closing_waits_for_the_rebuilding_of_its_match(
    app: Flask, table: Table, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, number, reads, may_go_on = table.id, match.number, threading.Event(), threading.Event()
    whole = summaries.project

    def project(*told: Any) -> None:
        if threading.current_thread().name == "rebuilds":
            reads.set()
            may_go_on.wait(2)
        whole(*told)

    monkeypatch.setattr(summaries, "project", project)

    def rebuild() -> None:
        with app.app_context():
            list(summaries.rebuild())

    thread = threading.Thread(target=rebuild, name="rebuilds")
    thread.start()
    reads.wait(20)
    threading.Timer(0.3, may_go_on.set).start()
    mine = db.session.get_one(Match, (own, number))
    closing = NewEntry(kinds.DEAL_CLOSED, {"deal": 1, "facts": {"sweeps": {"A": 2, "B": 0}}})
    commands.write(mine, lambda: commands.draft(mine, [closing]))
    thread.join()
    [summary], _more = queries.history(table, size=2)
    assert summary.totals == {"A": 2, "B": 0}
