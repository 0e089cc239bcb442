"""What is installed: requirements.txt for the app, requirements-dev.txt for its tests and checks."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from .trees import tree_of

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APP, TOOLS = "requirements.txt", "requirements-dev.txt"
NOT_ALWAYS = {"psycopg", "redis", "_typeshed"}
"""What the app imports only where its extra is installed, or only for mypy."""


def _name(requirement: str) -> str:
    """Return the name in a requirement, as indexes spell it."""
    found = re.match(r"[\w.-]+", requirement)
    assert found is not None, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def _pins(lock: str) -> dict[str, str]:
    """Return the version of each package in a lock."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize("lock", [APP, TOOLS, "requirements-mutants.txt"])
def test_every_package_is_pinned_by_hash_wherever_it_comes_from(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", "")
    for line in text.splitlines():
        assert re.fullmatch(r"[\w.-]+==\S+( ; [^#]+?)?(\s+--hash=sha256:[0-9a-f]{64})+\s*", line), line


def test_both_lists_go_together() -> None:
    app, tools = _pins(APP), _pins(TOOLS)
    assert {name: tools[name] for name in app.keys() & tools.keys()} == {
        name: app[name] for name in app.keys() & tools.keys()
    }


def test_each_list_has_what_is_asked_for() -> None:
    groups = PROJECT["dependency-groups"]
    asked = {_name(each) for each in (*PROJECT["project"]["dependencies"], *groups["run"])}
    assert asked <= _pins(APP).keys()
    asked_of_tools = {_name(each) for each in (*groups["test"], *groups["dev"])}
    assert asked_of_tools <= _pins(TOOLS).keys()
    assert not asked_of_tools & _pins(APP).keys(), "the app is installed without its tools"


def test_the_app_imports_nothing_that_only_its_tools_bring() -> None:
    of_module = packages_distributions()
    imported: set[str] = set()
    for path in (ROOT / "scorekeeper").rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                imported.add(node.module.partition(".")[0])
    foreign = imported - sys.stdlib_module_names - NOT_ALWAYS - {"scorekeeper"}
    assert foreign
    assert [name for name in sorted(foreign) if not {_name(each) for each in of_module[name]} & _pins(APP).keys()] == []
