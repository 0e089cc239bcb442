"""What is in a name: typed, told apart, and drawn where it was kept before names were cleaned."""

from __future__ import annotations

import json

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import text

from scorekeeper.store import queries
from scorekeeper.store.db import db, writing

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, agreed, open_table

TURNED, UNSEEN = "Ana\u202e", "Beto\x01\x1b\u200b"
TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


def names_at(phone: Player) -> dict[int, str]:
    with phone.app.app_context():
        table = queries.table_by_play_key(phone.key)
        assert table is not None
        return queries.player_names(table)


def posted(client: FlaskClient, **fields: str) -> Page:
    return Page(client.post("/tables/new", data=agreed(client, **{"player__0": "Ana", "player__1": "Beto", **fields})))


class TestTyped:
    def test_what_nobody_can_see_is_left_out(self, app: Flask) -> None:
        table = open_table(app, player__0=TURNED, player__1="Be\x00to\u3164", table_name="Los\u200b jueves\x07")
        assert names_at(table) == {1: "Ana", 2: "Beto"}
        assert "<title>Chorizo to 21 · Los jueves</title>" in table.get().html

    @pytest.mark.parametrize("name", ["\u200b", "\u3164", "\u2800\u202e", "\u0301", "\ufe0f"])
    @pytest.mark.parametrize("field", ["player__0", "table_name", "rules_name"])
    def test_a_name_in_which_nothing_can_be_seen_is_refused(self, client: FlaskClient, field: str, name: str) -> None:
        page = posted(client, **{field: name})
        assert page.status == 422
        assert "Nothing of this name can be seen" in page.words

    def test_two_names_that_read_alike_are_one(self, client: FlaskClient) -> None:
        page = posted(client, player__1="Ana\u200b")
        assert page.status == 422
        assert "Two players have this name" in page.words

    def test_whoever_played_before_is_known_again(self, ana: Player) -> None:
        form = agreed(ana.client, f"/t/{ana.key}/matches/new", player__0="A\u0301na", player__1="BETO\u200d")
        assert ana.client.post(f"/t/{ana.key}/matches/new", data=form).status_code == 303
        assert names_at(ana) == {1: "Ana", 2: "Beto", 3: "Ána"}

    def test_letters_are_counted_as_they_are_kept(self, client: FlaskClient) -> None:
        assert posted(client, player__0="A" + "\u200b" * 60).status == 303
        assert posted(client, player__0="A" * 41).status == 422

    def test_a_player_is_not_renamed_to_what_another_is_called(self, ana: Player) -> None:
        owner = ana.get("/owner").location
        form = Page(ana.client.get(f"{owner}/people/2")).form(action="/players/2")
        for name, status in (("Ana\u2060", 422), ("\u3164", 422), ("Beto\u202e", 303)):
            assert ana.client.post(f"{owner}/players/2", data={**form, "name": name}).status_code == status
        assert names_at(ana) == {1: "Ana", 2: "Beto"}


@pytest.fixture
def kept(app: Flask) -> Player:
    """A table from before names were cleaned, with a deal closed and a player renamed."""
    table = open_table(app, table_name="Los jueves", rules_name="Nuestras")
    owner = table.get("/owner").location
    form = Page(table.client.get(f"{owner}/people/1")).form(action="/players/1")
    table.client.post(f"{owner}/players/1", data={**form, "name": "Anita"})
    table.close(**TRUST)
    with app.app_context(), writing():
        for number, name in ((1, TURNED), (2, UNSEEN)):
            db.session.execute(text("UPDATE players SET name = :name WHERE number = :of"), {"name": name, "of": number})
        db.session.execute(text("UPDATE tables SET name = :name"), {"name": "Los\x01 jueves\u202e"})
        entries = db.session.execute(text("SELECT id, payload FROM entries WHERE kind = 'player_renamed'")).all()
        for id, payload in entries:
            told = payload if isinstance(payload, str) else json.dumps(payload)
            told = told.replace("Anita", r"Anita\u202e")
            db.session.execute(text("UPDATE entries SET payload = :told WHERE id = :id"), {"told": told, "id": id})
    return table


class TestDrawn:
    @pytest.mark.parametrize(
        "path",
        [
            "",
            "/history",
            "/share",
            "/owner",
            "/board",
            "/players/1",
            "/matches/new",
            "/matches/1",
            "/matches/1/text",
            "/matches/1/journal",
            "/matches/1/deals/1",
            "/matches/1/deals/1/text",
            "/matches/1/deals/2/close",
        ],
    )
    def test_a_name_kept_long_ago_is_drawn_without_it(self, kept: Player, path: str) -> None:
        page = kept.get(path)
        if page.location:
            page = Page(kept.client.get(page.location))
        assert page.status == 200
        assert not set(page.html) & set("\u202e\u200b\x01\x1b")
        assert "Los jueves" in page.html

    def test_the_result_is_a_picture(self, kept: Player) -> None:
        answer = kept.client.get(f"/t/{kept.key}/matches/1/result.png")
        assert (answer.status_code, answer.mimetype) == (200, "image/png")

    def test_the_json_of_a_renaming_shows_it_so_too(self, kept: Player) -> None:
        answer = kept.client.get("/api/v1/entries", headers={"Authorization": f"Bearer {kept.key}"})
        assert "u202e" not in answer.text
        assert "\u202e" not in answer.text

    def test_two_that_read_alike_are_told_apart_and_stay_who_they_are(self, kept: Player) -> None:
        with kept.app.app_context(), writing():
            db.session.execute(text("UPDATE players SET name = 'Ana' WHERE number = 2"))
        assert names_at(kept) == {1: "Ana", 2: "Ana (2)"}
        form = agreed(kept.client, f"/t/{kept.key}/matches/new")
        assert kept.client.post(f"/t/{kept.key}/matches/new", data=form).status_code == 303
        assert names_at(kept) == {1: "Ana", 2: "Ana (2)"}
