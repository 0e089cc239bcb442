"""Closing a deal: said, counted or shown; what is certain fills itself, what is impossible says why."""

from __future__ import annotations

from itertools import product
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from werkzeug.datastructures import MultiDict

from scorekeeper.store import queries
from scorekeeper.web.deal_entry.closing_grid import closing_form
from scorekeeper.web.deal_entry.judged import judge_closing
from scorekeeper.web.match.view import MatchView

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

HTMX = {"HX-Request": "true"}
SHOWN_OF_A = ["7O", "5O", "3O", "10C", "7C"]
"""Two captures of fifteen."""


def tapped(**awards: str) -> dict[str, Any]:
    return {f"award__{item}": side for item, side in awards.items()}


TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


def live(ana: Player, number: int = 1, **fields: Any) -> Page:
    form = ana.closing(number, **fields)
    response = ana.client.post(f"/t/{ana.key}{ana.deal(number)}/close", data=form, headers=HTMX)
    page = Page(response)
    page.location = response.headers.get("HX-Redirect", "")
    return page


class TestOnTrust:
    def test_nothing_is_preselected(self, ana: Player) -> None:
        form = ana.closing()
        assert not any(form.get(name) for name in ON_TRUST)

    def test_five_taps_score_the_deal(self, ana: Player) -> None:
        page = ana.close(**TRUST)
        assert page.status == 303
        assert ana.totals() == {"A": 6, "B": 2}
        assert [
            line["evidence"] for line in ana.standing().result["sheets"][0]["lines"] if line["item"] == "cards"
        ] == ["said"]

    def test_it_saves_itself_when_the_last_row_settles(self, ana: Player) -> None:
        page = live(ana, **TRUST)
        assert page.location.endswith("/deals/1?saved=1")
        assert ana.kinds() == ["match_started", "deal_closed"]

    def test_it_does_not_save_itself_while_a_row_is_open(self, ana: Player) -> None:
        page = live(ana, **{**TRUST, "award__prime": None})
        assert page.location == ""
        assert "Left: prime. Tapping it saves the deal." in page.words
        assert ana.kinds() == ["match_started"]

    def test_a_tap_that_overtook_the_answer_to_the_last_one_leads_on_from_it(self, ana: Player) -> None:
        form = with_fields(ana.closing(), {**ON_TRUST, "step": "live"})
        path = f"/t/{ana.key}{ana.deal()}/close"
        assert "saved=1" in ana.client.post(path, data=form, headers=HTMX).headers["HX-Redirect"]
        assert "saved=1" in ana.client.post(path, data=form, headers=HTMX).headers["HX-Redirect"]
        assert ana.kinds() == ["match_started", "deal_closed"]

        overtaking = with_fields(form, {"award-prime": "A"})
        assert "saved=1" in ana.client.post(path, data=overtaking, headers=HTMX).headers["HX-Redirect"]
        assert ana.kinds() == ["match_started", "deal_closed", "voided", "deal_closed"]
        assert ana.totals() == {"A": 7, "B": 1}

    def test_a_form_that_counts_a_note_of_this_phone_written_after_it_was_drawn_is_saved(self, ana: Player) -> None:
        form = ana.closing()
        note = str(uuid4())
        ana.sweep("A", id=note)

        page = ana.post(
            ana.deal() + "/close",
            with_fields(form, {**ON_TRUST, "sweeps-A": "1", "counted": note, "step": "save"}),
        )

        assert page.status == 303
        assert ana.totals() == {"A": 7, "B": 2}

    def test_a_tap_that_overtook_the_answer_saves_nothing_improbable(self, ana: Player) -> None:
        form = with_fields(ana.closing(), {**ON_TRUST, "step": "live"})
        path = f"/t/{ana.key}{ana.deal()}/close"
        ana.client.post(path, data=form, headers=HTMX)

        doubtful = with_fields(form, {"count-cards-A": "5"})
        answer = ana.client.post(path, data=doubtful, headers=HTMX)
        assert answer.status_code == 200
        assert "HX-Redirect" not in answer.headers
        assert "but the cards and counts say otherwise" in Page(answer).words
        assert ana.kinds() == ["match_started", "deal_closed"]
        assert ana.totals() == {"A": 6, "B": 2}

    def test_an_open_deal_cannot_be_saved_and_loses_nothing(self, ana: Player) -> None:
        page = ana.close(**tapped(cards="A", coins="B"))
        assert page.status == 422
        assert page.form("closing")["award-cards"] == "A"
        assert page.form("closing")["award-coins"] == "B"
        assert ana.kinds() == ["match_started"]

    def test_nobody_is_offered_only_where_a_tie_is_possible(self, ana: Player) -> None:
        html = ana.get(ana.deal() + "/close").html
        assert 'name="award-cards" value="nobody"' in html
        assert 'name="award-seven_of_coins" value="nobody"' not in html

    def test_sweeps_and_declarations_come_from_the_log(self, ana: Player) -> None:
        ana.sweep("A")
        ana.sweep("A")
        ana.declare("B", "1B", "2B", "3B")
        form = ana.closing()
        assert form["sweeps-A"] == "2"
        assert "2B" in form["declaration"]
        ana.close(**TRUST)
        assert ana.totals() == {"A": 8, "B": 10}


