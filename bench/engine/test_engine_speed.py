"""What the bench of the engine asks: deals and questions that are new and legal. Nothing here asserts a time."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import islice
from typing import Any

import pytest

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS
from scorekeeper.rules.fishing.reading import _memo
from scorekeeper.rules.match import QUESTION, _score, score_once
from tests.helpers.simulator import PACK

from . import speed
from .drawn import as_line, capture_questions, whole_deals

FEW = 20


@pytest.mark.parametrize("game", ["scopa", "chorizo", "cirulla"])
def test_each_deal_of_the_bench_is_new_and_whole_and_scored(game: str) -> None:
    _score.cache_clear()
    requests = list(islice(whole_deals(game, 0), FEW))
    for request in requests:
        deal = request["deal"]
        listed = [*deal["leftover"], *(card for pile in deal["piles"].values() for card in pile)]
        assert sorted(listed) == sorted(PACK)
        assert {"dealer", "layout", "sweeps", "last_capturer"} <= deal.keys()
        answer = rules.score(request)
        assert answer["status"] == "complete"
        assert not [problem for problem in answer["problems"] if problem["severity"] == "error"]

    assert _score.cache_info().hits == 0
    assert len({as_line(request) for request in requests}) == FEW


def test_the_rounds_of_the_bench_share_no_deal() -> None:
    drawn = [json.dumps(request) for row in speed.rows() for _ in range(2) for request in islice(row.drawn, FEW)]
    assert len(set(drawn)) == len(drawn)


@pytest.mark.parametrize("game", ["scopa", "chorizo", "escopa", "cirulla"])
def test_each_question_of_the_bench_is_new_and_answered(game: str) -> None:
    requests = list(islice(capture_questions(game, 0), FEW))
    for request in requests:
        assert len({*request["layout"], request["card"]}) == 9
        assert rules.captures(request).keys() >= {"captures"}

    assert len({(frozenset(each["layout"]), each["card"]) for each in requests}) == FEW


@pytest.mark.parametrize("measure", [speed.in_process, speed.through_lines])
def test_the_bench_refuses_a_deal_that_was_not_scored(measure: Callable[[list[dict[str, Any]]], speed.Took]) -> None:
    good, bad = islice(whole_deals("scopa", 0), 2)
    measure([good])

    bad["deal"]["piles"]["A"].append(bad["deal"]["piles"]["B"][0])
    with pytest.raises(AssertionError):
        measure([good, bad])


def test_the_readme_has_the_rows_that_the_bench_writes() -> None:
    table = speed.README.read_text().partition(speed.BEGIN)[2].partition(speed.END)[0]
    written = [line.split("|")[1].strip() for line in table.splitlines() if line.startswith("|")][2:]
    assert written == [row.what for row in speed.rows()]
    assert f"scores {speed.STREAM:,} deals of Scopa" in table


def test_the_bench_compares_jobs_by_the_same_answers() -> None:
    assert speed.gain_of_jobs(2, FEW) > 0


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
        _memo.cache_clear()
        table = rules.read_table(COSTLIEST, rules.Problems())
        assert table is not None
        sheet = score_once(table, COSTLIEST["deal"], steps=DEAL_STEPS, wanted=QUESTION)
        return sheet.steps + sheet.question_steps

    assert 0 < benchmark(run) <= DEAL_STEPS
