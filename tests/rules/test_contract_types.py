"""The document about the contract, and the types of the contract, held against each other and against the answers."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest

from scorekeeper import rules
from scorekeeper.rules import contract
from scorekeeper.rules.problems import TOO_MANY

from ..helpers.contract_types import DEAL_TYPES, check, faults
from .test_cases import DEALS, MATCHES, Case, sheet_of


@pytest.mark.parametrize(
    ("value", "wanted", "fault"),
    [
        ({"item": "cards", "side": "A", "times": 2}, contract.Penalty, "'times' is no field of Penalty"),
        ({"item": "cards"}, contract.Penalty, "'side' is missing in Penalty"),
        ({"item": "cards", "side": 1}, contract.Penalty, ".side: 1 is not of the type <class 'str'>"),
        ({"takes": ["7O", 3], "sweep": 0}, contract.Capture, ".takes[1]: 3 is not of the type <class 'str'>"),
        ({"takes": [], "sweep": True}, contract.Capture, ".sweep: True is not of the type <class 'int'>"),
        ({"A": "tin"}, dict[str, contract.Evidence], ".A: 'tin' is not one of ('shown', 'counted', 'said')"),
        ("7O", list[str], ": '7O' is not a list"),
        (3, contract.Penalty, ": 3 is not an object"),
        (3, dict[str, int], ": 3 is not an object"),
    ],
    ids=lambda part: str(part)[:30],
)
def test_the_checker_finds_faults(value: Any, wanted: Any, fault: str) -> None:
    assert [found for found in faults(value, wanted) if fault in found]


def test_captures_that_are_too_many_to_list_are_of_their_type() -> None:
    low = [f"{rank}{suit}" for rank in range(1, 6) for suit in "OCEB"]
    answer = rules.captures({"game": "escoba", "layout": low, "card": "7O"})

    assert answer["more"] > 0
    check(answer, contract.Captures)


def test_the_games_are_of_their_type() -> None:
    check(rules.games(), contract.Games)


@pytest.mark.parametrize("ask", [rules.score, rules.match, rules.captures, rules.prime], ids=lambda ask: ask.__name__)
def test_a_refusal_is_of_its_type(ask: Callable[[Any], dict[str, Any]]) -> None:
    impossible = {"game": "poker", "sides": ["A", "B"], "layout": [], "card": "7O", "method": "best", "piles": {}}
    check(ask(impossible), contract.SheetOfNoTable if ask is rules.score else contract.Invalid)

    with pytest.raises(rules.Malformed) as malformed:
        ask({"game": 3, "method": 3})
    check({"status": "invalid", "problems": malformed.value.problems}, contract.Invalid)


def test_the_card_to_move_is_of_its_type() -> None:
    pile = ["11B", "5B", "2O", "2E", "10B", "2C"]
    answer = rules.score({"game": "escoba", "sides": ["A", "B"], "deal": {"piles": {"A": pile}, "rest": "B"}})

    for problem in answer["problems"]:
        check(problem["facts"]["mend"], contract.Mend)


@pytest.mark.whole
def test_every_reason_has_an_example() -> None:
    """A reason that the engine gives is in the type (see above); so is none that it does not give."""
    sheets = [sheet_of(case) for case in DEALS]
    sheets += [sheet for case in MATCHES for sheet in rules.match({**case["ask"], "deals": case["deals"]})["sheets"]]
    given = {line["reason"] for sheet in sheets for line in sheet["lines"] if line["points"] is not None}

    assert set(get_args(contract.Reason)) - given <= {"manual"}


# ---------------------------------------------------------------- the document

DOCUMENT = (Path(__file__).parents[2] / "docs" / "contract.md").read_text()
EXAMPLES = [
    (label.split(), json.loads(text))
    for label, text in re.findall(r"^```json (.*?)\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
]
ASKED = [
    (*example, EXAMPLES[number + 1])
    for number, example in enumerate(EXAMPLES)
    if example[0][0] in ("score", "match", "captures", "prime")
]
TYPES = {name: found for name, found in vars(contract).items() if is_typeddict(found)}
REQUESTS: dict[str, Any] = {
    "score": contract.ScoreRequest,
    "match": contract.MatchRequest,
    "captures": contract.CapturesRequest,
}


@pytest.mark.parametrize(("label", "request_", "answer"), ASKED, ids=[f"{each[0][0]}" for each in ASKED])
def test_an_example_of_the_document_is_answered_as_it_says(
    label: list[str], request_: Case, answer: tuple[list[str], Case]
) -> None:
    """An answer may be shown in part: the fields that are shown are whole."""
    (door,), ([kind], shown) = label, answer
    found = getattr(rules, door)(request_)

    assert kind == "answer"
    assert {name: found[name] for name in shown} == shown
    if door in REQUESTS:
        check(request_, REQUESTS[door])


@pytest.mark.parametrize(
    ("label", "deal"), [example for example in EXAMPLES if example[0][0] in DEAL_TYPES], ids=lambda part: str(part)[:20]
)
def test_a_deal_of_the_document_is_scored(label: list[str], deal: Case) -> None:
    family, game = label
    check(deal, DEAL_TYPES[family])
    answer = rules.score({"game": game, "sides": ["A", "B"], "deal": deal})

    assert answer["status"] != "invalid"
    assert answer["problems"] == []


def test_every_example_of_the_document_is_looked_at() -> None:
    of_any_game = 1
    assert len(EXAMPLES) == 2 * len(ASKED) + len(DEAL_TYPES) + of_any_game


def test_the_document_has_every_type_and_field() -> None:
    fields = [(name, field) for name in TYPES for field in get_type_hints(TYPES[name])]
    missing = [(name, field) for name, field in fields if f"`{field}`" not in DOCUMENT and f'"{field}"' not in DOCUMENT]
    assert missing == []
    # The first part of a request, and the fields of every sheet, are described where they are used.
    assert [name for name in TYPES if name[0] != "_" and name != "Scored" and f"`{name}`" not in DOCUMENT] == []


def test_the_document_has_every_value_of_a_closed_set() -> None:
    closed = (contract.Reason, contract.Evidence, contract.SheetStatus, contract.MatchStatus, contract.MatchReason)
    values = [value for each in (*closed, contract.PrimeMethod) for value in get_args(each)]
    assert [value for value in values if f"`{value}`" not in DOCUMENT] == []


def codes_in(source: str) -> set[str]:
    """Name the codes of the problems that a module reports."""
    codes = set()
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call) and node.args):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        code = call.args[0] if name in ("error", "warn") else call.args[1] if name == "Problem" else None
        if isinstance(code, ast.Constant):
            codes.add(code.value)
    return codes


def test_the_document_has_every_code_of_a_problem() -> None:
    package = Path(rules.__file__).parent
    codes = {TOO_MANY, *(code for path in package.rglob("*.py") for code in codes_in(path.read_text()))}

    assert len(codes) > 70
    assert sorted(code for code in codes if f"`{code}`" not in DOCUMENT) == []
