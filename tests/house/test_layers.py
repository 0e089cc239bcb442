"""Imports point one way: cli → web → store → rules, in the web from pages down to words, and nowhere in a circle."""

from __future__ import annotations

import ast
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import scorekeeper
from scorekeeper import rules

from .trees import tree_of

PACKAGE = Path(scorekeeper.__file__).parent
MIGRATIONS = "scorekeeper.store.migrations"
"""Alembic loads migrations by their file names; nothing imports them."""

LAYERS = (
    ("cli",),
    ("app",),
    ("web.templating",),
    ("web.pages", "web.api"),
    ("web.deal_entry",),
    ("web.match",),
    ("web.base",),
    ("web.words",),
    ("store", "assets", "brakes"),
    ("events",),
    ("config", "strict_json", "logs", "names"),
    ("app_secrets", "file_modes"),
    ("rules",),
    ("limits",),
)
"""Every part of the app, from the top down: each imports only itself and parts on lower lines, no neighbour."""

IMPURE = frozenset({"time", "datetime", "random", "threading", "socket", "os", "pathlib"})
"""What of Python's own library reads a clock, chance or the machine: the rules do without."""

PUBLIC = ("scorekeeper.rules", "scorekeeper.rules.contract")
"""The modules of the rules that the rest of the app imports."""


@cache
def modules() -> dict[str, Path]:
    """Return the file of every module, a package's being its ``__init__.py``."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return {name: path for name, path in sorted(found.items()) if not name.startswith(MIGRATIONS)}


@cache
def imports(module: str) -> frozenset[tuple[str, str]]:
    """Return what a module imports: pairs of a module and a name in it, the name "" where it is the module itself.

    Imports inside functions and those that are only for types are there too.
    """
    path = modules()[module]
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    pairs = set()
    for node in ast.walk(tree_of(modules()[module])):
        if isinstance(node, ast.Import):
            pairs |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*start, *filter(None, [node.module])])
            for alias in node.names:
                inner = f"{source}.{alias.name}"
                pairs.add((inner, "") if inner in modules() else (source, alias.name))
    return frozenset(pairs)


def own_imports(module: str) -> set[str]:
    """Return the modules of the app that a module imports."""
    return {source for source, _name in imports(module) if source in modules()}


def is_in(module: str, part: str) -> bool:
    """Return whether a module is this part of the app, or inside it."""
    return f"{module}.".startswith(f"scorekeeper.{part}.")


def part_of(module: str) -> str | None:
    """Return the part of ``LAYERS`` that a module belongs to; None for the empty packages above them."""
    return next((part for line in LAYERS for part in line if is_in(module, part)), None)


def depth_of(part: str) -> int:
    """Return the line of ``LAYERS`` that a part is on."""
    return next(depth for depth, line in enumerate(LAYERS) if part in line)


def test_every_module_has_its_layer() -> None:
    without = {module for module in modules() if part_of(module) is None}
    assert without == {"scorekeeper", "scorekeeper.web"}
    assert not any(map(imports, without - {"scorekeeper"})), "the packages above import nothing"


def test_a_module_imports_only_what_is_below_it() -> None:
    wrong = []
    for module in modules():
        part = part_of(module)
        for source in own_imports(module) if part else ():
            other = part_of(source)
            if other != part and not (other and part and depth_of(other) > depth_of(part)):
                wrong.append(f"{module} imports {source}")
    assert wrong == []


def test_nothing_is_imported_in_a_circle() -> None:
    try:
        TopologicalSorter({module: own_imports(module) - {module} for module in modules()}).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_no_page_imports_another() -> None:
    pages = [module for module in modules() if module.startswith("scorekeeper.web.pages.")]
    assert not [(page, other) for page in pages for other in own_imports(page) if is_in(other, "web.pages")]


def test_rules_are_used_by_their_public_names_only() -> None:
    above = [module for module in modules() if not is_in(module, "rules")]
    used = [(module, source, name) for module in above for source, name in imports(module) if is_in(source, "rules")]
    inner = [(module, source) for module, source, _name in used if source not in PUBLIC]
    assert inner == [], "what these import belongs into rules.__all__"
    named = {(module, name) for module, source, name in used if name and source == "scorekeeper.rules"}
    for module in {module for module, source, name in used if source == "scorekeeper.rules" and not name}:
        for node in ast.walk(tree_of(modules()[module])):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "rules":
                named.add((module, node.attr))
    assert sorted(each for each in named if each[1] not in rules.__all__) == [], "not public"


def test_rules_import_only_python_and_each_other() -> None:
    used = {source for module in modules() if is_in(module, "rules") for source, _name in imports(module)}
    others = {source.split(".")[0] for source in used if source != "scorekeeper.limits" and not is_in(source, "rules")}
    assert others - sys.stdlib_module_names == set()
    assert others & IMPURE == set()


def test_limits_import_nothing() -> None:
    assert imports("scorekeeper.limits") == {("__future__", "annotations")}
