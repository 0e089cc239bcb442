"""Evidence is recorded as it was given: an answer is said, a number is counted, cards laid out are shown."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.store.compare import pile_of_card
from scorekeeper.store.standings import score_deal
from scorekeeper.web.words.evidence import evidence_given

from ...helpers.reading import Page
from ..conftest import ON_TRUST, Player, open_table, with_fields

TRUST = {name.replace("-", "__"): value for name, value in ON_TRUST.items()}


def answered(player: Player, button: dict[str, Any], number: int = 1, **fields: Any) -> Page:
    """Press one of the form's own buttons, without script."""
    return player.post(player.deal(number) + "/close", with_fields(player.closing(number, **fields), button))


def lines(player: Player) -> dict[str, Any]:
    return {line["item"]: line for line in player.standing().result["sheets"][-1]["lines"]}


def facts(player: Player) -> Any:
    return player.entries()[-1].payload["facts"]


class TestSaid:
    def test_the_answer_to_whose_a_card_is_goes_to_what_was_said(self, ana: Player) -> None:
        page = answered(ana, {"give": "B 7O"})
        form = page.form("closing")
        assert form.getlist("told-B") == ["7O"]
        assert not form.getlist("pile-B")
        assert "What was said of single cards 7 7 of coins Beto" in page.words

    def test_its_line_is_said_on_the_sheet_and_in_the_journal(self, ana: Player) -> None:
        page = answered(ana, {"give": "B 7O"}, **{**TRUST, "award__seven_of_coins": None})
        assert page.status == 303
        assert facts(ana)["told"] == {"B": ["7O"]}
        assert "piles" not in facts(ana)
        assert lines(ana)["seven_of_coins"]["evidence"] == "said"
        assert "It was said at the table" in ana.get(ana.deal()).html
        assert "Deal 1 was closed (said)" in ana.get("/matches/1/journal").words

    def test_what_was_said_may_be_taken_back(self, ana: Player) -> None:
        form = answered(ana, {"give": "B 7O"}).form("closing")
        form.poplist("told-B")
        page = ana.post(ana.deal() + "/close", with_fields(form, {"step": "check"}))
        assert not page.form("closing").getlist("told-B")
        assert "What was said of single cards 7 7 of coins Beto" not in page.words

    def test_a_correction_starts_from_what_was_said(self, ana: Player) -> None:
        answered(ana, {"give": "B 7O"}, **{**TRUST, "award__seven_of_coins": None})
        assert ana.closing().getlist("told-B") == ["7O"]

    def test_an_answer_repeated_is_said_once(self, ana: Player) -> None:
        form = with_fields(answered(ana, {"give": "B 7O"}).form("closing"), {"give": "B 7O"})
        page = ana.post(ana.deal() + "/close", form)
        assert page.form("closing").getlist("told-B") == ["7O"]

    def test_another_answer_takes_the_place_of_the_first(self, ana: Player) -> None:
        form = with_fields(answered(ana, {"give": "B 7O"}).form("closing"), {"give": "A 7O"})
        form = ana.post(ana.deal() + "/close", form).form("closing")
        assert (form.getlist("told-A"), form.getlist("told-B")) == (["7O"], [])

    @pytest.mark.parametrize(("shape", "names"), [("3x1", "Ana Beto Leo"), ("4x1", "Ana Beto Leo Cata")])
    def test_with_three_and_four_sides_too(self, app: Flask, shape: str, names: str) -> None:
        seats = {f"player__{seat}": name for seat, name in enumerate(names.split())}
        table = open_table(app, shape=shape, **seats)
        page = answered(table, {"give": "C 7O"}, **{**TRUST, "award__seven_of_coins": None}, best__C__O="7")
        assert page.status == 303, page.words
        assert (facts(table)["told"], facts(table)["best"]) == ({"C": ["7O"]}, {"C": {"O": 7}})
        assert lines(table)["seven_of_coins"]["evidence"] == "shown"

    def test_what_the_cards_exclude_is_said_beside_the_form_and_not_saved_by_itself(self, ana: Player) -> None:
        page = answered(ana, {"give": "B 7O"}, **{**TRUST, "award__seven_of_coins": None}, count__sevens__A="4")
        assert page.status == 200
        assert "7 of coins was said to be with Beto, but the cards and counts say otherwise" in page.words
        assert ana.kinds() == ["match_started"]


