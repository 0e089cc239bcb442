"""A best of three: up to three matches in a row between the same sides, until one has won two."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from scorekeeper.store import queries
from scorekeeper.store.db import writing
from scorekeeper.store.deleted import bring_back, hide

from ...helpers.reading import Page
from ..conftest import Player, open_table, with_fields
from ..pages.test_again import press
from ..pages.test_as_it_goes import fill

pytestmark = pytest.mark.whole

PAIRS = {"shape": "2x2", "player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata"}
BESIDE = re.compile(r'<small class="number matches-won">(\d)<')


def begin(app: Flask, **fields: Any) -> Player:
    """Open a table whose matches one deal wins, with a best of three."""
    return open_table(app, opt__target="1", best_of_three="y", **fields)


def win(table: Player, match: int, side: str) -> None:
    """Let a side win a match with its first deal."""
    assert table.close(match=match, rest=side, accept=["pile_modulus"]).status == 303


def rematch(table: Player, match: int) -> int:
    """Ask for the rematch of a match as its sheet offers it, and return the number of the next one."""
    form = table.get(table.deal(match=match)).form(action="/rematch")
    page = table.post(f"/matches/{match}/rematch", form)
    assert page.status == 303, page.words
    return match + 1


def play(table: Player, winners: str) -> None:
    """Play matches in a row, each the rematch of the one before."""
    for match, side in enumerate(winners, 1):
        if match > 1:
            assert rematch(table, match - 1) == match
        win(table, match, side)


def rematch_anyway(table: Player, match: int) -> object:
    """Ask for the rematch of a match whatever was started since; return the series of the match that begins."""
    page = table.post(f"/matches/{match}/rematch", {"id": str(uuid4()), "anyway": "yes"})
    assert page.status == 303, page.words
    with table.app.app_context():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        return series(table, found.last_match)


def series(table: Player, match: int) -> object:
    """Return what a match says of its series."""
    return table.entries(match)[0].payload.get("series")


def beside(page: Page) -> list[str]:
    """Return the matches won that a page shows beside the sides."""
    return BESIDE.findall(page.html)


def change(table: Player, match: int, *, back: bool = False) -> None:
    """Delete a match as the owner does, or bring it back."""
    with table.app.app_context(), writing():
        found = queries.table_by_play_key(table.key)
        assert found is not None
        if back:
            bring_back(found, match)
        else:
            row = queries.match_by_number(found, match)
            assert row is not None
            hide(found, row)


def own_match(table: Player, **fields: Any) -> Page:
    """Start a match with the form of a new one, as it is drawn."""
    form = with_fields(table.get("/matches/new").form("agree"), {**fields, "step": "save"})
    return table.post("/matches/new", form)


@pytest.fixture
def table(app: Flask) -> Player:
    return begin(app)


class TestBeginning:
    def test_without_the_tick_a_match_stands_alone_and_so_does_its_rematch(self, app: Flask) -> None:
        table = open_table(app, opt__target="1")
        win(table, 1, "A")
        rematch(table, 1)
        assert [series(table, match) for match in (1, 2)] == [None, None]
        assert beside(table.get()) == []
        assert "best of three" not in table.get().words

    def test_the_form_of_the_next_match_has_the_tick_where_the_last_was_in_one(self, app: Flask) -> None:
        table = begin(app)
        assert "best_of_three" in table.get("/matches/new").form("agree")
        alone = open_table(app)
        assert "best_of_three" not in alone.get("/matches/new").form("agree")


class TestGoingOn:
    def test_a_rematch_goes_on_and_names_the_first_match(self, table: Player) -> None:
        play(table, "AB")
        rematch(table, 2)
        assert [series(table, match) for match in (2, 3)] == [{"of": 3, "first": 1}] * 2

    def test_once_it_is_won_a_rematch_begins_another(self, table: Player) -> None:
        play(table, "AA")
        assert "Another series: Ana deals" in table.get().words
        rematch(table, 2)
        assert series(table, 3) == {"of": 3, "first": 3}

    def test_once_it_is_won_a_single_match_is_offered_among_the_ways_on(self, table: Player) -> None:
        play(table, "AA")
        forms = table.get("/matches/2/again")
        assert "Rematch: Ana deals" in forms.words
        assert table.post("/matches/2/rematch", {"id": str(uuid4())}).status == 303
        assert series(table, 3) is None

    def test_other_partners_begin_without_it(self, app: Flask) -> None:
        table = begin(app, **PAIRS)
        win(table, 1, "A")
        assert press(table, "partners", partner="2").status == 303
        assert series(table, 2) is None
        assert beside(table.get()) == []

    def test_until_its_end_nobody_gets_up_for_who_waits(self, table: Player) -> None:
        win(table, 1, "A")
        assert not table.get("/matches/1/again").has_form("stays")
        answer = table.post("/matches/1/stays", {"id": str(uuid4()), "waiting": "Dora"})
        assert answer.status == 409
        assert "The best of three goes on" in answer.words
        rematch(table, 1)
        win(table, 2, "A")
        assert press(table, "stays", match=2, waiting="Dora").status == 303
        assert series(table, 3) is None

    def test_three_sides_with_a_match_each_leave_it_to_nobody(self, app: Flask) -> None:
        table = open_table(app, game="brisca", shape="3x1", best_of_three="y", player__2="Leo")
        for match, side in enumerate("ABC", 1):
            if match > 1:
                assert table.post(f"/matches/{match - 1}/rematch", table.get().form(action="/rematch")).status == 303
            table.close(match=match, **{f"card_points__{label}": 100 if label == side else 10 for label in "ABC"})
            table.stop(match=match, leader=True)
        assert "Nobody has won the best of three: 1–1–1" in table.get().words
        assert "Another series" in table.get().words


class TestHistory:
    def test_names_the_matches_of_a_series_in_their_order(self, app: Flask) -> None:
        table = open_table(app, opt__target="1")
        win(table, 1, "A")
        assert own_match(table, best_of_three="y").status == 303
        win(table, 2, "A")
        rematch(table, 2)
        words = table.get("/history").words
        assert re.findall(r"best of three, match (\d)", words) == ["2", "1"]

    def test_the_journal_says_what_the_match_began_as(self, table: Player) -> None:
        assert "The match began: Chorizo, best of three" in table.get("/matches/1/journal").words


class TestTheScore:
    def test_is_beside_each_side_on_every_board(self, app: Flask, table: Player) -> None:
        play(table, "A")
        rematch(table, 1)
        for page in ("", "/board"):
            assert beside(table.get(page)) == ["1", "0"], page
        assert beside(table.get("/faces")) == ["0", "1", "1", "0"]
        assert beside(table.get("/matches/2")) == ["1", "0"]
        watch = table.hold("watch").location
        assert beside(Page(app.test_client().get(watch))) == ["1", "0"]

    def test_is_told_at_the_end_of_each_match(self, table: Player) -> None:
        win(table, 1, "A")
        assert "Best of three: 1–0" in table.get().words
        rematch(table, 1)
        win(table, 2, "B")
        assert "Best of three: one match each, the next decides" in table.get().words
        rematch(table, 2)
        assert "decides" not in table.get().words
        win(table, 3, "A")
        for page in ("", table.deal(match=3), "/board", "/faces"):
            assert "Ana wins the best of three, 2–1" in table.get(page).words, page

    def test_is_in_the_text_that_is_shared_and_in_what_a_chat_shows(self, app: Flask, table: Player) -> None:
        play(table, "BAB")
        assert "Beto wins the best of three, 2–1" in table.get("/matches/3/text").words
        watch = table.hold("watch").location
        assert "Beto wins the best of three, 2–1." in app.test_client().get(watch).text

    def test_follows_a_correction_of_an_earlier_match_on_every_kept_board(self, table: Player) -> None:
        win(table, 1, "A")
        rematch(table, 1)
        for page in ("", "/board"):
            assert beside(table.get(page)) == ["1", "0"]
        win(table, 1, "B")
        for page in ("", "/board"):
            assert beside(table.get(page)) == ["0", "1"]

    def test_a_deleted_match_counts_for_nobody_until_it_is_brought_back(self, table: Player) -> None:
        play(table, "AB")
        rematch(table, 2)
        assert beside(table.get()) == ["1", "1"]
        change(table, 1)
        assert beside(table.get()) == ["0", "1"]
        change(table, 1, back=True)
        assert beside(table.get()) == ["1", "1"]

    def test_a_substitute_plays_for_the_side_of_whoever_left(self, app: Flask) -> None:
        table = open_table(app, best_of_three="y", **PAIRS)
        for match in (1, 2):
            table.close(match=match, rest="A", accept=["pile_modulus"])
            if match == 2:
                to = table.deal(2, match=2) + "/substitute"
                assert fill(table, "/matches/2/people", "substitute", to, seat="1", newcomer="Dora").status == 303
                assert beside(table.get()) == ["1", "0"]
                table.close(2, match=2, rest="B", accept=["pile_modulus"])
                table.close(3, match=2, rest="B", accept=["pile_modulus"])
            table.stop(match=match, leader=True)
            assert rematch_anyway(table, match) == {"of": 3, "first": 1}
        assert beside(table.get()) == ["1", "1"]

    def test_with_somebody_else_in_the_seat_from_its_beginning_a_match_is_none_of_it(self, table: Player) -> None:
        win(table, 1, "A")
        rematch(table, 1)
        fill(table, "/matches/2/people", "seats", "/matches/2/seats", **{"player-0": "Dora"})
        assert beside(table.get()) == []
        win(table, 2, "A")
        rematch(table, 2)
        assert series(table, 3) is None
