"""While a deal is played: sweeps, declarations, the opening layout; each saved at once, each undone by name."""

from __future__ import annotations

from uuid import uuid4

import pytest
from flask import Flask

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

HTMX = {"HX-Request": "true"}


class TestSweep:
    def test_the_same_tap_sent_twice_is_one_sweep(self, ana: Player) -> None:
        id = str(uuid4())
        assert ana.sweep("A", id=id).status == 303
        assert ana.sweep("A", id=id).status == 303
        assert ana.kinds() == ["match_started", "swept"]

    def test_htmx_gets_the_board_with_a_named_undo(self, ana: Player) -> None:
        page = ana.post(ana.deal() + "/sweep", {"id": str(uuid4()), "side": "A"}, headers=HTMX)
        assert page.status == 200
        assert "<html" not in page.html
        assert "of Ana" in page.words
        assert "undo" in page.words

    @pytest.mark.parametrize(
        ("fields", "status"),
        [
            ({"side": "Z"}, 400),
            ({"side": "A", "id": "1"}, 400),
            ({"side": "A", "count": "24"}, 422),
        ],
    )
    def test_bad_taps_write_nothing(self, ana: Player, fields: dict[str, str], status: int) -> None:
        page = ana.post(ana.deal() + "/sweep", {"id": str(uuid4()), **fields})
        assert page.status == status
        assert ana.kinds() == ["match_started"]

    def test_a_deal_that_is_not_there(self, ana: Player) -> None:
        assert ana.sweep("A", number=9).status == 404

    def test_a_deal_closed_meanwhile(self, ana: Player, beto: Player) -> None:
        form = beto.get().form(action="/sweep")
        ana.close(**{name.replace("-", "__"): value for name, value in ON_TRUST.items()})
        page = beto.post(beto.deal() + "/sweep", with_fields(form, {"side": "B"}))
        assert page.status == 409
        assert "closed meanwhile" in page.words


class TestDeclare:
    def preview(self, ana: Player, *cards: str, **fields: object) -> Page:
        path = ana.deal() + "/declare"
        form = with_fields(ana.get(path).form("declare"), {"side": "A", "cards": list(cards), **fields})
        return ana.post(path, form, headers=HTMX)

    def test_what_it_scores_is_there_before_anything_is_written(self, ana: Player) -> None:
        page = self.preview(ana, "1B", "2B", "3B")
        assert "Flush 3 + run 3 + misery for two 2" in page.words
        assert "Declare 8" in page.words
        assert ana.kinds() == ["match_started"]

    def test_nothing_to_declare_says_so_and_what_is_closest(self, ana: Player) -> None:
        page = self.preview(ana, "1O", "3C", "4E")
        assert "Nothing to declare." in page.words
        assert "They add to 8." in page.words
        assert page.buttons("step") == []

    def test_it_is_saved(self, ana: Player) -> None:
        assert ana.declare("B", "2C", "3C", "4C").status == 303
        assert ana.entries()[-1].payload["cards"] == ["2C", "3C", "4C"]
        assert "Beto" in ana.get().words

    def test_said_without_cards(self, ana: Player) -> None:
        assert ana.declare("A", items=["misery"]).status == 303
        assert ana.entries()[-1].payload["items"] == ["misery"]

    def test_a_claim_that_the_cards_do_not_hold_shows_what_the_others_get(self, ana: Player) -> None:
        page = self.preview(ana, "1B", "2B", "3C", items=["flush"])
        assert "False call: Beto +3" in page.words

    def test_a_claim_not_in_the_hand_is_refused_where_false_calls_are_not_played(self, app: Flask) -> None:
        table = open_table(app, preset="catsatcards")
        page = table.declare("A", "1B", "2B", "3C", items=["flush"])
        assert page.status == 422
        assert "do not hold" in page.words
        assert table.kinds() == ["match_started"]

    def test_a_wild_card_may_be_given_a_value(self, app: Flask) -> None:
        table = open_table(app, preset="montevideo")
        table.declare("A", "3C", "3B", "12O", **{"as-12O": "3"})
        assert table.entries()[-1].payload["as"] == {"12O": "3O"}
        assert "20" in table.get().words

    @pytest.mark.parametrize(
        ("cards", "words"),
        [
            (["1B", "1B", "2B"], "twice"),
            ([], "Tap the three cards"),
        ],
    )
    def test_impossible_hands_are_refused_with_all_that_was_tapped(
        self, ana: Player, cards: list[str], words: str
    ) -> None:
        page = ana.declare("A", *cards)
        assert page.status == 422
        assert words in page.words
        assert page.form("declare")["side"] == "A"
        assert ana.kinds() == ["match_started"]

    def test_a_card_shown_before_cannot_be_shown_again(self, ana: Player) -> None:
        ana.declare("A", "1B", "2B", "3B")
        page = ana.declare("B", "1B", "1C", "1O")
        assert page.status == 422
        assert "1 of clubs" in page.words
        assert ana.kinds() == ["match_started", "declared"]

    def test_no_side_is_asked_for(self, ana: Player) -> None:
        page = ana.declare("", "1B", "2B", "3B")
        assert page.status == 422
        assert page.form("declare").getlist("cards") == ["1B", "2B", "3B"]


class TestUndo:
    def test_each_entry_is_undone_by_name(self, ana: Player) -> None:
        ana.sweep("A")
        ana.sweep("B")
        page = ana.get()
        first = ana.entries()[1]
        ana.post(f"/matches/1/undo/{first.id}", page.form(action=f"/undo/{first.id}"))
        assert ana.standing().state.current.facts()["sweeps"] == {"B": 1}
        assert ana.kinds() == ["match_started", "swept", "swept", "voided"]

    def test_what_is_not_there_cannot_be_undone(self, ana: Player) -> None:
        ana.sweep("A")
        assert ana.post(f"/matches/1/undo/{uuid4()}", {"id": str(uuid4())}).status == 409
        assert ana.kinds() == ["match_started", "swept"]
        assert ana.standing().state.current.facts()["sweeps"] == {"A": 1}


def test_a_game_without_penalties_has_no_penalty_page(ana: Player) -> None:
    assert ana.get(ana.deal() + "/penalty").status == 404


def test_penalties_where_the_game_has_them(app: Flask) -> None:
    table = open_table(app, game="la_escoba")
    path = table.deal() + "/penalty"
    form = table.get(path).form(action="/penalty")
    assert table.post(path, with_fields(form, {"penalty": "wrong_capture:B"})).status == 303
    assert table.entries()[-1].payload["item"] == "wrong_capture"
    assert table.post(path, with_fields(form, {"penalty": "singing:B"})).status == 400
