"""Whatever the engine reports is told in the reader's language: no code without a sentence of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.config import ROOT
from scorekeeper.rules import contract
from scorekeeper.web.words.lines import line_words
from scorekeeper.web.words.names import join_names
from scorekeeper.web.words.problems import in_words

ENGINE = ROOT / "scorekeeper" / "rules"
NAMES = {"A": "Ana", "B": "Beto", "C": "Cata", "D": "Dani", "E": "Eva"}
UNTOLD = "the engine's own English"

FACTS: dict[str, Any] = {
    "card": "7O",
    "cards": 3,
    "first": "piles.A[0]",
    "second": "layout[1]",
    "item": "cards",
    "items": ["cards", "coins"],
    "sides": [["A"], ["B"]],
    "side": "A",
    "kind": "coins",
    "wanted": [90, 105],
    "suit": "O",
    "mend": None,
}
"""What a problem may tell of, where it is not a number or a name that somebody typed."""
SPECIAL = {
    ("missed_fifteen", "cards"): ["7O", "8C"],
    ("missed_pair", "cards"): ["7O", "7C"],
    ("layout_size", "wanted"): 4,
    ("impossible_award", "sides"): ["A"],
    ("award_contradicted", "sides"): [],
    ("claim_not_held", "items"): ["flush"],
}


def reported() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Find every place where the engine reports a problem: where it stands, its code, the names of its facts."""
    for path in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            code = node.args[0]
            if node.func.attr not in ("error", "warn") or not isinstance(code, ast.Constant):
                continue
            facts = tuple(keyword.arg for keyword in node.keywords if keyword.arg)
            yield f"{path.name}:{node.lineno}", str(code.value), facts


REPORTED = list(reported())


def test_the_places_are_found() -> None:
    assert len({code for _place, code, _facts in REPORTED}) > 60


def problem_of(code: str, facts: tuple[str, ...]) -> dict[str, Any]:
    """Return a problem as the engine reports it, with facts that it could have."""
    told = {name: SPECIAL.get((code, name), FACTS.get(name, 7)) for name in facts}
    return {"severity": "error", "code": code, "where": "", "message": UNTOLD, "facts": told}


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_problem_is_told_in_words(app: Flask, language: str) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        told = {place: in_words(problem_of(code, facts), NAMES, "chorizo") for place, code, facts in REPORTED}
    assert [place for place, words in told.items() if words == UNTOLD] == []


def sentence_of(app: Flask, line: Any, game: str, names: Mapping[str, str], language: str = "en") -> str:
    """Return the sentence of a line of a sheet."""
    with app.test_request_context(headers={"Accept-Language": language}):
        return line_words(line, names, game)


def lines(request: dict[str, Any]) -> dict[str, Any]:
    """Score a deal; return its lines by item."""
    sheet = rules.score(request)
    assert sheet["status"] != "invalid", sheet["problems"]
    return {line["item"]: line for line in sheet["lines"]}


