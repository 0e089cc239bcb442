"""The three links of a table: who keeps it, new links, other names, its end; and what a phone remembers."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select

from scorekeeper.store import queries
from scorekeeper.store.db import db
from scorekeeper.store.models import Table
from scorekeeper.web.pages import deals

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

CLOSED = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


class Keeper:
    """The phone that keeps a table, on its owner's page."""

    def __init__(self, player: Player) -> None:
        self.player, self.client, self.app = player, player.client, player.app

    def key(self, link: str) -> str:
        with self.app.app_context():
            table = queries.table_by_key("play", self.player.key)
            assert table is not None
            return queries.key_of(table, link)

    def get(self, path: str = "") -> Page:
        return Page(self.client.get(f"/o/{self.key('owner')}{path}"))

    def post(self, path: str, data: object) -> Page:
        return Page(self.client.post(f"/o/{self.key('owner')}{path}", data=data))

    def renew(self, link: str) -> Page:
        """Make a new link by its form, and go on with the new one where it is the one to play."""
        form = self.get(f"/renew/{link}").form("renew")
        answer = self.post(f"/renew/{link}", form)
        if link == "play":
            with self.client.session_transaction() as session:
                self.player.key = session["tables"][0]
        return answer

    def rename(self, path: str, name: str) -> Page:
        return self.post(path, {"id": str(uuid4()), "name": name})

    def delete(self, name: str) -> Page:
        return self.post("/delete", {"id": str(uuid4()), "name": name})


@pytest.fixture
def keeper(ana: Player) -> Keeper:
    return Keeper(ana)


def rows(app: Flask) -> dict[str, list[int]]:
    """Return which table each row of the database belongs to, by the name of its rows."""
    with app.app_context():
        keyed = [told for told in db.metadata.sorted_tables if "table_id" in told.c]
        found = {told.name: list(db.session.scalars(select(told.c.table_id))) for told in keyed}
        return {**found, "tables": list(db.session.scalars(select(Table.id)))}


class TestTheOwnersPage:
    def test_belongs_to_the_phone_that_opened_the_table(self, ana: Player, beto: Player, keeper: Keeper) -> None:
        assert ana.get("/owner").location == f"/o/{keeper.key('owner')}"
        assert beto.get("/owner").status == 403

    def test_the_owner_key_stands_on_no_page_of_the_game(self, ana: Player, keeper: Keeper) -> None:
        key = keeper.key("owner")
        for path in ("", "/share", "/history", "/matches/1", "/matches/new"):
            assert key not in ana.get(path).html

    def test_opens_with_no_other_key(self, keeper: Keeper) -> None:
        for link in ("play", "watch"):
            assert keeper.client.get(f"/o/{keeper.key(link)}").status_code == 404

    def test_is_kept_in_no_cache(self, keeper: Keeper) -> None:
        for path in ("", "/delete", "/renew/play", "/qr/owner.svg"):
            answer = keeper.client.get(f"/o/{keeper.key('owner')}{path}")
            assert "no-store" in answer.headers["Cache-Control"]
            assert answer.headers["Referrer-Policy"] == "no-referrer"


class TestANewLink:
    def test_is_announced_before_anything_dies(self, ana: Player, beto: Player, keeper: Keeper) -> None:
        assert "dies at once" in keeper.get("/renew/play").words
        assert beto.get().status == 200

    def test_to_play_kills_the_old_one_and_leaves_this_phone_in(
        self, ana: Player, beto: Player, keeper: Keeper
    ) -> None:
        keeper.renew("play")
        assert ana.get().status == 200
        assert beto.get().status == 404
        assert "This link is dead" in beto.get().words
        assert beto.sweep("A").status == 404
        assert ana.kinds() == ["match_started", "phone_held"]
        assert f"/t/{ana.key}" in ana.client.get("/").text

    def test_for_the_owner_kills_the_old_one_and_leaves_this_phone_its_rights(
        self, ana: Player, keeper: Keeper, stranger: Player
    ) -> None:
        old = keeper.key("owner")
        keeper.renew("owner")
        assert stranger.client.get(f"/o/{old}").status_code == 404
        assert keeper.get().status == 200
        assert ana.get("/owner").location == f"/o/{keeper.key('owner')}"

    @pytest.mark.parametrize("link", ["play", "owner"])
    def test_posted_twice_is_made_once(self, keeper: Keeper, link: str) -> None:
        page, address = keeper.get(f"/renew/{link}"), f"/o/{keeper.key('owner')}/renew/{link}"
        first = Page(keeper.client.post(address, data=page.form("renew")))
        with keeper.client.session_transaction() as session:
            keeper.player.key = session["tables"][0]
        made = keeper.key(link)
        again = Page(keeper.client.post(address, data=page.form("renew")))
        assert keeper.key(link) == made
        assert first.status == again.status == 303

    def test_for_the_owner_is_on_the_phone_before_it_is_valid(self, keeper: Keeper) -> None:
        form = keeper.get("/renew/owner").form("renew")
        cookie = keeper.client.get_cookie("scorekeeper")
        assert cookie is not None
        keeper.post("/renew/owner", form)
        # The answer is lost: the phone still has the cookie of the page before.
        keeper.client.set_cookie("scorekeeper", cookie.value)
        assert keeper.player.get("/owner").location == f"/o/{keeper.key('owner')}"

    def test_takes_no_key_that_somebody_made_up(self, keeper: Keeper) -> None:
        form = keeper.get("/renew/owner").form("renew")
        before = keeper.key("owner")
        assert keeper.post("/renew/owner", with_fields(form, {"coming": "a" * 22})).status == 400
        assert keeper.key("owner") == before


