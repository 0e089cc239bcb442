"""The opening layout: noted by its cards, answered by the rules, shown once and apart, replaced by a later one."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

FIFTEEN = ["1O", "3C", "4E", "7B"]
THIRTY = ["12O", "11C", "7E", "4B"]
SIXTEEN = ["2O", "3C", "4E", "7B"]
TWO_KINGS = ["12O", "12C", "5E", "7B"]
TWO_ACES = ["1O", "1C", "6E", "7B"]
THREE_FIVES = ["5O", "5C", "5E", "7B"]
WILD = ["12O", "2C", "3E", "4B"]

PAIRS = {"shape": "2x2"} | {f"player__{seat}": name for seat, name in enumerate(("Ana", "Beto", "Leo", "Cata"))}


def table_of(app: Flask, game: str, **options: object) -> Player:
    """Open a table for a game with these options; where it is played in pairs, Ana and Leo against Beto and Cata."""
    fields = {f"opt-{option}": json.dumps(value) for option, value in options.items()}
    return open_table(app, game=game, **(PAIRS if game in ("scopone", "cirullone") else {"shape": "2x1"}), **fields)


def note(player: Player, deal: int = 1, **fields: Any) -> Page:
    """Post the form of the opening layout, saved unless another step is asked for."""
    path = player.deal(deal) + "/layout"
    form = player.get(path).form("layout")
    return player.post(path, with_fields(form, {"step": "save", **fields}))


def answer(player: Player, cards: list[str]) -> str:
    """Return the words of the page with these cards tapped."""
    return note(player, cards=cards, step="check").words


VOIDED = [
    ("scopa", {}, TWO_KINGS, "Beto deals"),
    ("chkobba", {}, THREE_FIVES, "Ana deals"),
    ("cirullone", {}, TWO_ACES, "Ana deals"),
    ("chorizo", {"wild_cards": "7O+12O", "wild_in_layout": "redeal"}, WILD, "Ana deals"),
]
"""A game with its options, an opening that voids the deal there, and who deals then."""


class TestRedeals:
    @pytest.mark.parametrize(("game", "options", "cards", "dealer"), VOIDED)
    def test_four_tapped_cards_void_the_deal(
        self, app: Flask, game: str, options: dict[str, object], cards: list[str], dealer: str
    ) -> None:
        table = table_of(app, game, **options)

        assert f'{table.deal()}/layout"' in table.get().html
        assert f"This layout is dealt again: {dealer}." in answer(table, cards)
        assert note(table, cards=cards).status == 303
        assert f"Deal 1 · {dealer}" in table.get().words

    def test_where_the_table_does_not_play_it_nothing_is_dealt_again(self, app: Flask) -> None:
        table = table_of(app, "cirulla", redeal_aces="off")

        assert "dealt again" not in answer(table, TWO_ACES)
        note(table, cards=TWO_ACES)
        assert table.kinds() == ["match_started", "layout_noted"]

    @pytest.mark.parametrize(
        ("game", "options"),
        [
            ("scopa", {"redeal_kings": "off"}),
            ("escova", {}),
            ("brisca", {}),
        ],
    )
    def test_where_no_opening_changes_anything_the_board_offers_none(
        self, app: Flask, game: str, options: dict[str, object]
    ) -> None:
        fields = {f"opt-{option}": json.dumps(value) for option, value in options.items()}
        table = open_table(app, game=game, **fields)
        assert f'{table.deal()}/layout"' not in table.get().html

    def test_three_kings_are_asked_for_where_the_table_says_three(self, app: Flask) -> None:
        table = table_of(app, "scopa", redeal_kings=3)

        assert "Three re or more: dealt again, Beto deals" in table.get(table.deal() + "/layout").words
        assert "These four change nothing: play on." in answer(table, TWO_KINGS)

    def test_a_void_deal_can_be_said_without_its_cards(self, app: Flask) -> None:
        table = table_of(app, "scopa")
        note(table, told="redeal")

        state = table.standing().state
        assert state.closed == []
        assert [entry.payload["layout_result"] for entry in state.current.dealings] == ["redeal"]
        assert "Deal 1 · Beto deals" in table.get().words
        assert "Deal 1 was dealt again: " in table.get().words


BROUGHT = [
    ("chorizo", {}, THIRTY, "30, 2 sweeps for Ana"),
    ("chorizo", {"table_flush": True}, ["1O", "2O", "5O", "6O"], "Four of one suit, 4 points for Ana"),
    ("la_escoba", {"pts_table_sweep": 4}, FIFTEEN, "15, a sweep for Ana (4 points)"),
    ("escoba", {}, FIFTEEN, "15, taken by Ana without points"),
    ("cirulla", {}, ["7C", "2O", "3E", "4B"], "15, a scopa for Ana"),
]
"""A game with its options, an opening, and what it brings."""


class TestWhatItBrings:
    @pytest.mark.parametrize(("game", "options", "cards", "told"), BROUGHT)
    def test_the_page_says_it_and_then_the_log(
        self, app: Flask, game: str, options: dict[str, object], cards: list[str], told: str
    ) -> None:
        table = table_of(app, game, **options)

        assert told in answer(table, cards)
        assert note(table, cards=cards).status == 303
        assert f"Opening: {told[0].lower()}{told[1:]}" in table.get().words

    @pytest.mark.parametrize(
        ("game", "told"),
        [("chorizo", "They add to 16: not 15 or 30"), ("scopa", "These four change nothing: play on.")],
    )
    def test_where_four_cards_bring_nothing_it_says_so_and_leads_back(self, app: Flask, game: str, told: str) -> None:
        table = table_of(app, game)
        words = answer(table, SIXTEEN)

        assert told in words
        assert "Back to the table" in words
        assert "Note it" not in words

    @pytest.mark.parametrize("cards", [THIRTY[:3], [*THIRTY[:3], "8O"]])
    def test_what_is_no_layout_is_refused_and_the_cards_stay(self, ana: Player, cards: list[str]) -> None:
        page = note(ana, cards=cards)

        assert page.status == 422
        assert set(page.form("layout").getlist("cards")) >= set(THIRTY[:3])
        assert ana.kinds() == ["match_started"]


def test_the_matta_says_the_rank_that_makes_the_fifteen(app: Flask) -> None:
    table = open_table(app, game="cirulla", shape="2x1", player__0="Ana", player__1="Beto")
    form = with_fields(table.get(table.deal() + "/layout").form("layout"), {"cards": ["7C", "2O", "3O", "4E"]})
    words = table.post(table.deal() + "/layout", form).words
    assert "6 + 2 + 3 + 4 = 15" in words
    assert "matta = 6" in words


class TestCountedOnce:
    def test_the_board_shows_it_apart_from_the_sweeps_made(self, ana: Player) -> None:
        ana.sweep("A")
        note(ana, cards=THIRTY)

        for look in ("", "/faces"):
            page = ana.get(look)
            assert page.words.count("+2 opening") == 1
            assert page.html.count('data-made="1"') == 1
            assert page.html.count('data-made="0"') == 1

    def test_the_closing_form_shows_it_beside_the_sweeps_and_the_sum_agrees(self, ana: Player) -> None:
        ana.sweep("A")
        note(ana, cards=FIFTEEN)
        page = ana.get(ana.deal() + "/close")

        assert page.form("closing")["sweeps-A"] == "1"
        assert 'id="opened-A">+1<' in page.html
        assert "+1 opening" in page.words
        assert "15, a sweep for Ana" in page.words
        assert "This deal 2 – 0" in page.words

    def test_it_is_never_among_the_sweeps_of_the_deal(self, ana: Player) -> None:
        ana.sweep("A")
        note(ana, cards=FIFTEEN)
        ana.close(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
        facts: Any = ana.standing().state.closed[0].facts()

        assert facts["sweeps"] == {"A": 1, "B": 0}
        assert facts["layout"] == FIFTEEN
        assert ana.totals() == {"A": 8, "B": 2}

    def test_in_scopa_the_form_asks_nothing_but_keeps_cards_that_were_noted(self, app: Flask) -> None:
        table = table_of(app, "scopa")
        assert '<fieldset class="opening-cards" hidden>' in table.get(table.deal() + "/close").html
        note(table, cards=SIXTEEN)

        assert table.get(table.deal() + "/close").form("closing").getlist("layout") == SIXTEEN


class TestTheLaterReplaces:
    def test_only_the_later_opening_is_in_the_log(self, ana: Player) -> None:
        note(ana, told="30")
        note(ana, cards=FIFTEEN)
        words = ana.get().words

        assert "Opening: 15, a sweep for Ana" in words
        assert "Opening: 30" not in words
        assert ana.standing().state.current.noted_facts() == {"layout": FIFTEEN}
        assert ana.kinds() == ["match_started", "layout_noted", "voided", "layout_noted"]

    def test_posted_twice_it_is_noted_once(self, ana: Player) -> None:
        note(ana, told="30")
        path = ana.deal() + "/layout"
        form = with_fields(ana.get(path).form("layout"), {"told": "15"})

        assert [ana.post(path, form).status for _turn in range(3)] == [303, 303, 303]
        assert ana.kinds() == ["match_started", "layout_noted", "voided", "layout_noted"]

    def test_a_phone_that_had_no_signal_replaces_too(self, ana: Player) -> None:
        note(ana, told="30")
        entry = {
            "id": str(uuid4()),
            "kind": "layout_noted",
            "match": 1,
            "deal": 1,
            "payload": {"layout": FIFTEEN},
        }
        body = {"table": ana.key, "entries": [entry]}
        for _turn in range(2):
            assert ana.client.post("/api/v1/entries", json=body).status_code == 200

        assert ana.standing().state.current.noted_facts() == {"layout": FIFTEEN}
        assert ana.kinds() == ["match_started", "layout_noted", "voided", "layout_noted"]


class TestInTheJournal:
    def test_a_deal_dealt_again_shows_with_which_cards(self, app: Flask) -> None:
        table = table_of(app, "scopa")
        note(table, cards=TWO_KINGS)

        words = table.get("/matches/1/journal").words
        assert "Deal 1 was dealt again: two re or more R re di denari R re di coppe" in words
