"""The shortest walk through the app that shows it is whole; ``make quick`` runs this file and no other of the pages."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from ..helpers.reading import Page
from .conftest import ON_TRUST, Player


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_page_that_needs_no_table_opens(client: FlaskClient, language: str) -> None:
    for path in ("/", "/tables/new", "/rules", "/rules/chorizo", "/captures", "/prime", "/offline"):
        page = Page(client.get(path, headers={"Accept-Language": language}))
        assert page.status == 200, path
        assert f'<html lang="{language}"' in page.html, path


def test_a_deal_is_played_closed_and_counted(ana: Player, beto: Player) -> None:
    assert ana.sweep("B").status == 303
    assert ana.close(**ON_TRUST).status == 303
    assert ana.totals() == {"A": 6, "B": 3}
    assert ana.kinds() == ["match_started", "phone_held", "swept", "deal_closed"]
    for path in ("", "/matches/1", "/matches/1/deals/1", "/matches/1/journal", "/history"):
        page = beto.get(path)
        assert page.status == 200, path
        assert "Beto" in page.words, path


def test_the_engine_answers_over_http(client: FlaskClient) -> None:
    games = client.get("/api/v1/games")
    assert games.status_code == 200
    assert client.post("/api/v1/score", data="no JSON").status_code == 400
