"""A table from a file, by its pages: at once, piece by piece, in parts, refused; and what its journal says of it."""

from __future__ import annotations

import io
import json
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.limits import ADDRESS_IMPORTS, FILE_MATCH_BYTES
from scorekeeper.store import queries
from scorekeeper.store.db import db
from scorekeeper.store.models import Match
from scorekeeper.store.table_file import jobs

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player

pytestmark = pytest.mark.whole

CLOSED = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


@pytest.fixture
def file(ana: Player) -> bytes:
    """The file of a table with three matches, of which one deal is closed."""
    ana.close(**CLOSED)
    for _match in range(2):
        again = ana.get("/matches/new").form("agree")
        again["step"] = "save"
        ana.post("/matches/new", again)
    return saved(ana)


def saved(player: Player, query: str = "") -> bytes:
    return player.client.get(f"/t/{player.key}/table.json{query}").data


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    """A phone that has no table."""
    client = app.test_client()
    client.get("/")
    return client


def send(client: FlaskClient, text: bytes, to: str = "/tables/import", id: str = "", **more: Any) -> Page:
    data = {"id": id or str(uuid4()), "file": (io.BytesIO(text), "table.json"), **more}
    return Page(client.post(to, data=data, content_type="multipart/form-data"))


def come(client: FlaskClient, answer: Page) -> Player:
    """Go on until the table is there, and return the phone at it."""
    for _piece in range(200):
        if answer.location.startswith("/t/"):
            return Player(client.application, client, answer.location.removeprefix("/t/"))
        assert answer.location.startswith("/tables/import/"), answer.words
        answer = Page(client.post(answer.location, data={}))
    raise AssertionError("it does not come to an end")


def owner_key(player: Player) -> str:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        return table.owner_key


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """One piece for each request, as for a large file."""

    go_on = jobs.go_on
    monkeypatch.setattr("scorekeeper.web.pages.imports.jobs.go_on", lambda form_id, *_seconds: go_on(form_id, 0.0))


class TestATableFromAFile:
    def test_is_there_at_once_where_the_file_is_small(self, phone: FlaskClient, file: bytes) -> None:
        new = come(phone, send(phone, file))
        assert new.get("/history").status == 200
        assert saved(new) == file

    def test_belongs_to_the_phone_that_has_sent_it(self, phone: FlaskClient, file: bytes, ana: Player) -> None:
        new = come(phone, send(phone, file))
        assert new.key != ana.key
        assert new.get("/owner").location == f"/o/{owner_key(new)}"
        assert "Ana" in Page(phone.get("/")).words

    def test_is_one_however_often_its_form_is_sent(self, phone: FlaskClient, file: bytes) -> None:
        id = str(uuid4())
        first, again = (send(phone, file, id=id).location for _time in range(2))
        assert first == again

    def test_says_so_in_its_journal_and_not_of_what_is_noted_later(
        self, phone: FlaskClient, file: bytes, ana: Player
    ) -> None:
        new = come(phone, send(phone, file))
        assert "came from a file" in new.get("/matches/1/journal").words
        assert "came from a file" not in ana.get("/matches/1/journal").words

    def test_goes_on_piece_by_piece_and_says_how_far_it_is(self, phone: FlaskClient, file: bytes, slowly: None) -> None:
        answer = send(phone, file)
        assert answer.location.startswith("/tables/import/")
        assert "of 3 matches" in Page(phone.get(answer.location)).words
        asks = {"HX-Request": "true"}
        drawn = phone.post(answer.location, data={}, headers=asks)
        assert "<main" not in drawn.text
        assert "<progress" in drawn.text
        assert saved(come(phone, answer)) == file

    def test_shows_its_progress_to_no_other_phone(
        self, app: Flask, phone: FlaskClient, file: bytes, slowly: None
    ) -> None:
        address = send(phone, file).location
        other = app.test_client()
        other.get("/")
        assert other.get(address).status_code == 404
        assert other.post(address, data={}).status_code == 404
        assert other.post(f"{address}/cancel", data={}).status_code == 404
        assert phone.get(address).status_code == 200

    def test_is_gone_once_it_is_cancelled(self, phone: FlaskClient, file: bytes, slowly: None) -> None:
        address = send(phone, file).location
        assert Page(phone.post(f"{address}/cancel", data={})).location == "/tables/import"
        assert phone.get(address).status_code == 404


