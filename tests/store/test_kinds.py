"""The kinds of entries: each is described once, and what is stored keeps to its description."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorekeeper.store import journal
from scorekeeper.store.journal import KINDS, Kind

from ..past.loading import lines_of

STORED = sorted((Path(__file__).parents[1] / "past" / "data").glob("*/rows.jsonl"))
ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


@pytest.fixture(autouse=True)
def in_the_app() -> None:
    """Do without an app: nothing here needs a database."""


@ALL
def test_a_kind_says_what_it_means(kind: Kind) -> None:
    assert kind.meaning.endswith(".")
    assert KINDS[kind.name] is kind


@ALL
def test_only_a_kind_of_a_deal_names_its_deal(kind: Kind) -> None:
    assert ("deal" in kind.fields) == kind.of_a_deal


@ALL
def test_a_statement_names_its_closing_and_moves_no_points(kind: Kind) -> None:
    if kind.is_statement:
        assert "entry" in kind.fields
        assert kind.of_a_deal
        assert not kind.moves_points


@ALL
def test_what_scores_the_match_moves_points(kind: Kind) -> None:
    assert kind.moves_points or not kind.scores_match


def test_every_kind_has_a_constant() -> None:
    constants = {value for name, value in vars(journal).items() if name.isupper() and isinstance(value, str)}
    assert constants == set(KINDS)


@pytest.mark.parametrize("path", STORED, ids=[path.parent.name for path in STORED])
def test_what_is_stored_keeps_to_its_kind(path: Path) -> None:
    entries = [row for table, row in lines_of(path) if table == "entries"]
    assert {entry["kind"] for entry in entries} <= set(KINDS)
    for entry in entries:
        kind, fields = KINDS[entry["kind"]], set(entry["payload"])
        required = kind.payload.__required_keys__  # type: ignore[attr-defined]
        assert required <= fields <= kind.fields, (kind.name, fields)
