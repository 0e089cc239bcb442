"""Pages of other sites may read the API where the host names them, and nothing else, and never with cookies."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper import config
from scorekeeper.app import create_app

CLUB = "https://club.example"


@pytest.fixture
def api(tmp_path: Path) -> FlaskClient:
    return create_app({"INSTANCE": tmp_path, "CORS": frozenset({CLUB})}).test_client()


@pytest.mark.parametrize("path", ["/api/v1/games", "/api/v1/nothing"])
def test_a_named_site_may_read_the_api(api: FlaskClient, path: str) -> None:
    told = api.get(path, headers={"Origin": CLUB})

    assert told.headers["Access-Control-Allow-Origin"] == CLUB
    assert "Access-Control-Allow-Credentials" not in told.headers
    assert "Origin" in told.vary


def test_its_preflight_is_answered(api: FlaskClient) -> None:
    asked = {"Origin": CLUB, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    told = api.options("/api/v1/score", headers=asked)

    assert told.status_code == 200
    assert told.headers["Access-Control-Allow-Origin"] == CLUB
    assert "POST" in told.headers["Access-Control-Allow-Methods"]
    assert {"Authorization", "Content-Type"} <= set(told.headers["Access-Control-Allow-Headers"].split(", "))
    assert "Access-Control-Allow-Credentials" not in told.headers


@pytest.mark.parametrize("origin", ["null", f"{CLUB}.evil.example"])
def test_another_site_may_not(api: FlaskClient, origin: str) -> None:
    for told in (
        api.get("/api/v1/games", headers={"Origin": origin}),
        api.options("/api/v1/score", headers={"Origin": origin, "Access-Control-Request-Method": "POST"}),
    ):
        assert "Access-Control-Allow-Origin" not in told.headers
        assert "Origin" in told.vary


@pytest.mark.parametrize("path", ["/", "/api/v10/x"])
def test_no_page_may_be_read(api: FlaskClient, path: str) -> None:
    assert "Access-Control-Allow-Origin" not in api.get(path, headers={"Origin": CLUB}).headers


def test_without_the_setting_nobody_may(tmp_path: Path) -> None:
    told = create_app({"INSTANCE": tmp_path}).test_client().get("/api/v1/games", headers={"Origin": CLUB})

    assert "Access-Control-Allow-Origin" not in told.headers


def test_the_setting_is_a_list_of_origins(tmp_path: Path) -> None:
    environ = {
        "SCOREKEEPER_INSTANCE": str(tmp_path),
        "SCOREKEEPER_CORS": f"{CLUB}, http://LOCALHOST:5173 http://[::1]:80",
    }

    assert config.load(environ=environ)["CORS"] == {CLUB, "http://localhost:5173", "http://[::1]:80"}


@pytest.mark.parametrize("origin", ["*", "club.example", f"{CLUB}/"])
def test_what_is_no_origin_is_refused_with_what_to_write(tmp_path: Path, origin: str) -> None:
    environ = {"SCOREKEEPER_INSTANCE": str(tmp_path), "SCOREKEEPER_CORS": f"{CLUB} {origin}"}
    with pytest.raises(config.UnsafeConfiguration, match=r"SCOREKEEPER_CORS .*https://club\.example"):
        config.load(environ=environ)
