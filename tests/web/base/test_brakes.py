"""Each brake against its attack: beyond its bound the answer is 429 in words, and nothing that was typed is lost."""

from __future__ import annotations

import io
import json
import logging
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper import config
from scorekeeper.limits import ENGINE_SPARED
from scorekeeper.web.base import brakes
from scorekeeper.web.base.brakes import ENGINE, HOST, Brakes

from ...conftest import MakeApp
from ...helpers.reading import Page
from ..conftest import Player, agreed, open_table, with_fields

pytestmark = pytest.mark.whole

ANA, BETO = "203.0.113.7", "198.51.100.9"
"""Two addresses of the internet."""
BRAKED = {
    "NEW_TABLES": 3,
    "HOST_NEW_TABLES": 5,
    "WRONG_KEYS": 4,
    "ENGINE_SECONDS": 10,
    "HOST_ENGINE_SECONDS": 30,
    "TABLE_STREAMS": 3,
    "ADDRESS_STREAMS": 4,
    "CONNECTIONS": 5,
}
CONTRACT = {"game": "scopa", "sides": ["A", "B"], "deal": {"sweeps": {"A": 2}}}

Settings = Callable[..., Flask]


@pytest.fixture
def braked(make_app: MakeApp) -> Settings:
    """Makes an app with small brakes, on the one database."""
    assert BRAKED.keys() == config.brakes().keys()

    def make(**settings: Any) -> Flask:
        braked = {**BRAKED, **settings.pop("BRAKED", {})}
        return make_app(**{"BRAKES": "", "BRAKED": braked, **settings})

    return make


@pytest.fixture
def app(braked: Settings) -> Flask:
    return braked()


def phone(app: Flask, address: str = ANA) -> FlaskClient:
    """A phone at an address of the internet that has seen the start page."""
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    client.get("/")
    return client


def new_table(client: FlaskClient, form: Any) -> TestResponse:
    names = {"player-0": "Ana", "player-1": "Beto", "table_name": "Los viernes"}
    return client.post("/tables/new", data=with_fields(form, {"id": str(uuid4()), **names}))


def by_the_api(client: FlaskClient, id: str = "") -> TestResponse:
    asked = {"id": id or str(uuid4()), "game": "scopa", "sides": [["Ana"], ["Beto"]]}
    return client.post("/api/v1/tables", json=asked)


def wait_of(answer: TestResponse) -> int:
    assert answer.status_code == 429, answer.text
    return int(answer.headers["Retry-After"])


