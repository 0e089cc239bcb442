"""The opening layout: what its cards give the dealer, by its cards or by the table's word."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.rules.cards import pile_of
from scorekeeper.rules.fishing.evidence import read_cards
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.opening import OpeningResult, lines_of, said_opening, shown_opening
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
    assert shown_opening(rules_of("chorizo"), layout(*codes), {}) == OpeningResult(total, suited, "shown")


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
    assert said_opening(frozenset(results)) == OpeningResult(total, suited, "said")


def test_the_dealer_alone_gets_the_points() -> None:
    lines = lines_of(OpeningResult(30, 4, "shown"), ALL, dealer=1, sides=3)

    assert [(line.item, line.points, line.reason) for line in lines] == [
        ("table_sweep", (0, 2, 0), "thirty"),
        ("table_flush", (0, 4, 0), "flush4"),
    ]


def test_a_fifteen_may_be_taken_for_no_points() -> None:
    found = OpeningResult(15, 2, "shown")

    assert found.units(FREE_OF_POINTS) == 1
    assert lines_of(found, FREE_OF_POINTS, dealer=0, sides=2) == []


def test_a_total_that_is_not_played_takes_nothing() -> None:
    found = OpeningResult(30, 3, "said")

    assert (found.units(FREE_OF_POINTS), found.is_flush(FREE_OF_POINTS)) == (0, False)
    assert lines_of(found, FREE_OF_POINTS, dealer=0, sides=2) == []


def worth_of(game: str, deal: dict[str, Any], **options: Any) -> rules.OpeningWorth | None:
    table = rules.read_table({"game": game, "sides": ["A", "B"], "options": options}, rules.Problems())
    assert table is not None
    return rules.opening_worth(table, {"dealer": "A", **deal})


@pytest.mark.parametrize(
    ("game", "options", "deal", "worth"),
    [
        ("chorizo", {}, {"layout": ["1O", "3C", "4E", "7B"]}, (15, 1, 1, 0, 0, None)),
        ("chorizo", {}, {"layout_result": "30"}, (30, 2, 2, 0, 0, None)),
        ("chorizo", {}, {"layout": ["2O", "3C", "4E", "7B"]}, (16, 0, 0, 0, 0, None)),
        ("chorizo", {"table_flush": True}, {"layout": ["1O", "2O", "5O", "7B"]}, (15, 1, 1, 3, 3, None)),
        ("escoba", {}, {"layout_result": "15"}, (15, 1, 0, 0, 0, None)),
        ("la_escoba", {"pts_table_sweep": 4}, {"layout_result": "15"}, (15, 1, 4, 0, 0, None)),
        ("cirulla", {}, {"layout": ["7C", "2O", "3E", "4B"]}, (15, 1, 1, 0, 0, None)),
        ("cirulla", {}, {"layout": ["1O", "1C", "6E", "7B"]}, (15, 0, 0, 0, 0, (2, "aces", "same"))),
        ("scopa", {}, {"layout": ["12O", "12C", "5E", "7B"]}, (None, 0, 0, 0, 0, (2, "kings", "next"))),
        ("chkobba", {}, {"layout": ["5O", "5C", "5E", "7B"]}, (None, 0, 0, 0, 0, (3, "alike", "same"))),
        ("scopa", {}, {"layout_result": "redeal"}, (None, 0, 0, 0, 0, (2, "kings", "next"))),
        ("scopa", {}, {"layout": ["12O", "2C", "5E", "7B"], "layout_result": "redeal"}, (None, 0, 0, 0, 0, None)),
    ],
)
def test_an_opening_is_worth_what_the_table_agreed_on(
    game: str, options: dict[str, Any], deal: dict[str, Any], worth: tuple[Any, ...]
) -> None:
    assert worth_of(game, deal, **options) == worth


@pytest.mark.parametrize("deal", [{}, {"layout": ["1O", "2O", "3O"]}, {"layout_result": ["15", "30"]}])
def test_without_a_sound_opening_there_is_nothing_to_be_worth(deal: dict[str, Any]) -> None:
    assert worth_of("chorizo", deal) is None


def test_outside_the_fishing_games_no_opening_is_worth_anything() -> None:
    assert worth_of("brisca", {"layout_result": "15"}) is None


@pytest.mark.parametrize(
    ("game", "options", "openings", "redeals"),
    [
        ("chorizo", {}, ("15", "30"), []),
        ("chorizo", {"table_flush": True}, ("15", "30", "flush3", "flush4"), []),
        ("chorizo", {"wild_cards": "1O+12O", "wild_in_layout": "redeal"}, ("15", "30"), [(1, "wild", "same")]),
        ("escoba", {}, ("15",), []),
        ("escoba", {"table_sweep_30": "two_sweeps"}, ("15", "30"), []),
        ("scopa", {}, (), [(2, "kings", "next")]),
        ("scopa", {"redeal_kings": "off"}, (), []),
        ("cirulla", {}, ("15", "30"), [(2, "aces", "same")]),
        ("escova", {}, (), []),
        ("brisca", {}, (), []),
    ],
)
def test_a_deal_can_be_told_the_openings_that_change_something(
    game: str, options: dict[str, Any], openings: tuple[str, ...], redeals: list[Any]
) -> None:
    table = rules.read_table({"game": game, "sides": ["A", "B"], "options": options}, rules.Problems())
    assert table is not None
    needs = rules.describe_deal(table)

    assert (needs.openings, list(needs.redeals)) == (openings, redeals)
    assert needs.has_opening == bool(openings or redeals)
