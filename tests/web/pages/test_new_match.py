"""Opening a table: names, seats, game, house rules, first dealer; once, however often the form is posted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import select
from werkzeug.datastructures import MultiDict

from scorekeeper import rules
from scorekeeper.store import finding, queries
from scorekeeper.store.db import db, writing
from scorekeeper.store.deleted import RESTORABLE
from scorekeeper.store.models import Match, Table, now
from scorekeeper.web.words.names import playable

from ...helpers.reading import Page
from ..conftest import Player, agreed, open_table, with_fields


def test_the_same_form_posted_twice_opens_one_table(client: FlaskClient) -> None:
    form = agreed(client, player__0="Ana", player__1="Beto")
    first = Page(client.post("/tables/new", data=form))
    again = Page(client.post("/tables/new", data=form))
    assert first.location == again.location
    assert client.get(first.location + "/matches/2").status_code == 404


def test_whoever_comes_in_while_the_page_is_drawn_has_a_name(ana: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another phone starts a match with a new player between any two looks into the notebook."""
    names, has_come = queries.player_names, []

    def later(look: Callable[..., Any]) -> Callable[..., Any]:
        def and_come(*given: Any, **how: Any) -> Any:
            has_come.append(True)
            return look(*given, **how)

        return and_come

    def without_the_newest(table: Table) -> queries.Names:
        there = names(table)
        before = {number: name for number, name in there.items() if number != max(there)}
        return there if has_come else queries.Names(before, there.merged)

    monkeypatch.setattr(queries, "current_match", later(queries.current_match))
    monkeypatch.setattr(finding, "history", later(finding.history))
    monkeypatch.setattr(queries, "player_names", without_the_newest)
    for path in ("/matches/new", "/history"):
        has_come.clear()
        assert "Beto" in ana.get(path).words, path


def test_house_rules_are_frozen_with_the_match(app: Flask) -> None:
    table = open_table(app, opt__pts_two_of_clubs="0", opt__target="31")
    options = table.standing().state.setup.options
    assert options["pts_two_of_clubs"] == 0
    assert options["target"] == 31
    assert options["pts_seven_of_coins"] == 1


def line_ups(form: Page) -> list[str]:
    """Return the line-ups that the form offers."""
    return re.findall(r'name="shape" type="radio" value="(\w+)"', form.html)


def choose(client: FlaskClient, form: MultiDict[str, str], **choice: str) -> Page:
    """Make a choice by which the form is drawn anew."""
    return Page(client.post("/tables/new", data=with_fields(form, {**choice, "step": "refresh"})))


