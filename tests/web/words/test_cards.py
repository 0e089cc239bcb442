"""Cards are named and drawn as where the game is at home; a phone may choose others; the codes stay."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import rules
from scorekeeper.web.base.access import match_or_404
from scorekeeper.web.match.view import MatchView, shown_match
from scorekeeper.web.words import cards
from scorekeeper.web.words.cards import PACKS, card_label, card_name, cards_for, grid_ranks, pack_in_use, suit_name
from scorekeeper.web.words.names import short_item_name

from ...helpers.reading import Page
from ..conftest import open_table, with_fields


@pytest.mark.parametrize("pack", PACKS)
def test_a_pack_names_forty_different_cards(app: Flask, pack: str) -> None:
    headers = {"Accept-Language": "es", "Cookie": f"cards-spanish={pack}"}
    with app.test_request_context(headers=headers):
        names = {card_name(code) for code in rules.CODES}
        assert len(names) == 40
        assert not names & set(rules.CODES)
        assert sorted(pack_in_use().suits) == sorted(rules.SUITS)


@pytest.mark.parametrize(
    ("game", "code", "says"),
    [
        ("chorizo", "12O", "12 of coins"),
        ("chkobba", "11C", "queen of hearts"),
        ("escopa", "10B", "valete de paus"),
        ("scopa", "11E", "cavallo di spade"),
        ("brisca", "3B", "3 of clubs"),
    ],
)
def test_a_card_is_called_as_where_the_game_is_at_home(app: Flask, game: str, code: str, says: str) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        cards_for(lambda: game)
        assert card_name(code) == says


def test_in_chkobba_the_queen_comes_first_because_it_counts_eight(app: Flask) -> None:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        cards_for(lambda: "chkobba")
        values = {str(rank): rank for rank in range(1, 8)} | {"10": 9, "11": 8, "12": 10}
        assert grid_ranks((1, 2, 3, 10, 11, 12), values) == ([1, 2, 3], [11, 10, 12])
        assert card_label("11C", values) == "queen of hearts, worth 8"
        assert card_label("7C", values) == "7 of hearts"
        assert suit_name("O") == "dinari"


def test_the_cards_of_a_page_are_looked_up_once(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    table, asked = open_table(app), []
    monkeypatch.setattr(cards, "shown_for", lambda home: asked.append(home) or PACKS[home])
    table.get(table.deal() + "/close")
    assert asked == list(PACKS)


def test_a_second_match_leaves_the_cards_of_the_page_as_they_are(app: Flask) -> None:
    tables = [
        open_table(app, game=game, shape="2x1", player__0="Ana", player__1="Beto") for game in ("chkobba", "scopa")
    ]
    with app.test_request_context():
        (shown, row), other = (match_or_404(table.key, 1) for table in tables)
        shown_match(shown, row)
        assert MatchView(*other).game["cards"] == "italian"
        assert pack_in_use().id == "french"


def test_a_phone_shows_the_cards_that_it_has_chosen_and_the_other_phone_its_own(app: Flask) -> None:
    table = open_table(app, game="chkobba", shape="2x1", player__0="Ana", player__1="Beto")
    offered = Page(table.client.get(f"/cards/french?back=/t/{table.key}"))
    chosen = with_fields(offered.form(action="/cards/french"), {"cards": "spanish"})
    answer = table.client.post("/cards/french", data=chosen)
    assert answer.headers["Location"] == f"/t/{table.key}"
    mine = table.get(table.deal() + "/close").html
    theirs = Page(app.test_client().get(f"/t/{table.key}{table.deal()}/close")).html
    assert 'title="11 of cups"' in mine
    assert 'title="queen of hearts"' in theirs
    again = with_fields(Page(table.client.get("/cards/french")).form(action="/cards/french"), {"cards": "french"})
    table.client.post("/cards/french", data=again)
    assert 'title="queen of hearts"' in table.get(table.deal() + "/close").html


def test_cards_that_there_are_not_are_refused(client: FlaskClient) -> None:
    assert client.get("/cards/tarot").status_code == 404
    form = Page(client.get("/cards/spanish")).form(action="/cards/spanish")
    assert client.post("/cards/spanish", data=with_fields(form, {"cards": "tarot"})).status_code == 400
    assert client.get("/cards/spanish", headers={"Cookie": "cards-spanish=tarot"}).status_code == 200


@pytest.mark.parametrize(
    ("language", "names"), [("es-AR", ["cartas", "oros", "7 de oros"]), ("en", ["cards", "coins", "7 of coins"])]
)
def test_a_short_name_of_an_item_is_in_the_language_of_the_reader(app: Flask, language: str, names: list[str]) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert [short_item_name("chorizo", item) for item in ("cards", "coins", "seven_of_coins")] == names
