"""An engine that has seen nothing yet: what it remembers of earlier requests is emptied."""

from __future__ import annotations

import time
from typing import Any

from scorekeeper import rules
from scorekeeper.limits import DEAL_STEPS
from scorekeeper.rules.fishing.reading import _memo
from scorekeeper.rules.match import QUESTION, _score, _score_long, score_once


def forget() -> None:
    """Empty what the process remembers of requests."""
    _score.cache_clear()
    _score_long.cache_clear()
    _memo.cache_clear()


def measure(request: dict[str, Any]) -> tuple[float, int, bool]:
    """Score a deal from nothing; return the CPU seconds, the steps, and whether the budget was spent."""
    table = rules.read_table(request, rules.Problems())
    assert table is not None
    forget()
    began = time.process_time()
    sheet = score_once(table, request["deal"], steps=DEAL_STEPS, wanted=QUESTION)
    used = time.process_time() - began
    return used, sheet.steps + sheet.question_steps, any(problem.code == "budget_spent" for problem in sheet.problems)