class TestLineUps:
    """A preset is offered only with the line-ups it has."""

    def test_another_preset_takes_the_nearest_line_up_and_keeps_the_names(self, client: FlaskClient) -> None:
        form = agreed(client, game="brisca", shape="2x2", player__0="Ana", player__1="Beto", player__2="Leo")
        page = choose(client, form, preset="chiamata")
        assert line_ups(page) == ["5x1"]
        called = page.form("agree")
        assert [called[f"player-{seat}"] for seat in range(5)] == ["Ana", "Beto", "Leo", "", ""]
        page = choose(client, called, preset="rematada")
        assert line_ups(page) == ["3x1"]

    def test_names_typed_at_seats_that_are_gone_come_back_with_the_seats(self, client: FlaskClient) -> None:
        names = {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo", "Cata", "Mara"))}
        form = agreed(client, game="brisca", preset="chiamata", **names)
        fewer = choose(client, form, preset="rematada").form("agree")
        assert fewer["shape"] == "3x1"
        again = choose(client, fewer, preset="chiamata").form("agree")
        assert [again[f"player-{seat}"] for seat in range(5)] == ["Ana", "Beto", "Leo", "Cata", "Mara"]

    @pytest.mark.parametrize("shape", ["5x1", "", "２x１"])
    def test_an_impossible_line_up_is_refused_with_those_there_are(self, client: FlaskClient, shape: str) -> None:
        form = agreed(client, game="brisca", preset="rematada", player__0="Ana", player__1="Beto", player__2="Leo")
        page = Page(client.post("/tables/new", data=with_fields(form, {"shape": shape})))
        assert page.status == 422
        assert "Rematada is played by: 3 players." in page.words
        assert page.form("agree")["player-2"] == "Leo"


class TestSettings:
    """What the rules refuse is said beside its field, and nothing else is."""

    def test_a_pack_that_so_many_cannot_share(self, client: FlaskClient) -> None:
        names = {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo"))}
        form = agreed(client, game="brisca", preset="rematada", **names)
        page = Page(client.post("/tables/new", data=with_fields(form, {"opt-pack": "39"})))
        assert page.status == 422
        assert 'id="opt-pack-error"' in page.html
        assert page.html.count('class="error"') == 1

    def test_nine_play_seven_rounds_because_the_cards_do_not_carry_the_eighth(self, client: FlaskClient) -> None:
        names = {f"player__{seat}": name for seat, name in enumerate("ABCDEFGHI")}
        form = agreed(client, game="carioca", shape="9x1", **names)
        assert form["opt-rounds"] == "7"
        asked = Page(client.post("/tables/new", data=with_fields(form, {"step": "refresh"})))
        assert "seven rounds are played" in asked.words
        # A program asks for eight.
        assert Page(client.post("/tables/new", data=with_fields(form, {"opt-rounds": "8"}))).status == 303

    @pytest.mark.parametrize(
        ("preset", "asked"),
        [
            ("mexican", {"match_to", "mexican_limit"}),
            ("cinquecento", set()),
            ("rematada", {"rematada_score", "rematada_target"}),
        ],
    )
    def test_a_preset_asks_only_what_decides_something_in_it(
        self, client: FlaskClient, preset: str, asked: set[str]
    ) -> None:
        form = agreed(client, game="brisca", preset=preset)
        somewhere = {option["id"] for option in playable()["brisca"]["options"] if "concerns" in option}
        assert {option for option in somewhere if f"opt-{option}" in form} == asked


def test_a_table_without_a_match_goes_on_with_the_game_that_was_deleted(app: Flask) -> None:
    names = {"player__0": "Ana", "player__1": "Beto", "player__2": "Leo", "player__3": "Cata"}
    table = open_table(app, game="la_escoba", shape="2x2", **names)
    table.post("/matches/1/delete", table.get("/matches/1/delete").form(action="/delete"))
    form = table.get("/matches/new").form("agree")
    assert (form["game"], form["shape"]) == ("la_escoba", "2x2")
    assert [form[f"player-{seat}"] for seat in range(4)] == list(names.values())


def test_a_table_whose_matches_are_gone_says_so_and_who_may_bring_one_back(app: Flask) -> None:
    table = open_table(app)
    guest = Player(app, app.test_client(), table.key)
    assert "deleted" not in guest.get("/matches/new").words
    table.post("/matches/1/delete", table.get("/matches/1/delete").form(action="/delete"))
    page = guest.get("/matches/new")
    assert "Match 1 was deleted. Until " in page.words
    assert "Bring it back" not in page.words
    page = table.get("/matches/new")
    assert "Match 1 was deleted." in page.words
    assert "Bring it back" in page.words
    with app.app_context(), writing():
        match = db.session.scalars(select(Match)).one()
        match.deleted_at = now() - RESTORABLE
    for phone in (table, guest):
        page = phone.get("/matches/new")
        assert "What was played at this table was deleted." in page.words
        assert "Bring it back" not in page.words


def test_games_without_a_button_on_the_start_page_come_before_those_with_one(client: FlaskClient) -> None:
    rows = re.findall(r'href="/tables/new\?game=(\w+)"', client.get("/tables/new/games").text)
    on_home = [id for id in rules.games_on_home() if id in rows]
    assert rows[-len(on_home) :] == on_home
    assert sorted(rows) == sorted(playable())


def test_the_table_is_named_after_its_players_unless_it_has_a_name(app: Flask) -> None:
    assert "Ana, Beto" in open_table(app).get().words
    assert "Los jueves" in open_table(app, table_name="Los jueves").get().words


class TestBadInput:
    def refused(self, client: FlaskClient, **fields: str) -> Page:
        names = {"player__0": "Ana", "player__1": "Beto"}
        page = Page(client.post("/tables/new", data=agreed(client, **{**names, **fields})))
        assert page.status == 422, page.words
        with client.application.app_context():
            assert queries.db.session.execute(queries.select(queries.Table)).first() is None
        return page

    def test_a_seat_without_a_name(self, client: FlaskClient) -> None:
        page = self.refused(client, player__0="   ", player__1="Beto")
        assert "Who sits here?" in page.words
        assert page.form("agree")["player-1"] == "Beto"

    def test_two_players_of_one_name(self, client: FlaskClient) -> None:
        page = self.refused(client, player__0="Ana", player__1="ana")
        assert "Add an initial" in page.words

    def test_an_option_value_that_does_not_exist(self, client: FlaskClient) -> None:
        self.refused(client, opt__pts_two_of_clubs="17")

    @pytest.mark.parametrize("target", ["0", "veintiuno"])
    def test_a_target_below_one_or_no_number(self, client: FlaskClient, target: str) -> None:
        page = self.refused(client, opt__target=target)
        assert "A number greater than zero." in page.words
        assert page.form("agree")["opt-target"] == target

    def test_a_damaged_form_id(self, client: FlaskClient) -> None:
        self.refused(client, id="1; drop table tables")

    def test_an_unknown_game_falls_back_to_a_known_one_and_says_nothing_was_started(self, client: FlaskClient) -> None:
        form = agreed(client, player__0="Ana", player__1="Beto")
        page = Page(client.post("/tables/new", data=with_fields(form, {"game": "poker"})))
        assert page.status == 422
        assert page.form("agree")["player-0"] == "Ana"