class TestLaidOut:
    def test_the_best_cards_are_chosen_in_the_row_of_the_prime(self, ana: Player) -> None:
        page = ana.close(**TRUST, best__A__O="7", best__A__C="figure", best__A__B="none")
        assert page.status == 303, page.words
        assert facts(ana)["best"] == {"A": {"O": 7, "C": "figure", "B": None}}
        assert "Deal 1 was closed (shown, said)" in ana.get("/matches/1/journal").words

    def test_a_correction_starts_from_them(self, ana: Player) -> None:
        ana.close(**TRUST, best__A__O="7", best__A__B="none")
        form = ana.closing()
        assert (form["best-A-O"], form["best-A-B"], form["best-A-C"]) == ("7", "none", "")

    @pytest.mark.parametrize("written", ["8", "9", "13", "-1", "king", "7O", "९"])
    def test_an_index_that_the_pack_does_not_have_is_refused(self, ana: Player, written: str) -> None:
        page = ana.close(**TRUST, best__A__O=written)
        assert page.status == 422
        assert "There is no such card: choose its index again." in page.words
        assert ana.kinds() == ["match_started"]

    def test_a_card_that_another_side_shows_is_told_in_the_row_of_the_prime(self, ana: Player) -> None:
        page = answered(ana, {"step": "check"}, best__A__O="7", pile__B=["7O"])
        assert 'id="state-prime" class="state bad' in page.html
        assert "Ana cannot have laid out that card of coins" in page.words

    def test_a_game_without_a_prime_does_not_ask_for_it(self, app: Flask) -> None:
        escoba = open_table(app, game="escoba")
        assert "best-A-O" not in escoba.get(escoba.deal() + "/close").html


class TestGroup:
    """One question about several cards: those that one side has are tapped, the others are the other side's."""

    @pytest.fixture
    def asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def with_group(*of: Any, **how: Any) -> Any:
            sheet = score_deal(*of, **how)
            group = {"cards": ["7C", "7E", "6B"], "side": "A", "settles": ["prime"]}
            return {**sheet, "ask_group": group} if sheet.get("ask") else sheet

        monkeypatch.setattr("scorekeeper.web.deal_entry.judged.score_deal", with_group)

    @pytest.mark.usefixtures("asked")
    def test_it_is_asked_and_the_single_question_is_there_too(self, ana: Player) -> None:
        page = ana.post(ana.deal() + "/close", ana.closing(helping="yes"))
        assert "Tap those that Ana has. Helps with: prime." in page.words
        assert page.buttons("ticked_for") == ["A 7C 7E 6B"]
        assert "Don't know" in page.words

    def test_the_ticked_are_one_sides_and_the_others_the_other_sides(self, ana: Player) -> None:
        form = answered(ana, {"ticked": ["7E"], "ticked_for": "A 7C 7E 6B"}).form("closing")
        assert (form.getlist("told-A"), form.getlist("told-B")) == (["7E"], ["7C", "6B"])

    def test_none_ticked_is_an_answer(self, ana: Player) -> None:
        form = answered(ana, {"ticked_for": "A 7C 7E"}).form("closing")
        assert (form.getlist("told-A"), form.getlist("told-B")) == ([], ["7C", "7E"])

    @pytest.mark.parametrize("pressed", ["", "A", "Z 7C", "A 7C 8C", "A 7C 7C 7C 7C 7C", "A  7C"])
    def test_a_damaged_one_says_nothing(self, ana: Player, pressed: str) -> None:
        page = answered(ana, {"ticked": ["7C"], "ticked_for": pressed})
        assert page.status == 200
        assert not [name for name in page.form("closing") if name.startswith("told-")]


def half(*suits: str) -> list[str]:
    return [rank + suit for suit in suits for rank in ("1", "2", "3", "4", "5", "6", "7", "10", "11", "12")]


