"""The deal that docs/judging.md works by hand is judged as the page says."""

from __future__ import annotations

import json
import re
from math import comb
from pathlib import Path

from scorekeeper import rules

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "judging.md").read_text(encoding="utf-8")
REQUEST, LINES, QUESTION = map(json.loads, re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL))


def test_the_lines_and_the_question_are_those_of_the_engine() -> None:
    sheet = rules.score(REQUEST)
    assert [line for line in sheet["lines"] if line["item"] != "sweeps"] == LINES
    assert sheet["ask"] == QUESTION
    assert sheet["problems"] == []


def test_the_numbers_of_ways_are_right() -> None:
    coins, others = 9, 28
    with_most_coins = sum(comb(coins, number) * comb(others, 22 - number) for number in range(5, coins + 1))
    numbers = [2**38, comb(38, 22), comb(37, 22), with_most_coins]
    assert re.findall(r"\| ([\d,]{9,}) \|", PAGE) == [f"{number:,}" for number in numbers]


def test_each_piece_of_evidence_settles_no_more_than_the_page_says() -> None:
    deal = REQUEST["deal"]
    shown = rules.score({**REQUEST, "deal": {"piles": deal["piles"]}})
    counted = rules.score({**REQUEST, "deal": {"piles": deal["piles"], "counts": deal["counts"]}})
    settled = [{line["item"] for line in sheet["lines"] if line["points"]} - {"sweeps"} for sheet in (shown, counted)]
    assert settled == [{"seven_of_coins", "all_sevens"}, {"seven_of_coins", "all_sevens", "cards"}]
    bounds = [{line["item"]: line.get("bounds") for line in sheet["lines"]} for sheet in (shown, counted)]
    assert (bounds[0]["cards"], bounds[1]["coins"]) == ({"A": [1, 39], "B": [1, 39]}, {"A": [1, 10], "B": [0, 9]})


def test_every_module_that_the_page_names_is_there() -> None:
    folder = ROOT / "scorekeeper" / "rules" / "fishing"
    named = set(re.findall(r"`(\w+)`", PAGE))
    modules = {path.stem for path in folder.glob("*.py")}
    assert {"facts", "evidence", "pieces", "ways", "known", "outlook", "bounds", "reading", "next_question"} <= modules
    of_the_deal = {key for line in LINES for key in (line["item"], *line)} | set(REQUEST["deal"]) | set(rules.CODES)
    assert named <= modules | of_the_deal
