"""Work has a budget of steps: the same answer whatever was asked before, and no deal costs more."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS, MATCH_STEPS
from scorekeeper.rules.match import QUESTION, _score, score_once

from ..helpers.asking import COUNTED, ask_through, finished_deal
from ..helpers.cold import forget, measure
from ..helpers.costly import COSTLIEST
from ..helpers.simulator import PACK, play
from ..helpers.strategies import ACCEPTED

pytestmark = pytest.mark.whole

MATCH: dict[str, Any] = {"game": "chorizo", "sides": ["A", "B", "C", "D"], "options": {"target": 9999}}
FREE: dict[str, Any] = {"game": "free", "sides": ["A", "B"], "options": {"end": "target", "target": 10}}
COUNTS_AND_WORDS: dict[str, Any] = {
    "game": "escoba",
    "sides": ["A", "B", "C"],
    "deal": {
        "counts": {"B": {"figures": 5}, "C": {"cards": 14, "sevens": 1, "sixes": 2, "figures": 1}},
        "awards": {"seven_of_coins": "A"},
    },
}


def partial_deal(sides: int, random: Random) -> dict[str, Any]:
    """A deal of which some cards are shown, some kinds counted, and something said."""
    labels = "ABCD"[:sides]
    owner = {card: random.choice(labels) for card in PACK}
    seen = random.choice([0, 0.1, 0.4, 0.7])
    deal = {
        "piles": {side: [card for card in PACK if owner[card] == side and random.random() < seen] for side in labels},
        "counts": {
            side: {
                kind: sum(1 for card in PACK if owner[card] == side and is_kind(card))
                for kind, is_kind in COUNTED.items()
                if random.random() < 0.4
            }
            for side in labels
        },
        "awards": {"seven_of_coins": owner["7O"]} if random.random() < 0.5 else {},
    }
    game = random.choice(["chorizo", "la_escoba", "scopa"])
    return {"game": game, "sides": list(labels), "deal": {**deal, "accept": ACCEPTED}}


def costly_deals(number: int) -> list[dict[str, Any]]:
    random = Random(8)
    return [{**partial_deal(4, random)["deal"], "awards": {}} for _ in range(number)]


def steps_of(request: dict[str, Any], steps: int = DEAL_STEPS) -> int:
    table = rules.read_table(request, rules.Problems())
    assert table is not None
    sheet = score_once(table, request["deal"], steps=steps, wanted=QUESTION)
    return sheet.steps + sheet.question_steps


def codes(answer: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in answer["problems"]]


@pytest.mark.parametrize("seed", range(3))
def test_an_answer_does_not_depend_on_what_was_asked_before(seed: int) -> None:
    random = Random(seed)
    asked = [partial_deal(2 + seed % 3, random) for _ in range(2)]
    afresh = []
    for request in asked:
        forget()
        afresh.append((rules.score(request), steps_of(request)))
    forget()
    for request in reversed(asked):
        rules.score(request)
    _score.cache_clear()

    assert [(rules.score(request), steps_of(request)) for request in asked] == afresh


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_no_deal_takes_more_steps_than_its_budget(sides: int) -> None:
    random = Random(sides)
    for _ in range(3):
        assert steps_of(partial_deal(sides, random)) <= DEAL_STEPS


def test_a_line_left_open_for_want_of_steps_is_named_in_a_warning() -> None:
    request = {"game": "chorizo", "sides": ["A", "B", "C", "D"], "deal": {"counts": {"A": {"cards": 9, "sixes": 1}}}}
    table = rules.read_table(request, rules.Problems())
    assert table is not None
    sheet = score_once(table, request["deal"], steps=0)  # type: ignore[arg-type]
    (warning,) = sheet.problems

    assert (warning.severity, warning.code, warning.where) == ("warning", "budget_spent", "")
    assert warning.facts["items"] == [line.item for line in sheet.lines if line.points is None]
    assert sheet.steps == 0


def test_what_cards_and_full_counts_tell_takes_no_steps() -> None:
    counts = {"A": {"cards": 22, "coins": 6}}
    sheet = rules.score({"game": "scopa", "sides": ["A", "B"], "deal": {"counts": counts, "awards": {"prime": "B"}}})
    table = rules.read_table({"game": "scopa", "sides": ["A", "B"]}, rules.Problems())
    assert table is not None
    in_no_steps = score_once(table, {"counts": counts, "awards": {"prime": "B"}}, steps=0).as_json()

    for answer in (sheet, in_no_steps):
        points = {line["item"]: line["points"] for line in answer["lines"]}
        assert points["cards"] == points["coins"] == {"A": 1, "B": 0}
        assert points["prime"] == {"A": 0, "B": 1}


def test_what_was_said_is_settled_though_the_ways_are_too_many_to_weigh() -> None:
    sheet = rules.score(COUNTS_AND_WORDS)
    (line,) = (line for line in sheet["lines"] if line["item"] == "seven_of_coins")

    assert (line["points"], line["evidence"]) == ({"A": 1, "B": 0, "C": 0}, "said")


def test_stronger_evidence_is_still_named_where_it_settles_what_was_said() -> None:
    deal = {"counts": {"A": {"cards": 25}}, "piles": {"A": ["7O"]}, "awards": {"cards": "A", "seven_of_coins": "A"}}
    sheet = rules.score({"game": "scopa", "sides": ["A", "B", "C"], "deal": deal})
    told = {line["item"]: line.get("evidence") for line in sheet["lines"]}

    assert (told["cards"], told["seven_of_coins"]) == ("counted", "shown")


@pytest.mark.parametrize("game", ["chorizo", "scopa", "cirulla", "la_escoba"])
def test_real_deals_of_two_sides_never_meet_the_budget(game: str) -> None:
    random = Random(game)
    request = play(game, 2, 1, random).request
    assert "budget_spent" not in codes(rules.score(request))
    request, piles = finished_deal(game, 2, 1, random)
    seen: list[str] = codes(rules.score(request))
    asked, last = ask_through(request, piles)
    assert asked
    assert "budget_spent" not in [*seen, *codes(last)]


def test_a_match_has_one_budget_for_all_its_deals() -> None:
    deals = costly_deals(10)
    match = {**MATCH, "deals": deals}
    table = rules.read_table(match, rules.Problems())
    assert table is not None
    forget()
    answer = rules.match(match, most_steps=MATCH_STEPS)
    forget()
    again = rules.match(match, most_steps=MATCH_STEPS)
    alone = [rules.score({**match, "deal": deal}) for deal in deals]

    assert answer == again
    spent = ["budget_spent" in codes(sheet) for sheet in answer["sheets"]]
    assert spent[-1]
    # Without it each deal is weighed as if it were alone.
    assert [sheet["lines"] for sheet in rules.match(match)["sheets"]] == [sheet["lines"] for sheet in alone]
    assert MATCH_STEPS < 2 * DEAL_STEPS


def test_deals_after_the_one_that_wins_are_left_out_where_asked() -> None:
    match = {"game": "free", "sides": ["A", "B"], "options": {"end": "target", "target": 10}}
    deals = [{"points": {"A": 6, "B": 1}}] * 4
    short = rules.match({**match, "deals": deals[:2]})

    assert codes(rules.match({**match, "deals": deals})) == ["deal_after_end"]
    assert rules.match({**match, "deals": deals}, until_won=True) == short
    assert short["status"] == "won"


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
        rules.match({**MATCH, "deals": costly_deals(6), "ask": False}, most_steps=MATCH_STEPS)
    lines = tally.steps
    forget()
    with rules.tallied() as tally:
        rules.match({**MATCH, "deals": costly_deals(6)}, most_steps=MATCH_STEPS)

    assert MATCH_STEPS // 2 < lines <= MATCH_STEPS
    assert lines <= tally.steps <= 2 * MATCH_STEPS


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