AB, FIVE = ["A", "B"], ["A", "B", "C", "D", "E"]
CALL = {"game": "brisca", "preset": "chiamata", "sides": FIVE}
REMATADA = {"game": "brisca", "preset": "rematada", "sides": ["A", "B", "C"]}
BID = {"bid": {"side": "A", "points": 100}, "last_trick": "B", "marriages": []}
CALLED = {"bid": {"side": "A", "points": 70}, "partner": "B"}
OWN_LINES = [{"name": "napola", "points": 3, "how": "one"}, {"name": "Capote", "points": -1, "how": "count"}]
CHORIZO = {"game": "chorizo", "sides": AB}
THREE = {"game": "chorizo", "sides": ["A", "B", "C"]}
PRIMIERA = {"game": "scopa", "options": {"prime_suits_required": 4}, "sides": AB}
LAME = [code for code in rules.CODES if code[-1] in "OC"]
SAYS: list[tuple[str, str, dict[str, Any]]] = [
    (
        "marriage",
        "Marriage: Ana 40, Beto 0",
        {
            "game": "brisca",
            "preset": "mariaje",
            "sides": AB,
            "deal": {"trump": "O", "card_points": {"A": 70, "B": 50}, "marriages": [{"suit": "O", "side": "A"}]},
        },
    ),
    ("bid", "The bid: Ana and Beto reached it", {**CALL, "deal": {**CALLED, "card_points": {"A": 50, "B": 30}}}),
    (
        "bid",
        "The bid: it was not reached; Cata, Dani, and Eva score",
        {**CALL, "deal": {**CALLED, "card_points": {"A": 20, "B": 30}}},
    ),
    (
        "card_points",
        "Card points: not counted",
        {"game": "brisca", "preset": "muerte_al_tres", "sides": AB, "deal": {"three_killed": "B"}},
    ),
    (
        "game_point",
        "The deal: Ana 70, Beto 50, all over the limit",
        {"game": "brisca", "preset": "mexican", "sides": AB, "deal": {"card_points": {"A": 70, "B": 50}}},
    ),
    (
        "game_point",
        "The deal: level in card points; Ana has more cards",
        {"game": "brisca", "sides": AB, "deal": {"card_points": {"A": 60, "B": 60}, "counts": {"A": {"cards": 22}}}},
    ),
    (
        "game_point",
        "The deal: the ace of trumps of Beto killed the three",
        {"game": "brisca", "preset": "muerte_al_tres", "sides": AB, "deal": {"three_killed": "B"}},
    ),
    (
        "wrong_capture",
        "Wrong capture: Ana, four points and one for each sweep of the deal",
        {
            "game": "la_escoba",
            "sides": AB,
            "deal": {"penalties": [{"item": "wrong_capture", "side": "A"}], "sweeps": {"A": 2}},
        },
    ),
    (
        "wrong_capture",
        "Wrong capture: the points of this deal go to the others",
        {
            "game": "la_escoba",
            "options": {"wrong_capture_mode": "as_renuncio"},
            "sides": AB,
            "deal": {"penalties": [{"item": "wrong_capture", "side": "A"}], "sweeps": {"A": 2}, "rest": "B"},
        },
    ),
    (
        "cards",
        "Most cards: whoever took a wrong set cannot have it",
        {
            "game": "la_escoba",
            "options": {"wrong_capture_mode": "void_cards"},
            "sides": AB,
            "deal": {"counts": {"A": {"cards": 25}}, "penalties": [{"item": "wrong_capture", "side": "A"}]},
        },
    ),
    (
        "bid",
        "The bid: Ana 3, Beto −1, Cata 0, Dani −1, Eva −1",
        {
            **CALL,
            "options": {"chiamata_scores": "manual"},
            "deal": {**CALLED, "points": {"A": 3, "B": -1, "C": 0, "D": -1, "E": -1}},
        },
    ),
    (
        "last_trick",
        "Last trick: Ana 10, Beto 0, Cata 0",
        {**REMATADA, "deal": {**BID, "card_points": {"A": 120, "B": 0}, "last_trick": "A"}},
    ),
    (
        "over_hundred",
        "Over a hundred: Ana 19, Beto 101",
        {"game": "brisca", "options": {"pts_over_hundred": 2}, "sides": AB, "deal": {"card_points": {"B": 101}}},
    ),
    (
        "game_point",
        "The deal: more than a hundred counts instead",
        {"game": "brisca", "options": {"pts_over_hundred": 2}, "sides": AB, "deal": {"card_points": {"B": 101}}},
    ),
    (
        "hand_cards",
        "Cards left: Ana 33, Beto 0",
        {"game": "carioca", "sides": AB, "deal": {"left_points": {"A": 33}, "went_out": "B"}},
    ),
    (
        "out_at_once",
        "Out at once: Beto",
        {"game": "carioca", "sides": AB, "deal": {"left": {"A": ["7"]}, "out_at_once": "B"}},
    ),
    (
        "perfect_cut",
        "Perfect cut: Ana",
        {"game": "carioca", "sides": AB, "deal": {"left": {"A": ["7"]}, "went_out": "B", "perfect_cut": "A"}},
    ),
    ("points", "Points: Ana −4, Beto 7", {"game": "free", "sides": AB, "deal": {"points": {"A": -4, "B": 7}}}),
    ("sweeps", "Sweeps: Ana 2, Beto 3", {"game": "chorizo", "sides": AB, "deal": {"sweeps": {"A": 2, "B": 3}}}),
    (
        "steal",
        "Steal: Ana 3, Beto 1",
        {"game": "carioca", "sides": AB, "deal": {"left": {"A": ["7"]}, "steals": {"A": 3, "B": 1}, "went_out": "B"}},
    ),
    (
        "piccola",
        "La piccola (low denari): Ana 3, Beto 0",
        {"game": "cirulla", "sides": AB, "deal": {"piles": {"A": ["1O", "2O", "3O"]}, "rest": "B"}},
    ),
    ("seven_of_coins", "Seven of coins: Beto", {**CHORIZO, "deal": {"piles": {"B": ["7O"]}}}),
    ("coins", "Most coins: Ana 6, Beto 4", {**CHORIZO, "deal": {"counts": {"A": {"coins": 6}}}}),
    (
        "table_sweep",
        "Opening sweep: Ana dealt four cards that add to 15",
        {"game": "chorizo", "sides": AB, "deal": {"dealer": "A", "layout": ["7O", "2B", "1E", "5B"]}},
    ),
    (
        "table_flush",
        "Table flush: Beto dealt four of one suit",
        {**CHORIZO, "options": {"table_flush": True}, "deal": {"dealer": "B", "layout_result": "flush4"}},
    ),
    (
        "game_point",
        "The deal: Ana 110, Beto 10, within the limit: Beto",
        {"game": "brisca", "preset": "mexican", "sides": AB, "deal": {"card_points": {"A": 110, "B": 10}}},
    ),
    (
        "card_points",
        "Card points: Ana 61, Beto 59",
        {"game": "brisca", "sides": AB, "deal": {"card_points": {"A": 61}}},
    ),
    ("sweeps", "Sweeps: nobody", {"game": "chorizo", "sides": AB}),
    (
        "baciga",
        "Báciga: Ana",
        {
            "game": "baciga",
            "preset": "catsatcards",
            "sides": AB,
            "deal": {"declarations": [{"side": "A", "cards": ["1C", "3C", "4C"]}]},
        },
    ),
    (
        "false_declaration",
        "False call: its points go to Beto and Cata",
        {
            "game": "chorizo",
            "sides": ["A", "B", "C"],
            "deal": {"declarations": [{"side": "A", "cards": ["1O", "2C", "12E"], "items": ["flush"]}]},
        },
    ),
    (
        "table_sweep",
        "Scopa d'apertura (opening): Beto dealt four cards that add to 30",
        {"game": "cirulla", "sides": AB, "deal": {"dealer": "B", "layout": ["12O", "11C", "7E", "4B"]}},
    ),
    (
        "table_flush",
        "Table flush: Ana dealt three of one suit",
        {"game": "baciga", "preset": "catsatcards", "sides": AB, "deal": {"dealer": "A", "layout_result": "flush3"}},
    ),
    (
        "cappotto",
        "Cappotto (all denari): Ana has all ten: wins the match",
        {"game": "cirulla", "sides": AB, "deal": {"counts": {"A": {"coins": 10}}}},
    ),
    (
        "piccola",
        "La piccola (low denari): Ana 2, Beto 0, nobody has ace, two and three",
        {"game": "cirulla", "sides": AB, "deal": {"piles": {"A": ["1O", "2O"]}, "rest": "B"}},
    ),
    (
        "cards",
        "Cartas (most cards): what having them all scores counts instead",
        {"game": "escopa", "options": {"fifty_cards_at": 30}, "sides": AB, "deal": {"counts": {"A": {"cards": 30}}}},
    ),
    (
        "barmila",
        "Bermila (sevens, then sixes): level in sevens; Ana has more sixes",
        {"game": "chkobba", "sides": AB, "deal": {"counts": {"A": {"sevens": 2, "sixes": 3}}}},
    ),
    ("coins", "Most coins: 5–5, nobody", {**CHORIZO, "deal": {"counts": {"A": {"coins": 5}}}}),
    (
        "cards",
        "Most cards: Ana 14, Beto 14, Cata 12, those ahead are level, and each scores",
        {**THREE, "deal": {"counts": {"A": {"cards": 14}, "B": {"cards": 14}, "C": {"cards": 12}}}},
    ),
    (
        "cards",
        "Most cards: Ana 14, Beto 14, Cata 12, the best that is not level scores",
        {
            **THREE,
            "options": {"tie_rule": "best_untied"},
            "deal": {"counts": {"A": {"cards": 14}, "B": {"cards": 14}, "C": {"cards": 12}}},
        },
    ),
    (
        "coins",
        "Most coins: nobody has any",
        {**CHORIZO, "deal": {"last_capturer": None, "leftover": list(rules.CODES)}},
    ),
    ("prime", "Primiera: nobody qualifies", {**PRIMIERA, "deal": {"piles": {"A": LAME}, "rest": "B"}}),
    (
        "seven_of_coins",
        "Seven of coins: nobody",
        {
            **CHORIZO,
            "options": {"last_cards": "nobody"},
            "deal": {"leftover": ["7O", "3C"], "counts": {"A": {"cards": 38}}},
        },
    ),
    (
        "few_cards",
        "Opponents under ten cards: Ana",
        {"game": "la_escoba", "sides": AB, "deal": {"counts": {"A": {"cards": 31}}}},
    ),
    (
        "few_cards",
        "Opponents under ten cards: Ana 25, Beto 15, nobody",
        {"game": "la_escoba", "sides": AB, "deal": {"counts": {"A": {"cards": 25}}}},
    ),
    ("own_1", "napola: Ana made it", {**CHORIZO, "own_lines": OWN_LINES, "deal": {"awards": {"own_1": "A"}}}),
    (
        "own_2",
        "Capote: Ana 2, Beto 1",
        {**CHORIZO, "own_lines": OWN_LINES, "deal": {"own": {"own_2": {"A": 2, "B": 1}}}},
    ),
    (
        "adjustment",
        "By agreement: played out of turn",
        {**CHORIZO, "deal": {"adjustments": [{"side": "B", "points": -2, "reason": "played out of turn"}]}},
    ),
]


