"""What turned a match: each claim is worked out again from the sheets, one deal after the other."""

from __future__ import annotations

from random import Random
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import rules
from scorekeeper.rules.contract import Sheet
from scorekeeper.store.turning_points import Comeback, Decider, Lead, TurningPoint, turning_points_of

from ..helpers.asking import chance_deal
from ..helpers.draws import examples

TO_21 = rules.Ending(target=21)
GAMES = tuple(game["id"] for game in rules.games()["games"])
FISHING = tuple(game["id"] for game in rules.games()["games"] if game["family"] == "fishing")

Sheets = list[tuple[int, Sheet]]


@pytest.fixture(autouse=True)
def in_the_app() -> None:
    """Nothing here needs a database."""


def line(item: str, a: int, b: int, **more: Any) -> dict[str, Any]:
    return {"item": item, "points": {"A": a, "B": b}, "reason": "most", **more}


def sheet(*lines: dict[str, Any], **points: int) -> Sheet:
    """Return the sheet of a deal: of these lines, or with plain points."""
    given = [{"item": "given", "points": points, "reason": "given"}] if points else []
    sums: dict[str, int] = {}
    for each in (*lines, *given):
        for side, number in each["points"].items():
            sums[side] = sums.get(side, 0) + number
    return cast(Sheet, {"redeal": None, "points": sums, "lines": [*lines, *given], "status": "complete"})


def after(*sheets: Sheet) -> Sheets:
    return [*enumerate(sheets, 1)]


def kinds(found: list[TurningPoint]) -> list[type]:
    return [type(point) for point in found]


def test_who_was_a_third_of_the_target_behind_has_come_back() -> None:
    sheets = after(sheet(A=10, B=2), sheet(A=8, B=4), sheet(A=1, B=10), sheet(A=0, B=5))
    comeback, lead = turning_points_of(sheets, "B", TO_21)
    assert comeback == Comeback("B", 2, own=6, best=18, is_between_two=True)
    assert lead == Lead("B", 4, is_first=False, is_last=True)


def test_who_was_less_behind_has_only_led() -> None:
    sheets = after(sheet(A=6, B=0), sheet(A=0, B=14), sheet(A=0, B=7))
    assert turning_points_of(sheets, "B", TO_21) == [Lead("B", 2, is_first=False, is_last=False)]


def test_who_led_in_each_of_a_few_deals_led_from_the_start() -> None:
    sheets = after(sheet(A=8, B=2), sheet(A=8, B=2), sheet(A=8, B=2))
    assert turning_points_of(sheets, "A", TO_21) == [Lead("A", 1, is_first=True, is_last=False)]
    assert turning_points_of(after(sheet(A=12, B=2), sheet(A=12, B=2)), "A", TO_21) == []


def test_where_the_fewest_points_win_the_lead_is_to_have_fewer() -> None:
    ending = rules.Ending(rounds=3, winner="lowest")
    sheets = after(sheet(A=60, B=0, C=10), sheet(A=0, B=80, C=30), sheet(A=0, B=80, C=30))
    comeback, lead = turning_points_of(sheets, "A", ending)
    assert isinstance(comeback, Comeback)
    assert comeback.gap == 60
    assert not comeback.is_between_two
    assert lead == Lead("A", 3, is_first=False, is_last=True)


def test_a_deal_that_was_dealt_again_counts_for_nothing() -> None:
    again = cast(Sheet, {"redeal": "same", "points": {}, "lines": [], "status": "complete"})
    sheets = [(1, sheet(A=9, B=0)), (2, again), (3, sheet(A=12, B=1)), (4, again)]
    assert turning_points_of(sheets, "A", TO_21) == []


def test_the_line_without_which_another_would_have_won_decided() -> None:
    last = sheet(line("cards", 1, 0, values={"A": 30, "B": 10}), line("coins", 2, 0), line("sweeps", 0, 3))
    found = turning_points_of(after(sheet(A=20, B=19), last), "A", TO_21)
    decider = found[-1]
    assert isinstance(decider, Decider)
    assert decider.line["item"] == "coins"
    assert decider.numbers is None


def test_a_line_without_which_the_match_would_have_gone_on_decided_if_it_was_close() -> None:
    def decided(**values: int) -> list[TurningPoint]:
        return turning_points_of(after(sheet(A=20, B=3), sheet(line("prime", 1, 0, values=values))), "A", TO_21)

    close = decided(A=26, B=25)[-1]
    assert isinstance(close, Decider)
    assert close.numbers == (26, 25)
    assert close.deal == 2
    assert Decider not in kinds(decided(A=26, B=13))


def test_plain_points_decide_nothing_by_themselves() -> None:
    assert Decider not in kinds(turning_points_of(after(sheet(A=20, B=20), sheet(A=1, B=0)), "A", TO_21))


def test_where_deals_won_count_no_total_says_who_was_ahead() -> None:
    ending = rules.Ending(rounds=3, counts_wins=True)
    assert turning_points_of(after(sheet(A=90, B=30), sheet(A=59, B=61), sheet(A=59, B=61)), "B", ending) == []


def test_a_side_that_has_left_was_no_rival() -> None:
    sheets = after(sheet(A=0, B=1, C=15), sheet(A=10, B=10), sheet(A=11, B=3))
    assert Comeback not in kinds(turning_points_of(sheets, "A", TO_21))


# ---------------------------------------------------------------- any match, worked out again


