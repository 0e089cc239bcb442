"""Games of rounds: points tapped on the free pad, the name of what is played on it, and the closing of a round."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import Player, agreed, open_table, with_fields

THREE = {"shape": "3x1", "player__2": "Leo"}


def tap(table: Player, side: str, points: str, number: int = 1, id: str = "") -> Any:
    return table.post(table.deal(number) + "/points", {"id": id or str(uuid4()), "side": side, "points": points})


@pytest.fixture
def pad(app: Flask) -> Player:
    """Ana and Beto at the free pad, who count in rounds."""
    return open_table(app, game="free", opt__count='"rounds"')


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

    @pytest.mark.parametrize(("side", "points"), [("C", "1")])
    def test_a_damaged_one_writes_nothing(self, pad: Player, side: str, points: str) -> None:
        assert tap(pad, side, points).status == 400
        assert pad.kinds() == ["match_started"]

    @pytest.mark.parametrize("points", ["", "0", "1000", "²"])
    def test_what_no_tap_may_give_is_refused_with_what_may_be_written(self, pad: Player, points: str) -> None:
        refused = tap(pad, "A", points)
        assert refused.status == 422
        assert "from −999 to 999" in refused.words
        assert pad.kinds() == ["match_started"]

    def test_the_closing_has_them_and_nought_for_whoever_got_none(self, pad: Player) -> None:
        tap(pad, "A", "5")
        form = pad.closing()
        assert (form["points-A"], form["points-B"]) == ("5", "0")
        assert pad.close().status == 303
        assert pad.totals() == {"A": 5, "B": 0}

    def test_after_a_closing_was_taken_back_a_tap_adds_to_what_it_said(self, pad: Player) -> None:
        tap(pad, "A", "5")
        assert pad.close(points__A="7", points__B="3").status == 303
        closing = pad.entries()[-1]
        assert pad.post(f"/matches/1/undo/{closing.id}", {"id": str(uuid4())}).status == 303
        tap(pad, "B", "1")
        form = pad.closing()
        assert (form["points-A"], form["points-B"]) == ("7", "4")

    @pytest.mark.parametrize("points", ["999", "−7"])
    def test_any_other_number_is_a_tap(self, pad: Player, points: str) -> None:
        assert tap(pad, "A", points).status == 303
        assert pad.standing().state.current.facts() == {"points": {"A": int(points.replace("−", "-"))}}


class TestCountingAtOnce:
    @pytest.fixture
    def at_once(self, app: Flask) -> Player:
        """Ana and Beto at a new pad to 30."""
        return open_table(app, game="free", opt__target="30")

    def test_the_board_the_big_screen_and_history_have_the_taps(self, at_once: Player) -> None:
        tap(at_once, "A", "5")
        assert at_once.totals() == {"A": 5, "B": 0}
        for page in ("", "/board", "/faces", "/history"):
            assert "5" in at_once.get(page).words, page
        assert "+5 this round" not in at_once.get().words

    def test_the_tap_that_gets_there_shows_the_winner_and_its_undo_the_board(self, at_once: Player) -> None:
        tap(at_once, "A", "29")
        tap(at_once, "A", "1")
        assert "Ana wins" in " ".join(at_once.get().words.split())
        last = at_once.entries()[-2]
        assert "It was not over: go on" in at_once.get().words
        assert f"/undo/{last.id}" in at_once.get().html
        assert at_once.post(f"/matches/1/undo/{last.id}", {"id": str(uuid4())}).status == 303
        assert at_once.totals() == {"A": 29, "B": 0}
        assert "tap number" in at_once.get().html

    def test_closing_by_hand_counts_no_tap_twice(self, at_once: Player) -> None:
        tap(at_once, "A", "5")
        page = at_once.get(at_once.deal(1) + "/close")
        assert "10" not in page.html.split('id="after-A"')[1].split("</small>")[0]
        assert at_once.close().status == 303
        assert at_once.totals() == {"A": 5, "B": 0}

    def test_a_tap_after_the_one_that_won_is_refused_in_words(self, at_once: Player) -> None:
        late = Player(at_once.app, at_once.app.test_client(), at_once.key)
        tap(at_once, "A", "30")
        before = at_once.kinds()
        refused = tap(late, "B", "5")
        assert refused.status == 409
        assert "This match is over: nothing more can be noted in it." in refused.words
        assert at_once.kinds() == before

    def test_a_tap_for_which_the_round_has_no_room_is_refused_in_words(
        self, at_once: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("scorekeeper.store.commands.DEAL_NOTES", 1)
        monkeypatch.setattr("scorekeeper.store.commands.TAPPED_NOTES", 2)
        for _tap in range(2):
            assert tap(at_once, "A", "1").status == 303
        refused = tap(at_once, "A", "1")
        assert refused.status == 422
        assert "In this deal 2 things were noted, the most there can be. Close the deal." in refused.words
        assert at_once.totals() == {"A": 2, "B": 0}


class TestMalasAndBuenas:
    @pytest.mark.parametrize(
        ("points", "words"),
        [("-1", "−1 malas"), ("15", "15 malas"), ("16", "1 buena")],
    )
    def test_a_total_is_said_in_the_half_that_it_is_in(self, app: Flask, points: str, words: str) -> None:
        table = open_table(app, game="free", opt__target="30", halves="y")
        tap(table, "A", points)
        for page in ("", "/board", "/faces"):
            assert words in table.get(page).words, page

    def test_truco_is_to_thirty_at_once_and_in_malas_and_buenas(self, app: Flask) -> None:
        table = open_table(app, game="free", preset="truco")
        setup = table.standing().state.setup
        assert (setup.preset, setup.options["target"], setup.options["end"]) == ("truco", 30, "target")
        assert (setup.options["count"], setup.halves) == ("at_once", True)
        tap(table, "A", "16")
        words = table.get().words
        assert "Truco to 30" in words
        assert "1 buena" in words
        assert "0 malas" in words

    def test_an_address_of_truco_has_them_chosen_and_a_plain_pad_has_not(self, app: Flask) -> None:
        client = app.test_client()
        truco = agreed(client, "/tables/new?game=free&preset=truco")
        assert (truco["halves"], truco["opt-target"], truco["opt-count"]) == ("y", "30", '"at_once"')
        changed = with_fields(truco, {"preset": "free", "step": "refresh"})
        assert "halves" not in Page(client.post("/tables/new", data=changed)).form("agree")


class TestTheLastPadsOfTheTable:
    @pytest.fixture
    def truco(self, app: Flask) -> Player:
        """A table that has played Truco to 30 on the pad."""
        return open_table(app, game="free", opt__target="30", game_name="Truco", halves="y")

    def test_each_is_a_tile_with_its_target_and_counting(self, truco: Player) -> None:
        words = " ".join(truco.get("/matches/new").words.split())
        assert "Truco to 30 · malas and buenas · counted at once" in words

    def test_its_tile_fills_the_form(self, truco: Player) -> None:
        form = truco.get("/matches/new?pad=Truco&game=free").form("agree")
        assert (form["game_name"], form["opt-target"], form["opt-count"]) == ("Truco", "30", '"at_once"')
        assert form["halves"] == "y"


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

    def test_that_shows_nothing_is_refused_and_loses_nothing_typed(self, app: Flask) -> None:
        client = app.test_client()
        form = agreed(client, game="free", player__0="Ana", player__1="Beto", game_name="\u200b")
        answer = client.post("/tables/new", data=form)
        assert answer.status_code == 422
        assert "Nothing of this name can be seen" in answer.get_data(as_text=True)
        assert 'value="Beto"' in answer.get_data(as_text=True)


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