class TestNewTables:
    def test_are_ten_an_hour_of_one_address_and_what_was_typed_is_offered_again(self, app: Flask) -> None:
        ana = phone(app)
        form = agreed(ana)
        assert [new_table(ana, form).status_code for _turn in range(3)] == [303] * 3
        refused = new_table(ana, form)
        assert 3500 < wait_of(refused) <= 3600
        page = Page(refused)
        assert "From this network 3 tables were opened within an hour." in page.words
        assert "Try it again in 60 minutes." in page.words
        typed = page.form(action="/tables/new")
        assert (typed["player-0"], typed["table_name"]) == ("Ana", "Los viernes")
        assert new_table(phone(app, BETO), form).status_code == 303

    def test_count_on_pages_in_the_api_and_from_files_together(self, app: Flask) -> None:
        ana = phone(app)
        assert new_table(ana, agreed(ana)).status_code == 303
        opened = by_the_api(ana)
        assert opened.status_code == 201
        assert opened.json is not None
        file = ana.get(f"/t/{opened.json['keys']['play']}/table.json").data
        assert sent(ana, file).status_code == 303
        assert wait_of(sent(ana, file))
        assert "From this network" in Page(sent(ana, file)).words
        refused = by_the_api(ana)
        assert wait_of(refused)
        assert refused.json is not None
        assert refused.json["problems"][0]["code"] == "http_429"

    def test_do_not_count_a_form_that_is_posted_again(self, app: Flask) -> None:
        ana = phone(app)
        form = with_fields(agreed(ana), {"id": str(uuid4()), "player-0": "Ana", "player-1": "Beto"})
        assert len({ana.post("/tables/new", data=form).location for _turn in range(9)}) == 1
        id = str(uuid4())
        assert {by_the_api(ana, id).status_code for _turn in range(9)} == {201}
        assert new_table(ana, form).status_code == 303

    def test_of_a_host_are_bounded_too(self, app: Flask) -> None:
        for number in range(5):
            assert by_the_api(phone(app, f"203.0.113.{number}")).status_code == 201
        refused = by_the_api(phone(app, "203.0.113.99"))
        assert wait_of(refused)
        assert "On this server" in refused.text

    def test_of_one_home_with_hundreds_of_networks_leave_a_part_of_the_hosts(self, braked: Settings) -> None:
        app = braked(BRAKED={"HOST_NEW_TABLES": 20})
        opened = [by_the_api(phone(app, f"2001:db8:7:{number:x}::1")).status_code for number in range(20)]
        assert opened.count(201) == 10, "half of the host's"
        assert by_the_api(phone(app, "2001:db8:8::1")).status_code == 201
        assert by_the_api(phone(app, ANA)).status_code == 201

    def test_behind_a_proxy_that_nobody_named_are_bounded_for_the_host_alone(self, app: Flask) -> None:
        """Else all phones behind it would be one address, and any of them could stop all others."""
        ana = phone(app, "10.0.0.9")
        forwarded = {"X-Forwarded-For": ANA}
        asked = [{"id": str(uuid4()), "game": "scopa", "sides": [["Ana"], ["Beto"]]} for _turn in range(6)]
        answers = [ana.post("/api/v1/tables", json=one, headers=forwarded).status_code for one in asked]
        assert answers == [201] * BRAKED["HOST_NEW_TABLES"] + [429]

    def test_count_over_all_processes_of_a_host(self, app: Flask, braked: Settings) -> None:
        other = braked(BRAKES_MEMORY=memory_of(app))
        for number in range(3):
            assert by_the_api(phone((app, other)[number % 2])).status_code == 201
        assert wait_of(by_the_api(phone(app)))
        assert wait_of(by_the_api(phone(other)))

    def test_are_as_many_as_one_likes_where_the_host_says_so(self, braked: Settings) -> None:
        free = braked(BRAKED={"NEW_TABLES": 0, "HOST_NEW_TABLES": 0})
        ana = phone(free)
        assert {by_the_api(ana).status_code for _turn in range(9)} == {201}
        off = phone(braked(BRAKES="off"))
        assert {by_the_api(off).status_code for _turn in range(9)} == {201}


def memory_of(app: Flask) -> Any:
    """Return what an app counts in, as a server hands it to all its workers."""
    of_app: Brakes = app.extensions["scorekeeper.brakes"]
    return of_app.counts


def sent(client: FlaskClient, text: bytes) -> TestResponse:
    data = {"id": str(uuid4()), "file": (io.BytesIO(text), "table.json")}
    return client.post("/tables/import", data=data, content_type="multipart/form-data")


def wrong(number: int) -> str:
    return f"wrong{number:017}"


WRONG: dict[str, Callable[[FlaskClient, str], TestResponse]] = {
    "play": lambda client, key: client.get(f"/t/{key}"),
    "watch": lambda client, key: client.get(f"/w/{key}/history"),
    "pasted": lambda client, key: client.post("/open", data={"link": key}),
    "read": lambda client, key: client.get("/api/v1/standing", headers={"Authorization": f"Bearer {key}"}),
    "pushed": lambda client, key: client.post("/api/v1/entries", json={"table": key, "entries": [{}]}),
}


