"""The kinds of entries: each is described once, and what is stored keeps to its description."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path
from typing import get_type_hints

import pytest

from scorekeeper.rules import contract
from scorekeeper.store.journal import kinds
from scorekeeper.store.journal.kinds import KINDS, AnyPayload


@pytest.fixture(autouse=True)
def in_the_app() -> None:
    """Do without an app: nothing here needs a database."""


def test_a_statement_names_its_closing_and_moves_no_points() -> None:
    statements = [kind for kind in KINDS.values() if kind.is_statement]
    assert all({"deal", "entry"} <= kind.required and not kind.moves_points for kind in statements)


def test_what_scores_the_match_moves_points() -> None:
    assert all(kind.moves_points for kind in KINDS.values() if kind.scores_match)


def test_every_kind_has_a_constant_of_its_name_and_says_what_it_means() -> None:
    body = ast.parse(Path(kinds.__file__).read_text()).body
    said = [(row.targets[0].id, text.value.value) for row, text in pairwise(body) if is_row(row) and is_text(text)]
    assert [name for name, _text in said] == [name.upper() for name in KINDS]
    assert all(text.endswith(".") for _name, text in said)


def is_row(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("_kind(")


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_every_field_of_a_kind_is_described_and_no_other() -> None:
    held, described = set().union(*(kind.fields for kind in KINDS.values())), set(get_type_hints(AnyPayload))
    assert held == described, f"AnyPayload lacks {held - described}, and has more: {described - held}"


def test_declarations_and_faults_have_the_shape_that_the_engine_takes() -> None:
    around = {"v", "at", "by", "deal"}
    assert KINDS[kinds.DECLARED].fields - around == set(get_type_hints(contract.Declaration))
    assert KINDS[kinds.PENALISED].fields - around == set(get_type_hints(contract.Penalty))
