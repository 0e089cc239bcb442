"""Whatever the engine reports is told in the reader's language: no code without a sentence of its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask

from scorekeeper import rules
from scorekeeper.config import ROOT
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


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize(("place", "code", "facts"), REPORTED, ids=[f"{code}-{place}" for place, code, _f in REPORTED])
def test_every_problem_is_told_in_words(
    app: Flask, place: str, code: str, facts: tuple[str, ...], language: str
) -> None:
    told = {name: SPECIAL.get((code, name), FACTS.get(name, 7)) for name in facts}
    problem = {"severity": "error", "code": code, "where": "", "message": UNTOLD, "facts": told}
    with app.test_request_context(headers={"Accept-Language": language}):
        assert in_words(problem, NAMES, "chorizo") != UNTOLD, place


def sentences(app: Flask, language: str = "en", **request: Any) -> dict[str, str]:
    """Score a deal; return the sentence of each line by its item."""
    sheet = rules.score(request)
    assert sheet["status"] != "invalid", sheet["problems"]
    names = {label: NAMES[label] for label in request["sides"]}
    match = SimpleNamespace(sides=names, setup=SimpleNamespace(game=request["game"]))
    with app.test_request_context(headers={"Accept-Language": language}):
        words: Any = app.jinja_env.get_template("macros/sentences.html").make_module({"match": match})
        return {line["item"]: str(words.line_text(match, line)).strip() for line in sheet["lines"]}


AB, FIVE = ["A", "B"], ["A", "B", "C", "D", "E"]
CALL = {"game": "brisca", "preset": "chiamata", "sides": FIVE}
REMATADA = {"game": "brisca", "preset": "rematada", "sides": ["A", "B", "C"]}
BID = {"bid": {"side": "A", "points": 100}}
CALLED = {"bid": {"side": "A", "points": 70}, "partner": "B"}
SAYS: list[tuple[str, str, dict[str, Any]]] = [
    (
        "marriage",
        "Marriage: Ana 40, Beto 0",
        {
            "game": "brisca",
            "preset": "mariaje",
            "sides": AB,
            "deal": {
                "trump": "O",
                "card_points": {"A": 70, "B": 50},
                "marriages": [{"suit": "O", "side": "A"}],
            },
        },
    ),
    ("bid", "The bid: Ana + Beto reached it", {**CALL, "deal": {**CALLED, "card_points": {"A": 50, "B": 30}}}),
    (
        "bid",
        "The bid: it was not reached; Cata + Dani + Eva score",
        {**CALL, "deal": {**CALLED, "card_points": {"A": 20, "B": 30}}},
    ),
    ("card_points", "Card points: not counted", {**CALL, "deal": {**CALLED, "card_points": {"A": 50, "B": 30}}}),
    ("bid", "The bid: Ana reached it", {**REMATADA, "deal": {**BID, "card_points": {"A": 110, "B": 10}}}),
    (
        "bid",
        "The bid: it was not reached; Beto + Cata score",
        {**REMATADA, "deal": {**BID, "card_points": {"A": 50, "B": 70}}},
    ),
    (
        "game_point",
        "The deal: Ana 70, Beto 50, all over the limit",
        {"game": "brisca", "preset": "mexican", "sides": AB, "deal": {"card_points": {"A": 70, "B": 50}}},
    ),
    (
        "game_point",
        "The deal: Ana 110, Beto 10, within the limit: Beto",
        {"game": "brisca", "preset": "mexican", "sides": AB, "deal": {"card_points": {"A": 110, "B": 10}}},
    ),
    (
        "game_point",
        "The deal: level in card points; Ana has more cards",
        {
            "game": "brisca",
            "sides": AB,
            "deal": {"card_points": {"A": 60, "B": 60}, "counts": {"A": {"cards": 22}}},
        },
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
        "few_cards",
        "Opponents under ten cards: Ana 25, Beto 15, nobody: not all the others have fewer than ten",
        {"game": "la_escoba", "sides": AB, "deal": {"counts": {"A": {"cards": 25}}}},
    ),
]


@pytest.mark.parametrize(
    ("item", "sentence", "request_"), SAYS, ids=[f"{n}-{item}" for n, (item, *_) in enumerate(SAYS)]
)
def test_a_line_says_who_scores_and_why(app: Flask, item: str, sentence: str, request_: dict[str, Any]) -> None:
    assert sentences(app, **request_)[item] == sentence
