"""What the app stands on is away for a while: a page says so, loses nothing, and is there again afterwards."""

from __future__ import annotations

import errno
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from scorekeeper.store.db import db

from ..helpers.reading import Page
from .conftest import Player

HTMX = {"HX-Request": "true"}


def of_sqlite(code: int, words: str) -> OperationalError:
    fault = sqlite3.OperationalError(words)
    fault.sqlite_errorcode = code
    return OperationalError("SELECT the statement", {}, fault)


FAULTS: dict[str, Callable[[], Exception]] = {
    "locked": lambda: of_sqlite(sqlite3.SQLITE_BUSY, "database is locked"),
    "full": lambda: of_sqlite(sqlite3.SQLITE_FULL, "database or disk is full"),
    "damaged": lambda: DBAPIError("SELECT", {}, damaged()),
    "server away": lambda: OperationalError("SELECT", {}, psycopg.OperationalError("Connection refused")),
    "connection closed": lambda: InterfaceError("SELECT", {}, psycopg.InterfaceError("the connection is closed")),
    "no connection free": lambda: PoolTimeout("QueuePool limit reached"),
    "no handle free": lambda: OSError(errno.EMFILE, "Too many open files"),
    "no memory": MemoryError,
}


def damaged() -> sqlite3.DatabaseError:
    fault = sqlite3.DatabaseError("database disk image is malformed")
    fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return fault


@contextmanager
def away(app: Flask, fault: Callable[[], Exception] = FAULTS["server away"]) -> Iterator[None]:
    """Have every statement fail."""

    def fail(*_what: object) -> None:
        raise fault()

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", fail)


@pytest.mark.parametrize("name", FAULTS)
def test_whatever_is_away_is_no_crash(app: Flask, ana: Player, name: str, caplog: pytest.LogCaptureFixture) -> None:
    with away(app, FAULTS[name]), caplog.at_level(logging.WARNING):
        page = ana.client.get(f"/t/{ana.key}")
    assert page.status_code == 503
    assert int(page.headers["Retry-After"]) > 0
    assert "Load the page again in a moment" in Page(page).words
    assert "Traceback" not in caplog.text
    assert ana.get().status == 200


@pytest.mark.parametrize(
    ("path", "headers"),
    [("", {}), ("", HTMX), ("/live", {}), ("/owner", {}), ("/matches/1", HTMX), ("/matches/1/deals/1/close", {})],
)
def test_every_page_of_a_table_says_so(app: Flask, ana: Player, path: str, headers: dict[str, str]) -> None:
    there = ana.client.get(f"/t/{ana.key}{path}", headers=headers)
    there.close()
    with away(app):
        answer = ana.client.get(f"/t/{ana.key}{path}", headers=headers)
    assert answer.status_code == (404 if there.status_code == 404 and answer.status_code == 404 else 503)
    assert ("<html" in answer.text) == (not headers)


@pytest.mark.parametrize(
    "path", ["/", "/tables/new", "/captures?game=scopa", "/sw.js", "/static/js/match.js", "/api/v1/openapi.json"]
)
def test_what_needs_no_notebook_is_there(app: Flask, path: str) -> None:
    with away(app), app.test_client().get(path) as answer:
        assert answer.status_code == 200


def test_a_phone_with_tables_is_told_instead_of_having_none(app: Flask, ana: Player) -> None:
    with away(app):
        assert ana.client.get("/").status_code == 503
    assert "Ana" in Page(ana.client.get("/")).words


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_form_is_offered_again_with_all_that_was_typed(app: Flask, ana: Player, headers: dict[str, str]) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    path = ana.deal() + "/sweep"
    typed = {**ana.get().form(action=path), "id": str(uuid4()), "side": "A"}
    with away(app):
        page = ana.post(path, typed, headers=headers)
    assert page.status == 503
    assert "send it again in a moment: what did arrive is not counted twice" in page.words
    assert "kept" not in page.words, "only the page's own script knows whether the phone keeps it"
    again = page.form(action=path)
    assert (again["id"], again["side"]) == (typed["id"], "A")
    assert ana.post(path, again).status in (200, 303)
    assert ana.post(path, again).status in (200, 303)
    assert ana.kinds().count("swept") == 1


def test_a_program_is_told_in_json(app: Flask, ana: Player) -> None:
    entry = {"id": str(uuid4()), "kind": "swept", "match": 1, "deal": 1, "fields": {"side": ["A"]}}
    push = {"table": ana.key, "entries": [entry]}
    with away(app):
        answers = [
            ana.client.get("/api/v1/entries", headers={"Authorization": f"Bearer {ana.key}"}),
            ana.client.post("/api/v1/entries", json=push),
        ]
    for answer in answers:
        assert answer.status_code == 503
        assert answer.headers["Retry-After"]
        assert answer.json is not None
        assert answer.json["problems"][0]["code"] == "http_503"
    assert ana.client.post("/api/v1/entries", json=push).json == {
        "answers": [{"id": entry["id"], "status": "written", "seq": 2}]
    }


@pytest.mark.parametrize("letter", ["t", "o"])
def test_no_key_is_forgotten_because_its_table_could_not_be_looked_up(app: Flask, ana: Player, letter: str) -> None:
    owned = ana.client.get(f"/t/{ana.key}/owner").location
    key = ana.key if letter != "o" else owned.removeprefix("/o/")
    with away(app):
        answer = ana.client.get(f"/{letter}/{key}")
        assert answer.status_code == 503
        ana.client.post("/forget", data={"what": "all"})
        ana.client.post("/open", data={"link": f"/o/{key}"})
    assert "Ana" in Page(ana.client.get("/")).words
    assert ana.client.get(f"/t/{ana.key}/owner").location == owned


@pytest.mark.own_app
def test_what_a_failed_request_put_into_the_cookie_is_taken_back(app: Flask, client: FlaskClient) -> None:
    def half_way() -> str:
        from flask import session

        session.clear()
        session["tables"] = ["another"]
        raise FAULTS["locked"]()

    app.add_url_rule("/half-way", view_func=half_way)
    with client.session_transaction() as session:
        session["tables"] = ["k" * 22]
    assert client.get("/half-way").status_code == 503
    with client.session_transaction() as session:
        assert session["tables"] == ["k" * 22]


def test_one_line_is_logged_however_many_requests_meet_it(
    app: Flask, ana: Player, caplog: pytest.LogCaptureFixture
) -> None:
    with away(app), caplog.at_level(logging.WARNING):
        for _turn in range(20):
            ana.get()
    [line] = caplog.records
    assert line.getMessage() == "The database cannot be reached: Connection refused"
    assert line.exc_info is None


def test_a_mistake_of_the_app_is_none_of_these(app: Flask, ana: Player, caplog: pytest.LogCaptureFixture) -> None:
    missing = of_sqlite(sqlite3.SQLITE_ERROR, "no such column: swordfish")
    with away(app, lambda: missing), caplog.at_level(logging.WARNING):
        assert [ana.get().status for _turn in range(3)] == [500, 500, 500]
    [line] = caplog.records
    assert line.exc_info is not None, "whoever mends it needs the trace, once"
    assert "swordfish" in caplog.text


def test_the_answer_needs_no_file_either(app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_handles(*_what: object, **_more: object) -> str:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr("scorekeeper.web.base.errors.render_template", without_handles)
    with away(app):
        answer = ana.client.get(f"/t/{ana.key}")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert answer.mimetype == "text/plain"
