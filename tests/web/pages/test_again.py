"""Between two matches: the same again, partners changed round, the winner stays, and how the evening stands."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from scorekeeper.limits import CACHED_PARTS
from scorekeeper.store import commands
from scorekeeper.store.db import db
from scorekeeper.store.lru import LruCache
from scorekeeper.store.models import Entry, Match, MatchSummary, Table

from ...helpers.moments import play_at
from ...helpers.reading import Page
from ..conftest import Player, join, open_table, with_fields

pytestmark = pytest.mark.whole

PAIRS = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata", "shape": "2x2"}
AGAIN = 'href="/t/{}/matches/1/again"'


def close(table: Player, match: int = 1, deal: int = 1, **points: int) -> None:
    """Close a deal with plain points."""
    path = table.deal(deal, match) + "/close"
    form = table.get(path + "?as=points").form("closing")
    told = {f"points-{side}": value for side, value in points.items()}
    page = table.post(path, with_fields(form, {**told, "step": "save"}))
    assert page.status == 303, page.words


def ended(app: Flask, *, winner: str = "A", **fields: Any) -> Player:
    """Open a table whose first match one side has won with its first deal."""
    table = open_table(app, opt__target="1", **fields)
    close(table, **{side: 5 if side == winner else 3 for side in "AB"})
    return table


def press(table: Player, form: str, match: int = 1, **fields: Any) -> Page:
    """Press a button of the page of another match, as it is drawn, with what is typed beside it."""
    page = table.get(f"/matches/{match}/again")
    to = {"partners": "rematch", "stays": "stays"}[form]
    return table.post(f"/matches/{match}/{to}", with_fields(page.form(form), fields))


def seats(table: Player, match: int) -> list[str]:
    """Return who sits where, and the first dealer first of all."""
    setup = table.standing(match).state.setup
    names = {number: name for name, number in numbers(table).items()}
    return [names[setup.seats[setup.first_dealer]], *(names[number] for number in setup.seats)]


def numbers(table: Player) -> dict[str, int]:
    """Return the numbers of the table's players by their names."""
    with table.app.app_context():
        rows = db.session.execute(select(commands.Player.name, commands.Player.number)).all()
    return {row.name: row.number for row in rows}


def waiting(table: Player, match: int) -> list[str]:
    names = {number: name for name, number in numbers(table).items()}
    return [names[number] for number in table.standing(match).state.waiting]


