"""A match from its first deal to its last: dealers, the target, ties, the winner, the rematch, its history."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import queries

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, join, open_table, with_fields

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}
LEVEL = {
    "award__cards": "nobody",
    "award__coins": "nobody",
    "award__seven_of_coins": "A",
    "award__two_of_clubs": "B",
    "award__prime": "nobody",
}


def to_target(app: Flask, target: int = 12, **fields: str) -> Player:
    return open_table(app, opt__target=str(target), **fields)


class TestTheDeal:
    def test_goes_round_all_four_of_two_pairs(self, app: Flask) -> None:
        names = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata"}
        table = open_table(app, shape="2x2", first_dealer="3", **names)
        dealers = []
        for number in (1, 2, 3):
            words = table.get().words
            dealers.append(next(name for name in names.values() if f"{name} deals" in words))
            table.close(number, **TRUST)
        assert dealers == ["Cata", "Ana", "Beto"]


class TestTheSheet:
    def test_has_one_sentence_a_line_with_totals_and_next_dealer(self, ana: Player) -> None:
        ana.sweep("B")
        ana.close(**TRUST)
        page = ana.get(ana.deal() + "?saved=1")
        assert "Two of clubs: Ana" in page.words
        assert "Deal 2: Beto deals" in page.words
        assert "Undo : closing deal 1" in page.words

    def test_of_an_open_deal_is_its_closing_form(self, ana: Player) -> None:
        assert ana.get(ana.deal()).location.endswith("/deals/1/close")


class TestTheEnd:
    def test_the_winner_is_named(self, app: Flask) -> None:
        table = to_target(app)
        table.close(**TRUST)
        table.close(2, **TRUST)
        page = table.get()
        assert "Ana wins" in page.words
        assert not page.has_form(action="/sweep")

    def test_a_tie_at_the_target_plays_on(self, app: Flask) -> None:
        table = to_target(app, 5)
        table.close(**LEVEL, sweeps__A="4", sweeps__B="1")
        page = table.get()
        assert table.totals() == {"A": 5, "B": 5}
        assert "level: play on" in page.words
        assert "Level at the target" in table.get(table.deal()).words
        table.close(2, **TRUST)
        assert "Ana wins" in table.get().words

    def test_after_the_end_nothing_more_is_noted(self, app: Flask) -> None:
        table = to_target(app, 5)
        table.close(**TRUST)
        assert table.sweep("A", number=2).status == 409
        assert table.get(table.deal(2) + "/close").status == 404

    def test_a_correction_may_win_earlier_and_keeps_the_deals_played_since(self, app: Flask) -> None:
        table = to_target(app, 7)
        table.close(**TRUST)
        table.close(2, **{**TRUST, "award__two_of_clubs": "B", "award__cards": "B"})
        assert table.totals() == {"A": 7, "B": 9}
        table.close(1, sweeps__A="1")
        page = table.get("/matches/1")
        assert table.totals() == {"A": 7, "B": 2}
        assert "1 deal was played after the match was won" in page.words
        assert table.deal(2) in page.html
        sheet = table.get(table.deal(2))
        assert "1 deal was played after the match was won" in sheet.words
        assert "This deal 1 7" in sheet.words

    def test_a_cut_is_undone_from_the_match(self, ana: Player) -> None:
        ana.close(**TRUST)
        ana.stop(leader=True)
        page = ana.get("/matches/1")
        ended = ana.standing().state.ended
        assert ended is not None
        ana.post(f"/matches/1/undo/{ended.id}", page.form(action=f"/undo/{ended.id}"))
        assert "Deal 2 · Beto deals" in ana.get().words
        assert not ana.standing().is_over


class TestTheRematch:
    def test_keeps_seats_and_house_rules_and_moves_the_dealer_on(self, app: Flask) -> None:
        table = to_target(app, 5, opt__pts_one_of_coins="2")
        table.close(**{**TRUST, "award__one_of_coins": "B"})
        table.post("/matches/1/rematch", table.get().form(action="/rematch"))
        page = table.get()
        assert "Beto deals" in page.words
        assert table.totals(2) == {"A": 0, "B": 0}
        assert table.standing(2).state.setup.options == table.standing(1).state.setup.options

    def test_the_same_names_are_the_same_players(self, ana: Player) -> None:
        form = ana.get("/matches/new").form("agree")
        assert ana.post("/matches/new", with_fields(form, {"player-1": "Leo", "step": "save"})).status == 303
        assert [side.players for side in ana.standing(2).state.setup.sides] == [(1,), (3,)]


class TestHistory:
    def test_comes_in_pages(self, ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(queries, "PAGE", 2)
        for last in range(1, 5):
            ana.stop(last)
            ana.post(f"/matches/{last}/rematch", {"id": str(uuid4())})
        page = ana.get("/history")
        assert f"/t/{ana.key}/matches/5" in page.html
        assert f"/t/{ana.key}/matches/3" not in page.html
        assert f"/t/{ana.key}/matches/3" in ana.get("/history?before=4").html


class TestLinks:
    @pytest.mark.parametrize(
        "path",
        [
            "",
            "/qr.svg",
            "/matches/1/deals/1/close",
        ],
    )
    def test_a_foreign_link_opens_nothing(self, stranger: Player, path: str) -> None:
        page = stranger.get(path)
        assert page.status == 404
        assert "does not lead to a table" in page.words

    @pytest.mark.parametrize(
        "path",
        [
            "/matches/1/deals/1/sweep",
            "/matches/1/end",
        ],
    )
    def test_nor_writes_anything(self, ana: Player, stranger: Player, path: str) -> None:
        assert stranger.post(path, {"id": str(uuid4()), "side": "A"}).status == 404
        assert ana.kinds() == ["match_started"]

    def test_a_button_without_its_form_writes_nothing(self, ana: Player) -> None:
        assert ana.post("/matches/1/end", {}).status == 400
        assert ana.kinds() == ["match_started"]

    def test_a_dead_link_leaves_this_phone(self, ana: Player) -> None:
        with ana.client.session_transaction() as session:
            session["tables"] = ["dead", ana.key]
        ana.client.get("/t/dead")
        with ana.client.session_transaction() as session:
            assert session["tables"] == [ana.key]


def test_every_form_is_protected_against_foreign_pages(ana: Player) -> None:
    ana.app.config["WTF_CSRF_ENABLED"] = True
    page = Page(ana.client.post(f"/t/{ana.key}/matches/1/deals/1/sweep", data={"id": str(uuid4()), "side": "A"}))
    assert page.status == 400
    assert ana.kinds() == ["match_started"]


class TestThePageOfAMatch:
    def test_has_each_deal_in_a_line_that_opens_to_its_sheet(self, ana: Player) -> None:
        ana.close(**TRUST)
        page = ana.get("/matches/1")
        assert 'id="deal-1"' in page.html
        address = f"/t/{ana.key}/matches/1/deals/1"
        assert f'href="{address}"' in page.html
        assert f'hx-get="{address}?lines=1"' in page.html
        assert "Two of clubs" not in page.words

    def test_fetches_only_the_lines_of_a_deal(self, ana: Player) -> None:
        ana.close(**TRUST)
        whole = ana.get(ana.deal() + "?lines=1")
        lines = ana.get(ana.deal() + "?lines=1", headers={"HX-Request": "true"})
        assert "<html" in whole.html
        assert "<html" not in lines.html
        assert "Two of clubs: Ana" in lines.words
        assert "This deal: Ana 6, Beto 2" in lines.words


class TestWhatTurnedIt:
    def test_is_named_of_a_match_that_is_won(self, app: Flask) -> None:
        table = to_target(app, 14)
        for number in (1, 2):
            table.close(number, **TRUST)
            assert "start to finish" not in table.get("/matches/1").words
        table.close(3, **TRUST)
        assert "Ana led from start to finish." in table.get("/matches/1").words
        spanish = table.get("/matches/1", headers={"Accept-Language": "es"}).words
        assert "Ana llevó la delantera de punta a punta." in spanish

    def test_of_who_came_back_is_how_far_behind_it_was(self, app: Flask) -> None:
        table = to_target(app, 12, game="free")
        for number, (a, b) in enumerate(((2, 9), (5, 1), (6, 1)), 1):
            table.close(number, points__A=str(a), points__B=str(b))
        words = table.get("/matches/1").words
        assert "Ana came back from 2–9." in words
        assert "Ana went ahead only in the last round." in words
        spanish = table.get("/matches/1", headers={"Accept-Language": "es"}).words
        assert "Ana volvió de 2–9. Ana no pasó adelante hasta la última ronda." in spanish

    def test_is_not_named_while_a_deal_is_in_doubt(self, app: Flask) -> None:
        table = to_target(app, 14)
        for number in (1, 2, 3):
            table.close(number, **TRUST)
        beto = join(app, table, 2)
        form = with_fields(beto.get(table.deal(3)).form(action="/dispute"), {"side": "B"})
        assert beto.post(f"{table.deal(3)}/dispute", form).status == 303
        words = table.get("/matches/1").words
        assert "start to finish" not in words
        assert "in doubt" in words
