"""The pages of a whole table are found in the cache until something is written there, or the day is another one."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import deleted, evenings, moments, queries
from scorekeeper.store.db import db
from scorekeeper.store.models import Match, now
from scorekeeper.web.base import by_facts
from scorekeeper.web.pages import history
from scorekeeper.web.words import evenings as evening_words

from ..base.test_by_facts import counted
from ..conftest import Player, join, open_table

PAGES = ("/history", "/history?who=pairs", "/history/find", "/players/1", "/matches/1/deals/1/close")


@pytest.fixture
def table(app: Flask) -> Player:
    return open_table(app)


def a_day_later(monkeypatch: pytest.MonkeyPatch, days: int = 1) -> None:
    for module in (evenings, moments, history, evening_words, by_facts):
        monkeypatch.setattr(module, "now", lambda: now() + timedelta(days=days))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_another_phone_has_drawn_is_found_with_few_statements(app: Flask, table: Player, page: str) -> None:
    one, other = (join(app, table, "everybody") for _phone in range(2))
    first = one.get(page).html
    with counted(app) as sent:
        again = other.get(page).html
    assert len([statement for statement in sent if statement.startswith("SELECT")]) <= 4, sent
    assert len(again) == len(first)


@pytest.mark.parametrize("page", PAGES)
def test_a_write_at_the_table_draws_it_anew(app: Flask, table: Player, page: str) -> None:
    table.get(page)
    table.sweep("A")
    with counted(app) as sent:
        table.get(page)
    assert len(sent) > 3


def test_each_form_that_is_found_has_an_id_of_its_own(table: Player) -> None:
    ids = {table.get("/matches/1/deals/1/close").form("closing")["id"] for _time in range(3)}
    assert len(ids) == 3


def test_after_the_night_another_evening_is_tonight(table: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = evenings.day_of(now(), None), evenings.day_of(now() + timedelta(days=1), None)
    for _time in range(2):
        assert f"period={after}" not in table.get("/history?period=ever").html
    a_day_later(monkeypatch)
    html = table.get("/history?period=ever").html
    assert f"period={after}" in html
    assert f"period={before}" not in html


def test_a_deleted_match_is_no_longer_offered_once_it_is_gone_for_good(
    app: Flask, table: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        own, owner = found.id, queries.key_of(found, "owner")
    assert table.client.get(f"/o/{owner}").status_code == 200
    table.post("/matches/1/delete", {"id": str(uuid4())})
    assert "Bring it back" in table.get("/history").words
    with app.app_context():
        # As if it were nearly gone, and written at the table since.
        gone = db.session.get_one(Match, (own, 1))
        gone.deleted_at = now() - moments.RESTORABLE + timedelta(hours=1)
        db.session.commit()
    assert "Bring it back" in table.get("/history").words
    later = now() + timedelta(hours=2)
    for module in (moments, deleted, by_facts):
        monkeypatch.setattr(module, "now", lambda: later)
    assert "Bring it back" not in table.get("/history").words
