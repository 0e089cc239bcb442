"""How fast the engine is: ``make bench``. Nothing here asserts a time; the figures are for the README."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS
from scorekeeper.rules import budget
from scorekeeper.rules.cards import pile_of
from scorekeeper.rules.fishing.captures import legal_captures
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.table import FishingTable
from scorekeeper.rules.match import _score, score_once

MANY = 10_000


def game_of(id: str) -> FishingTable:
    table = rules.read_table({"game": id, "sides": ["A", "B"]}, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)
    return table.game.table


@pytest.mark.parametrize("game", ["scopa", "chorizo", "cirulla", "escopa"])
def test_ten_thousand_capture_queries_with_eight_cards_on_the_table(benchmark: Any, game: str) -> None:
    random = Random(1)
    asked = []
    for _ in range(MANY):
        cards = random.sample(range(40), 9)
        asked.append((pile_of(cards[:8]), cards[8]))
    table = game_of(game)

    def run() -> int:
        return sum(len(legal_captures(table, layout, card).sets) for layout, card in asked)

    assert benchmark(run) > 0


def test_a_thousand_deals_through_the_json_contract(benchmark: Any) -> None:
    random = Random(1)
    requests = []
    for _ in range(1000):
        pack = [rules.card_name(card) for card in range(40)]
        random.shuffle(pack)
        requests.append({"game": "scopa", "sides": ["A", "B"], "deal": {"piles": {"A": pack[:19]}, "rest": "B"}})

    assert benchmark(lambda: sum(rules.score(request)["status"] == "complete" for request in requests)) >= 0


COSTLIEST: dict[str, Any] = {
    "game": "la_escoba",
    "sides": ["A", "B", "C"],
    "deal": {
        "counts": {"A": {"cards": 14, "sevens": 2, "sixes": 2, "figures": 4}, "C": {"sixes": 0}},
        "awards": {"coins": "B", "all_sevens": []},
    },
}
"""Among the deals that take the whole budget of steps, one of those that took longest."""


def test_a_deal_that_takes_every_step_it_may(benchmark: Any) -> None:
    def run() -> int:
        _score.cache_clear()
        budget.SHELF.young.clear()
        budget.SHELF.old.clear()
        table = rules.read_table(COSTLIEST, rules.Problems())
        assert table is not None
        return score_once(table, COSTLIEST["deal"], steps=DEAL_STEPS).steps

    assert 0 < benchmark(run) <= DEAL_STEPS
