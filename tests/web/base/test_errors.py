"""A fault is told in the reader's language, in the shape that was asked for, and never as a stack trace."""

from __future__ import annotations

import logging

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ...conftest import MakeApp
from ...helpers.reading import Page

HTMX = {"HX-Request": "true"}


@pytest.fixture
def faulty(make_app: MakeApp) -> FlaskClient:
    """A browser at an app that has a broken page."""
    app = make_app()

    def broken() -> str:
        raise RuntimeError("the password is swordfish")

    app.add_url_rule("/broken", view_func=broken)
    app.add_url_rule("/api/v1/broken", endpoint="api_broken", view_func=broken)
    return app.test_client()


@pytest.mark.parametrize("path", ["/nothing", "/rules/poker"])
def test_what_is_not_there_is_a_page_that_leads_on(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert 'href="/"' in answer.text
    assert "Nothing here" in Page(answer).words


@pytest.mark.parametrize("letter", ["t", "o"])
def test_a_dead_link_says_whom_to_ask_and_takes_the_new_one(client: FlaskClient, letter: str) -> None:
    page = Page(client.get(f"/{letter}/{'x' * 22}"))
    assert page.status == 404
    assert "This link is dead" in page.words
    assert "ask whoever keeps the table for the new one" in page.words
    assert page.has_form(action="/open")


def test_a_fault_is_told_in_the_readers_language(client: FlaskClient) -> None:
    assert "Acá no hay nada" in Page(client.get("/nothing", headers={"Accept-Language": "es-UY"})).words


def test_an_address_that_cannot_be_used_so_says_how_it_can(client: FlaskClient) -> None:
    answer = client.post("/rules")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]


@pytest.mark.parametrize(("path", "status"), [("/nothing", 404), ("/broken", 500)])
def test_htmx_gets_the_message_beside_what_was_typed(faulty: FlaskClient, path: str, status: int) -> None:
    answer = faulty.get(path, headers=HTMX)
    assert answer.status_code == status
    assert answer.headers["HX-Retarget"] == "#refused"
    assert answer.headers["HX-Reswap"] == "innerHTML"
    assert answer.headers["HX-Push-Url"] == "false"
    assert 'role="alert"' in answer.text
    assert "<html" not in answer.text


def test_every_page_has_the_place_for_that_message(client: FlaskClient) -> None:
    assert 'id="refused"' in client.get("/tables/new").text


@pytest.mark.parametrize(("path", "status"), [("/api/v1/nothing", 404), ("/api/v1/broken", 500)])
def test_a_program_gets_json(faulty: FlaskClient, path: str, status: int) -> None:
    answer = faulty.get(path)
    assert answer.status_code == status
    assert answer.json is not None
    assert answer.json["status"] == "invalid"
    assert answer.json["problems"][0]["code"] == f"http_{status}"


@pytest.mark.parametrize(("path", "headers"), [("/broken", {}), ("/broken", HTMX), ("/api/v1/broken", {})])
def test_a_broken_page_keeps_its_reason_for_the_log(
    faulty: FlaskClient, caplog: pytest.LogCaptureFixture, path: str, headers: dict[str, str]
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = faulty.get(path, headers=headers)
    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert "Traceback" not in answer.text
    assert "swordfish" in caplog.text


def test_a_form_whose_page_is_stale_says_load_it_again(app: Flask, client: FlaskClient) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    answer = client.post("/tables/new", data={"game": "chorizo"})
    assert answer.status_code == 400
    assert "Load it again: nothing was lost." in Page(answer).words


@pytest.mark.parametrize("headers", [{}, HTMX, {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}])
def test_and_keeps_what_was_typed_to_be_sent_again_in_one_tap(
    app: Flask, client: FlaskClient, headers: dict[str, str]
) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    client.get("/tables/new")
    typed = {"game": "scopa", "player-0": 'Ana "la Negra"', "csrf_token": "worn out"}
    page = Page(client.post("/tables/new", data=typed, headers=headers))
    again = page.form(action="/tables/new")
    assert (again["game"], again["player-0"]) == ("scopa", 'Ana "la Negra"')
    answer = client.post("/tables/new", data=again)
    assert answer.status_code == 422, "the form was read: a player is missing"


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}])
def test_what_another_site_sends_is_not_offered_again(app: Flask, client: FlaskClient, headers: dict[str, str]) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    client.get("/tables/new")
    page = Page(client.post("/tables/new", data={"game": "scopa"}, headers=headers))
    assert page.status == 400
    assert not page.has_form(action="/tables/new")


def test_nor_is_what_came_without_this_phones_cookies(app: Flask, client: FlaskClient) -> None:
    app.config["WTF_CSRF_ENABLED"] = True
    # On a plain http address a browser says no more than this of a form on another site's page.
    page = Page(client.post("/forget", data={"what": "all"}, headers={"Origin": "null"}))
    assert page.status == 400
    assert not page.has_form(action="/forget")


def test_more_than_a_card_table_needs_is_refused(client: FlaskClient) -> None:
    answer = client.post("/tables/new", data={"game": "x" * 1_100_000})
    assert answer.status_code == 413
    assert "Send less" in Page(answer).words