@pytest.mark.parametrize(
    ("item", "sentence", "request_"), SAYS, ids=[f"{n}-{item}" for n, (item, *_) in enumerate(SAYS)]
)
def test_a_line_says_who_scores_and_why(app: Flask, item: str, sentence: str, request_: dict[str, Any]) -> None:
    names = {label: NAMES[label] for label in request_["sides"]}
    assert sentence_of(app, lines(request_)[item], request_["game"], names) == sentence


def test_every_reason_has_an_example() -> None:
    seen = {lines(request_)[item]["reason"] for item, _sentence, request_ in SAYS}
    assert set(get_args(contract.Reason)) - seen == {"certain"}, "write an example of it above"


@pytest.mark.parametrize(("language", "says"), [("en", "Ana and Leo"), ("es", "Ana y Leo")])
def test_of_a_pair_is_spoken_in_the_plural(app: Flask, language: str, says: str) -> None:
    request = {"game": "la_escoba", "sides": AB, "players_per_side": 2, "deal": {"awards": {"all_coins": "A"}}}
    line = lines(request)["all_coins"]
    with app.test_request_context(headers={"Accept-Language": language}):
        names = {"A": join_names(["Ana", "Leo"]), "B": join_names(["Beto", "Cata"])}
        assert says in line_words(line, names, "la_escoba")
