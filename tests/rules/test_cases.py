"""The worked examples of the rules, and the fine points between them, as data: one case a rule.

The test of a case also holds its request and the answer to the types of the contract.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules import contract
from scorekeeper.rules.rummy import ROUNDS, perfect_cut

from ..helpers.contract_types import DEAL_TYPES, check

FOLDER = Path(__file__).parent / "cases"
Case = dict[str, Any]


def with_nulls(value: Any) -> Any:
    """TOML has no null: "(null)" stands for it."""
    if isinstance(value, dict):
        return {key: with_nulls(content) for key, content in value.items()}
    if isinstance(value, list):
        return [with_nulls(content) for content in value]
    return None if value == "(null)" else value


def load(name: str) -> list[Case]:
    cases: list[Case] = with_nulls(tomllib.loads((FOLDER / f"{name}.toml").read_text())["case"])
    return cases


FAMILIES = {game["id"]: game["family"] for game in rules.games()["games"]}
OTHER_DOORS = ("captures", "primes", "matches")
CAPTURES, PRIMES, MATCHES = map(load, OTHER_DOORS)
DEALS = [case for file in sorted(FOLDER.glob("*.toml")) if file.stem not in OTHER_DOORS for case in load(file.stem)]


SHEETS: dict[int, Any] = {}


def sheet_of(case: Case) -> dict[str, Any]:
    """Return the engine's answer to a worked deal, scored once for all tests of a process; they only read it.

    Only the numbered ones are asked for the next question, which is dear: what is asked is tested elsewhere.
    """
    # A case is never thrown away, so it is known by its id.
    if id(case) not in SHEETS:
        SHEETS[id(case)] = rules.score({"ask": "number" in case, **case["ask"], "deal": case["deal"]})
    sheet: dict[str, Any] = SHEETS[id(case)]
    return sheet


def by_name(case: Case) -> str:
    return f"{case.get('number', '-')} {case['name']}"


def test_every_game_has_a_worked_example() -> None:
    assert FAMILIES.keys() - {case["ask"].get("game") for case in DEALS} == set(), "write a case in tests/rules/cases"


@pytest.mark.parametrize("case", DEALS, ids=by_name)
def test_deal(case: Case) -> None:
    answer = sheet_of(case)
    lines = {line["item"]: line for line in answer.get("lines", [])}

    errors = [problem for problem in answer["problems"] if problem["severity"] == "error"]
    if "problems" in case:
        assert [problem["code"] for problem in answer["problems"]] == case["problems"]
    else:
        assert bool(errors) == (case.get("status") == "invalid"), errors
    for where in case.get("where", []):
        assert where in [problem["where"] for problem in answer["problems"]]
    if "mends" in case:
        facts = [problem.get("facts", {}) for problem in answer["problems"]]
        assert [each["mend"] for each in facts if "mend" in each] == case["mends"]
    for item, points in case.get("lines", {}).items():
        assert {side: lines[item]["points"][side] for side in points} == points, item
    for item, values in case.get("values", {}).items():
        assert lines[item]["values"] == values
    for item, evidence in case.get("evidence", {}).items():
        assert lines[item]["evidence"] == evidence
    for item, reason in case.get("reasons", {}).items():
        assert lines[item]["reason"] == reason
    for part in ("bounds", "because", "cards"):
        for item, wanted in case.get(part, {}).items():
            assert lines[item][part] == wanted, (item, part)
    for item in case.get("open", []):
        assert (lines[item]["points"], lines[item]["reason"]) == (None, "open"), item
    assert set(case.get("absent", [])) & set(lines) == set()
    assert {side: answer["points"][side] for side in case.get("points", {})} == case.get("points", {})
    assert answer["status"] == case.get("status", answer["status"])
    assert answer.get("redeal") == case.get("redeal")
    assert answer["match"]["won_by"] == case.get("won_by")
    assert answer["match"]["lost_by"] == case.get("lost_by")
    check(answer, contract.ScoreAnswer)
    if answer["status"] != "invalid" and "unknown_field" not in [problem["code"] for problem in answer["problems"]]:
        check({**case["ask"], "deal": case["deal"]}, contract.ScoreRequest)
        check(case["deal"], DEAL_TYPES[FAMILIES[answer["game"]]])


@pytest.mark.parametrize("case", CAPTURES, ids=by_name)
def test_captures(case: Case) -> None:
    answer = rules.captures(case["ask"])

    assert [capture["takes"] for capture in answer["captures"]] == case["takes"]
    if "sweeps" in case:
        assert [capture["sweep"] for capture in answer["captures"]] == case["sweeps"]
    assert answer["may_leave"] == case.get("may_leave", answer["may_leave"])
    check(case["ask"], contract.CapturesRequest)
    check(answer, contract.Captures)


@pytest.mark.parametrize("case", PRIMES, ids=by_name)
def test_prime(case: Case) -> None:
    answer = rules.prime(case["ask"])

    assert {side: answer["primes"][side]["value"] for side in case.get("values", {})} == case.get("values", {})
    assert {side: answer["primes"][side]["eligible"] for side in case.get("eligible", {})} == case.get("eligible", {})
    assert answer["winners"] == case.get("winners", answer["winners"])
    check(answer, contract.Primes)


@pytest.mark.parametrize("case", MATCHES, ids=by_name)
def test_match(case: Case) -> None:
    request = {**case["ask"], "deals": case["deals"]}
    answer = rules.match(request)

    for name in ("status", "winner", "reason", "next_dealer", "totals"):
        assert answer[name] == case.get(name, answer[name]), name
    assert [problem["code"] for problem in answer["problems"]] == case.get("problems", [])
    check(request, contract.MatchRequest)
    check(answer, contract.Standing)


def test_a_perfect_cut_lifts_a_card_for_each_dealt_and_one_more() -> None:
    assert perfect_cut(4, ROUNDS[0].cards) == 45  # docs/rules.md, worked example 70
    assert perfect_cut(4, ROUNDS[-1].cards) == 53


@pytest.mark.parametrize(
    ("game", "sides", "players", "batches"),
    [("chorizo", 2, 1, 6), ("chorizo", 3, 1, 4), ("chorizo", 2, 2, 3), ("la_escoba", 2, 3, 2)],
)
def test_a_deal_has_as_many_batches_as_its_cards_last(game: str, sides: int, players: int, batches: int) -> None:
    problems = rules.Problems()  # docs/rules.md, worked example 37
    labels = [str(number) for number in range(sides)]
    table = rules.read_table({"game": game, "sides": labels, "players_per_side": players}, problems)

    assert table is not None
    assert table.game.table.batches == batches  # type: ignore[attr-defined]


def test_every_worked_example_is_here() -> None:
    elsewhere = {25, 37, 70}  # 25 in test_wild_cards.py, 37 and 70 above
    numbers = {case["number"] for case in DEALS + CAPTURES + PRIMES + MATCHES if "number" in case}

    assert numbers | elsewhere == set(range(1, 73))