class TestTheWayThere:
    def test_is_on_the_board_of_the_winner_and_on_the_sheet_of_the_last_deal(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        for page in ("", table.deal()):
            assert AGAIN.format(table.key) in table.get(page).html, page
            assert "Other partners, or who waits comes in" in table.get(page).words

    def test_is_not_drawn_where_more_than_two_sides_play(self, app: Flask) -> None:
        table = open_table(app, **{**PAIRS, "shape": "4x1"}, opt__target="1")
        close(table, A=5, B=3, C=0, D=0)
        for page in ("", table.deal()):
            assert AGAIN.format(table.key) not in table.get(page).html, page
        again = table.get("/matches/1/again")
        assert again.has_form(action="/rematch")
        assert not again.has_form("partners")
        assert not again.has_form("stays")

    def test_leads_to_a_new_match_while_the_match_goes_on(self, ana: Player) -> None:
        assert ana.get("/matches/1/again").location.endswith("/matches/new")


class TestTheSameAgain:
    def test_has_the_same_seats_and_the_next_deals(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        page = table.get("/matches/1/again")
        assert "Rematch: Beto deals" in page.words
        table.post("/matches/1/rematch", page.form(action="/rematch"))
        assert seats(table, 2) == ["Beto", "Ana", "Beto", "Leo", "Cata"]

    def test_has_the_rules_that_the_match_had_at_its_end(self, app: Flask) -> None:
        table = open_table(app, opt__target="5", rules_name="Flores")
        close(table, A=1, B=2)
        change = table.get("/matches/1/rules/change").form("agree")
        assert table.post("/matches/1/rules/change", with_fields(change, {"opt-target": "6"})).status == 303
        for side in "AB":
            yes = table.get("/matches/1/rules/proposed").form(action="/accept")
            assert table.post("/matches/1/rules/accept", with_fields(yes, {"side": side})).status == 303
        close(table, deal=2, A=6, B=1)
        assert press(table, "stays", waiting="Dora").status == 303
        before, after = (table.standing(match).state.setup for match in (1, 2))
        assert (after.options["target"], after.rules_name, after.preset) == (6, "Flores", before.preset)


class TestPartnersChangedRound:
    @pytest.mark.parametrize("partner", ["Beto", "Leo"])
    def test_sit_opposite_and_whose_turn_it_is_deals(self, app: Flask, partner: str) -> None:
        table = ended(app, **PAIRS)
        assert press(table, "partners", partner=numbers(table)[partner]).status == 303
        dealer, *seated = seats(table, 2)
        assert dealer == "Beto"
        assert seated[(seated.index("Ana") + 2) % 4] == partner

    def test_asked_for_by_two_phones_are_one_match(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        other = join(app, table)
        for phone in (table, other):
            assert press(phone, "partners", partner=numbers(table)["Cata"]).status == 303
        assert table.get("/matches/3").status == 404

    def test_come_round_before_any_has_met_twice(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        met = [frozenset({"Ana", "Leo"})]
        for match in (1, 2):
            first = table.get(f"/matches/{match}/again").buttons("partner")[0]
            press(table, "partners", match, partner=first)
            close(table, match=match + 1, A=5, B=3)
            _dealer, ana, _right, opposite, _left = seats(table, match + 1)
            met.append(frozenset({ana, opposite}))
        assert len(set(met)) == 3

    def test_keep_the_name_of_a_pair_only_where_it_plays_on(self, app: Flask) -> None:
        table = ended(app, **PAIRS, team__0="Us", team__1="Them")
        press(table, "partners", partner=numbers(table)["Leo"])
        assert [side.name for side in table.standing(2).state.setup.sides] == ["Us", "Them"]
        close(table, match=2, A=5, B=3)
        press(table, "partners", 2, partner=numbers(table)["Cata"])
        assert [side.name for side in table.standing(3).state.setup.sides] == [None, None]

    @pytest.mark.parametrize("partner", ["1", "9", "9" * 30])
    def test_that_no_page_draws_are_refused(self, app: Flask, partner: str) -> None:
        table = ended(app, **PAIRS)
        assert press(table, "partners", partner=partner).status == 400
        assert table.get("/matches/2").status == 404


class TestTheWinnerStays:
    def test_in_the_same_seat_and_the_loser_waits_last(self, app: Flask) -> None:
        table = ended(app, winner="B")
        assert press(table, "stays", waiting="Dora, Eva, Fede").status == 303
        assert seats(table, 2) == ["Beto", "Dora", "Beto"]
        assert waiting(table, 2) == ["Eva", "Fede", "Ana"]

    def test_a_pair_leaves_and_two_come_in(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        assert "Beto and Cata get up, and wait behind the others." in table.get("/matches/1/again").words
        assert press(table, "stays", waiting="Dora, Eva, Fede").status == 303
        assert seats(table, 2) == ["Dora", "Ana", "Dora", "Leo", "Eva"]
        assert waiting(table, 2) == ["Fede", "Beto", "Cata"]

    def test_the_next_time_the_queue_stands_there_already(self, app: Flask) -> None:
        table = ended(app)
        press(table, "stays", waiting="Dora, Eva")
        close(table, match=2, A=5, B=3)
        assert table.get("/matches/2/again").form("stays")["waiting"] == "Eva, Beto"
        assert press(table, "stays", 2).status == 303
        assert seats(table, 3)[1:] == ["Ana", "Eva"]

    def test_everybody_whom_the_table_knows_and_who_does_not_play_is_offered(self, app: Flask) -> None:
        table = ended(app)
        press(table, "stays", waiting="Dora, Eva")
        close(table, match=2, A=5, B=3)
        page = table.get("/matches/2/again")
        for name, offered in {"Ana": False, "Beto": True, "Dora": False, "Eva": True}.items():
            assert (f'data-append="{name}"' in page.html) is offered, name

    def test_a_known_player_whose_name_has_a_comma_is_one(self, app: Flask) -> None:
        table = ended(app, player__1="Rey, Beto")
        press(table, "stays", waiting="Dora, Eva")
        close(table, match=2, A=5, B=3)
        assert table.get("/matches/2/again").form("stays")["waiting"] == "Eva, Rey, Beto"
        press(table, "stays", 2)
        assert waiting(table, 3) == ["Rey, Beto", "Dora"]

    def test_a_pair_needs_two(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        page = press(table, "stays", waiting="Dora")
        assert page.status == 422
        assert "Say which 2 come in." in page.words
        assert page.form("stays")["waiting"] == "Dora"

    def test_a_table_with_as_many_players_as_can_be_keeps_what_was_typed(
        self, app: Flask, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = ended(app)
        monkeypatch.setattr(commands, "TABLE_PLAYERS", 3)
        page = press(table, "stays", waiting="Dora, Eva")
        assert page.status == 422
        assert "This table has 3 players, the most there can be." in page.words
        assert page.form("stays")["waiting"] == "Dora, Eva"
        assert sorted(numbers(table)) == ["Ana", "Beto"]


class TestTheTallyOfTheEvening:
    def test_is_on_the_board_of_the_next_match(self, app: Flask) -> None:
        table = ended(app, **PAIRS)
        table.post("/matches/1/rematch", table.get().form(action="/rematch"))
        assert "Tonight: Ana and Leo 1" in table.get().words


class TestBesideAMatchThatWasStartedSince:
    def test_the_form_of_a_new_match_asks_first(self, app: Flask) -> None:
        table = ended(app)
        form = with_fields(table.get("/matches/new").form("agree"), {"step": "save", "player-1": "Zoe"})
        assert table.post("/matches/1/rematch", table.get().form(action="/rematch")).status == 303
        asked = table.post("/matches/new", form)
        assert (asked.status, table.entries(3)) == (409, [])
        assert "A match was started meanwhile. Nothing else was started." in asked.words
        assert "Go on with it" in asked.words
        again = asked.form("agree")
        assert (again["player-1"], again["before"]) == ("Zoe", "leave")
        assert table.post("/matches/new", with_fields(again, {"step": "save"})).status == 303
        assert table.kinds(3)[0] == "match_started"

    def test_a_rematch_asks_where_an_older_match_was_taken_up_again(self, app: Flask) -> None:
        table = open_table(app)
        close(table, A=5, B=3)
        table.post("/matches/new", with_fields(table.get("/matches/new").form("agree"), {"step": "save"}))
        close(table, match=2, A=5, B=3)
        table.stop(2, leader=True)
        stale = table.get().form(action="/rematch")
        table.post("/matches/1/resume", table.get("/matches/1").form(action="/resume"))
        assert table.post("/matches/2/rematch", stale).status == 409
        assert table.entries(3) == []


class TestAMatchOverTwoDays:
    def test_says_so_and_is_of_tonight(self, app: Flask) -> None:
        table = open_table(app)
        close(table, A=15, B=3)
        _let_a_day_pass(table)
        close(table, deal=2, A=7, B=3)
        words = table.get().words
        assert "in two days · Tonight: Ana 1" in words
        assert "minute" not in words

    def test_is_none_where_it_was_only_corrected_on_the_second(self, app: Flask) -> None:
        table = ended(app)
        _let_a_day_pass(table)
        form = table.get(table.deal() + "/close").form("closing")
        for points in ("6", "7"):
            told = {"points-A": points, "step": "save"}
            page = table.post(table.deal() + "/close", with_fields(form, told))
            assert page.status == 303, page.words
            form = table.get(table.deal() + "/close").form("closing")
        assert "That evening: Ana 1" in table.get().words
        assert "days" not in table.get().words


def _let_a_day_pass(table: Player) -> None:
    """Let all that was written so far have been written a day before."""
    with table.app.app_context():
        for match in db.session.scalars(select(Match)):
            match.created_at -= timedelta(days=1)
        for entry in db.session.scalars(select(Entry)):
            entry.created_at -= timedelta(days=1)
        began = {row.match: row.started_at - timedelta(days=1) for row in db.session.scalars(select(MatchSummary))}
        play_at(db.session.scalars(select(Table)).one(), began)
    table.app.extensions["scorekeeper.parts"] = LruCache[str](CACHED_PARTS)
    table.app.extensions.pop("scorekeeper.standings", None)