def winner_after(totals: dict[str, Any], deals: int, ending: rules.Ending) -> list[str]:
    """Return who has won by the rules of an ending, by the totals alone."""
    reached = ending.target is not None and any(total >= ending.target for total in totals.values())
    if not reached and not (ending.rounds is not None and deals >= ending.rounds):
        return []
    best = min(totals.values()) if ending.winner == "lowest" else max(totals.values())
    ahead = [side for side, total in totals.items() if total == best]
    return ahead if len(ahead) == 1 or ending.tie == "shared" else []


def check(sheets: Sheets, winner: str, ending: rules.Ending) -> list[TurningPoint]:
    """Assert that all that is claimed of a match is so, and that no comeback and no lead is left out."""
    found = turning_points_of(sheets, winner, ending)
    sign = -1 if ending.winner == "lowest" else 1
    counted = [(number, one) for number, one in sheets if one["redeal"] is None and one["points"]]
    totals: dict[str, Any] = dict.fromkeys(counted[-1][1]["points"], 0)
    gaps, course = {}, {}
    for number, one in counted:
        totals = {side: total + one["points"].get(side, 0) for side, total in totals.items()}
        course[number] = totals
        others = [sign * total for side, total in totals.items() if side != winner]
        gaps[number] = max(others) - sign * totals[winner]
    greatest = max(gaps.values())
    whole = ending.target or max(abs(total) for total in totals.values())
    by_kind: dict[type, Any] = {type(point): point for point in found}
    assert len(by_kind) == len(found) <= 3
    assert (Comeback in by_kind) == (greatest > 0 and greatest * 3 >= whole)
    if comeback := by_kind.get(Comeback):
        assert comeback.gap == gaps[comeback.deal] == greatest
        assert comeback.own == course[comeback.deal][winner]
        assert comeback.best in course[comeback.deal].values()
    if lead := by_kind.get(Lead):
        since = [number for number in gaps if number >= lead.deal]
        before = [number for number in gaps if number < lead.deal]
        assert all(gaps[number] < 0 for number in since)
        assert lead.is_first == (not before)
        assert lead.is_last == (since == [lead.deal])
        assert not before or gaps[before[-1]] >= 0
    if decider := by_kind.get(Decider):
        assert decider.deal == counted[-1][0]
        assert decider.line in counted[-1][1]["lines"]
        without = {side: total - decider.line["points"].get(side, 0) for side, total in totals.items()}
        assert winner not in winner_after(without, len(counted), ending)
        if decider.numbers:
            assert decider.numbers[0] == decider.line["values"][winner] > decider.numbers[1]
            assert decider.numbers[1] == max(n or 0 for s, n in decider.line["values"].items() if s != winner)
    return found


POINTS = st.integers(-3, 9)


@st.composite
def drawn_match(draw: st.DrawFn) -> tuple[Sheets, rules.Ending]:
    sides = "ABCD"[: draw(st.integers(2, 4))]
    ending = draw(
        st.sampled_from(
            [TO_21, rules.Ending(rounds=5, winner="lowest"), rules.Ending(target=40, winner="lowest", tie="shared")]
        )
    )

    def one(item: str) -> dict[str, Any]:
        made = {"item": item, "points": {side: draw(POINTS) for side in sides}, "reason": "most"}
        if draw(st.booleans()):
            made["values"] = {side: draw(st.none() | st.integers(0, 12)) for side in sides}
        return made

    sheets, totals = [], dict.fromkeys(sides, 0)
    for number in range(1, 40):
        drawn = sheet(*(one(item) for item in ("cards", "coins", "prime")))
        sheets.append((number, drawn))
        totals = {side: total + drawn["points"][side] for side, total in totals.items()}
        if winner_after(totals, number, ending):
            break
    return sheets, ending


@given(drawn_match())
def test_all_that_is_claimed_of_any_match_is_so(drawn: tuple[Sheets, rules.Ending]) -> None:
    sheets, ending = drawn
    totals: dict[str, Any] = {}
    for _number, one in sheets:
        totals = {side: totals.get(side, 0) + points for side, points in one["points"].items()}
    winners = winner_after(totals, len(sheets), ending)
    if len(winners) == 1:
        check(sheets, winners[0], ending)


def played(game: str, deals: list[dict[str, Any]], sides: list[str]) -> None:
    """Score the deals by the engine until somebody has won, and check what is claimed."""
    asked = {"game": game, "sides": sides, "players_per_side": 1, "deals": deals}
    # Some games are only for two pairs.
    table = rules.read_table(asked, rules.Problems()) or rules.read_table(
        asked := {**asked, "players_per_side": 2}, rules.Problems()
    )
    assert table is not None
    ending = rules.match_ending(table)
    answer = rules.match(asked, until_won=True)
    if answer["status"] == "won" and isinstance(answer["winner"], str) and not ending.counts_wins:
        check([*enumerate(answer["sheets"], 1)], answer["winner"], ending)


@pytest.mark.parametrize("game", GAMES)
@given(random=st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=examples(5))
def test_it_is_so_in_every_game(game: str, random: Random) -> None:
    sides = ["A", "B"]
    points = [{"points": {side: random.randint(0, 12) for side in sides}} for _deal in range(40)]
    played(game, points, sides)


@pytest.mark.parametrize("game", FISHING)
@given(seed=st.integers(0, 2**32))
@settings(deadline=None, max_examples=examples(5))
def test_it_is_so_of_deals_whose_piles_were_counted(game: str, seed: int) -> None:
    random = Random(seed)
    deals = []
    for _deal in range(8):
        _request, piles = chance_deal(game, 2, 2, random)
        deals.append({"piles": piles, "accept": ["pile_modulus", "pile_parity", "pile_of_one"]})
    played(game, deals, ["A", "B"])
