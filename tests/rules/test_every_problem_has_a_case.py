"""Every problem that the engine reports is provoked by a test of the rules, so that none can be lost unnoticed."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.config import ROOT

ENGINE = ROOT / "scorekeeper" / "rules"
HERE = Path(__file__)
AB = ["A", "B"]
CHORIZO: dict[str, Any] = {"game": "chorizo", "sides": AB}


def reported() -> set[str]:
    """Find every code that the engine reports, in its source: the first argument of ``error`` and ``warn``."""
    return {
        str(node.args[0].value)
        for path in sorted(ENGINE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("error", "warn")
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }


def codes_of_cases() -> Iterator[str]:
    """Yield the codes that a case demands in its ``problems``."""
    for file in sorted((HERE.parent / "cases").glob("*.toml")):
        for case in tomllib.loads(file.read_text())["case"]:
            yield from case.get("problems", [])


def words_of_tests() -> Iterator[str]:
    """Yield every word that stands between quotes in a test of the rules."""
    for file in sorted([*HERE.parent.glob("*.py"), *(HERE.parents[1] / "drawn").glob("*.py")]):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


CODES = reported()


def test_the_codes_are_found() -> None:
    assert len(CODES) > 60


def test_every_problem_has_a_case() -> None:
    assert sorted(CODES - {*codes_of_cases(), *words_of_tests()}) == []


@pytest.mark.parametrize(
    ("code", "where", "deal"),
    [
        ("wrong_type", "dealer", {"dealer": 7}),
        ("wrong_type", "sweeps.A", {"sweeps": {"A": True}}),
        ("too_large", "sweeps.A", {"sweeps": {"A": 1_000_001}}),
    ],
)
def test_a_value_of_the_wrong_shape_is_refused(code: str, where: str, deal: dict[str, Any]) -> None:
    with pytest.raises(rules.Malformed) as refused:
        rules.score({**CHORIZO, "deal": deal})

    assert [(problem["code"], problem["where"]) for problem in refused.value.problems] == [(code, where)]


def test_the_largest_number_is_only_too_many_sweeps() -> None:
    answer = rules.score({**CHORIZO, "deal": {"sweeps": {"A": 1_000_000}}})

    assert [problem["code"] for problem in answer["problems"]] == ["too_many_sweeps"]


@pytest.mark.parametrize("game", ["brisca", "carioca", "free"])
def test_no_card_is_captured_where_none_lies_on_the_table(game: str) -> None:
    answer = rules.captures({"game": game, "layout": ["5O"], "card": "10C"})

    assert answer["status"] == "invalid"
    assert [problem["code"] for problem in answer["problems"]] == ["no_captures"]
