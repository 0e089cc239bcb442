"""What is gone is named by every answer that knows of it: a dead link, a match that is not there, deletions."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ...helpers.reading import Page
from ..conftest import Player
from ..pages.test_owner import Keeper
from .test_access import the_table

DEAD = "a" * 22


@pytest.fixture
def keeper(ana: Player) -> Keeper:
    return Keeper(ana)


def delete_match(player: Player) -> None:
    assert player.post("/matches/1/delete", {"id": str(uuid4())}).status == 303


def named(page: str) -> list[str]:
    """Return what a page names as gone."""
    found = re.search(r'<html[^>]* data-gone="([^"]*)"', page)
    return found[1].split() if found else []


class TestADeadLink:
    @pytest.mark.parametrize("path", ["/o/{}", "/t/{}", "/w/{}/history"])
    def test_is_named_by_any_page_of_it(self, client: FlaskClient, path: str) -> None:
        answer = client.get(path.format(DEAD))
        assert answer.status_code == 404
        assert answer.headers["Gone"] == path[:3] + DEAD
        assert named(answer.text) == [path[:3] + DEAD]

    def test_is_named_to_a_fragment_and_to_a_push(self, client: FlaskClient) -> None:
        assert client.get(f"/t/{DEAD}", headers={"HX-Request": "true"}).headers["Gone"] == f"/t/{DEAD}"
        pushed = client.post("/api/v1/entries", json={"table": DEAD, "entries": [{}]})
        assert (pushed.status_code, pushed.headers["Gone"]) == (404, f"/t/{DEAD}")

    def test_is_named_by_the_list_of_tables_of_a_phone_that_knows_it(self, beto: Player, keeper: Keeper) -> None:
        beto.get()
        assert "Gone" not in beto.client.get("/").headers
        former = beto.key
        keeper.renew("play")
        answer = beto.client.get("/")
        assert answer.headers["Gone"] == f"/t/{former}"
        assert named(answer.text) == [f"/t/{former}"]
        assert "Gone" not in keeper.client.get("/").headers, "it has gone over to the new one"

    def test_has_the_list_of_what_waits_on_its_page(self, client: FlaskClient) -> None:
        page = client.get(f"/t/{DEAD}").text
        assert 'id="waiting"' in page
        assert "js/match." in page

    def test_of_a_deleted_table_is_named_by_the_last_page_of_it(self, ana: Player, keeper: Keeper) -> None:
        play, watch = keeper.key("play"), keeper.key("watch")
        answer = keeper.delete("Ana, Beto")
        assert named(answer.html) == [f"/t/{play}", f"/w/{watch}"]

    @pytest.mark.parametrize("key", ["a%0Ab", "a" * 21])
    def test_of_no_key_of_ours_is_not_named(self, client: FlaskClient, key: str) -> None:
        answer = client.get(f"/t/{key}")
        assert answer.status_code == 404
        assert "Gone" not in answer.headers

    def test_is_named_to_the_owner_who_has_renewed_it_once(self, ana: Player, keeper: Keeper) -> None:
        former = ana.key
        answer = ana.client.get(keeper.renew("play").location.partition("#")[0])
        assert answer.headers["Gone"] == f"/t/{former}"
        assert "js/match." in answer.text
        assert "Gone" not in ana.client.get(f"/o/{keeper.key('owner')}").headers

    def test_stays_in_the_cookie_until_a_page_has_said_so(self, beto: Player, keeper: Keeper) -> None:
        beto.get()
        former = beto.key
        keeper.renew("play")
        for path, header, value in (
            ("/live", "Sec-Fetch-Mode", "cors"),
            ("/history", "Sec-Fetch-Mode", "same-origin"),
            ("", "HX-Request", "true"),
        ):
            beto.client.get(f"/t/{former}{path}", headers={header: value})
        assert named(beto.client.get("/").text) == [f"/t/{former}"]
        beto.client.get(f"/t/{former}", headers={"Sec-Fetch-Mode": "navigate"})
        assert named(beto.client.get("/").text) == []

    def test_that_is_none_is_named_nowhere(self, ana: Player, client: FlaskClient) -> None:
        for answer in (ana.client.get(f"/t/{ana.key}"), client.get("/"), client.get("/t")):
            assert "Gone" not in answer.headers
            assert not named(answer.text)


class TestADeletedMatch:
    def test_is_named_by_any_page_of_it(self, ana: Player, beto: Player) -> None:
        delete_match(ana)
        for path in ("/matches/1", "/matches/1/deals/1/close", "/matches/1/text"):
            answer = beto.client.get(f"/t/{beto.key}{path}")
            assert answer.status_code == 404
            assert answer.headers["Gone"] == f"/t/{beto.key}/matches/1"
            assert named(answer.text) == [f"/t/{beto.key}/matches/1"]

    def test_is_counted_on_every_page_of_its_table_also_on_stored_ones(self, app: Flask, ana: Player) -> None:
        watch = the_table(app, ana).watch_key
        before = ana.client.get(f"/t/{ana.key}")
        assert "Deletions" not in before.headers
        assert "data-deletions" not in before.text
        delete_match(ana)
        assert ana.post("/matches/1/restore", {"id": str(uuid4())}).status == 303
        for address in (f"/t/{ana.key}", f"/t/{ana.key}/history", f"/t/{ana.key}/matches/1", f"/w/{watch}"):
            after = ana.client.get(address)
            assert after.headers["Deletions"] == "1", address
            assert re.search(r'<html[^>]* data-deletions="1"', after.text), address

    def test_is_told_from_one_that_is_there_and_from_one_that_never_was(self, app: Flask, ana: Player) -> None:
        asked = "/deleted?match=1&match=7&match=x"
        assert ana.client.get(f"/t/{ana.key}{asked}").json == {"hidden": [], "gone": [7]}
        delete_match(ana)
        watch = the_table(app, ana).watch_key
        for address in (f"/t/{ana.key}", f"/w/{watch}"):
            assert ana.client.get(f"{address}{asked}").json == {"hidden": [1], "gone": [7]}
        assert ana.client.get(f"/t/{ana.key}/deleted").json == {"hidden": [], "gone": []}


@pytest.mark.parametrize("path", ["qr.svg", "table.json"])
def test_no_file_of_a_table_stays_on_a_phone(ana: Player, path: str) -> None:
    answer = ana.client.get(f"/t/{ana.key}/{path}")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"


def test_nothing_drawn_of_a_deleted_table_is_left_in_the_process(app: Flask, ana: Player, keeper: Keeper) -> None:
    ana.get()
    ana.get("/matches/1")
    for _time in range(2):
        ana.get("/history")

    def stored() -> tuple[int, int]:
        kept = (app.extensions[f"scorekeeper.{name}"]._values.values() for name in ("parts", "answers"))
        parts, answers = ([value for _version, _weight, value in values] for values in kept)
        return sum("Ana" in part.text for part in parts), sum("Ana" in answer.facts.players for answer in answers)

    assert all(stored())
    keeper.delete("Ana, Beto")
    assert stored() == (0, 0)


def test_the_page_that_forgets_names_all_links_of_which_a_phone_has_pages(app: Flask, ana: Player) -> None:
    table = the_table(app, ana)
    page = Page(ana.client.get("/forget")).html
    assert f'data-keys="{table.play_key} {table.watch_key}"' in page


def test_the_page_that_forgets_shows_no_link_to_play_to_a_phone_that_only_watches(
    app: Flask, beto: Player, keeper: Keeper
) -> None:
    former, watch = beto.key, keeper.key("watch")
    assert beto.hold("watch").location == f"/w/{watch}"
    keeper.renew("play")
    page = Page(beto.client.get("/forget")).html
    assert f'data-keys="{watch}"' in page
    assert not [key for key in (former, keeper.key("play")) if key in page]
