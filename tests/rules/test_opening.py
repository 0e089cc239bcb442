"""The opening layout: what its cards give the dealer, by its cards or by the table's word."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.cards import pile_of
from scorekeeper.rules.fishing.evidence import read_cards
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.opening import FoundOpening, lines_of, said_opening, shown_opening
from scorekeeper.rules.fishing.rules import FishingRules, Opening

ALL = Opening(fifteen=1, thirty=2, flush=(3, 4))
FREE_OF_POINTS = Opening(fifteen=0)


def layout(*codes: str) -> int:
    return pile_of(read_cards(list(codes), "layout", rules.Problems()))


def rules_of(game: str, **options: Any) -> FishingRules:
    table = rules.read_table({"game": game, "sides": ["A", "B"], "options": options}, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)
    return table.game.rules


@pytest.mark.parametrize(
    ("codes", "total", "suited"),
    [
        (("1O", "2O", "5C", "7E"), 15, 2),
        (("12O", "12C", "2E", "10B"), 30, 1),
        (("1O", "2O", "3O", "4O"), 10, 4),
        (("1O", "2O", "3O", "7B"), 13, 3),
    ],
)
def test_shown_cards_are_added_up_and_their_suits_compared(codes: tuple[str, ...], total: int, suited: int) -> None:
    assert shown_opening(rules_of("chorizo"), layout(*codes), {}) == FoundOpening(total, suited, "shown")


def test_a_wild_card_counts_with_its_rank_only_where_it_is_wild_in_the_layout() -> None:
    cards, ranks = layout("1O", "2O", "3E", "12O"), read_ranks("12O", 4)
    free = rules_of("chorizo", wild_cards="1O+12O", wild_in_layout="free")
    natural = rules_of("chorizo", wild_cards="1O+12O", wild_in_layout="natural")

    assert shown_opening(free, cards, ranks).total == 11
    assert shown_opening(natural, cards, ranks).total == 16


def read_ranks(code: str, rank: int) -> dict[int, int]:
    return {read_cards([code], "as", rules.Problems())[0]: rank}


@pytest.mark.parametrize(
    ("results", "total", "suited"),
    [((), None, 0), (("15",), 15, 0), (("30", "flush4"), 30, 4), (("flush3",), None, 3)],
)
def test_the_tables_word_is_taken(results: tuple[str, ...], total: int | None, suited: int) -> None:
    assert said_opening(frozenset(results)) == FoundOpening(total, suited, "said")


def test_the_dealer_alone_gets_the_points() -> None:
    lines = lines_of(FoundOpening(30, 4, "shown"), ALL, dealer=1, sides=3)

    assert [(line.item, line.points, line.reason) for line in lines] == [
        ("table_sweep", (0, 2, 0), "thirty"),
        ("table_flush", (0, 4, 0), "flush4"),
    ]


def test_a_fifteen_may_be_taken_for_no_points() -> None:
    found = FoundOpening(15, 2, "shown")

    assert found.units(FREE_OF_POINTS) == 1
    assert lines_of(found, FREE_OF_POINTS, dealer=0, sides=2) == []


def test_a_total_that_is_not_played_takes_nothing() -> None:
    found = FoundOpening(30, 3, "said")

    assert (found.units(FREE_OF_POINTS), found.is_flush(FREE_OF_POINTS)) == (0, False)
    assert lines_of(found, FREE_OF_POINTS, dealer=0, sides=2) == []