class TestCounted:
    @pytest.mark.parametrize("number", ["41", "-1", "2.5"])
    def test_impossible_counts_are_refused_with_what_was_typed(self, ana: Player, number: str) -> None:
        page = ana.close(**{**TRUST, "count__cards__A": number})
        assert page.status == 422
        assert page.form("closing")["count-cards-A"] == number
        assert ana.kinds() == ["match_started"]

    def test_a_refused_count_leaves_the_other_rows_as_they_are(self, ana: Player) -> None:
        page = live(ana, count__cards__A="23", award__prime="B", count__coins__A="6", count__coins__B="5")
        assert "together 11; the pack has 10" in page.words
        assert "23–17" in page.words
        assert "This cannot be" in page.words
        assert ana.kinds() == ["match_started"]

    def test_a_contradicted_award_is_not_saved_by_itself(self, ana: Player) -> None:
        page = live(ana, **{**TRUST, "count__cards__B": "25"})
        assert page.location == ""
        assert "say otherwise" in page.words


class TestAllFortyCards:
    """One tap gave all cards that nobody tapped to one side, and nobody tapped any."""

    @pytest.fixture
    def ana(self, app: Flask) -> Player:
        return open_table(app, game="escoba")

    def test_are_asked_about_before_they_are_saved_and_saved_by_another_tap(self, ana: Player) -> None:
        asked = live(ana, rest="B")
        assert asked.location == ""
        assert "Is that so? Without a card: Ana" in asked.words
        assert live(ana, rest="B", sure="B").location == ""
        assert ana.kinds() == ["match_started"]

    def test_are_asked_about_where_no_script_asked(self, ana: Player) -> None:
        form = ana.closing(rest="B", step="save")
        asked = ana.post(ana.deal() + "/close", form)
        assert (asked.status, ana.kinds()) == (422, ["match_started"])
        assert "Is that so? Without a card: Ana" in asked.words
        again = asked.form("closing")
        assert again["rest"] == "B"
        assert ana.post(ana.deal() + "/close", with_fields(again, {"step": "save"})).status == 303
        assert ana.kinds() == ["match_started", "deal_closed"]

    def test_of_another_side_than_was_asked_about_are_asked_about_again(self, ana: Player) -> None:
        assert ana.close(rest="B", sure="A").status == 422
        assert ana.kinds() == ["match_started"]

    def test_need_no_second_word_where_a_pile_was_shown(self, ana: Player) -> None:
        assert live(ana, rest="B", pile__A=SHOWN_OF_A).location.endswith("saved=1")


