"""The second opinion agrees with itself; the engine is held against it in test_partly_known.py."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from scorekeeper import rules

from ..helpers.partly_known import partly_known
from ..helpers.second_opinion import Deal, counted_for, deal_of, looks_of, pieces_of, results
from ..helpers.simulator import GAMES

pytestmark = pytest.mark.whole


@pytest.mark.parametrize("game", GAMES)
def test_the_second_opinion_knows_every_item(game: str) -> None:
    known = partly_known(Random(game), game, loose=4)

    for item in {line.item for option in every_table(game) for line in rules.describe_deal(option).rows}:
        assert looks_of(item, known.table), item


def every_table(game: str) -> Iterator[rules.TableRules]:
    """Yield tables of a game: its presets, and each with one option otherwise."""
    rule_set = rules.find_game(game)
    assert rule_set is not None
    for preset in rule_set.preset_ids:
        sides, players = rule_set.line_ups_of(preset)[0]
        chosen = [{}, *({option.id: value} for option in rule_set.options for value in option.values)]
        for options in chosen:
            asked = {"game": game, "preset": preset, "options": options, "sides": list("ABCD"[:sides])}
            table = rules.read_table({**asked, "players_per_side": players}, rules.Problems())
            if table is not None:
                yield table


def test_an_item_that_the_second_opinion_does_not_know_is_named() -> None:
    with pytest.raises(LookupError, match=r"what four_kings counts: name it in KIND"):
        counted_for("four_kings")


@pytest.mark.parametrize("game", ["chorizo", "scopa", "cirulla", "la_escoba", "escopa"])
def test_results_are_those_of_all_completions(game: str) -> None:
    known = partly_known(Random(game), game, loose=5)
    deal = Deal(known.table, known.pieces, known.nobodys)

    assert deal.is_possible
    for item in deal.items:
        assert results(deal.table, deal.pieces, item, deal.nobodys) == deal.possible(item), (item, known.request)


@pytest.mark.parametrize("game", ["chorizo", "scopa", "cirulla", "la_escoba"])
def test_pieces_make_the_deal_that_they_were_taken_from(game: str) -> None:
    known = partly_known(Random(game), game, loose=20)

    assert set(pieces_of(deal_of(known.pieces), known.table)) == set(known.pieces)
