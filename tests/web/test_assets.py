"""Static files: fetched once, under an address that names their content; nothing outside the folder is served."""

from __future__ import annotations

import re

import pytest
from flask import Flask, url_for
from flask.testing import FlaskClient

from scorekeeper.config import data_folder

BEHIND = re.compile(r"(?!//).*[^:\"'`]//")
"""A comment behind code, but no address."""


def address(app: Flask, filename: str) -> str:
    with app.test_request_context():
        return url_for("static", filename=filename)


@pytest.mark.parametrize("filename", ["css/pages.css", "vendor/htmx.min.js"])
def test_a_stamped_address_is_kept_for_a_year(app: Flask, client: FlaskClient, filename: str) -> None:
    stamped = address(app, filename)
    assert re.search(r"\.[0-9a-f]{12}\.(css|js)$", stamped)
    with client.get(stamped) as answer:
        assert answer.status_code == 200
        assert "immutable" in answer.headers["Cache-Control"]


def test_an_outdated_stamp_still_serves_the_file_but_is_not_kept(client: FlaskClient) -> None:
    with client.get("/static/css/pages.000000000000.css") as answer:
        assert answer.status_code == 200
        assert "immutable" not in answer.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["css/none.css", "%2e%2e/pyproject.toml"])
def test_nothing_else_is_served(client: FlaskClient, path: str) -> None:
    assert client.get(f"/static/{path}").status_code == 404


def test_htmx_comes_from_the_installed_package(client: FlaskClient) -> None:
    with client.get("/static/vendor/htmx.min.js") as answer:
        assert b"htmx" in answer.data


def test_a_style_is_served_without_what_only_readers_of_the_source_need(client: FlaskClient) -> None:
    with client.get("/static/css/pages.css") as answer:
        assert "/*" not in answer.text
        assert ".bar{display:flex" in answer.text
        assert "calc(100vh - " in answer.text


def test_no_script_has_a_comment_behind_its_code() -> None:
    """Lines are joined where they may go on, and a comment would swallow the next one."""
    scripts = sorted((data_folder() / "static" / "js").rglob("*.js"))
    behind = [
        f"{path.name}: {line}"
        for path in scripts
        for line in path.read_text().splitlines()
        if BEHIND.match(line.strip())
    ]
    assert scripts
    assert not behind