def name_of_table(player: Player) -> str:
    with player.app.app_context():
        table = queries.table_by_play_key(player.key)
        assert table is not None
        return table.name


class TestNames:
    def test_of_a_player_change_everywhere_at_once(self, ana: Player, keeper: Keeper) -> None:
        ana.close(**CLOSED)
        assert keeper.rename("/players/1", "Anita").status == 303
        for path in ("", "/matches/1", ana.deal(), "/history"):
            page = ana.get(path)
            assert "Anita" in page.words
            assert "Ana " not in page.words

    def test_are_in_the_journal_and_can_be_taken_back(self, ana: Player, keeper: Keeper) -> None:
        keeper.rename("/players/2", "Alberto")
        renamed = ana.entries()[-1]
        assert renamed.kind == "player_renamed"
        assert (renamed.payload["from"], renamed.payload["to"]) == ("Beto", "Alberto")
        page = keeper.get()
        assert "back to Beto" in page.words
        keeper.post("/players/2", page.form(action="/players/2"))
        assert "Beto" in ana.get().words

    @pytest.mark.parametrize(
        ("players", "renamed", "then"),
        [
            (("Ana", "Beto"), (1, "Anita"), "Anita, Beto"),
            # A name has room for forty letters.
            (
                ("Guillermo", "Washington", "María José", "Maximiliano"),
                (1, "Guille"),
                "Guille, Washington, María José, Maximili",
            ),
        ],
    )
    def test_are_followed_by_a_table_that_is_called_by_its_players(
        self, app: Flask, players: tuple[str, ...], renamed: tuple[int, str], then: str
    ) -> None:
        shape = {2: "2x1", 4: "2x2"}[len(players)]
        table = open_table(app, shape=shape, **{f"player__{place}": name for place, name in enumerate(players)})
        keeper = Keeper(table)
        number, name = renamed
        keeper.rename(f"/players/{number}", name)
        assert name_of_table(table) == then
        keeper.post(f"/players/{number}", keeper.get().form(action=f"/players/{number}"))
        assert name_of_table(table) == ", ".join(players)[:40]

    def test_changed_meanwhile_are_no_conflict_for_a_deal_being_closed(self, ana: Player, keeper: Keeper) -> None:
        form = ana.closing(**CLOSED)
        keeper.rename("/players/1", "Anita")
        assert ana.post(ana.deal() + "/close", with_fields(form, {"step": "save"})).status == 303
        assert ana.totals() == {"A": 6, "B": 2}

    @pytest.mark.parametrize(("name", "why"), [("beto", "Add an initial"), ("A" * 41, "longer than 40")])
    def test_that_cannot_be_are_refused_and_stay_in_the_field(
        self, ana: Player, keeper: Keeper, name: str, why: str
    ) -> None:
        page = keeper.rename("/players/1", name)
        assert page.status == 422
        assert why in page.words
        assert f'value="{name.strip()}"' in page.html
        assert ana.kinds() == ["match_started"]

    def test_cannot_be_changed_with_the_link_to_play(self, ana: Player, beto: Player) -> None:
        answer = beto.client.post(f"/o/{beto.key}/players/1", data={"id": str(uuid4()), "name": "X"})
        assert answer.status_code == 404
        assert ana.kinds() == ["match_started", "phone_held"]

    def test_are_no_entry_that_a_player_voids(self, ana: Player, keeper: Keeper) -> None:
        keeper.rename("/players/1", "Anita")
        entry = ana.entries()[-1].id
        assert ana.post(f"/matches/1/undo/{entry}", {"id": str(uuid4())}).status == 409


