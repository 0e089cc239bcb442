"""A deal keeps the tariff it was judged by, and the sheet that is known of it."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS, MATCH_STEPS
from scorekeeper.rules import budget
from scorekeeper.rules.budget import Work, at_work

from ..helpers.cold import forget, measure
from ..helpers.costly import COSTLIEST
from .test_budget import codes, partial_deal

MATCH: dict[str, Any] = {"game": "chorizo", "sides": ["A", "B", "C", "D"], "options": {"target": 9999}}
FREE: dict[str, Any] = {"game": "free", "sides": ["A", "B"], "options": {"end": "target", "target": 10}}


def costly_deals(number: int) -> list[dict[str, Any]]:
    random = Random(8)
    return [{**partial_deal(4, random)["deal"], "awards": {}} for _ in range(number)]


def placeless(sheet: Any) -> dict[str, Any]:
    """Return a sheet whose problems do not say where in the match their deal is."""
    problems = [{name: part for name, part in problem.items() if name != "at"} for problem in sheet["problems"]]
    return {**sheet, "problems": problems}


def test_the_first_tariff_stays_as_it_is() -> None:
    first = rules.TARIFFS[1]

    assert (first.deal, first.stored_match) == (550_000, 1_200_000)
    assert max(rules.TARIFFS) == rules.NEWEST_TARIFF
    assert all(number == tariff.number for number, tariff in rules.TARIFFS.items())


def test_what_the_deals_of_one_tariff_take_is_not_taken_from_another() -> None:
    deals = costly_deals(6)
    most = 60_000
    alone = rules.match({**MATCH, "deals": deals[3:]}, most_steps=most, tariffs=[1] * 3)
    both = rules.match({**MATCH, "deals": deals}, most_steps=most, tariffs=[2, 2, 2, 1, 1, 1])
    one = rules.match({**MATCH, "deals": deals}, most_steps=most, tariffs=[1] * 6)

    assert [placeless(sheet) for sheet in both["sheets"][3:]] == [placeless(sheet) for sheet in alone["sheets"]]
    assert [placeless(sheet) for sheet in one["sheets"][3:]] != [placeless(sheet) for sheet in alone["sheets"]]
    assert rules.match({**MATCH, "deals": deals}, most_steps={1: most}, tariffs=[1] * 6) == one


def test_a_deal_of_which_the_sheet_is_known_is_not_scored() -> None:
    deals = costly_deals(3)
    scored = rules.match({**MATCH, "deals": deals})
    sheet = scored["sheets"][1]
    forget()
    again = rules.match({**MATCH, "deals": [deals[0], {"piles": "no piles"}, deals[2]]}, sheets={1: sheet})

    assert again == scored
    assert again["sheets"][1]["lines"] is not sheet["lines"]


def test_totals_winner_dealer_and_problems_follow_from_the_sheet_that_is_known() -> None:
    known: Any = rules.score({**FREE, "deal": {"points": {"A": 7, "B": 1}}})
    known = {**known, "points": {"A": 10, "B": 2}}
    known["problems"] = [{"severity": "warning", "code": "improbable", "where": "points", "message": "Much."}]
    deal = {"points": {"A": 7, "B": 1}, "dealer": "A"}
    answer: Any = rules.match({**FREE, "deals": [deal]}, sheets={0: known})

    assert (answer["totals"], answer["winner"]) == ({"A": 10, "B": 2}, "A")
    assert [problem["where"] for problem in answer["problems"]] == ["deals[0].points"]
    assert codes(answer["sheets"][0]) == ["improbable"]
    unscored: Any = rules.score({**FREE, "deal": {"points": {"A": 7, "B": 1}}})
    assert rules.match({**FREE, "deals": [deal, deal]}, sheets={1: unscored})["totals"] == {"A": 14, "B": 2}


def test_points_that_the_table_added_win_no_deal_on_a_known_sheet() -> None:
    wins: dict[str, Any] = {"game": "free", "sides": ["A", "B"], "options": {"end": "rounds", "rounds": 1}}
    deal = {"points": {"A": 3, "B": 4}, "adjustments": [{"side": "A", "points": 5, "reason": "told"}]}
    scored: Any = rules.match({**wins, "deals": [deal]})

    assert rules.match({**wins, "deals": [deal]}, sheets={0: scored["sheets"][0]}) == scored


@pytest.mark.parametrize("request_", COSTLIEST, ids=lambda one: f"{one['game']} {len(one['sides'])}")
def test_the_worst_known_deals_take_no_more_than_the_steps_of_a_deal(request_: dict[str, Any]) -> None:
    forget()
    with rules.tallied() as tally:
        rules.score(request_)

    assert DEAL_STEPS // 3 < tally.steps <= DEAL_STEPS
    assert measure(request_)[1] == tally.steps


def test_the_deals_of_a_match_share_its_steps() -> None:
    forget()
    with rules.tallied() as tally:
        rules.match({**MATCH, "deals": costly_deals(8), "ask": False}, most_steps=MATCH_STEPS)
    lines = tally.steps
    forget()
    with rules.tallied() as tally:
        rules.match({**MATCH, "deals": costly_deals(8)}, most_steps=MATCH_STEPS)

    assert MATCH_STEPS // 2 < lines <= MATCH_STEPS
    assert lines <= tally.steps <= 2 * MATCH_STEPS


def test_the_first_tariff_charges_no_more_than_it_did() -> None:
    with at_work(Work(100, 1)) as first:
        budget.spend(7, 5)
    with at_work(Work(100)) as newest:
        budget.spend(7, 5)

    with at_work(Work(100, charges_more=False)) as of_two_sides:
        budget.spend(7, 5)
    with at_work(Work(100)) as evidence, evidence.charged_afterwards(200):
        budget.spend(7, 5)

    assert (first.spent, newest.spent, evidence.spent, of_two_sides.spent) == (7, 12, 21, 7)


def test_a_page_of_ways_to_the_target_takes_no_more_than_a_deal() -> None:
    deal = {"counts": {"A": {"cards": 9, "sixes": 1}}}
    forget()
    with rules.tallied() as tally:
        rules.ways_to_target({**MATCH, "options": {}, "deal": deal}, dict.fromkeys("ABCD", 17))

    assert 0 < tally.steps <= DEAL_STEPS


def test_a_long_deal_is_scored_once_too(monkeypatch: pytest.MonkeyPatch) -> None:
    matches = import_module("scorekeeper.rules.match")
    scored: list[object] = []
    score_deal = matches.score_deal
    monkeypatch.setattr(matches, "score_deal", lambda *deal, **how: scored.append(deal) or score_deal(*deal, **how))
    adjustments = [{"side": "A", "points": 1, "reason": f"{'x' * 90}{number}"} for number in range(100)]
    asked = {**FREE, "deal": {"points": {"A": 1, "B": 2}, "adjustments": adjustments}}

    assert len(repr(asked["deal"])) > matches.LONGEST
    assert rules.score(asked) == rules.score(asked)
    assert len(scored) == 1


@pytest.mark.parametrize("seed", range(3))
def test_deals_of_two_sides_are_judged_alike_by_both_tariffs(seed: int) -> None:
    request = partial_deal(2, Random(seed))

    assert rules.score(request, tariff=1) == rules.score(request, tariff=2)


def test_which_evidence_is_believed_does_not_depend_on_the_tariff() -> None:
    request = {
        "game": "scopa",
        "sides": ["A", "B", "C", "D"],
        "deal": {
            "piles": {"A": ["12E"], "D": ["5C"]},
            "counts": {"B": {"coins": 2}, "C": {"coins": 1}},
            "awards": {"coins": "B", "cards": "C"},
            "told": {"A": ["2C", "4E"], "B": ["1B", "5E"]},
        },
    }
    first, second = (rules.score(request, tariff=tariff) for tariff in (1, 2))

    assert _contradicted(first) == _contradicted(second)


def _contradicted(answer: Any) -> list[Any]:
    return [problem for problem in answer["problems"] if problem["code"] != "budget_spent"]
