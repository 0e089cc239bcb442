"""Templates and pages ask the rules for facts: none of them knows a game, a preset, an item or an option by its id."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

import scorekeeper
from scorekeeper import rules
from scorekeeper.rules import contract

from .trees import tree_of

PACKAGE = Path(scorekeeper.__file__).parent
TEMPLATES = [path for path in sorted((PACKAGE.parent / "templates").rglob("*")) if path.is_file()]
MODULES = sorted((PACKAGE / "web").rglob("*.py"))
GRAMMAR = Environment(extensions=["jinja2.ext.i18n", "jinja2.ext.do"])

GAMES = rules.games()["games"]
IDS = {
    *(game["id"] for game in GAMES),
    *(preset for game in GAMES for preset in game["presets"]),
    *(item["id"] for game in GAMES for item in game["items"]),
}
WORDS = {node.id for node in ast.walk(tree_of(Path(contract.__file__))) if isinstance(node, ast.Name)} | {
    node.value for node in ast.walk(tree_of(Path(contract.__file__))) if isinstance(node, ast.Constant)
}
"""The fields and words of docs/contract.md: a few items are called like one of them (``cards``, ``bid``)."""
COMPARED = ("item", "preset", "game.id", "table.preset")
"""How what an id may be compared with ends, whatever the word."""
READS = ("get", "word", "number", "number_or_off", "flag")
"""The methods that read an option."""

ALLOWED = {
    "prime": "it alone has cards to lay out, so that pages have slots and pictures of it",
    "sweeps": "they are noted on the board, and are no row of the form",
    "game_point": "what is awarded in a deal of tricks, a field in docs/contract.md",
    "hand_cards": "its reason is a list of the cards that are left in the hands",
    "marriage": "the sentence about bids tells what the only one that counts there brings",
    "piccola": "what is missing for it has a sentence of its own",
    "fifty_cards": "what is missing for it has a sentence of its own",
    "cirulla": "a rule of taking is called so, too",
}
"""Ids that stand in templates and pages, and why."""


def in_template(source: str) -> Iterator[tuple[int, str]]:
    """Yield the ids in a template, each with its line."""
    tree = GRAMMAR.parse(source)
    for word in tree.find_all(nodes.Const):
        if word.value in IDS - WORDS:
            yield word.lineno, word.value
    for comparison in tree.find_all(nodes.Compare):
        if dotted(comparison.expr).endswith(COMPARED):
            yield from ((word.lineno, word.value) for word in comparison.find_all(nodes.Const) if word.value in IDS)
    for read in tree.find_all((nodes.Getattr, nodes.Getitem)):
        if dotted(read.node).split(".")[-1] == "options" and isinstance(read, nodes.Getattr):
            yield read.lineno, f"options.{read.attr}"


def dotted(node: nodes.Node) -> str:
    """Return a name with its attributes, "line.item"; "" for what is no name."""
    if isinstance(node, nodes.Getattr):
        return f"{dotted(node.node)}.{node.attr}"
    return node.name if isinstance(node, nodes.Name) else ""


def in_module(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the ids in a module, each with its line."""
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and node.value in IDS - WORDS:
            yield node.lineno, str(node.value)
        elif isinstance(node, ast.Compare) and ast.unparse(node.left).replace("['item']", ".item").endswith(COMPARED):
            words = [word.value for word in ast.walk(node) if isinstance(word, ast.Constant)]
            yield from ((node.lineno, str(word)) for word in words if word in IDS)
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("options"):
            if isinstance(node.slice, ast.Constant):
                yield node.lineno, f"options.{node.slice.value}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READS:
            asked = [word.value for word in node.args[:1] if isinstance(word, ast.Constant)]
            if ast.unparse(node.func.value).endswith("options"):
                yield from ((node.lineno, f"options.{word}") for word in asked)


def test_pages_know_no_game_by_its_id() -> None:
    found = [(path, line, id) for path in TEMPLATES for line, id in in_template(path.read_text())]
    found += [(path, line, id) for path in MODULES for line, id in in_module(tree_of(path))]
    wrong = [f"{path.relative_to(PACKAGE.parent)}:{line} {id}" for path, line, id in found if id not in ALLOWED]
    assert sorted(wrong) == [], "ask the rules for a fact instead (scorekeeper/rules/table_facts.py)"
    assert ALLOWED.keys() - {id for _path, _line, id in found} == set(), "take them off ALLOWED"


def test_an_id_is_found() -> None:
    assert {id for _line, id in in_template('{% if game.id == "escoba" %}{{ options.sides }}{% endif %}')} == {
        "escoba",
        "options.sides",
    }
    assert [id for _line, id in in_template('{% if line.item == "bid" %}{% endif %}{{ "bid" }}')] == ["bid"]
    source = 'a = options["sides"] or line["item"] == "bid" or match.setup.options.get("pack") or "rematada"'
    assert {id for _line, id in in_module(ast.parse(source))} == {"options.sides", "bid", "options.pack", "rematada"}
