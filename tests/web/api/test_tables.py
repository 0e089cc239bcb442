"""Programs read tables by the key of a link, and open tables as the page does."""

from __future__ import annotations

import logging
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.store import queries
from scorekeeper.web.api.openapi import description

from ..conftest import ON_TRUST, Player, open_table

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
ADDRESSES = ("standing", "sheet", "matches")


@pytest.fixture
def api(app: Flask) -> FlaskClient:
    return app.test_client(use_cookies=False)


def read(api: FlaskClient, key: str, address: str) -> TestResponse:
    return api.get(f"/api/v1/{address}", headers={"Authorization": f"Bearer {key}"})


def asked(**more: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "game": "scopa", "sides": [["Ana"], ["Beto"]], **more}


def watch_key(app: Flask, player: Player) -> str:
    with app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        return table.watch_key


@pytest.mark.parametrize("link", ["play", "watch"])
def test_both_links_read_where_the_match_stands(app: Flask, api: FlaskClient, ana: Player, link: str) -> None:
    ana.close(**TRUST)
    key = ana.key if link == "play" else watch_key(app, ana)
    told = read(api, key, "standing")

    assert told.status_code == 200
    assert told.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in told.headers
    assert told.json is not None
    assert (told.json["match"], told.json["status"], told.json["deal"], told.json["closed"]) == (1, "playing", 2, [1])
    assert told.json["totals"] == ana.totals()
    assert [side["players"] for side in told.json["sides"]] == [["Ana"], ["Beto"]]
    assert ana.key not in told.text


def test_the_sheet_of_a_deal_is_that_of_the_standing(api: FlaskClient, ana: Player) -> None:
    assert read(api, ana.key, "sheet").status_code == 404
    ana.close(**TRUST)
    told = read(api, ana.key, "sheet?match=1&deal=1")

    assert told.json is not None
    assert told.json["deal"] == 1
    assert told.json["sheet"]["points"] == ana.totals()
    assert read(api, ana.key, "sheet").json == told.json
    assert read(api, ana.key, "sheet?deal=7").status_code == 404
    assert read(api, ana.key, "sheet?match=9").status_code == 404
    assert read(api, ana.key, "sheet?deal=x").status_code == 400


def test_matches_are_listed_newest_first_in_pages(api: FlaskClient, ana: Player) -> None:
    ana.close(**TRUST)
    told = read(api, ana.key, "matches").json

    assert told is not None
    assert [(match["match"], match["totals"], match["status"]) for match in told["matches"]] == [
        (1, ana.totals(), "playing")
    ]
    assert told["next"] is None
    assert read(api, ana.key, "matches?before=1").json == {"matches": [], "next": None}


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_wrong_key_is_401_and_nothing_else_is_said(api: FlaskClient, ana: Player, address: str) -> None:
    key = "no-such-key-of-a-table"
    told = read(api, key, f"{address}?match=99")

    assert told.status_code == 401
    assert told.www_authenticate.type == "bearer"
    assert told.headers["Cache-Control"] == "no-store"
    assert told.json is not None
    assert [problem["code"] for problem in told.json["problems"]] == ["http_401"]
    assert told.json == read(api, key, address).json


def test_a_table_is_opened_and_can_be_played_at(app: Flask, api: FlaskClient) -> None:
    told = api.post("/api/v1/tables", json=asked(name="Sunday", options={"target": 16}, first_dealer=1))

    assert told.status_code == 201
    assert told.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in told.headers
    assert told.json is not None
    keys = told.json["keys"]
    assert len({*keys.values()}) == 3
    assert told.json["links"]["play"] == f"/t/{keys['play']}"
    stands = read(api, keys["watch"], "standing").json
    assert stands is not None
    assert (stands["game"], stands["options"]["target"], stands["deal"]) == ("scopa", 16, 1)
    assert [side["players"] for side in stands["sides"]] == [["Ana"], ["Beto"]]
    tap = {"id": str(uuid4()), "match": 1, "deal": 1, "kind": "swept", "payload": {"side": "A", "count": 1}}
    assert api.post("/api/v1/entries", json={"table": keys["play"], "entries": [tap]}).status_code == 200
    assert api.get(told.json["links"]["owner"]).status_code == 200


