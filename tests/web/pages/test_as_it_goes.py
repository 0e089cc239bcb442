"""What goes otherwise than planned: what the pages refuse, and in which words, with what was typed still there."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.web.deal_entry import players

from ..conftest import Player, open_table, with_fields

PAIRS = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata", "shape": "2x2"}
THREE = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "shape": "3x1"}


def points(table: Player, number: int = 1, match: int = 1, **told: int) -> None:
    """Close a deal with plain points."""
    path = table.deal(number, match) + "/close"
    form = table.get(path + "?as=points").form("closing")
    fields = {f"points-{side}": value for side, value in told.items()}
    page = table.post(path, with_fields(form, {**fields, "step": "save"}))
    assert page.status == 303, page.words


def fill(table: Player, path: str, form: str, to: str = "", **fields: Any) -> Any:
    """Fill in a form of a page as drawn, and post it to its own address, or to that of ``to``."""
    return table.post(to or path, with_fields(table.get(path).form(form), fields))


class TestPoints:
    @pytest.mark.parametrize(
        ("typed", "words"),
        [
            ({"points": "2", "reason": "a head start"}, "Whose points are they?"),
            ({"side": "B", "reason": "a head start"}, "A whole number, with a minus where points are taken."),
            ({"side": "B", "points": "0", "reason": "a head start"}, "With no points nothing changes."),
            ({"side": "B", "points": "2"}, "Say why: it is a line of the sheet."),
            ({"side": "B", "points": "1000001", "reason": "a head start"}, "A whole number"),
        ],
    )
    def test_are_refused_in_words_and_stay_typed(self, ana: Player, typed: dict[str, str], words: str) -> None:
        page = fill(ana, ana.deal() + "/adjust", "adjust", **typed)
        assert page.status == 422
        assert words in page.words
        again = page.form("adjust")
        assert {name: again[name] for name in typed if name != "side"} == {
            name: value for name, value in typed.items() if name != "side"
        }
        assert ana.kinds() == ["match_started"]

    def test_that_were_noted_are_ticked_in_the_closing_and_count(self, ana: Player) -> None:
        assert fill(ana, ana.deal() + "/adjust", "adjust", side="B", points="-2", reason="talked").status == 303
        assert "−2 for Beto: talked" in ana.get(ana.deal() + "/close").words
        points(ana, A=5, B=3)
        assert ana.totals() == {"A": 5, "B": 1}
        assert "By agreement: Beto, −2 points, talked" in ana.get(ana.deal()).words

    def test_without_their_tick_they_do_not_count(self, ana: Player) -> None:
        fill(ana, ana.deal() + "/adjust", "adjust", side="B", points="-2", reason="talked")
        path = ana.deal() + "/close"
        form = with_fields(ana.get(path + "?as=points").form("closing"), {"points-A": 5, "points-B": 3})
        ana.post(path, with_fields(form, {"adjustment": None, "step": "save"}))
        assert ana.totals() == {"A": 5, "B": 3}

    def test_are_asked_for_from_the_first_side_on_whatever_the_game_asks_else(self, app: Flask) -> None:
        table = open_table(app, game="brisca", **THREE)
        path = table.deal() + "/close?as=points"
        assert "How many points did Ana make?" in table.get(path).words
        form = with_fields(table.get(path).form("closing"), {"points-A": 5, "step": "check"})
        assert "How many points did Beto make?" in table.post(path, form).words


class TestWhoDeals:
    @pytest.mark.parametrize(
        ("page", "fields"),
        [("dealt", {"player": "9"}), ("again", {"who": "both"})],
    )
    def test_what_no_page_sends_is_refused(self, ana: Player, page: str, fields: dict[str, str]) -> None:
        answer = ana.post(f"{ana.deal()}/{page}", {"id": str(uuid4()), **fields})
        assert answer.status == 400
        assert ana.kinds() == ["match_started"]


class TestWhoDidIt:
    def test_is_one_of_the_side_that_swept(self, app: Flask) -> None:
        table = open_table(app, **PAIRS)
        table.sweep("A")
        swept = table.entries()[-1].id
        path = f"{table.deal()}/credit?entry={swept}"
        assert "Ana" in table.get(path).words
        assert "Beto" not in table.get(path).words.partition("Who was it?")[2]
        assert fill(table, path, "credit", table.deal() + "/credit", player="2").status == 400
        assert fill(table, path, "credit", table.deal() + "/credit", player="3").status == 303
        assert "Sweep of Ana and Leo (Leo)" in table.get().words
        assert fill(table, path, "credit", table.deal() + "/credit", player="").status == 303
        assert "(Leo)" not in table.get().words


class TestWhoPlays:
    def test_a_substitute_who_plays_already_is_refused(self, app: Flask) -> None:
        table = open_table(app, **PAIRS)
        points(table, A=5, B=3)
        path = "/matches/1/people"
        page = fill(table, path, "substitute", table.deal(2) + "/substitute", seat="2", newcomer="leo")
        assert page.status == 422
        assert "leo plays already." in page.words
        assert page.form("substitute")["newcomer"] == "leo"

    def test_seats_are_fixed_once_a_deal_is_closed(self, ana: Player) -> None:
        form = ana.get("/matches/1/people").form("seats")
        points(ana, A=5, B=3)
        assert ana.post("/matches/1/seats", form).status == 409
        assert not ana.get("/matches/1/people").has_form("seats")

    def test_only_where_rounds_are_played_somebody_comes_or_leaves(self, ana: Player) -> None:
        for page in ("enter", "leave"):
            answer = ana.post(
                f"{ana.deal()}/{page}", {"id": str(uuid4()), "newcomer": "Dora", "points": "3", "side": "A"}
            )
            assert answer.status == 404
        assert ana.kinds() == ["match_started"]

    def test_a_side_that_comes_and_one_that_leaves_are_in_the_file(self, app: Flask) -> None:
        table = open_table(app, game="free", **THREE)
        points(table, A=3, B=5, C=1)
        page = fill(table, "/matches/1/people", "enter", table.deal(2) + "/enter", newcomer="Dora", points="2")
        assert page.status == 303, page.words
        form = with_fields(table.get("/matches/1/people").form("leave"), {"side": "B"})
        assert table.post(table.deal(2) + "/leave", form).status == 303
        points(table, 2, A=1, C=1, D=4)
        assert table.totals() == {"A": 4, "B": 5, "C": 2, "D": 6}
        lines = table.get("/history.csv").html.splitlines()
        assert [line for line in lines if ",D,Dora," in line][-1].endswith(",6,6,0")
        assert [line for line in lines if ",B,Beto," in line][-1].endswith(",0,5,0")
        for path in ("", "/history", "/matches/1", "/matches/1/journal", "/matches/1/deals/1", "/matches/1/text"):
            assert table.get(path).status == 200, path

    def test_what_who_comes_in_begins_with_was_not_made_in_the_last_deal(self, app: Flask) -> None:
        table = open_table(app, game="carioca", **THREE)
        points(table, A=30, B=0, C=5)
        enters = fill(table, "/matches/1/people", "enter", table.deal(2) + "/enter", newcomer="Eva", points="70")
        assert enters.status == 303, enters.words
        words = table.get().words
        assert "+30 in the last" in words
        assert "+70 in the last" not in words
        points(table, 2, A=0, B=12, C=8, D=5)
        words = table.get().words
        assert "+5 in the last" in words
        assert "+75 in the last" not in words

    def test_there_is_a_letter_for_so_many(self, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(players, "MATCH_SIDES", 3)
        table = open_table(app, game="free", **THREE)
        page = fill(table, "/matches/1/people", "enter", table.deal() + "/enter", newcomer="Dora", points="2")
        assert page.status == 422
        assert "3 have played in this match, the most there can be." in page.words
        assert page.form("enter")["newcomer"] == "Dora"


class TestWhatLaterChangesRestOn:
    @pytest.fixture
    def two(self, app: Flask) -> Player:
        """Two at the pad, then Dora comes in and Ana leaves."""
        two = open_table(app, game="free")
        assert two.post(two.deal() + "/enter", {"id": str(uuid4()), "newcomer": "Dora", "points": "3"}).status == 303
        assert two.post(two.deal() + "/leave", {"id": str(uuid4()), "side": "A"}).status == 303
        return two

    def test_is_said_where_it_cannot_be_taken_back(self, two: Player) -> None:
        _began, entered, left = two.entries()
        page = two.post(f"/matches/1/undo/{entered.id}", {"id": str(uuid4())})
        assert page.status == 422
        assert "First take this back: Ana leaves before deal 1, and keeps the total." in page.words
        for one in (left, entered):
            assert two.post(f"/matches/1/undo/{one.id}", {"id": str(uuid4())}).status == 303
        assert two.standing().state.setup.labels == ["A", "B"]

    def test_nobody_sits_anew_who_comes_in_with_the_next_round(self, app: Flask) -> None:
        table = open_table(app, game="free")
        assert table.post(table.deal() + "/points", {"id": str(uuid4()), "side": "A", "points": "1"}).status == 303
        enters = table.post(table.deal() + "/enter", {"id": str(uuid4()), "newcomer": "Dora", "points": "3"})
        assert enters.status == 303
        page = fill(table, "/matches/1/people", "seats", "/matches/1/seats", **{"player-0": "Dora"})
        assert page.status == 422
        assert "First take this back: Dora comes in with 3 from deal 2 on." in page.words
        assert page.form("seats")["player-0"] == "Dora"


class TestTheRules:
    def test_as_they_are_cannot_be_proposed(self, ana: Player) -> None:
        page = fill(ana, "/matches/1/rules/change", "agree")
        assert page.status == 422
        assert "These are the rules of now: change one of them." in page.words

    def test_that_cannot_be_are_refused_and_stay_typed(self, ana: Player) -> None:
        page = fill(ana, "/matches/1/rules/change", "agree", opt_target=None, **{"opt-target": "-5"})
        assert page.status == 422
        assert page.form("agree")["opt-target"] == "-5"
        assert ana.kinds() == ["match_started"]

    @pytest.mark.parametrize(("target", "is_reached"), [("5", True), ("6", False)])
    def test_a_target_that_somebody_has_reached_already_says_so(
        self, ana: Player, target: str, is_reached: bool
    ) -> None:
        words = "Ana has 5 points already: the match ends with the next deal."
        points(ana, A=5, B=3)
        fill(ana, "/matches/1/rules/change", "agree", **{"opt-target": target})
        assert (words in ana.get("/matches/1/rules/proposed").words) == is_reached
        for side in "AB":
            form = ana.get("/matches/1/rules/proposed").form(action="/accept")
            ana.post("/matches/1/rules/accept", with_fields(form, {"side": side}))
        assert (words in ana.get("/matches/1/rules/proposed").words) == is_reached

    def test_a_sheet_says_by_which_it_was_scored(self, ana: Player) -> None:
        points(ana, A=5, B=3)
        fill(ana, "/matches/1/rules/change", "agree", **{"opt-target": "31"})
        for side in "AB":
            form = ana.get("/matches/1/rules/proposed").form(action="/accept")
            assert ana.post("/matches/1/rules/accept", with_fields(form, {"side": side})).status == 303
        points(ana, 2, A=1, B=2)
        assert "Scored by: The match ends at 21" in ana.get(ana.deal(1)).words
        assert "Scored by: The match ends at 31" in ana.get(ana.deal(2)).words
        assert "Chorizo to 31" in ana.get().words
        assert "From deal 2 on: The match ends at 31" in ana.get("/matches/1/journal").words

    @pytest.mark.parametrize("game", ["scopone", "brisca", "carioca", "free"])
    def test_change_in_a_game_of_every_family(self, app: Flask, game: str) -> None:
        table = open_table(app, game=game, **(PAIRS if game == "scopone" else {}))
        points(table, A=1, B=2)
        form = table.get("/matches/1/rules/change").form("agree")
        ends = [name for name in ("opt-target", "opt-rounds", "opt-match_to") if form.get(name)]
        changed = {ends[0]: int(form[ends[0]]) - 1} if ends else {"opt-target": 40}
        page = table.post("/matches/1/rules/change", with_fields(form, changed))
        assert page.status == 303, page.words
        for side in "AB":
            yes = table.get("/matches/1/rules/proposed").form(action="/accept")
            assert table.post("/matches/1/rules/accept", with_fields(yes, {"side": side})).status == 303
        name = next(iter(changed)).removeprefix("opt-")
        assert table.standing().state.setup.options[name] == int(next(iter(changed.values())))
        assert len(table.standing().state.changes[0].payload["options"]) <= 2
        points(table, 2, A=1, B=2)

    def test_a_no_ends_the_proposal(self, ana: Player) -> None:
        fill(ana, "/matches/1/rules/change", "agree", **{"opt-target": "31"})
        form = ana.get("/matches/1/rules/proposed").form(action="/decline")
        ana.post("/matches/1/rules/decline", with_fields(form, {"side": "B"}))
        assert "The answer was no: the rules stay as they are." in ana.get("/matches/1/rules/proposed").words
        assert ana.post("/matches/1/rules/accept", with_fields(form, {"side": "A", "id": str(uuid4())})).status == 409


class TestDeleting:
    def test_is_for_the_owner_alone(self, ana: Player, app: Flask) -> None:
        guest = Player(app, app.test_client(), ana.key)
        guest.get()
        for page in ("delete", "restore"):
            assert guest.post(f"/matches/1/{page}", {"id": str(uuid4())}).status == 403
        assert guest.get("/matches/1/delete").status == 403
        assert "Delete this match" not in guest.get("/matches/1").words

    def test_hides_it_everywhere(self, ana: Player) -> None:
        points(ana, A=5, B=3)
        ana.post("/matches/1/delete", ana.get("/matches/1/delete").form(action="/delete"))
        for path in ("/matches/1", "/matches/1/deals/1", "/matches/1/journal", "/matches/1/text"):
            assert ana.get(path).status == 404, path
        assert "Ana 5" not in ana.get("/history").words
        assert ana.get().status in (200, 303)
        ana.post("/matches/1/restore", ana.get("/history").form(action="/restore"))
        assert ana.totals() == {"A": 5, "B": 3}


class TestTheNextMatch:
    @pytest.mark.parametrize(
        ("typed", "words"),
        [
            ("", "Say who comes in."),
            ("Dora, dora", "Two who wait have the same name."),
            ("Ana", "Ana plays already."),
            (",".join(f"Eva{number}" for number in range(13)), "No more than 12 can wait."),
        ],
    )
    def test_who_cannot_wait_is_refused_and_stays_typed(self, app: Flask, typed: str, words: str) -> None:
        table = open_table(app, opt__target="1")
        points(table, A=5, B=3)
        page = fill(table, "/matches/1/again", "stays", "/matches/1/stays", waiting=typed)
        assert page.status == 422
        assert words in page.words
        assert page.form("stays")["waiting"] == typed

    def test_without_a_loser_nobody_gets_up(self, ana: Player) -> None:
        ana.stop()
        assert not ana.get("/matches/1/again").has_form("stays")
        assert ana.post("/matches/1/stays", {"id": str(uuid4()), "waiting": "Dora"}).status == 409


class TestALineAboutTheMatch:
    def test_is_bounded_and_stays_typed(self, ana: Player) -> None:
        page = fill(ana, "/matches/1/note", "note-form", note="a" * 121)
        assert page.status == 422
        assert page.form("note-form")["note"] == "a" * 121
        assert ana.kinds() == ["match_started"]
