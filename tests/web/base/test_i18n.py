"""The reader's language: the browser's until another is chosen; choosing leads back to the same page, nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import file_modes
from scorekeeper.app import create_app
from scorekeeper.web.base import i18n
from scorekeeper.web.base.i18n import read_catalogue

from ...conftest import SECRET
from ...helpers.reading import Page
from ..conftest import Player, agreed, with_fields


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("es-UY,es;q=0.9,en;q=0.8", "es-AR"),
        ("es-CL,es;q=0.9,es-AR;q=0.5", "es"),
        ("es-419,es;q=0.9", "es"),
        ("it,es;q=0.5", "es"),
        ("", "en"),
        ("?;q=x", "en"),
    ],
)
def test_a_page_speaks_the_language_of_the_browser(client: FlaskClient, wanted: str, given: str) -> None:
    assert f'<html lang="{given}"' in client.get("/rules", headers={"Accept-Language": wanted}).text


def test_what_was_chosen_counts_more_than_the_browser(client: FlaskClient) -> None:
    client.post("/language", data={"language": "en", "back": "/"})
    assert '<html lang="en"' in client.get("/rules", headers={"Accept-Language": "es"}).text


def test_the_spanish_of_a_territory_is_that_of_the_language_but_for_what_differs() -> None:
    spanish, of_vos = read_catalogue("es"), read_catalogue("es_AR")
    assert {message.id for message in spanish} == {message.id for message in of_vos}
    differing = [message.id for message in of_vos if message.id and message.string != spanish[message.id].string]
    assert differing


def test_a_language_that_is_not_spoken_here_is_refused(client: FlaskClient) -> None:
    answer = client.post("/language", data={"language": "tlh", "back": "/"})
    assert answer.status_code == 400
    assert client.get_cookie("spoken") is None


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "/\r\nX: y"])
def test_no_address_leads_out_of_the_app(client: FlaskClient, back: str) -> None:
    answer = client.post("/language", data={"language": "es", "back": back})
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/"


def test_the_switch_returns_to_the_page_with_its_state(client: FlaskClient) -> None:
    page = Page(client.get("/tables/new?game=scopa&preset=usual"))
    chosen = with_fields(page.form(action="/language"), {"language": "es"})
    assert client.post("/language", data=chosen).headers["Location"] == "/tables/new?game=scopa&preset=usual"


def test_after_a_refused_form_the_switch_returns_to_that_form(ana: Player) -> None:
    refused = Page(ana.client.post("/tables/new", data=agreed(ana.client, player__0="Ana", player__1="Ana")))
    assert refused.status == 422
    assert refused.form(action="/language")["back"] == "/tables/new"


def test_where_nothing_can_be_read_the_switch_returns_to_the_start(ana: Player) -> None:
    refused = ana.sweep("Z")
    assert refused.status == 400
    assert refused.form(action="/language")["back"] == "/"


def test_the_choice_travels_by_https_alone_where_the_app_does(app: Flask, client: FlaskClient) -> None:
    app.config["SESSION_COOKIE_SECURE"] = True
    cookie = client.post("/language", data={"language": "es"}).headers["Set-Cookie"]
    assert "Secure" in cookie
    assert "HttpOnly" in cookie


def test_catalogues_are_compiled_once_a_process_and_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = []
    monkeypatch.setattr(
        i18n, "write_mo", lambda out, catalogue: compiled.append(str(catalogue.locale)) or write_mo(out, catalogue)
    )
    i18n.translations_of.cache_clear()
    for _turn in range(3):
        create_app({"INSTANCE": tmp_path, "SECRET_KEY": SECRET})
    assert sorted(compiled) == ["es", "es_AR"]
    assert not [
        path.name for path in tmp_path.iterdir() if path.name not in (file_modes.APP_LOCK, file_modes.WRITE_LOCK)
    ]
