"""The second opinion agrees with itself, and the engine with it on a few deals (more in test_partly_known.py)."""

from __future__ import annotations

from random import Random

import pytest

from scorekeeper import rules

from ..helpers.partly_known import partly_known
from ..helpers.second_opinion import Deal, deal_of, differences, pieces_of, results
from ..helpers.simulator import GAMES


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(2))
def test_results_are_those_of_all_completions(game: str, seed: int) -> None:
    known = partly_known(Random(f"{game} {seed}"), game, loose=5)
    deal = Deal(known.table, known.pieces, known.nobodys)

    assert deal.is_possible
    for item in deal.items:
        assert results(deal.table, deal.pieces, item, deal.nobodys) == deal.possible(item), (item, known.request)


@pytest.mark.parametrize("game", GAMES)
def test_pieces_make_the_deal_that_they_were_taken_from(game: str) -> None:
    known = partly_known(Random(game), game, loose=20)

    assert set(pieces_of(deal_of(known.pieces), known.table)) == set(known.pieces)


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_agrees_about_a_deal_with_few_unplaced_cards(game: str) -> None:
    known = partly_known(Random(game), game, loose=4)

    deal = Deal(known.table, known.pieces, known.nobodys)
    assert differences(rules.score(known.request), deal) == [], known.request
