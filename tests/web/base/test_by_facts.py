"""A page that a phone was shown before is found by one statement, and only where it is the same for this phone."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import brotli
import pytest
from flask import Flask
from sqlalchemy import event

from scorekeeper.store import evenings, prepared
from scorekeeper.store.db import db
from scorekeeper.store.models import now
from scorekeeper.web.base import by_facts
from scorekeeper.web.base.packed import Packed

from ..conftest import ON_TRUST, Player

pytestmark = pytest.mark.whole

PAGES = ("", "/board", "/matches/1", "/matches/1/deals/2/close", "/history")
BROTLI = {"Accept-Encoding": "br", "Accept-Language": "es"}
OF_ONE_ANSWER = re.compile(r'name="(?:id|csrf_token)" (?:type="hidden" )?value="[^"]*"')


@contextmanager
def counted(app: Flask) -> Iterator[list[str]]:
    """Collect the statements that are run meanwhile, those that no session runs, too."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK")):
            found.append(statement)

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", note)
    prepared.LISTENERS.append(found.append)
    try:
        yield found
    finally:
        prepared.LISTENERS.remove(found.append)
        event.remove(engine, "before_cursor_execute", note)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_was_shown_is_found_by_one_statement(ana: Player, page: str) -> None:
    ana.close(**ON_TRUST)
    # What is said once, of a table just opened, is said now.
    ana.get()
    for _time in range(2):
        assert ana.get(page).status == 200
    with counted(ana.app) as statements:
        assert ana.get(page).status == 200
    assert len(statements) == 1, statements


@pytest.mark.parametrize("page", ["", "/history"])
def test_what_is_sent_compressed_is_what_is_sent_plain(ana: Player, page: str) -> None:
    ana.close(**ON_TRUST)
    # What is said once, of a table just opened, is said now.
    ana.get()
    address = f"/t/{ana.key}{page}"
    for _time in range(3):
        packed = ana.client.get(address, headers=BROTLI)
        plain = ana.client.get(address, headers={"Accept-Language": "es"})
        assert packed.headers["Content-Encoding"] == "br"
        assert "Content-Encoding" not in plain.headers
        assert "Accept-Encoding" in packed.headers["Vary"]
        assert "Accept-Encoding" in plain.headers["Vary"]
        read = brotli.decompress(packed.data).decode()
        assert OF_ONE_ANSWER.sub("", read) == OF_ONE_ANSWER.sub("", plain.text)


def test_a_board_is_compressed_once_for_all_phones(ana: Player, beto: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    stream = Packed._stream
    monkeypatch.setattr(Packed, "_stream", lambda page, lengths: made.append(1) or stream(page, lengths))
    for _time in range(3):
        for phone in (ana, beto):
            assert phone.client.get(f"/t/{phone.key}", headers=BROTLI).status_code == 200
    first = len(made)
    for phone in (ana, beto, ana):
        phone.client.get(f"/t/{phone.key}", headers=BROTLI)
    assert len(made) == first


def test_a_phone_is_given_its_own_token_and_new_ids_each_time(ana: Player, beto: Player) -> None:
    boards = []
    for phone in (ana, beto) * 3:
        answer = phone.client.get(f"/t/{phone.key}", headers=BROTLI)
        boards.append(brotli.decompress(answer.data).decode())
    tokens = [set(re.findall(r'name="csrf_token" value="([^"]+)"', board)) for board in boards]
    assert tokens[0].isdisjoint(tokens[1])
    ids = [one for board in boards for one in re.findall(r'name="id" value="([^"]+)"', board)]
    assert len(ids) == len(set(ids)) > 0


def test_a_phone_that_has_the_newest_board_is_told_so_by_one_statement(ana: Player) -> None:
    for _time in range(2):
        version = ana.client.get(f"/t/{ana.key}").headers["Table-Version"]
    with counted(ana.app) as statements:
        answer = ana.client.get(f"/t/{ana.key}?v={version}", headers={"HX-Request": "true"})
    assert answer.status_code == 204
    assert answer.headers["Table-Version"] == version
    assert len(statements) <= 4, "the view answers where this phone has asked for no part before"


def test_a_phone_that_joins_is_asked_who_holds_it_though_the_board_is_kept(ana: Player) -> None:
    for _time in range(3):
        ana.get()
    newcomer = ana.app.test_client()
    page = newcomer.get(f"/t/{ana.key}")
    assert page.headers.get("X-Scorekeeper") == "once"


def test_a_table_that_has_moved_says_so_on_every_page_that_was_kept(ana: Player) -> None:
    for page in ("", "/matches/1"):
        for _time in range(2):
            assert "is only read" not in ana.get(page).words
    with ana.app.app_context():
        db.session.execute(db.text("UPDATE tables SET moved_to = 'https://other.example/t/x'"))
        db.session.commit()
    for page in ("", "/matches/1"):
        assert "other.example" in ana.get(page).words


def test_a_board_is_drawn_anew_once_its_evening_has_ended(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    ana.close(**ON_TRUST)
    ana.stop(leader=True)
    ana.post("/matches/1/rematch", ana.get().form(action="/rematch"))
    for _time in range(3):
        ana.get()
    with counted(ana.app) as statements:
        ana.get()
    assert len(statements) == 1, statements
    for module in (evenings, by_facts):
        monkeypatch.setattr(module, "now", lambda: now() + evenings.GAP)
    with counted(ana.app) as statements:
        ana.get()
    assert len(statements) > 1, statements


def test_ten_phones_that_ask_at_once_have_one_of_them_draw(app: Flask, ana: Player) -> None:
    drawing = app.extensions["scorekeeper.drawing"]
    together, most = 0, 0
    lock = threading.Lock()

    def draw() -> None:
        nonlocal together, most
        with drawing.turn("board"):
            with lock:
                together += 1
                most = max(most, together)
            time.sleep(0.01)
            with lock:
                together -= 1

    threads = [threading.Thread(target=draw) for _phone in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1
    assert not drawing._locks


def test_a_phone_waits_no_longer_than_a_bound_for_another_to_draw(
    app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_facts, "DRAWING_SECONDS", 0.01)
    drawing = app.extensions["scorekeeper.drawing"]
    with drawing.turn("board"), drawing.turn("board"):
        pass
    assert not drawing._locks
