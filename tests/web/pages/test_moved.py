"""A table that has moved: its owner closes it, nobody writes there any more, and all of it is read."""

from __future__ import annotations

from uuid import uuid4

import pytest
from werkzeug.test import TestResponse

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player

NEW = "https://cards.example/t/abcdefghijklmnopqrstuv"
CLOSED = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


def key(player: Player, link: str) -> str:
    with player.app.app_context():
        table = queries.table_by_key("play", player.key)
        assert table is not None
        return queries.key_of(table, link)


def close(player: Player, address: str = NEW) -> Page:
    """Close the table, as its owner does."""
    data = {"id": str(uuid4()), "link": address}
    return Page(player.client.post(f"/o/{key(player, 'owner')}/moved", data=data))


def open_again(player: Player) -> Page:
    return Page(player.client.post(f"/o/{key(player, 'owner')}/moved/open", data={"id": str(uuid4())}))


def push(player: Player) -> TestResponse:
    entry = {"id": str(uuid4()), "match": 1, "kind": "swept", "deal": 1, "fields": {"side": ["A"]}}
    return player.client.post("/api/v1/entries", json={"table": player.key, "entries": [entry, entry]})


class TestATableThatHasMoved:
    def test_says_where_to_those_who_play_as_text_and_not_as_a_link(self, ana: Player, beto: Player) -> None:
        close(ana)
        for player in (ana, beto):
            for path in ("", "/history", "/matches/1", "/matches/1/journal", "/players/1", "/share"):
                page = player.get(path)
                assert page.status == 200, path
                assert "moved to cards.example" in page.words, path
                assert NEW in page.words
                assert f'href="{NEW}' not in page.html
        assert NEW in Page(ana.client.get(f"/o/{key(ana, 'owner')}")).words

    def test_says_nothing_of_it_to_watchers_and_on_a_big_screen(self, ana: Player, stranger: Player) -> None:
        watch = key(ana, "watch")
        close(ana)
        for path in ("", "/board", "/history", "/matches/1"):
            assert "cards.example" not in Page(stranger.client.get(f"/w/{watch}{path}")).html, path
        assert "cards.example" not in ana.get("/board").html

    def test_takes_no_post_whatever_its_page(self, ana: Player, beto: Player) -> None:
        ana.close(**CLOSED)
        closing = beto.closing(2, **CLOSED)
        before = ana.entries()
        close(ana)
        for path in ("/matches/1/deals/2/sweep", "/matches/1/end", "/matches/new", "/matches/1/seats", "/phone"):
            answer = beto.post(path, {"id": str(uuid4()), "side": "A"})
            assert answer.status == 423, path
            assert "cards.example" in answer.words
        answer = beto.client.post(f"/t/{beto.key}/matches/1/deals/2/close", data={**closing, "step": "save"})
        assert answer.status_code == 423
        owner = key(ana, "owner")
        for path in ("/name", "/players/1", "/zone", "/moved"):
            assert ana.client.post(f"/o/{owner}{path}", data={"id": str(uuid4()), "name": "X"}).status_code == 423
        assert ana.entries() == before

    def test_refuses_each_entry_of_a_push_with_the_reason(self, ana: Player) -> None:
        close(ana)
        answer = push(ana)
        assert answer.status_code == 409
        told = answer.get_json()["answers"]
        assert [one["status"] for one in told] == ["refused", "refused"]
        assert all("cards.example" in one["words"][0] for one in told)
        assert "swept" not in ana.kinds()

    def test_draws_nothing_that_writes(self, ana: Player) -> None:
        ana.close(**CLOSED)
        close(ana)
        for path in ("", "/history", "/matches/1", "/matches/1/deals/1", "/matches/1/journal", "/table", "/share"):
            html = ana.get(path).html
            assert 'method="post" action="/t/' not in html, path
            assert "hx-post" not in html, path
        owner = Page(ana.client.get(f"/o/{key(ana, 'owner')}")).html
        assert "/name" not in owner
        assert "/moved/open" in owner

    @pytest.mark.parametrize("path", ["/matches/1/deals/1/close", "/faces"])
    def test_leads_from_pages_that_write_to_the_table(self, ana: Player, path: str) -> None:
        close(ana)
        assert ana.get(path).location == f"/t/{ana.key}"

    def test_goes_on_where_it_was_once_it_is_opened_again(self, ana: Player, beto: Player) -> None:
        close(ana)
        assert open_again(ana).status == 303
        assert "cards.example" not in beto.get().words
        assert beto.sweep("A").status == 200 or ana.kinds()[-1] == "swept"
        assert push(ana).status_code == 200

    def test_makes_open_pages_load_anew_when_it_closes_and_when_it_opens(self, ana: Player, beto: Player) -> None:
        asks = {"HX-Request": "true"}
        close(ana)
        answer = beto.client.get(f"/t/{beto.key}?v=1.2", headers=asks)
        assert answer.headers["HX-Redirect"] == f"/t/{beto.key}"
        shown = answer.headers["Table-Version"]
        assert beto.client.get(f"/t/{beto.key}?v={shown}", headers=asks).status_code == 204
        open_again(ana)
        assert "HX-Redirect" in beto.client.get(f"/t/{beto.key}?v={shown}", headers=asks).headers

    def test_can_be_deleted(self, ana: Player) -> None:
        close(ana)
        owner = f"/o/{key(ana, 'owner')}"
        name = Page(ana.client.get(owner)).words
        assert "Ana" in name
        with ana.app.app_context():
            table = queries.table_by_key("play", ana.key)
            assert table is not None
            called = table.name
        ana.client.post(f"{owner}/delete", data={"id": str(uuid4()), "name": called})
        assert ana.get().status == 404

    def test_is_closed_by_its_owner_alone(self, ana: Player, beto: Player) -> None:
        for link in ("play", "watch"):
            data = {"id": str(uuid4()), "link": NEW}
            assert beto.client.post(f"/o/{key(ana, link)}/moved", data=data).status_code == 404
        assert "cards.example" not in ana.get().words

    def test_is_not_offered_to_be_played_on_by_the_start_page(self, ana: Player) -> None:
        close(ana)
        home = Page(ana.client.get("/"))
        assert "moved to cards.example" in home.words
        assert "Go on playing" not in home.words


class TestTheNewLink:
    @pytest.mark.parametrize(
        "address",
        [
            "cards.example/t/abc",
            "javascript:alert(1)",
            "https://cards.example@other.example/t/abc",
            "https://cards.example/t/\u202eabc",
            f"https://cards.example/{'x' * 500}",
        ],
    )
    def test_is_a_whole_address_of_the_web(self, ana: Player, address: str) -> None:
        answer = close(ana, address)
        assert answer.status == 422
        assert f'value="{address[:40]}' in answer.html
        assert "moved to" not in ana.get().words

    def test_is_not_one_of_this_table_nor_the_owners(self, ana: Player) -> None:
        assert "this very table" in close(ana, f"https://cards.example/t/{ana.key}").words
        assert "the link to play" in close(ana, "https://cards.example/o/abcdefghijklmnopqrstuv").words
        assert ana.sweep("A").status in (200, 303)

    def test_may_lead_to_any_host(self, ana: Player) -> None:
        address = "http://192.168.1.9:8000/t/abc"
        assert close(ana, f"  {address} ").status == 303
        assert address in ana.get().words
