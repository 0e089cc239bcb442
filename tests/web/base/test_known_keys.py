"""A page of a match asks the table of links once, for the key in its address, and opens no seal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import event

from scorekeeper.store import models
from scorekeeper.store.db import db

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table
from .test_access import the_table

OF_A_MATCH = ("", "/matches/1/deals/2/close", "/matches/new")


@contextmanager
def counted(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Count the statements that read links, and the seals that are opened."""
    seen: list[str] = []
    unseal = models.unseal

    def look(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if "links" in statement:
            seen.append(statement)

    def opened(sealed: str) -> str | None:
        seen.append("a seal")
        return unseal(sealed)

    monkeypatch.setattr(models, "unseal", opened)
    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", look)
    yield seen
    event.remove(engine, "before_cursor_execute", look)


@pytest.fixture
def played(app: Flask) -> Player:
    table = open_table(app)
    table.close(**ON_TRUST)
    return table


@pytest.mark.parametrize("path", OF_A_MATCH)
def test_a_page_of_a_match_reads_the_key_of_its_address_and_no_other(
    app: Flask, played: Player, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = f"/w/{the_table(app, played).watch_key}"
    # The owner's phone, one that joins, and one that watches.
    for client, link in ((played.client, f"/t/{played.key}"), (app.test_client(), f"/t/{played.key}")):
        client.get(link)
        with counted(app, monkeypatch) as seen:
            assert Page(client.get(link + path)).status == 200
        assert len(seen) == 1, seen
    with counted(app, monkeypatch) as seen:
        app.test_client().get(watch + path)
    # What a chat shows of the link looks once more.
    assert len(seen) <= 2
    assert "a seal" not in seen


def test_a_tap_reads_it_once(app: Flask, played: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(app, monkeypatch) as seen:
        played.sweep("A", number=2)
    assert len(seen) == 1


def test_the_start_page_opens_no_seal(app: Flask, played: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    with counted(app, monkeypatch) as seen:
        assert played.key in played.client.get("/").text
    assert "a seal" not in seen


def test_a_phone_that_only_reads_gets_no_mark(client: FlaskClient, played: Player) -> None:
    for path in OF_A_MATCH:
        client.get(f"/t/{played.key}{path}")
        client.get(f"/t/{played.key}/matches/1/deals/1/meanwhile?seq=1")
    with client.session_transaction() as session:
        assert "device" not in session