class TestAFileThatIsRefused:
    @pytest.mark.parametrize("text", [b"\xff\xfe", b'{"format": "scorekeeper-table"}'])
    def test_says_so_and_offers_to_choose_another(self, phone: FlaskClient, text: bytes) -> None:
        answer = send(phone, text)
        assert answer.status == 422
        assert "Nothing of this file was written." in answer.words
        assert answer.has_form("take-in")

    def test_says_the_place_in_words(self, phone: FlaskClient, file: bytes) -> None:
        told = json.loads(file)
        told["matches"][1]["entries"][0]["kind"] = "sung"
        answer = send(phone, json.dumps(told).encode())
        assert answer.status == 422
        assert "match 2 of the file, entry 1: kind" in answer.words

    def test_is_none_at_all(self, phone: FlaskClient) -> None:
        answer = send(phone, b"")
        assert answer.status == 422
        assert "Choose the file first." in answer.words
        assert phone.post("/tables/import", data={"id": str(uuid4())}).status_code == 422

    def test_is_too_large(self, phone: FlaskClient, file: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(jobs, "FILE_BYTES", 1000)
        answer = send(phone, file)
        assert answer.status == 413
        assert "in parts" in answer.words
        size = {"CONTENT_LENGTH": str(FILE_MATCH_BYTES + 100_000)}
        answer = Page(phone.post("/tables/import", environ_overrides=size))
        assert answer.status == 413
        assert "in parts" in answer.words

    def test_comes_while_too_many_are_taken_in(self, phone: FlaskClient, file: bytes, slowly: None) -> None:
        for _file in range(ADDRESS_IMPORTS):
            assert send(phone, file).status == 303
        data = {"id": str(uuid4()), "file": (io.BytesIO(file), "table.json")}
        answer = phone.post("/tables/import", data=data, content_type="multipart/form-data")
        assert answer.status_code == 429
        assert int(answer.headers["Retry-After"]) > 0


class TestATableInParts:
    def test_takes_the_other_parts_at_its_owners_page(self, phone: FlaskClient, file: bytes, ana: Player) -> None:
        new = come(phone, send(phone, saved(ana, "?matches=1-2")))
        owner = f"/o/{owner_key(new)}"
        assert "Matches 3 to 3 are not here yet" in Page(phone.get(owner)).words
        assert "begins with match 3" in Page(phone.get(f"{owner}/import")).words
        phone.set_cookie("zone", "America/Bogota")
        assert come(phone, send(phone, saved(ana, "?matches=3-3"), f"{owner}/import")).key == new.key
        assert saved(new) == file
        assert "Another part" not in Page(phone.get(owner)).words

    @pytest.mark.usefixtures("file")
    def test_let_what_is_tapped_at_their_matches_wait_until_all_of_them_are_there(
        self, phone: FlaskClient, ana: Player
    ) -> None:
        new = come(phone, send(phone, saved(ana, "?matches=1-1")))
        tapped = {"id": str(uuid4()), "kind": "swept", "match": 2, "deal": 1, "fields": {"side": ["A"]}}
        body = {"table": new.key, "entries": [tapped]}
        with new.app.app_context():
            table = queries.table_by_play_key(new.key)
            assert table is not None
            jobs.begin("form", saved(ana, "?matches=2-3"), "", table)
            while db.session.get(Match, (table.id, 2)) is None:
                far = jobs.go_on("form", 0)
                assert far is not None
                assert not far.is_over
        refused = phone.post("/api/v1/entries", json=body)
        assert refused.status_code == 503, refused.text
        with new.app.app_context():
            jobs.go_on("form", 60)
        [answer] = phone.post("/api/v1/entries", json=body).get_json()["answers"]
        assert answer["status"] == "written"

    def test_is_led_from_part_to_part_by_a_script(self, phone: FlaskClient, ana: Player, file: bytes) -> None:
        answer = send(phone, saved(ana, "?matches=1-1"), more="yes")
        assert answer.location.startswith("/o/")
        assert answer.location.endswith("/import")
        answer = send(phone, saved(ana, "?matches=2-3"), answer.location)
        assert saved(come(phone, answer)) == file

    def test_refuses_a_part_that_is_there_already(self, phone: FlaskClient, ana: Player, file: bytes) -> None:
        new = come(phone, send(phone, saved(ana, "?matches=1-2")))
        answer = send(phone, saved(ana, "?matches=1-2"), f"/o/{owner_key(new)}/import")
        assert answer.status == 422
        assert "These matches are here already." in answer.words

    def test_takes_no_part_once_something_was_noted(self, phone: FlaskClient, ana: Player, file: bytes) -> None:
        new = come(phone, send(phone, saved(ana, "?matches=1-2")))
        new.post("/matches/2/deals/1/sweep", {"id": str(uuid4()), "side": "A"})
        page = Page(phone.get(f"/o/{owner_key(new)}/import"))
        assert not page.has_form("take-in")
        assert "written here since the first part" in page.words
        assert send(phone, saved(ana, "?matches=3-3"), f"/o/{owner_key(new)}/import").status == 422

    def test_is_not_added_to_a_table_that_was_played_here(self, ana: Player, file: bytes) -> None:
        page = Page(ana.client.get(f"/o/{owner_key(ana)}/import"))
        assert not page.has_form("take-in")
        assert send(ana.client, file, f"/o/{owner_key(ana)}/import").status == 422
