"""Deals scored at speed come to the same as deals scored one by one."""

from __future__ import annotations

from random import Random

import pytest

from scorekeeper import rules
from scorekeeper.rules.bulk import PileScorer
from scorekeeper.rules.cards import FULL_PACK, codes_of, pile_of
from scorekeeper.rules.fishing import FishingGame

from ..simulator import GAMES, LINE_UPS


@pytest.mark.parametrize("game", GAMES)
def test_piles_score_as_a_told_deal_does(game: str) -> None:
    random = Random(game)
    for sides, players in LINE_UPS[game]:
        labels = list("ABCD"[:sides])
        request = {"game": game, "sides": labels, "players_per_side": players}
        table = rules.read_table(request, rules.Problems())
        assert table is not None
        assert isinstance(table.game, FishingGame)
        scorer = PileScorer(table.game)
        for _ in range(20):
            piles = [0] * sides
            for card in range(40):
                piles[random.randrange(sides)] |= 1 << card
            scored = scorer.score(piles, [0] * sides)
            told = dict(zip(labels, map(codes_of, piles), strict=True))
            accept = ["pile_modulus", "pile_parity"]
            answer = rules.score({**request, "deal": {"piles": told, "accept": accept}})

            assert [line.as_json(labels) for line in scored.lines] == answer["lines"]
            assert dict(zip(labels, scored.points, strict=True)) == answer["points"]


def test_piles_that_are_no_whole_pack_are_refused() -> None:
    table = rules.read_table({"game": "scopa", "sides": ["A", "B"]}, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)

    with pytest.raises(ValueError, match="whole pack"):
        PileScorer(table.game).score([pile_of([0]), FULL_PACK], [0, 0])
