"""Games of rounds: points tapped on the free pad, the name of what is played on it, and the closing of a round."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from ..conftest import Player, agreed, open_table, with_fields

THREE = {"shape": "3x1", "player__2": "Leo"}


def tap(table: Player, side: str, points: str, number: int = 1, id: str = "") -> Any:
    return table.post(table.deal(number) + "/points", {"id": id or str(uuid4()), "side": side, "points": points})


@pytest.fixture
def pad(app: Flask) -> Player:
    """Ana and Beto at the free pad."""
    return open_table(app, game="free")


class TestTaps:
    def test_each_is_an_entry_that_counts_into_the_open_round(self, pad: Player) -> None:
        for side, points in (("A", "5"), ("A", "1"), ("B", "-1")):
            assert tap(pad, side, points).status == 303
        assert pad.kinds() == ["match_started", *["points_noted"] * 3]
        assert pad.standing().state.current.facts() == {"points": {"A": 6, "B": -1}}
        words = pad.get().words
        assert "+6 this round" in words
        assert "+5 for Ana" in words
        assert pad.totals() == {"A": 0, "B": 0}

    def test_one_sent_twice_is_one(self, pad: Player) -> None:
        id = str(uuid4())
        assert [tap(pad, "A", "5", id=id).status for _time in range(2)] == [303, 303]
        assert pad.standing().state.current.facts() == {"points": {"A": 5}}
        assert tap(pad, "B", "5", id=id).status == 409

    @pytest.mark.parametrize(("side", "points"), [("C", "1"), ("A", "7"), ("A", ""), ("A", "1.0"), ("", "5")])
    def test_a_damaged_one_writes_nothing(self, pad: Player, side: str, points: str) -> None:
        assert tap(pad, side, points).status == 400
        assert pad.kinds() == ["match_started"]

    def test_no_other_game_has_them(self, ana: Player) -> None:
        assert tap(ana, "A", "1").status == 404
        assert "tap number" not in ana.get().html

    def test_the_closing_has_them_and_nought_for_whoever_got_none(self, pad: Player) -> None:
        tap(pad, "A", "5")
        form = pad.closing()
        assert (form["points-A"], form["points-B"]) == ("5", "0")
        assert pad.close().status == 303
        assert pad.totals() == {"A": 5, "B": 0}

    def test_where_a_round_has_a_fixed_sum_the_last_side_gets_the_rest(self, app: Flask) -> None:
        table = open_table(app, game="free", opt__round_sum="25")
        tap(table, "A", "5")
        assert table.close().status == 303
        assert table.totals() == {"A": 5, "B": 20}

    def test_nothing_tapped_leaves_the_fields_empty(self, pad: Player) -> None:
        form = pad.closing()
        assert (form["points-A"], form["points-B"]) == ("", "")

    def test_after_a_closing_was_taken_back_a_tap_adds_to_what_it_said(self, pad: Player) -> None:
        tap(pad, "A", "5")
        assert pad.close(points__A="7", points__B="3").status == 303
        closing = pad.entries()[-1]
        assert pad.post(f"/matches/1/undo/{closing.id}", {"id": str(uuid4())}).status == 303
        tap(pad, "B", "1")
        form = pad.closing()
        assert (form["points-A"], form["points-B"]) == ("7", "4")


class TestTheNameOfTheGame:
    @pytest.fixture
    def truco(self, app: Flask) -> Player:
        return open_table(app, game="free", game_name=" Truco ", opt__target="10")

    def test_stands_wherever_the_game_is_named(self, truco: Player) -> None:
        assert truco.standing().state.setup.game_name == "Truco"
        assert truco.close(points__A="12", points__B="7").status == 303
        for path in ("", "/board", "/history", "/matches/1", "/matches/1/text", "/matches/1/picture", "/phone"):
            page = truco.get(path)
            assert "Truco" in page.html, path
            assert "Another game ·" not in page.words, path
        assert "Truco" in Player(truco.app, truco.client).client.get("/").get_data(as_text=True)

    def test_is_kept_by_a_rematch_and_by_the_next_form(self, truco: Player) -> None:
        assert truco.get("/matches/new").form("agree")["game_name"] == "Truco"
        assert truco.close(points__A="12", points__B="7").status == 303
        assert truco.post("/matches/1/rematch", {"id": str(uuid4())}).status == 303
        assert truco.standing(2).state.setup.game_name == "Truco"

    def test_may_be_left_empty(self, pad: Player) -> None:
        assert pad.standing().state.setup.game_name is None
        assert "Another game" in pad.get().words

    def test_that_shows_nothing_is_refused_and_loses_nothing_typed(self, app: Flask) -> None:
        client = app.test_client()
        form = agreed(client, game="free", player__0="Ana", player__1="Beto", game_name="\u200b")
        answer = client.post("/tables/new", data=form)
        assert answer.status_code == 422
        assert "Nothing of this name can be seen" in answer.get_data(as_text=True)
        assert 'value="Beto"' in answer.get_data(as_text=True)

    def test_no_other_game_takes_one(self, app: Flask) -> None:
        client = app.test_client()
        client.get("/")
        form = with_fields(agreed(client, player__0="Ana", player__1="Beto"), {"game_name": "Truco"})
        location = client.post("/tables/new", data=form).location
        table = Player(app, client, location.removeprefix("/t/"))
        assert table.standing().state.setup.game_name is None


class TestClosingARoundOfCarioca:
    @pytest.fixture
    def table(self, app: Flask) -> Player:
        return open_table(app, game="carioca", **THREE)

    def test_its_page_says_the_round_and_asks_only_the_cutter_for_the_cut(self, table: Player) -> None:
        page = table.get(table.deal() + "/close")
        assert "Close round 1" in page.words
        assert "2 trios · 11 cards · cut 34" in page.words
        assert page.html.count('name="perfect_cut"') == 1
        assert "Leo cut perfectly: −10" in page.words

    def test_each_row_says_the_new_total_and_the_place(self, table: Player) -> None:
        assert table.close(went_out="A", left_points__B="35", left__C="K 5").status == 303
        form = with_fields(table.closing(2), {"out_at_once": "C", "left_points-A": "50", "left_points-B": "5"})
        words = table.post(table.deal(2) + "/close", with_fields(form, {"step": "check"})).words
        assert "0 → 50 · 3rd" in words
        assert "35 → 40 · 2nd" in words
        assert "15 → −15 · 1st" in words
        assert "Leo leads, −15" in words

    def test_a_row_still_open_says_what_is_known(self, table: Player) -> None:
        form = with_fields(table.closing(), {"went_out": "A", "left-B": "k 5 a"})
        words = table.post(table.deal() + "/close", with_fields(form, {"step": "check"})).words
        assert "0 → 35 " in words
        assert "How many points did Leo make?" in words
        assert "leads" not in words

    def test_the_sheet_ranks_the_lowest_first_and_so_does_the_end(self, app: Flask) -> None:
        table = open_table(app, game="carioca", opt__rounds="1", **THREE)
        assert table.close(went_out="C", left_points__A="35", left_points__B="10").status == 303
        for page in (table.get(table.deal()), table.get()):
            words = page.words
            assert words.index("Leo 0") < words.index("Beto 10") < words.index("Ana 35")

    def test_what_is_written_that_is_no_card_is_refused_and_kept(self, table: Player) -> None:
        form = with_fields(table.closing(), {"went_out": "A", "left-B": "K W", "left_points-C": "5", "step": "save"})
        page = table.post(table.deal() + "/close", form)
        assert page.status == 422
        assert page.form("closing")["left-B"] == "K W"
        assert table.kinds() == ["match_started"]

    def test_corrected_it_starts_from_the_totals_before_it(self, table: Player) -> None:
        assert table.close(went_out="A", left_points__B="35", left_points__C="15").status == 303
        assert table.close(2, went_out="B", left_points__A="5", left_points__C="15").status == 303
        assert "Correct round 1" in table.get(table.deal() + "/close").words
        assert "0 → 35" in table.get(table.deal() + "/close").words
