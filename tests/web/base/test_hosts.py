"""The host that a request names goes into links: what cannot be one is refused before anything reads the request."""

from __future__ import annotations

import logging

import pytest
from flask.testing import FlaskClient
from werkzeug.test import create_environ, run_wsgi_app

from scorekeeper.web.base.hosts import is_host

from ..conftest import Player

BAD = ("xn--\u00e9", "a" * 64, "a b", "x@y", "", "a:99999", "a/b")


@pytest.mark.parametrize("host", BAD)
def test_what_is_no_host_gets_a_plain_400(ana: Player, host: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        asked = {**create_environ(f"/t/{ana.key}"), "HTTP_HOST": host}
        _body, status, headers = run_wsgi_app(ana.app.wsgi_app, asked)
    assert status == "400 Bad Request"
    assert headers["Content-Type"].startswith("text/plain")
    assert "Set-Cookie" not in headers
    assert caplog.text == ""


@pytest.mark.parametrize("host", ["192.168.1.20:8000", "cards.example.", "[::1]:8000"])
def test_what_can_be_one_is_taken(client: FlaskClient, host: str) -> None:
    assert is_host(host)
    assert client.get("/prime", headers={"Host": host}).status_code == 200
