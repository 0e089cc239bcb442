"""With ``"ask": false`` no question is worked out, and everything else is as it was (docs/contract.md)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.limits import MATCH_STEPS
from scorekeeper.rules.fishing.item_lines import ItemScorer

from ..helpers.cold import forget
from ..rules.test_contract import GAMES, line_up
from .test_budget import partial_deal


def without_question(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in answer.items() if name not in ("ask", "ask_group")}


@pytest.mark.parametrize("asked_first", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_sheet_without_its_question_says_all_else_alike(seed: int, asked_first: bool) -> None:
    request = partial_deal(2 + seed % 3, Random(seed))
    forget()
    order = (True, False) if asked_first else (False, True)
    answers: dict[bool, Any] = {asks: rules.score({**request, "ask": asks}) for asks in order}

    assert "ask" in answers[True]
    assert not {"ask", "ask_group"} & answers[False].keys()
    by_question = [problem for problem in answers[True]["problems"] if problem["code"] == "budget_spent"]
    rest = without_question(answers[True])
    if by_question and not by_question[0]["facts"]["items"]:
        rest["problems"] = [problem for problem in rest["problems"] if problem not in by_question]
    assert answers[False] == rest


@pytest.mark.parametrize("game", ["chorizo", "cirulla", "brisca", "carioca", "free"])
def test_an_open_deal_has_no_question_unless_it_is_asked_for(game: str) -> None:
    request = {**line_up(GAMES[game]), "deal": {}}
    asked, unasked = rules.score(request), rules.score({**request, "ask": False})

    assert without_question(asked) == unasked  # type: ignore[arg-type]


def test_the_sheets_of_a_match_are_alike_with_and_without_questions_within_one_budget() -> None:
    random = Random(5)
    deals = [partial_deal(4, random)["deal"] for _ in range(6)]
    match: dict[str, Any] = {"game": "chorizo", "sides": [*"ABCD"], "options": {"target": 9999}, "deals": deals}
    asked = rules.match(match, most_steps=MATCH_STEPS)
    unasked = rules.match({**match, "ask": False}, most_steps=MATCH_STEPS)

    for sheet, bare in zip(asked["sheets"], unasked["sheets"], strict=True):
        assert "ask" in sheet
        assert "ask" not in bare
        assert bare["lines"] == sheet["lines"]


def test_what_is_no_truth_value_is_no_wish_for_a_question() -> None:
    with pytest.raises(rules.Malformed):
        rules.score({"game": "scopa", "sides": ["A", "B"], "deal": {}, "ask": "no"})
    with pytest.raises(rules.Malformed):
        rules.match({"game": "scopa", "sides": ["A", "B"], "deals": [], "ask": 1})


def test_deals_that_tell_the_same_of_their_piles_are_settled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[object] = []
    settle = ItemScorer.settle_items
    monkeypatch.setattr(ItemScorer, "settle_items", lambda *of: settled.append(of) or settle(*of))
    table = {"game": "chorizo", "sides": ["A", "B"], "ask": False}
    forget()
    sheets = [rules.score({**table, "deal": {"sweeps": {"A": sweeps}}}) for sweeps in range(4)]
    other = rules.score({**table, "deal": {"piles": {"A": ["7O"]}}})

    assert len(settled) == 2
    assert [sheet["points"]["A"] for sheet in sheets] == [0, 1, 2, 3]
    assert [sheet["lines"][1:] for sheet in sheets] == [sheets[0]["lines"][1:]] * 4
    assert other["points"] == {"A": 1, "B": 0}