class TestWrongKeys:
    @pytest.mark.parametrize("way", WRONG)
    def test_are_few_of_one_address_by_whichever_way(self, app: Flask, way: str) -> None:
        ana = phone(app)
        assert {WRONG[way](ana, wrong(number)).status_code for number in range(4)} <= {401, 404, 422}
        assert 0 < wait_of(WRONG[way](ana, wrong(4))) <= 60
        assert wait_of(WRONG[way](ana, wrong(4)))
        assert WRONG[way](phone(app, BETO), wrong(5)).status_code != 429

    def test_used_up_leave_the_right_ones_open(self, app: Flask) -> None:
        table = open_table(app)
        stranger = phone(app)
        for number in range(9):
            stranger.get(f"/t/{wrong(number)}")
        assert wait_of(stranger.get(f"/t/{wrong(1000)}"))
        assert stranger.get(f"/t/{table.key}/phone").status_code == 200
        assert "The right one opens all the same." in Page(stranger.get(f"/t/{wrong(1001)}")).words

    def test_of_a_renewed_link_are_one(self, app: Flask) -> None:
        """Nine screens of a table whose link was renewed ask for it every two seconds."""
        ana = phone(app)
        assert {ana.get(f"/t/{wrong(1)}").status_code for _turn in range(100)} == {404}
        assert ana.get(f"/t/{wrong(2)}").status_code == 404


def mark_of(app: Flask, address: str) -> str:
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        mark = brakes._asking()
    assert mark is not None
    return mark


def used(app: Flask, address: str, seconds: float) -> None:
    """As if an address had kept the engine busy for so long."""
    of_app: Brakes = app.extensions["scorekeeper.brakes"]
    of_app.engine.take(mark_of(app, address), round(1000 * seconds))
    of_app.host_engine.take(HOST, round(1000 * seconds))


def score(client: FlaskClient) -> TestResponse:
    return client.post("/api/v1/score", json=CONTRACT)


