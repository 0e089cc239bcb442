"""What a page or the interface shows opens nothing: a table is opened again only by the phone whose form opened it."""

from __future__ import annotations

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.limits import FORM_SECONDS
from scorekeeper.store import commands, queries, standings
from scorekeeper.store.db import db, writing
from scorekeeper.store.models import Table

from ...helpers.reading import Page
from ..conftest import Player, agreed, join, with_fields

NAMES = {"player__0": "Ana", "player__1": "Beto"}


def form_of(player: Player, **fields: str) -> MultiDict[str, str]:
    return agreed(player.client, **{**NAMES, **fields})


def post(player: Player, form: MultiDict[str, str]) -> str:
    """Post the form of a new table; return where it leads."""
    page = Page(player.client.post("/tables/new", data=form))
    assert page.status == 303, page.words
    return page.location


def test_no_id_of_a_journal_opens_its_table(app: Flask, ana: Player, stranger: Player) -> None:
    ana.sweep("A")
    shown = {entry.id for entry in ana.entries()}
    pulled = ana.client.get("/api/v1/entries", headers={"Authorization": f"Bearer {ana.key}"}).json
    assert {entry["id"] for entry in pulled["entries"]} == shown
    for id in shown:
        for phone in (stranger, ana):
            assert post(phone, with_fields(form_of(phone), {"id": id})) != f"/t/{ana.key}"
    assert stranger.client.get(f"/t/{ana.key}/owner").status_code == 403


def test_a_form_opens_its_table_again_on_no_other_phone(app: Flask, ana: Player, stranger: Player) -> None:
    form = form_of(ana)
    opened = post(ana, form)
    assert post(stranger, form) != opened
    assert stranger.client.get(f"{opened}/owner").status_code == 403


def test_the_journal_does_not_show_the_id_of_the_form(app: Flask, ana: Player) -> None:
    form = form_of(ana)
    table = Player(app, ana.client, post(ana, form).removeprefix("/t/"))
    [started] = table.entries()
    with app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        assert started.id != form["id"]
        assert not [id for id in (started.id, form["id"]) if commands.table_of_form(id) is not None]


def test_a_form_sent_twice_is_one_table_though_the_first_answer_was_lost(app: Flask) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    phone = Player(app, app.test_client())
    form = form_of(phone)
    first = post(phone, form)
    phone.client.delete_cookie("scorekeeper")
    assert phone.client.get_cookie("scorekeeper_forms") is not None
    assert post(phone, form) == first


def _grows_old(app: Flask, key: str) -> None:
    with app.app_context(), writing():
        table = queries.table_by_play_key(key)
        assert table is not None
        table.created_at -= timedelta(seconds=FORM_SECONDS + 1)


def test_an_old_form_opens_a_new_table_where_the_phone_has_forgotten_the_first(app: Flask, ana: Player) -> None:
    form = form_of(ana)
    opened = post(ana, form)
    with ana.client.session_transaction() as session:
        session["tables"], session["owned"] = [], []
    assert post(ana, form) == opened, "so soon, the answer may have been lost"
    _grows_old(app, opened.removeprefix("/t/"))
    with ana.client.session_transaction() as session:
        session["tables"], session["owned"] = [], []
    again = post(ana, form)
    assert again != opened
    assert post(ana, form) == again


def test_an_entry_s_id_starts_no_match_and_nothing_typed_is_lost(ana: Player) -> None:
    ana.sweep("A")
    form = agreed(ana.client, f"/t/{ana.key}/matches/new", player__1="Cata")
    page = ana.post("/matches/new", with_fields(form, {"id": ana.entries()[-1].id}))
    assert page.status == 409
    again = page.form("agree")
    assert again["player-1"] == "Cata"
    assert ana.post("/matches/new", with_fields(again, {"step": "save"})).status == 303
    assert ana.get("/matches/2").status == 200


def test_three_phones_that_press_rematch_play_one_match(app: Flask, ana: Player) -> None:
    ana.post("/matches/1/end", {"id": str(uuid4())})
    phones = [join(app, ana) for _phone in range(3)]
    forms = [phone.get().form(action="/rematch") for phone in phones]
    pressed = [
        threading.Thread(target=phone.post, args=("/matches/1/rematch", form))
        for phone, form in zip(phones, forms, strict=True)
    ]
    for one in pressed:
        one.start()
    for one in pressed:
        one.join()
    assert ana.get("/matches/2").status == 200
    assert ana.get("/matches/3").status == 404


def test_a_full_table_says_so_and_keeps_what_was_typed(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.store.commands.TABLE_MATCHES", 1)
    form = agreed(ana.client, f"/t/{ana.key}/matches/new", player__1="Cata")
    page = ana.post("/matches/new", form)
    assert page.status == 422
    assert "the most there can be" in page.words
    assert page.form("agree")["player-1"] == "Cata"
    assert ana.get("/matches/2").status == 404


def test_a_full_match_says_so_in_every_way(app: Flask, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.store.journal.entries.MATCH_ENTRIES", 1)
    assert ana.sweep("A").status == 422
    closing = ana.close(award__cards="A")
    assert closing.status == 422
    told = {"id": str(uuid4()), "match": 1, "kind": "swept", "deal": 1, "fields": {"side": ["A"]}}
    answer = ana.client.post("/api/v1/entries", json={"table": ana.key, "entries": [told]})
    assert answer.status_code == 422
    assert "the most there can be" in answer.json["answers"][0]["words"][0]
    assert ana.kinds() == ["match_started"]


def test_a_lost_answer_of_a_live_request_gives_its_room_back(ana: Player) -> None:
    ana.app.extensions["scorekeeper.hub"]._most = 1

    def fails(_response: object) -> None:
        raise OSError("on its way out")

    ana.app.after_request_funcs.setdefault(None, []).append(fails)  # type: ignore[arg-type]
    ana.app.config["PROPAGATE_EXCEPTIONS"] = False
    for _turn in range(2):
        assert ana.client.get(f"/t/{ana.key}/live", buffered=False).status_code == 500
    ana.app.after_request_funcs[None].remove(fails)  # type: ignore[arg-type]
    with ana.client.get(f"/t/{ana.key}/live", buffered=False) as stream:
        assert stream.status_code == 200
    stream.close()
    assert not ana.app.extensions["scorekeeper.hub"]._followers


def test_only_so_many_closings_are_scored_again_for_the_journal(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:

    from ..conftest import ON_TRUST

    for _turn in range(3):
        ana.close(**ON_TRUST)
        closing = ana.entries()[-1]
        ana.post(f"/matches/1/undo/{closing.id}", {"id": str(uuid4())})
    scored = []
    whole = standings.score_deal
    monkeypatch.setattr(standings, "score_deal", lambda *told, **how: scored.append(1) or whole(*told, **how))
    page = ana.get("/matches/1/journal")
    assert "0–0 → 6–2" in page.words
    assert len(scored) == 3
    scored.clear()
    monkeypatch.setattr("scorekeeper.web.pages.journal.SCORED_AGAIN", 1)
    assert ana.get("/matches/1/journal").status == 200
    assert len(scored) == 1
    with ana.app.app_context():
        assert db.session.query(Table).count() == 1
