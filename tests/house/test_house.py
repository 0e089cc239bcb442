"""No function of the app is longer or more branched than a reader can hold, but for those that are named here."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import scorekeeper

from .trees import tree_of

PACKAGE = Path(scorekeeper.__file__).parent
MIGRATIONS = "migrations"
"""A migration stays as it was when it first ran, so it is not measured."""
MOST_LINES = 60
MOST_BRANCHES = 15
"""The cyclomatic complexity, as ruff counts it (C901)."""

# Whoever shortens one of these takes it off the list; nobody adds one. In the end both are empty.
TOO_LONG: set[str] = set()
TOO_BRANCHED: set[str] = set()


def sources() -> list[Path]:
    """Return the files of the package that are measured."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if MIGRATIONS not in path.parts]


def test_no_function_is_too_long() -> None:
    found = {
        node.name
        for path in sources()
        for node in ast.walk(tree_of(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or node.lineno) - node.lineno + 1 > MOST_LINES
    }
    assert found - TOO_LONG == set(), f"longer than {MOST_LINES} lines: split them"
    assert TOO_LONG - found == set(), "short enough now: take them off TOO_LONG"


def test_no_function_has_too_many_branches() -> None:
    limit = f"lint.mccabe.max-complexity={MOST_BRANCHES}"
    options = ["--isolated", "--ignore-noqa", "--no-cache", "--select", "C901", "--config", limit]
    command = [sys.executable, "-m", "ruff", "check", *options, "--exit-zero", "--output-format", "json", *sources()]
    faults = json.loads(subprocess.check_output(command, text=True, timeout=60))
    # "`name` is too complex (16 > 15)"
    found = {fault["message"].split("`")[1] for fault in faults}
    assert found - TOO_BRANCHED == set(), f"of a complexity over {MOST_BRANCHES}: split them"
    assert TOO_BRANCHED - found == set(), "simple enough now: take them off TOO_BRANCHED"


def test_the_tests_near_a_module_are_there() -> None:
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))
    near: dict[str, list[str]] = settings["tool"]["cosmic-ray"]["near"]
    named = [*near, *(path for tests in near.values() for path in tests)]
    assert [path for path in named if not (PACKAGE.parent / path).exists()] == []