class TestTheEngine:
    def test_counts_what_each_request_takes_of_a_processor(self, app: Flask) -> None:
        ana = phone(app)
        before = time.thread_time()
        for _turn in range(20):
            assert score(ana).status_code == 200
        spent = 1000 * (time.thread_time() - before)
        of_app: Brakes = app.extensions["scorekeeper.brakes"]
        # A request counts a thousandth at the least.
        assert 20 <= of_app.host_engine.used(HOST) <= spent + 21

    def test_is_closed_to_an_address_that_has_used_its_time(self, app: Flask) -> None:
        ana = phone(app)
        used(app, ANA, 9.9)
        assert score(ana).status_code == 200
        used(app, ANA, 1)
        refused = score(ana)
        assert 0 < wait_of(refused) <= 60
        assert refused.json is not None
        assert refused.json["status"] == "invalid"
        assert score(phone(app, BETO)).status_code == 200

    def test_closed_leaves_the_board_and_the_taps_on_the_phone(self, app: Flask) -> None:
        table = open_table(app)
        ana = phone(app)
        assert Player(app, ana, table.key).hold().status == 303
        used(app, ANA, 11)
        assert ana.get(f"/t/{table.key}").status_code == 200
        refused = ana.post("/api/v1/entries", json={"table": table.key, "entries": [{}]})
        # js/waiting/send.js: a push that is answered 429 is sent again later, after this time.
        assert wait_of(refused)
        page = ana.get(f"/t/{table.key}/matches/1/deals/1/close")
        assert "the referee was asked too often" in Page(page).words

    def test_closed_leaves_the_pages_that_need_it_no_more(self, app: Flask) -> None:
        """A page that is as it was when this phone saw it last costs the engine nothing."""
        table = open_table(app)
        ana = phone(app)
        assert Player(app, ana, table.key).hold().status == 303
        match = f"/t/{table.key}/matches/1"
        assert [ana.get(match).status_code for _turn in range(2)] == [200, 200]
        used(app, ANA, 11)
        spent = app.extensions["scorekeeper.brakes"].host_engine.used(HOST)
        assert ana.get(match).status_code == 200
        assert app.extensions["scorekeeper.brakes"].host_engine.used(HOST) == spent
        assert wait_of(ana.get(f"{match}/deals/1/close"))
        assert table.sweep("A").status < 400
        assert wait_of(ana.get(match))

    def test_of_a_host_has_a_reserve_for_those_who_have_used_little(self, app: Flask) -> None:
        """A few strangers who use all that is theirs do not stop a table that closes a deal."""
        strangers = [f"198.51.100.{number}" for number in range(2)]
        for stranger in strangers:
            used(app, stranger, 8)
        assert wait_of(score(phone(app, strangers[0])))
        assert score(phone(app, ANA)).status_code == 200
        used(app, ANA, ENGINE_SPARED)
        refused = score(phone(app, ANA))
        assert wait_of(refused)
        assert "The referee is very busy just now." in refused.text

    def test_of_a_host_takes_no_more_than_its_share_from_all(self, app: Flask) -> None:
        for number in range(30):
            used(app, f"198.51.100.{number}", 1)
        assert wait_of(score(phone(app, ANA)))
        assert phone(app, ANA).get("/").status_code == 200

    def test_counts_those_that_it_has_not_answered_yet(self, app: Flask) -> None:
        """Hundreds that one address sends at once would all have begun before the first of them is counted."""
        ana = phone(app)
        of_app: Brakes = app.extensions["scorekeeper.brakes"]
        marks = [mark_of(app, ANA)] * 40
        for mark in marks:
            of_app.under_way.begin(mark)
        assert wait_of(score(ana))
        assert score(phone(app, BETO)).status_code == 200
        of_app.under_way.end(marks.pop())
        assert score(ana).status_code == 200
        for mark in marks:
            of_app.under_way.end(mark)
        assert not of_app.under_way._counts, "what was answered or refused is under way no more"

    def test_leaves_who_has_used_little_alone_while_it_answers_many_strangers(self, app: Flask) -> None:
        of_app: Brakes = app.extensions["scorekeeper.brakes"]
        for _turn in range(200):
            of_app.under_way.begin(HOST)
        assert score(phone(app, ANA)).status_code == 200
        used(app, BETO, ENGINE_SPARED)
        assert wait_of(score(phone(app, BETO)))

    def test_has_half_the_cores_of_a_host(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(config, "_cores", lambda: 4)
        assert config.brakes()["HOST_ENGINE_SECONDS"] == 120

    def test_is_asked_by_blueprints_that_there_are(self, app: Flask) -> None:
        assert {*app.blueprints, *app.view_functions} >= ENGINE


def streams(client: FlaskClient, key: str, most: int) -> list[TestResponse]:
    """Open streams of a table until one is refused; return those that are open."""
    opened = []
    for _turn in range(most):
        answer = client.get(f"/t/{key}/live", buffered=False)
        if answer.status_code != 200:
            break
        opened.append(answer)
    return opened


class TestLiveStreams:
    def test_of_a_table_and_of_an_address_are_bounded(self, app: Flask) -> None:
        tables = [open_table(app), open_table(app)]
        ana, beto = phone(app), phone(app, BETO)
        opened = streams(ana, tables[0].key, 9)
        assert len(opened) == 3, "of the table"
        assert streams(beto, tables[0].key, 9) == [], "of the table, from wherever"
        more = streams(ana, tables[1].key, 9)
        assert len(more) == 1, "of the address"
        others = streams(beto, tables[1].key, 9)
        assert len(others) == 2
        for stream in (*opened, *more, *others):
            stream.close()
        again = streams(ana, tables[0].key, 9)
        assert len(again) == 3
        for stream in again:
            stream.close()

    def test_are_none_of_a_request_for_the_head(self, app: Flask) -> None:
        table = open_table(app)
        ana = phone(app)
        for _turn in range(9):
            assert ana.head(f"/t/{table.key}/live").status_code == 204
        assert app.extensions["scorekeeper.brakes"].streams.count(f"address {ANA}") == 0


def test_a_brake_is_one_line_of_the_log_a_minute_and_says_no_address(
    app: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    ana = phone(app)
    with caplog.at_level(logging.INFO):
        for number in range(50):
            ana.get(f"/t/{wrong(number)}")
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 1
    assert "wrong_keys" in lines[0]
    assert ANA not in lines[0]
    assert not re.search("wrong0", lines[0])


def test_an_answer_of_a_brake_is_stored_by_nobody(app: Flask) -> None:
    ana = phone(app)
    for number in range(5):
        answer = ana.get(f"/t/{wrong(number)}")
    assert wait_of(answer)
    assert "no-store" in answer.headers["Cache-Control"]
    assert json.dumps(ANA) not in answer.text