class TestShown:
    def cards(self, *suits: str) -> list[str]:
        return [rank + suit for suit in suits for rank in ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")]

    def test_whole_piles_score_the_deal(self, ana: Player) -> None:
        # Coins and cups are 110, swords and clubs too; one king and one five change sides: 105 and 115.
        pile = [card for card in self.cards("O", "C") if card != "12C"] + ["5E"]
        page = ana.close(pile__A=pile, rest="B")
        assert page.status == 303, page.words
        lines = {line["item"]: line for line in ana.standing().result["sheets"][0]["lines"]}
        assert lines["coins"]["points"] == {"A": 1, "B": 0}
        assert lines["prime"]["evidence"] == "shown"

    def test_a_sum_that_no_pile_of_fifteens_has_is_refused_and_may_be_accepted(self, ana: Player) -> None:
        shown = {"pile__A": self.cards("O", "C"), "rest": "B"}
        page = ana.close(**shown)
        assert page.status == 422
        assert "adds to 110" in page.words
        assert ana.close(**shown, accept=["pile_modulus"]).status == 303

    def test_a_pile_of_one_card_is_refused_and_may_be_accepted(self, ana: Player) -> None:
        shown = {"pile__A": ["5O"], "rest": "B"}
        page = ana.close(**shown)
        assert page.status == 422
        assert "This pile really is one card" in page.words
        assert ana.close(**shown, accept=["pile_modulus"]).status == 422
        assert ana.close(**shown, accept=["pile_modulus", "pile_of_one"]).status == 303

    def test_one_card_may_decide_everything_and_is_asked_for(self, ana: Player) -> None:
        told = tapped(cards="A", coins="A", two_of_clubs="B", prime="A")
        assert "Who has the 7 of coins" in live(ana, **told, helping="yes").words

    def test_the_answer_to_the_question_is_one_tap(self, ana: Player) -> None:
        path = ana.deal() + "/close"
        form = ana.closing(**tapped(cards="A", coins="A", two_of_clubs="B", prime="A"))
        assert ana.post(path, with_fields(form, {"give": "B 7O"})).status == 303
        assert ana.totals() == {"A": 3, "B": 5}

    def test_a_card_in_two_piles_is_refused(self, ana: Player) -> None:
        page = ana.close(**{**TRUST, "pile__A": ["7O"], "pile__B": ["7O"]})
        assert page.status == 422
        assert "can only be in one place" in page.words


class TestSweepsAndDeclarations:
    @pytest.mark.parametrize("number", ["25", "x"])
    def test_impossible_sweeps_are_refused(self, ana: Player, number: str) -> None:
        page = ana.close(**{**TRUST, "sweeps__A": number})
        assert page.status == 422
        assert page.form("closing")["sweeps-A"] == number
        assert ana.kinds() == ["match_started"]

    def test_a_forgotten_declaration_is_added_in_the_form(self, ana: Player) -> None:
        form = ana.closing(**TRUST)
        page = ana.post(
            ana.deal() + "/close", with_fields(form, {"new_side": "A", "new_card": ["3O", "3C", "3E"], "step": "add"})
        )
        assert "23" in page.words or "20" in page.words
        ana.post(ana.deal() + "/close", with_fields(page.form("closing"), {"step": "save"}))
        assert ana.totals() == {"A": 29, "B": 2}

    def test_a_card_that_was_declared_already_is_refused_with_who_declared_it(self, ana: Player) -> None:
        ana.declare("B", "1B", "2B", "3B")
        form = with_fields(ana.closing(), {"new_side": "A", "new_card": ["1B", "2O", "3O"]})
        page = ana.post(ana.deal() + "/close", form)
        assert "Beto declared the 1 of clubs already. Take it away." in page.words
        declaring = ana.get(ana.deal() + "/declare")
        assert 'aria-label="1 of clubs, Beto"' in declaring.html

    @pytest.mark.parametrize(
        "text",
        ["{", '{"side": "Z", "cards": ["1B"]}', '{"items": ["singing"], "side": "A"}'],
    )
    def test_a_damaged_declaration_writes_nothing_wrong(self, ana: Player, text: str) -> None:
        page = ana.close(**{**TRUST, "declaration": [text]})
        assert page.status in (303, 422)
        assert "declarations" not in ana.entries()[-1].payload.get("facts", {})


class TestDoubleAndStale:
    def test_a_sweep_noted_meanwhile_is_shown_and_asked_about(self, ana: Player, beto: Player) -> None:
        path, mine = ana.deal() + "/close", with_fields(ana.closing(**TRUST), {"step": "save"})
        beto.sweep("B")
        page = ana.post(path, mine)
        assert page.status == 409
        assert "of Beto" in page.words
        assert ana.kinds() == ["match_started", "phone_held", "swept"]


class TestCorrection:
    def test_totals_follow(self, ana: Player) -> None:
        ana.close(**TRUST)
        ana.close(2, **TRUST)
        assert ana.totals() == {"A": 12, "B": 4}
        assert ana.close(1, award__cards="B").status == 303
        assert ana.totals() == {"A": 11, "B": 5}
        assert ana.kinds()[-2:] == ["voided", "deal_closed"]

    def test_the_form_shows_what_was_entered(self, ana: Player) -> None:
        ana.sweep("B")
        ana.declare("A", "2C", "3C", "4C")
        ana.close(**TRUST)
        form = ana.closing(1)
        assert (form["award-prime"], form["sweeps-B"]) == ("B", "1")
        assert "4C" in form["declaration"]

    def test_an_undone_closing_opens_again_with_all_that_was_entered(self, ana: Player) -> None:
        ana.close(**TRUST)
        entry = ana.entries()[-1]
        page = ana.post(
            f"/matches/1/undo/{entry.id}", ana.get(ana.deal() + "?saved=1").form(action=f"/undo/{entry.id}")
        )
        assert page.location.endswith("/deals/1/close")
        assert ana.closing()["award-prime"] == "B"
        assert ana.totals() == {"A": 0, "B": 0}

    @pytest.mark.parametrize(("is_noted_after", "sweeps"), [(False, "3"), (True, "1")])
    def test_what_was_noted_since_outweighs_an_undone_closing_and_what_was_noted_before_does_not(
        self, ana: Player, is_noted_after: bool, sweeps: str
    ) -> None:
        if not is_noted_after:
            ana.sweep("A")
        ana.close(**{**TRUST, "sweeps__A": "3"})
        ana.post(f"/matches/1/undo/{ana.entries()[-1].id}", {"id": str(uuid4())})
        if is_noted_after:
            ana.sweep("A")
        form = ana.closing()
        assert (form["sweeps-A"], form["award-prime"]) == (sweeps, "B")


def test_by_cards_in_three_parts(ana: Player) -> None:
    """The cards left on the table may be shown apart; then who captured last must be said."""
    shown = {"pile__left": ["12O"], "pile__A": ["7O", "10C"], **TRUST}
    page = ana.close(**shown)
    assert page.status == 422
    assert "Say who captured last" in page.words
    assert ana.close(**shown, last_capturer="B").status == 303


class TestTheRest:
    """The lines of one side are tapped, and one button says that the other side took all the others."""

    def test_one_tap_gives_what_is_open_and_saves(self, ana: Player) -> None:
        form = ana.closing(**tapped(cards="A", two_of_clubs="A"))
        page = ana.post(ana.deal() + "/close", with_fields(form, {"others": "B"}))
        assert page.location.endswith("/deals/1?saved=1")
        assert ana.totals() == {"A": 5, "B": 3}

    def test_to_nobody_goes_only_what_may_be_nobodys(self, ana: Player) -> None:
        page = ana.post(ana.deal() + "/close", with_fields(ana.closing(), {"others": "nobody"}))
        assert page.status == 200
        form = page.form("closing")
        assert (form["award-cards"], form["award-coins"], form["award-prime"]) == ("nobody", "nobody", "nobody")
        assert not form.get("award-seven_of_coins")
        assert ana.kinds() == ["match_started"]

    def test_one_button_gives_the_rare_lines_that_nobody_said_to_nobody_and_no_other(self, app: Flask) -> None:
        table = open_table(app, game="la_escoba")
        form = table.closing(**tapped(all_coins="A"))
        drawn = table.post(table.deal() + "/close", with_fields(form, {"rare": "nobody"})).form("closing")
        rare = {item: drawn[f"award-{item}"] for item in ("all_coins", "all_sevens", "few_cards")}
        assert rare == {"all_coins": "A", "all_sevens": "nobody", "few_cards": "nobody"}
        assert not drawn.get("award-cards")
        assert table.kinds() == ["match_started"]

    def test_any_outcome_is_told_in_four_taps(self, ana: Player) -> None:
        table, app = ana, ana.app
        with app.test_request_context():
            record = queries.table_by_play_key(table.key)
            assert record is not None
            match = queries.match_by_number(record, 1)
            assert match is not None
            view = MatchView(record, match)
            needs = view.needs
            ties = [["A", "B", "nobody"] if row.may_be_nobody else ["A", "B"] for row in needs.rows]
            for outcome in list(product(*ties))[::20]:
                rest = max(("A", "B", "nobody"), key=outcome.count)
                taps = {f"award-{r.item}": t for r, t in zip(needs.rows, outcome, strict=True) if t != rest}
                assert len(taps) + 1 <= 4
                form = closing_form(view, MultiDict({**taps, "others": rest}))
                form.give_what_is_open(judge_closing(view, form.facts(), view.deal))
                assert tuple(form.award(row).data for row in needs.rows) == outcome


class TestTheQuestionAtTheFoot:
    def test_a_number_that_is_tapped_is_the_count(self, ana: Player) -> None:
        form = with_fields(ana.closing(), {"tell": "A sevens 3"})
        drawn = ana.post(ana.deal(1) + "/close", form).form("closing")
        assert drawn["count-sevens-A"] == "3"

    def test_only_numbers_that_can_be_are_offered(self, ana: Player) -> None:
        piles = {"pile__A": ["7O", "1O", "2O", "2B"], "pile__B": ["5O", "6O", "10O", "11O"]}
        told = {"count__cards__A": "22", "award__prime": "A", **piles}
        page = ana.post(ana.deal(1) + "/close", ana.closing(**told, helping="yes"))
        assert "How many coins does Beto have?" in page.words
        assert page.buttons("tell") == ["B coins 4", "B coins 5", "B coins 6", "B coins 7"]


def test_a_deal_whose_last_cards_are_nobodys_is_closed_from_its_page(app: Flask) -> None:
    ana = open_table(app, **{"opt-last_cards": '"nobody"'})
    page = ana.get("/matches/1/deals/1/close")
    assert page.status == 200
    assert "Cards" in page.words
    told = with_fields(page.form("closing"), {**ON_TRUST, "step": "save"})
    assert ana.post("/matches/1/deals/1/close", told).status == 303
    assert ana.standing().result["totals"] == {"A": 6, "B": 2}