class TestTheEndOfATable:
    def test_is_spelled_out_first(self, ana: Player, keeper: Keeper) -> None:
        ana.close(**CLOSED)
        page = keeper.get("/delete")
        for told in ("1 match,", "1 deal with its sheet", "2 players", "three links"):
            assert told in page.words

    def test_needs_its_name(self, ana: Player, keeper: Keeper) -> None:
        page = keeper.delete("Los viernes")
        assert page.status == 422
        assert "nothing was deleted" in page.words
        assert 'value="Los viernes"' in page.html
        assert ana.get().status == 200

    def test_leaves_no_row_of_it_and_every_row_of_the_others(self, app: Flask, ana: Player, keeper: Keeper) -> None:
        other = open_table(app, player__0="Leo", player__1="Cata")
        for table in (ana, other):
            table.sweep("A")
            table.close(**CLOSED)
        before = rows(app)
        deleted, kept = sorted(before["tables"])
        assert all(set(found) == {deleted, kept} for found in before.values() if found)
        assert keeper.delete("  ana, BETO ").status == 200
        assert rows(app) == {name: [id for id in found if id != deleted] for name, found in before.items()}
        assert other.totals() == {"A": 7, "B": 2}

    def test_kills_every_link_and_leaves_the_phone_without_it(self, ana: Player, beto: Player, keeper: Keeper) -> None:
        keys = {letter: keeper.key(link) for letter, link in (("o", "owner"), ("t", "play"))}
        keeper.delete("Ana, Beto")
        for letter, key in keys.items():
            assert beto.client.get(f"/{letter}/{key}").status_code == 404
        assert "Ana" not in Page(ana.client.get("/")).words
        assert "Beto" not in Page(beto.client.get("/")).words

    def test_is_not_for_the_link_to_play(self, ana: Player, beto: Player) -> None:
        answer = beto.client.post(f"/o/{beto.key}/delete", data={"id": str(uuid4()), "name": "Ana, Beto"})
        assert answer.status_code == 404
        assert ana.get().status == 200

    def test_met_by_a_tap_on_its_way_is_told(
        self, beto: Player, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        usual = deals.open_deal

        def meanwhile(*given: object) -> object:
            result = usual(*given)
            keeper.delete("Ana, Beto")
            return result

        monkeypatch.setattr(deals, "open_deal", meanwhile)
        page = beto.post("/matches/1/deals/1/sweep", {"id": str(uuid4()), "side": "A"})
        assert page.status == 404
        assert "has deleted it meanwhile" in page.words


class TestThisPhone:
    def test_forgets_one_table(self, app: Flask, ana: Player) -> None:
        page = Page(ana.client.get("/forget"))
        assert "Save their owner links first" in page.words
        ana.client.post("/forget", data={"what": page.buttons("what")[0]})
        assert "Ana 0 Beto 0" not in Page(ana.client.get("/")).words
        assert ana.get("/owner").status == 403
        assert "Ana 0 Beto 0" in Page(ana.client.get("/")).words, "its link opens it again"

    def test_forgets_everything(self, ana: Player) -> None:
        ana.client.post("/forget", data={"what": "all"})
        with ana.client.session_transaction() as session:
            assert not {"tables", "owned", "device"} & set(session)

    def test_does_not_forget_a_table_of_others(self, ana: Player, stranger: Player) -> None:
        assert stranger.client.post("/forget", data={"what": "1"}).status_code == 404

    def test_is_restored_by_the_saved_owner_link(self, keeper: Keeper, stranger: Player) -> None:
        stranger.client.get(f"/o/{keeper.key('owner')}")
        home = stranger.client.get("/").text
        assert f"/t/{keeper.player.key}" in home
        assert "owner link" in Page(stranger.client.get("/forget")).words

    def test_that_keeps_a_table_follows_its_new_link_to_play(self, app: Flask, keeper: Keeper) -> None:
        other = app.test_client()
        other.get(f"/o/{keeper.key('owner')}")
        keeper.renew("play")
        assert f"/t/{keeper.player.key}" in other.get("/").text


class TestAPastedLink:
    @pytest.mark.parametrize(("link", "letter"), [("owner", "o"), ("play", "t"), ("watch", "w")])
    @pytest.mark.parametrize("text", ["Los jueves: https://x.y/{}/{}/share. Come!"])
    def test_opens_its_table(self, keeper: Keeper, stranger: Player, link: str, letter: str, text: str) -> None:
        pasted = text.format(letter, keeper.key(link))
        answer = stranger.client.post("/open", data={"link": pasted})
        assert answer.location == f"/{letter}/{keeper.key(link)}"

    @pytest.mark.parametrize("text", ["", "http://a.b/t/" + "y" * 22, "\x00<script>"])
    def test_that_opens_nothing_says_so_and_stays_in_the_field(self, ana: Player, text: str) -> None:
        page = Page(ana.client.post("/open", data={"link": text}))
        assert page.status == 422
        assert "No table opens with this" in page.words
        assert page.form(action="/open")["link"].strip() == text.strip()

    def test_of_another_kind_gives_no_more_than_it_allows(self, keeper: Keeper, stranger: Player) -> None:
        answer = stranger.client.post("/open", data={"link": f"http://a.b/o/{keeper.key('play')}"})
        assert answer.location == f"/t/{keeper.player.key}"


class TestANewTable:
    def test_may_be_asked_for_by_game_and_preset(self, client: FlaskClient) -> None:
        form = Page(client.get("/tables/new?game=chorizo&preset=capagorry")).form("agree")
        assert (form["game"], form["preset"]) == ("chorizo", "capagorry")

    def test_asked_for_with_a_game_that_is_not_there_is_the_usual_one(self, client: FlaskClient) -> None:
        assert Page(client.get("/tables/new?game=poker")).form("agree")["game"] == "chorizo"
