"""A page of another site makes the browser of whoever opens it ask: it uses nothing up that is the family's."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.app import create_app
from scorekeeper.web.base.brakes import HOST, Brakes

CLUB, OTHER = "https://club.example", "https://other.example"
DEAL = '{"game": "scopa", "sides": ["A", "B"], "deal": {"sweeps": {"A": 2}}}'
RULES = "/rules/scopa"
CROSS = {"Sec-Fetch-Site": "cross-site"}
PLAIN = {"Content-Type": "text/plain"}
"""What a form or a script of another site may send without asking first."""


@pytest.fixture
def app(tmp_path: Path, database_url: str | None) -> Flask:
    return create_app({"INSTANCE": tmp_path, "CORS": frozenset({CLUB}), "TESTING": True})


@pytest.fixture
def browser(app: Flask) -> FlaskClient:
    return app.test_client()


def new_table() -> str:
    return f'{{"id": "{uuid4()}", "game": "scopa", "sides": [["Ana"], ["Beto"]]}}'


FOREIGN = [{"Origin": OTHER}, {**CROSS, "Origin": OTHER}, {**CROSS, "Sec-Fetch-Mode": "navigate"}]
"""A script at home, and under HTTPS a script and a form that opens a page."""


@pytest.mark.parametrize("said", FOREIGN)
def test_another_site_opens_no_table_and_asks_no_referee(
    app: Flask, browser: FlaskClient, said: dict[str, str]
) -> None:
    assert browser.post("/api/v1/tables", data=new_table(), headers={**PLAIN, **said}).status_code == 403
    assert browser.post("/api/v1/score", data=DEAL, headers={**PLAIN, **said}).status_code == 403
    of_app: Brakes = app.extensions["scorekeeper.brakes"]
    assert of_app.host_new_tables.used(HOST) == 0
    assert of_app.host_engine.used(HOST) == 0


@pytest.mark.parametrize("said", [{}, {"Origin": "http://localhost"}, {**CROSS, "Origin": CLUB}])
def test_programs_own_pages_and_named_sites_do(browser: FlaskClient, said: dict[str, str]) -> None:
    assert browser.post("/api/v1/tables", data=new_table(), headers=said).status_code == 201
    assert browser.post("/api/v1/score", data=DEAL, headers=said).status_code == 200


@pytest.mark.parametrize(
    "said",
    [
        {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Origin": OTHER},
        {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ],
)
def test_another_site_shows_no_page_of_the_referee_inside_its_own(browser: FlaskClient, said: dict[str, str]) -> None:
    assert browser.get(RULES, headers={**CROSS, **said}).status_code == 403
    assert browser.get("/", headers={**CROSS, **said}).status_code == 200, "a page that costs nothing"


@pytest.mark.parametrize("destination", ["document", "empty"])
def test_a_link_on_another_site_opens(browser: FlaskClient, destination: str) -> None:
    said = {**CROSS, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": destination}
    assert browser.get(RULES, headers=said).status_code == 200
