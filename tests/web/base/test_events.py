"""Events that concern security are in the log, without a key, a name or a word of whoever asks."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import queries

from ..conftest import Player

# The lines name a table by its number, which begins at 1 in an app of the test's own.
pytestmark = pytest.mark.own_app


def said(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [message.removeprefix("event ") for message in caplog.messages if message.startswith("event ")]


def owner(ana: Player) -> str:
    with ana.client.session_transaction() as session:
        key: str = session["owned"][0]
    return key


def test_a_renewed_link_is_an_event_once(ana: Player, caplog: pytest.LogCaptureFixture) -> None:
    form = {"former": ana.key, "id": str(uuid4())}
    for _post in range(2):
        ana.client.post(f"/o/{owner(ana)}/renew/play", data=form)
    assert said(caplog) == ["link_renewed link=play table=1"]
    assert ana.key not in caplog.text


def test_a_deleted_match_is_an_event(ana: Player, caplog: pytest.LogCaptureFixture) -> None:
    assert ana.post("/matches/1/delete", {"id": str(uuid4())}).status in (302, 303)
    assert said(caplog) == ["match_deleted table=1 match=1"]


def test_a_deleted_table_is_an_event_without_its_name(ana: Player, caplog: pytest.LogCaptureFixture) -> None:
    with ana.app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        name = table.name
    ana.client.post(f"/o/{owner(ana)}/delete", data={"id": str(uuid4()), "name": "another"})
    assert said(caplog) == []
    ana.client.post(f"/o/{owner(ana)}/delete", data={"id": str(uuid4()), "name": name})
    assert said(caplog) == ["table_deleted by=owner table=1"]
    assert name not in caplog.text


def test_a_watcher_who_writes_is_an_event(app: Flask, ana: Player, caplog: pytest.LogCaptureFixture) -> None:
    with app.app_context():
        table = queries.table_by_play_key(ana.key)
        assert table is not None
        watch = table.watch_key
    stranger = app.test_client()
    assert stranger.post(f"/w/{watch}/matches/1/end?<script>", data={"what": "evil\nevent forged"}).status_code == 403
    assert said(caplog) == ["refused why=right at=matches.end"]
    assert watch not in caplog.text
    assert "forged" not in caplog.text


def test_a_form_of_another_site_is_an_event(ana: Player, caplog: pytest.LogCaptureFixture) -> None:
    ana.app.config["WTF_CSRF_ENABLED"] = True
    assert ana.post("/matches/1/end", {"csrf_token": "evil\nevent forged"}).status == 400
    assert said(caplog) == ["refused why=form at=matches.end"]
    assert "forged" not in caplog.text
