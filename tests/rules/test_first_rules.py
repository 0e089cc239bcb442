"""Under earlier rules the engine scores as it did then: what was stored then is never read otherwise.

``data/first_version.jsonl`` holds requests of many kinds with the answers of version 1, one pair a line. Line by line
``data/second_version.jsonl`` holds what version 2 made of the same requests: problems, points of lines, and totals.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import rules

DATA = Path(__file__).parent / "data"
PAIRS = [json.loads(line) for line in (DATA / "first_version.jsonl").read_text().splitlines()]
SECOND = [json.loads(line) for line in (DATA / "second_version.jsonl").read_text().splitlines()]


def answer(pair: dict[str, Any], **how: Any) -> dict[str, Any]:
    door = {"score": rules.score, "match": rules.match}[pair["door"]]
    found: dict[str, Any] = json.loads(json.dumps(door({**pair["request"], "rules": 1}, **how)))
    return found


@pytest.mark.parametrize("pair", PAIRS, ids=range(len(PAIRS)))
def test_an_answer_of_the_first_version_is_given_again(pair: dict[str, Any]) -> None:
    assert answer(pair) == pair["answer"]


@pytest.mark.parametrize(("pair", "told"), list(zip(PAIRS, SECOND, strict=True)), ids=range(len(PAIRS)))
def test_the_second_version_scores_as_it_did(pair: dict[str, Any], told: dict[str, Any]) -> None:
    door = {"score": rules.score, "match": rules.match}[pair["door"]]
    try:
        found: dict[str, Any] = door({**pair["request"], "rules": 2})
    except rules.Malformed as refused:
        found = {"status": "malformed", "problems": refused.problems}
    problems = [[problem[part] for part in ("severity", "code", "where")] for problem in found["problems"]]
    sheets = found.get("sheets") or ([found] if "lines" in found else [])
    lines = [
        {line["item"]: line["points"] and list(line["points"].values()) for line in sheet["lines"]} for sheet in sheets
    ]
    # What was too much work then may be settled now.
    settled = [{item: points for item, points in sheet.items() if points is not None} for sheet in told["lines"]]
    assert [{item: sheet[item] for item in was} for sheet, was in zip(lines, settled, strict=True)] == settled
    assert [list(sheet) for sheet in lines] == [list(sheet) for sheet in told["lines"]]
    spent = ["warning", "budget_spent", ""]
    assert [each for each in problems if each != spent] == [each for each in told["problems"] if each != spent]
    if settled == told["lines"]:
        assert {name: found[name] for name in told if name not in ("lines", "problems")} == {
            name: told[name] for name in told if name not in ("lines", "problems")
        }


def test_what_the_first_version_left_open_although_it_was_said_is_settled() -> None:
    deal = {
        "counts": {"B": {"figures": 5}, "C": {"cards": 14, "sevens": 1, "sixes": 2, "figures": 1}},
        "awards": {"seven_of_coins": "A"},
    }
    for version in rules.RULES:
        sheet = rules.score({"game": "escoba", "sides": ["A", "B", "C"], "deal": deal, "rules": version})
        (line,) = (line for line in sheet["lines"] if line["item"] == "seven_of_coins")
        assert (line["points"], line["evidence"]) == ({"A": 1, "B": 0, "C": 0}, "said")


def test_a_long_match_of_the_first_version_is_refused_only_within_bounds() -> None:
    deals = [{"points": {"A": 1, "B": 0}}] * 201
    match = {"game": "free", "sides": ["A", "B"], "options": {"end": "rounds", "rounds": 400}, "deals": deals}

    assert rules.match({**match, "rules": 1})["totals"] == {"A": 201, "B": 0}
    for refused in (rules.match({**match, "rules": 1}, bounded=True), rules.match(match)):
        assert [problem["code"] for problem in refused["problems"]] == ["too_many_deals"]


@pytest.mark.parametrize("door", [rules.score, rules.match, rules.captures, rules.prime])
@pytest.mark.parametrize("version", [0, 4, "1", True, 1.5, [1], {}])
def test_other_rules_than_there_are_are_refused(door: Any, version: Any) -> None:
    request = {
        "game": "scopa",
        "sides": ["A", "B"],
        "layout": ["7O"],
        "card": "7C",
        "method": "face",
        "piles": {"A": ["7O"]},
    }
    for known in (None, *rules.RULES):
        assert door({**request, "rules": known}).get("status") != "invalid"
    (problem,) = door({**request, "rules": version})["problems"]
    assert (problem["code"], problem["where"]) == ("unknown_value", "rules")
