"""Penalties: what a recorded fault costs, and whom it bars."""

from __future__ import annotations

from typing import Any

from scorekeeper import rules
from scorekeeper.rules.fishing.facts import Facts, read_facts
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.items import Verdict
from scorekeeper.rules.fishing.penalties import penalty_lines, strike
from scorekeeper.rules.fishing.rules import FishingRules, Opening, Penalty
from scorekeeper.rules.fishing.table import FishingTable

MADE = {0: 5, 1: 3, 2: 8}


def table_of(how: str, share: str = "each_other_full") -> FishingTable:
    played = FishingRules(
        items=(),
        capture_rule="sum15",
        obligation="card",
        penalties=(Penalty("fault", how),),
        renuncio_share=share,
        opening=Opening(),
    )
    return FishingTable(played, ("A", "B", "C"), 1)


def facts_of(table: FishingTable, *sides: str, **deal: Any) -> Facts:
    problems = rules.Problems()
    facts = read_facts(table, {"penalties": [{"item": "fault", "side": side} for side in sides], **deal}, problems)
    assert not problems
    return facts


def points(how: str, *sides: str, share: str = "each_other_full") -> Any:
    table = table_of(how, share)
    (line,) = penalty_lines(table, facts_of(table, *sides), 0, MADE.get)
    return line.points


def test_an_offender_forfeits_what_it_made_to_each_other_side() -> None:
    assert points("forfeit", "C") == (8, 8, -8)


def test_shared_out_the_points_are_halved_without_a_rest() -> None:
    assert points("forfeit", "A", share="split") == (-5, 2, 2)


def test_two_offenders_give_to_the_third_alone_and_none_gives_twice() -> None:
    assert points("forfeit", "A", "B", "A") == (-5, -3, 8)


def test_a_forfeit_is_open_while_the_points_are() -> None:
    table = table_of("forfeit")
    (line,) = penalty_lines(table, facts_of(table, "A"), 0, lambda side: None)

    assert (line.points, line.reason) == (None, "open")


def test_four_and_every_sweep_of_the_deal_are_paid_for_each_fault() -> None:
    table = table_of("four_plus_sweeps")
    facts = facts_of(table, "B", "B", sweeps={"A": 1, "C": 2})
    (line,) = penalty_lines(table, facts, 2, MADE.get)

    assert line.points == (0, -18, 0)


def test_what_the_table_settled_by_itself_has_no_line() -> None:
    table = table_of("table_trick")

    assert penalty_lines(table, facts_of(table, "B"), 0, MADE.get) == []


def test_a_barred_winner_loses_the_item_and_nobody_gets_it() -> None:
    verdict = Verdict((1, 1, 0), "tied_each_scores", (20, 20, 0), (0, 1))

    assert strike(verdict, [0]) == Verdict((0, 1, 0), "barred", (20, 20, 0), (1,))
    assert strike(verdict, [2]) is verdict


def test_the_games_name_their_penalties() -> None:
    table = rules.read_table({"game": "chorizo", "sides": ["A", "B"]}, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)
    assert set(table.game.table.penalties) == {penalty.id for penalty in table.game.rules.penalties}
