"""No name and no docstring of the app uses a word that docs/glossary.md bans, and no docstring begins with a clause."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

import scorekeeper
from scorekeeper.rules import contract

from .trees import tree_of

PACKAGE = Path(scorekeeper.__file__).parent
MIGRATIONS = "migrations"
"""A migration does not change after it first ran."""

GLOSSARY = (PACKAGE.parent / "docs" / "glossary.md").read_text(encoding="utf-8").partition("## Words we do not use")[2]
CELLS = re.findall(r"^\| ([a-z:, ]+) \|", GLOSSARY.partition("Readers hold these")[0], re.MULTILINE)[1:]
BANNED = {word for cell in CELLS if ":" not in cell for word in cell.split(", ")}
BANNED_IN_NAMES = BANNED | {word for cell in CELLS if ":" in cell for word in cell.partition(": ")[2].split(", ")}

CONTRACT_WORDS = {
    key for each in vars(contract).values() if hasattr(each, "__required_keys__") for key in get_type_hints(each)
}
"""The keys of the JSON that travels. A name may have one of them as a word, such as ``told``."""

CODE = re.compile(r"``.*?``|`.*?`|\b(told cards?|cards? told)\b", re.DOTALL | re.IGNORECASE)
"""Code in a docstring, and told cards, which the contract calls so."""

FIRST = re.compile(r"(Say|What|Whoever|Whichever|Where|Whether|That|Which|Of which)\b(?![^.]*\?)")
"""First words that no docstring has, except in a question."""


def faults_of_name(name: str) -> set[str]:
    """Return the banned words of a name: ``kept_sheets``, ``KEPT_SHEETS`` and ``KeptSheets`` have one."""
    words = {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)}
    return (words & BANNED_IN_NAMES) - CONTRACT_WORDS


def faults_of_docstring(text: str) -> set[str]:
    """Return the banned words of a docstring, and its first words if it must not begin with them."""
    first = FIRST.match(text)
    words = set(re.findall(r"[a-z]+", CODE.sub("", text).lower()))
    return words & BANNED | ({first[1]} if first else set())


def faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield each fault with its line: in names of functions, classes and parameters, constants and fields, in texts."""
    for node in ast.walk(tree):
        names, texts = [], []
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.arg):
            names = [node.arg]
        if isinstance(node, ast.Module | ast.ClassDef):
            names += [
                part.id
                for each in node.body
                if isinstance(each, ast.Assign | ast.AnnAssign)
                for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
                for part in ast.walk(target)
                if isinstance(part, ast.Name)
            ]
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            texts = [node.value.value]
        for word in (*map(faults_of_name, names), *map(faults_of_docstring, texts)):
            yield from ((getattr(node, "lineno", 1), each) for each in sorted(word))


def test_no_name_and_no_docstring_has_a_banned_word() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line}: {word}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if MIGRATIONS not in path.parts
        for line, word in [
            *((0, word) for word in faults_of_name(path.stem)),
            *faults(tree_of(path)),
        ]
    ]
    assert wrong == [], "docs/glossary.md says what to write instead"


@pytest.mark.parametrize(
    ("source", "word"),
    [
        ("def kept(): ...", "kept"),
        ("def f(found): ...", "found"),
        ("class A:\n    tells: int", "tells"),
        ('def f():\n    """Return what the table tells."""', "tells"),
        ('"""Say whether."""', "Say"),
    ],
)
def test_a_fault_is_noticed(source: str, word: str) -> None:
    assert [each for _, each in faults(ast.parse(source))] == [word]


@pytest.mark.parametrize(
    "source",
    [
        "def read_told(): ...",
        "def f():\n    found = 1",
        '"""Cards told, and ``kept`` in code."""',
        '"""Which of these cards does this side have? The other has the rest."""',
    ],
)
def test_other_words_are_allowed(source: str) -> None:
    assert list(faults(ast.parse(source))) == []