def test_no_key_is_written_into_the_log(
    app: Flask, api: FlaskClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    told = api.post("/api/v1/tables", json=asked()).json
    assert told is not None
    for key in (*told["keys"].values(), "wrong" * 5):
        for address in ADDRESSES:
            read(api, key, address)

    def breaks(*_args: object, **_more: object) -> None:
        raise ValueError("of a table that cannot be read")

    # Also the trace of a mistake of ours has none.
    app.config["PROPAGATE_EXCEPTIONS"] = False
    monkeypatch.setattr("scorekeeper.web.api.tables.shown_match", breaks)
    assert read(api, told["keys"]["play"], "standing").status_code == 500
    assert "of a table that cannot be read" in caplog.text
    assert not [key for key in (*told["keys"].values(), "wrong" * 5) if key in caplog.text]


def test_a_table_is_opened_with_lines_of_its_own(api: FlaskClient) -> None:
    lines = [{"name": "Napola", "points": 1, "how": "one"}, {"name": "Re bello", "points": -2, "how": "count"}]
    told = api.post("/api/v1/tables", json=asked(own_lines=lines)).json
    assert told is not None
    stands = read(api, told["keys"]["play"], "standing").json
    assert stands is not None
    assert stands["own_lines"] == lines
    assert "series" not in stands
    plain = api.post("/api/v1/tables", json=asked()).json
    assert plain is not None
    assert "own_lines" not in (read(api, plain["keys"]["play"], "standing").json or {})


def test_the_same_request_opens_one_table_and_another_with_its_id_opens_another(api: FlaskClient) -> None:
    request = asked()
    first, again = (api.post("/api/v1/tables", json=request) for _ in range(2))
    other = api.post("/api/v1/tables", json={**request, "sides": [["Eva"], ["Fede"]]})

    assert first.status_code == again.status_code == other.status_code == 201
    assert first.json == again.json
    assert first.json is not None
    assert other.json is not None
    assert not {*first.json["keys"].values()} & {*other.json["keys"].values()}


@pytest.mark.parametrize(
    ("change", "status", "where"),
    [
        ({"game": "canasta"}, 422, "game"),
        ({"options": {"targget": 16}}, 422, "options.targget"),
        ({"sides": [["Ana"], ["Ana"]]}, 422, "sides[1][0]"),
        ({"name": "x" * 500}, 422, "name"),
        ({"first_dealer": 7}, 422, "first_dealer"),
        ({"id": "x"}, 422, "id"),
        ({"sides": [["Ana"], ["Beto", "Carla"]]}, 400, "sides[1]"),
        ({"players": 2}, 400, "players"),
        ({"own_lines": [{"name": "Napola", "points": 0, "how": "one"}]}, 422, "own_lines[0].points"),
        ({"name": "a\0b"}, 400, ""),
    ],
    ids=lambda part: str(part)[:30],
)
def test_what_cannot_be_is_refused_with_its_place(
    api: FlaskClient, change: dict[str, Any], status: int, where: str
) -> None:
    told = api.post("/api/v1/tables", json=asked(**change))

    assert told.json is not None
    assert (told.status_code, told.json["problems"][0]["at"]) == (status, where)


@pytest.mark.parametrize("body", [b"null", b'{"id": 1, "id": 2}', b'{"id": NaN}'], ids=str)
def test_what_is_no_request_is_malformed(api: FlaskClient, body: bytes) -> None:
    assert api.post("/api/v1/tables", data=body).status_code == 400


def test_the_examples_of_push_and_pull_are_what_is_answered(app: Flask, api: FlaskClient) -> None:
    table = open_table(app)
    push, pull = (description()["paths"]["/api/v1/entries"][method] for method in ("post", "get"))
    sent = {**push["requestBody"]["content"]["application/json"]["example"], "table": table.key}
    told = api.post("/api/v1/entries", json=sent)

    assert told.status_code == 200
    assert told.json == push["responses"]["200"]["content"]["application/json"]["example"]
    pulled = read(api, table.key, "entries?match=1&after=1").json
    assert pulled is not None
    shown = pull["responses"]["200"]["content"]["application/json"]["example"]
    times = {"at": "", "written_at": "", "author": None}
    assert pulled.keys() == shown.keys()
    assert {**pulled["entries"][0], **times} == {**shown["entries"][0], **times}
    assert pulled["head"] == shown["head"]
