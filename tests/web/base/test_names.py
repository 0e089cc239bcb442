"""What is in a name: what nobody can see is left out, and two that read alike are one."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper.store import queries

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

    @pytest.mark.parametrize("name", ["\u200b", "\u0301"])
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