CLOSED: dict[str, tuple[dict[str, Any], str]] = {
    "on trust": (TRUST, "said"),
    "by a count": ({**TRUST, "award__cards": None, "count__cards__A": "23"}, "counted, said"),
    "by a card that was said": ({**TRUST, "award__two_of_clubs": None, "told__A": ["2B"]}, "said"),
    "by a card that was shown": ({**TRUST, "award__two_of_clubs": None, "pile__A": ["2B"]}, "shown, said"),
    "with the prime laid out": (
        {
            **TRUST,
            "award__prime": None,
            **{f"best__A__{suit}": "7" for suit in "OCE"},
            "best__A__B": "1",
            "best__B__O": "none",
            "best__B__C": "6",
            "best__B__E": "6",
            "best__B__B": "5",
        },
        "shown, said",
    ),
    "with a count that settles the prime": (
        {**TRUST, "award__prime": None, "count__sevens__A": "4"},
        "counted, said",
    ),
    "by whole piles": ({"pile__A": half("O", "C"), "rest": "B", "accept": ["pile_modulus"]}, "shown"),
}
"""Ways to close a deal, with what the journal says of each."""


@pytest.mark.parametrize(("fields", "given"), CLOSED.values(), ids=CLOSED)
def test_form_sheet_and_journal_mark_a_line_alike(ana: Player, fields: dict[str, Any], given: str) -> None:
    form = ana.post(ana.deal() + "/close", with_fields(ana.closing(**fields), {"step": "check"}))
    in_form = set(re.findall(r'id="mark-(\w+)-\w+" data-evidence="(\w+)"', form.html))

    assert ana.close(**fields).status == 303

    scored = lines(ana)
    known = {item: line["evidence"] for item, line in scored.items() if line.get("evidence")}
    winning = {item: evidence for item, evidence in known.items() if any(scored[item]["points"].values())}
    assert in_form >= {(item, evidence) for item, evidence in winning.items() if item != "sweeps"}
    assert all(known[item] == evidence for item, evidence in in_form)
    beside_sentence = re.compile(r'sentence">.*?<small data-evidence="(\w+)"', re.DOTALL)
    on_sheet = beside_sentence.findall(ana.get(ana.deal()).html)
    assert Counter(on_sheet) == Counter(known.values())
    assert f"Deal 1 was closed ({given})" in ana.get("/matches/1/journal").words
    assert {evidence for item, evidence in known.items() if item != "sweeps"} <= set(given.split(", "))


GAMES = [game for game in rules.games()["games"] if game["family"] == "fishing"]


@pytest.mark.parametrize("game", GAMES, ids=[game["id"] for game in GAMES])
def test_a_form_asks_for_the_best_cards_where_the_engine_takes_them(game: Any) -> None:
    seats = game["seats"][0]
    sides = {"sides": list("ABCD"[: seats["sides"]]), "players_per_side": seats["players_per_side"]}
    methods = [option["values"] for option in game["options"] if option["id"] == "prime_method"]
    for options in [{"prime_method": method} for values in methods for method in values] or [{}]:
        table = {"game": game["id"], "options": options, **sides}
        read = rules.read_table(table, rules.Problems())
        assert read is not None
        needs = rules.describe_deal(read)
        assert not rules.score({**table, "deal": {"told": {"A": ["7O"]}}})["problems"]
        assert needs.told
        assert bool(needs.best) is not bool(rules.score({**table, "deal": {"best": {"B": {"C": 7}}}})["problems"])


def test_the_journal_says_what_was_given_and_the_strongest_first() -> None:
    assert evidence_given({"awards": {"cards": "A"}, "counts": {"A": {"coins": 6}}, "rest": "B"}) == [
        "shown",
        "counted",
        "said",
    ]
    assert evidence_given({"best": {"A": {"O": 7}}, "told": {"A": ["7C"]}}) == ["shown", "said"]
    assert evidence_given({"piles": {}, "sweeps": {"A": 0}, "awards": None}) == []


def test_closings_that_say_another_owner_of_a_card_are_both_kept(ana: Player, beto: Player) -> None:
    form = beto.closing(**TRUST, told__B=["3C"])
    assert ana.close(**TRUST, told__A=["3C"]).status == 303
    page = beto.post(beto.deal() + "/close", with_fields(form, {"step": "save"}))
    assert page.location.endswith("/versions?saved=1")
    assert "In another pile 3 3 of cups" in beto.get(beto.deal() + "/versions").words


def test_a_card_lies_where_it_was_shown_even_if_something_else_was_said() -> None:
    facts = {
        "told": {"A": ["7o", "6C"], "B": None},
        "best": {"B": {"C": 6, "E": "figure", "B": None}},
        "piles": {"B": ["7O"], "A": ["1E"]},
    }
    assert pile_of_card(facts) == {"7O": "B", "6C": "B", "1E": "A"}
