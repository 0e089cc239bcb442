"""Whoever opens a table resets its expiry, by any link; no page waits for the note, and none fails by it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from flask import Flask
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError

from scorekeeper.store import expiry, queries
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import Table, this_month
from scorekeeper.web.base.opened import DailyWork

from ...helpers.reading import Page
from ..conftest import Player

LONG_AGO, DAY = date(2020, 1, 1), date(2099, 7, 31)


def leave(app: Flask) -> None:
    """Let nobody have opened any table for long, so that all are announced."""
    with app.app_context(), writing():
        db.session.execute(update(Table).values(opened_in=LONG_AGO, expires_on=DAY))


def state(app: Flask) -> tuple[date | None, date | None]:
    with app.app_context():
        table = db.session.scalars(db.select(Table)).one()
        return table.opened_in, table.expires_on


def keys(ana: Player) -> dict[str, str]:
    with ana.app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        return {"play": ana.key, "watch": table.watch_key, "owner": table.owner_key}


BY: dict[str, Callable[[Player, dict[str, str]], int]] = {
    "the board": lambda ana, _keys: ana.get().status,
    "the board of a watcher": lambda ana, keys: Page(ana.app.test_client().get(f"/w/{keys['watch']}")).status,
    "the owner's page": lambda ana, keys: Page(ana.client.get(f"/o/{keys['owner']}")).status,
    "the API": lambda ana, keys: (
        Page(ana.client.get("/api/v1/standing", headers={"Authorization": f"Bearer {keys['watch']}"})).status
    ),
}


@pytest.mark.parametrize("opens", BY.values(), ids=BY)
def test_any_opening_resets_it(app: Flask, ana: Player, opens: Callable[[Player, dict[str, str]], int]) -> None:
    known = keys(ana)
    leave(app)
    assert opens(ana, known) == 200
    assert state(app) == (this_month(), None)


def test_a_page_that_only_lists_tables_and_a_link_that_is_tried_reset_nothing(app: Flask, ana: Player) -> None:
    leave(app)
    for page in (ana.client.get("/"), ana.client.get("/forget"), app.test_client().get(f"/t/{'x' * 22}")):
        page.close()
    assert state(app) == (LONG_AGO, DAY)


def test_a_month_has_one_note(app: Flask, ana: Player) -> None:
    notes: list[str] = []

    def look(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if "opened_in=" in statement:
            notes.append(statement)

    leave(app)
    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", look)
    for _page in range(5):
        ana.get()
        ana.get("/history")
    event.remove(engine, "before_cursor_execute", look)
    assert len(notes) == 1


def test_no_page_fails_where_it_cannot_be_noted(
    app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    leave(app)

    def refuse(_table_id: int) -> None:
        raise OperationalError("UPDATE", None, Exception("attempt to write a readonly database"))

    monkeypatch.setattr(expiry, "note_opening", refuse)
    assert ana.get().status == 200
    assert state(app) == (LONG_AGO, DAY)
    assert caplog.messages == []


@pytest.mark.parametrize(("months", "is_said"), [(0, False), (12, True)])
def test_my_tables_say_when_a_table_goes_if_it_does(app: Flask, ana: Player, months: int, is_said: bool) -> None:
    app.config["EXPIRE_MONTHS"] = months
    leave(app)
    assert ("Will be deleted on July 31, 2099. Open it, and it stays." in ana.client.get("/").text) == is_said
    ana.get()
    assert "Will be deleted" not in ana.client.get("/").text


def test_the_work_of_a_day_is_done_behind_an_answer_and_looked_for_once_an_hour(
    app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.config["EXPIRE_MONTHS"] = 12
    done: list[int] = []
    monkeypatch.setattr(expiry, "daily_work", lambda months, _today: done.append(months))
    work = DailyWork(app)
    monkeypatch.setattr("threading.Thread.start", lambda thread: thread.run())
    for _answer in range(3):
        work.look()
    assert done == [12]


def test_a_fault_of_the_work_is_logged_and_hurts_nobody(
    app: Flask, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_months: int, _today: date) -> None:
        raise OperationalError("UPDATE", None, Exception("database or disk is full"))

    monkeypatch.setattr(expiry, "daily_work", refuse)
    DailyWork(app).run()
    assert len(caplog.messages) == 1
    assert "wait for the next look" in caplog.messages[0]
