"""No module of the rules imports another in a circle, not even for types: each can be read after what it imports."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from scorekeeper import rules

FOLDER = Path(rules.__file__).parent
ROOT = FOLDER.parent.parent


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in FOLDER.rglob("*.py")}


def imported(name: str, path: Path) -> set[str]:
    """Return the modules of the rules that a module imports anywhere in its text."""
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                found.add(full if full in MODULES else base)
    return found & MODULES.keys() - {name}


def test_no_module_of_the_rules_imports_itself_in_a_circle() -> None:
    graph = {name: imported(name, path) for name, path in MODULES.items()}

    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)
