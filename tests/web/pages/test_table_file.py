"""Taking a table along: by which links, under which name, and what a large table is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from werkzeug.http import parse_options_header

from scorekeeper.store import queries
from scorekeeper.store.table_file import export
from scorekeeper.web.pages import table_file

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, agreed, open_table, with_fields

ROW = "Take the table along"


def keys_of(player: Player) -> dict[str, str]:
    with player.app.app_context():
        table = queries.table_by_key("play", player.key)
        assert table is not None
        return {link: queries.key_of(table, link) for link in ("owner", "play", "watch")}


def file_by(player: Player, address: str) -> Any:
    return json.loads(player.client.get(address).data)


@pytest.fixture
def three(ana: Player, monkeypatch: pytest.MonkeyPatch) -> Player:
    """A table of three matches, each of them a part by itself."""
    ana.close(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
    for _match in range(2):
        form = agreed(ana.client, f"/t/{ana.key}/matches/new")
        assert ana.post("/matches/new", with_fields(form, {"step": "save"})).status == 303
    monkeypatch.setattr(export, "FILE_ENTRIES", 1)
    return ana


class TestTheFile:
    def test_is_the_same_by_the_owner_link_and_the_link_to_play(self, ana: Player) -> None:
        keys = keys_of(ana)
        by_play = ana.client.get(f"/t/{keys['play']}/table.json")
        by_owner = ana.app.test_client().get(f"/o/{keys['owner']}/table.json")
        assert by_play.status_code == by_owner.status_code == 200
        assert by_play.data == by_owner.data
        assert by_play.mimetype == "application/json"
        assert by_play.headers["Cache-Control"] == "private, no-store"
        assert not any(key.encode() in by_play.data for key in keys.values())

    def test_is_not_there_by_the_link_to_watch(self, ana: Player) -> None:
        keys = keys_of(ana)
        for path in ("table.json", "table.json?matches=1-1", "take"):
            assert ana.app.test_client().get(f"/w/{keys['watch']}/{path}").status_code == 404
            assert ana.app.test_client().get(f"/t/{keys['watch']}/{path}").status_code == 404
            assert ana.app.test_client().get(f"/o/{keys['play']}/{path}").status_code == 404
            assert ana.app.test_client().get(f"/t/{keys['owner']}/{path}").status_code == 404

    @pytest.mark.parametrize(
        ("table", "name"),
        [
            ('a/b\\c: "d"?', "a b c d.json"),
            ("../..", "table.json"),
            ("Peña & Íñigo", "Peña & Íñigo.json"),
        ],
    )
    def test_has_the_name_of_the_table_without_what_files_cannot_have(self, app: Flask, table: str, name: str) -> None:
        ana = open_table(app, table_name=table)
        said = ana.client.get(f"/t/{ana.key}/table.json").headers["Content-Disposition"]
        assert parse_options_header(said) == ("attachment", {"filename": name})

    def test_a_part_is_what_its_range_says(self, three: Player) -> None:
        part = file_by(three, f"/t/{three.key}/table.json?matches=2-2")
        assert [match["number"] for match in part["matches"]] == [2]
        assert part["last"] == 3
        answer = three.client.get(f"/t/{three.key}/table.json?matches=2-2")
        assert "2-2.json" in answer.headers["Content-Disposition"]

    @pytest.mark.parametrize("asked", ["", "2-1", "a-b"])
    def test_what_is_no_range_is_a_400_that_says_what_is_one(self, ana: Player, asked: str) -> None:
        answer = ana.client.get(f"/t/{ana.key}/table.json?matches={asked}")
        assert answer.status_code == 400
        [problem] = json.loads(answer.data)["problems"]
        assert (problem["code"], problem["at"]) == ("malformed", "matches")
        assert "1-200" in problem["message"]


class TestALargeTable:
    def test_is_answered_413_with_its_parts(self, three: Player) -> None:
        answer = three.client.get(f"/t/{three.key}/table.json")
        assert answer.status_code == 413
        said = json.loads(answer.data)
        assert said["status"] == "invalid"
        assert [problem["code"] for problem in said["problems"]] == ["http_413"]
        assert said["parts"] == ["1-1", "2-2", "3-3"]
        assert file_by(three, f"/t/{three.key}/table.json?matches=2-3")["parts"] == ["2-2", "3-3"]

    def test_whose_parts_are_too_many_for_one_page_has_another(
        self, three: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(export, "FILE_PARTS", 1)
        monkeypatch.setattr(table_file, "FILE_PARTS", 1)
        page = three.get("/take")
        assert f'href="/t/{three.key}/take?matches=2-3"' in page.html
        assert "table.json?matches=2-" not in page.html
        following = three.get("/take?matches=2-3")
        assert f'href="/t/{three.key}/table.json?matches=2-2"' in following.html
        assert f'href="/t/{three.key}/take?matches=3-3"' in following.html
        assert three.get("/take?matches=3-3").location == f"/t/{three.key}/table.json?matches=3-3"


class TestTheWayToIt:
    def test_is_a_row_of_the_table_of_its_matches_and_of_the_owners_page(self, ana: Player) -> None:
        ana.close(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
        for path in ("/table", "/history"):
            page = ana.get(path)
            assert ROW in page.words
            assert f'href="/t/{ana.key}/take"' in page.html
        owner = keys_of(ana)["owner"]
        assert f'href="/o/{owner}/take"' in Page(ana.client.get(f"/o/{owner}")).html

    def test_is_not_shown_to_who_watches(self, ana: Player) -> None:
        for path in ("/table", "/history"):
            page = Page(ana.app.test_client().get(f"/w/{keys_of(ana)['watch']}{path}"))
            assert page.status == 200
            assert ROW not in page.words

    def test_leads_to_the_file_at_once_where_there_is_one(self, ana: Player) -> None:
        assert ana.get("/take").location == f"/t/{ana.key}/table.json"
        owner = keys_of(ana)["owner"]
        assert Page(ana.client.get(f"/o/{owner}/take")).location == f"/o/{owner}/table.json"
