"""Under earlier rules the engine scores as it did then: what was stored then is never read otherwise.

``data/first_version.jsonl`` holds requests of many kinds with the answers of version 1, one pair a line. Line by line
``data/second_version.jsonl`` holds what version 2 made of the same requests: problems, points of lines, and totals.
``data/third_version.jsonl`` holds deals and matches of rematada with the whole answers of version 3.
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
THIRD = [json.loads(line) for line in (DATA / "third_version.jsonl").read_text().splitlines()]


def answer(pair: dict[str, Any], **how: Any) -> dict[str, Any]:
    door = {"score": rules.score, "match": rules.match}[pair["door"]]
    found: dict[str, Any] = json.loads(json.dumps(door({**pair["request"], "rules": 1}, **how)))
    return found


def without_gained(found: Any, then: Any) -> Any:
    """Return an answer without the fields that answers have gained since then: they change nothing that was there."""
    if isinstance(found, dict) and isinstance(then, dict):
        return {name: without_gained(value, then[name]) for name, value in found.items() if name in then}
    if isinstance(found, list) and isinstance(then, list) and len(found) == len(then):
        return [without_gained(*pair) for pair in zip(found, then, strict=True)]
    return found


def accepted(problems: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Return what is wrong with a request, without the order in which lists are cut."""
    return [(problem["severity"], problem["code"], problem["where"]) for problem in problems]


@pytest.mark.parametrize("pair", PAIRS, ids=range(len(PAIRS)))
def test_what_the_first_version_accepted_and_scored_is_accepted_and_scored_again(pair: dict[str, Any]) -> None:
    now, then = answer(pair), pair["answer"]

    assert accepted(now.get("problems", [])) == accepted(then.get("problems", []))
    for part in ("game", "preset", "options", "sides", "totals", "winner", "reason", "next_dealer", "redeal", "match"):
        assert without_gained(now.get(part), then.get(part)) == then.get(part), part
    for sheet, before in zip(now.get("sheets", [now]), then.get("sheets", [then]), strict=True):
        lines = {line["item"]: line["points"] for line in sheet.get("lines", [])}
        assert list(lines) == [line["item"] for line in before.get("lines", [])]
        for line in before.get("lines", []):
            assert line["points"] in (None, lines[line["item"]]), line["item"]
        if before["status"] != "open":
            assert (sheet["status"], sheet.get("points")) == (before["status"], before.get("points"))


@pytest.mark.parametrize("pair", THIRD, ids=range(len(THIRD)))
def test_a_rematada_of_the_third_version_is_scored_as_then(pair: dict[str, Any]) -> None:
    door = {"score": rules.score, "match": rules.match}[pair["door"]]
    found = json.loads(json.dumps(door({**pair["request"], "rules": 3})))
    assert without_gained(found, pair["answer"]) == pair["answer"]


@pytest.mark.parametrize("pair", THIRD, ids=range(len(THIRD)))
def test_a_rematada_in_which_all_was_said_is_scored_as_before(pair: dict[str, Any]) -> None:
    """Since version 4 a bid waits for what was not said; what was said means the same."""
    if pair["door"] != "score" or not {"last_trick", "marriages"} <= pair["request"]["deal"].keys():
        return
    now, then = rules.score(pair["request"]), pair["answer"]
    assert (now["status"], now.get("points")) == (then["status"], then.get("points"))


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
@pytest.mark.parametrize("version", [0, 5, "1", True, 1.5, [1], {}])
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
