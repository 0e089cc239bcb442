"""Arrows point one way: web → store → rules, and the rules need nothing but Python."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import scorekeeper

PACKAGE = Path(scorekeeper.__file__).parent


def imported(path: Path) -> set[str]:
    """Name every module that a file imports, relative ones in full."""
    names = set()
    package = [PACKAGE.name, *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            names |= {stem} | {f"{stem}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", sorted((PACKAGE / "rules").rglob("*.py")), ids=lambda path: path.name)
def test_rules_import_only_python_and_each_other(path: Path) -> None:
    for name in imported(path):
        if name.startswith("scorekeeper.limits"):
            # The bounds of the whole app are in one place, and that place imports nothing.
            continue
        assert name.startswith("scorekeeper.rules") or name.split(".")[0] in sys.stdlib_module_names, name
        assert name.split(".")[0] not in ("time", "datetime", "random", "threading", "socket", "os", "pathlib"), name


@pytest.mark.parametrize("path", sorted((PACKAGE / "store").rglob("*.py")), ids=lambda path: path.name)
def test_store_knows_nothing_of_the_web(path: Path) -> None:
    assert not [name for name in imported(path) if name.startswith("scorekeeper.web")]


def test_limits_import_nothing() -> None:
    assert imported(PACKAGE / "limits.py") == {"__future__", "__future__.annotations"}
