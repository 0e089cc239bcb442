"""An option that a table is not offered decides nothing: the worked examples score the same with another value."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scorekeeper import rules

from ..helpers.draws import examples
from ..rules.test_cases import DEALS, sheet_of


def is_needed(option: Any, table: rules.TableRules) -> bool:
    """Return whether an option decides something at a table, as its data say."""
    return (
        all(table.options[id] in values for id, values in option.needs.items())
        and (not option.sides or len(table.sides) in option.sides)
        and (not option.players or table.options.players in option.players)
    )


def decided(answer: Any) -> Any:
    """Return what an answer decides: not by which of two ways that come to the same a line was won."""
    lines = [(line["item"], line["points"]) for line in answer.get("lines", [])]
    return answer["status"], answer.get("points"), lines, answer.get("match")


def other_values(option: Any, usual: Any) -> list[Any]:
    """Return the value to try instead of one: the first other one will do."""
    return [value for value in option.values if value != usual][:1]


def test_an_option_that_is_not_offered_decides_nothing() -> None:
    tried: Counter[str] = Counter()
    for case in DEALS:
        table = rules.read_table(case["ask"], rules.Problems())
        if table is None:
            continue
        for option in table.rules.options:
            if is_needed(option, table) or not (option.needs or option.sides or option.players):
                continue
            asked = f"{table.rules.id} {option.id}"
            if tried[asked] >= examples(4):
                continue
            for value in other_values(option, table.options[option.id]):
                chosen = {**case["ask"].get("options", {}), option.id: value}
                other = rules.score({**case["ask"], "options": chosen, "deal": case["deal"]})
                assert decided(sheet_of(case)) == decided(other), (option.id, value)
            tried[asked] += 1
    assert len({asked.split()[1] for asked in tried}) > 6
