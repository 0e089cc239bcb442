"""The kinds of entries: each is described once, and what is stored keeps to its description."""

from __future__ import annotations

import pytest

from scorekeeper.store import journal
from scorekeeper.store.journal import KINDS, Kind

ALL = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


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
