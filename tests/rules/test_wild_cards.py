"""Wild cards keep the rank they were given until the deal is scored (docs/rules.md 2.1, 9)."""

from __future__ import annotations

from typing import Any

from scorekeeper import rules


def lines_of(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {line["item"]: line for line in answer["lines"]}


def test_a_king_declared_as_a_three_stays_a_three_in_the_prime() -> None:  # docs/rules.md, worked example 25
    answer = rules.score(
        {
            "game": "chorizo",
            "preset": "montevideo",
            "options": {"prime_method": "italian"},
            "sides": ["A", "B"],
            "deal": {
                "declarations": [{"side": "A", "batch": 1, "cards": ["3C", "3B", "12O"]}],
                "piles": {"A": ["12O", "7C", "7E", "7B"], "B": ["10O", "6C", "6E", "6B"]},
            },
        }
    )
    lines = lines_of(answer)

    assert lines["three_of_a_kind"]["points"] == {"A": 20, "B": 0}
    assert lines["three_for_nine"]["points"] == {"A": 3, "B": 0}
    prime = rules.prime({"method": "italian", "piles": {"A": ["3O", "7C", "7E", "7B"]}})
    assert prime["primes"]["A"]["value"] == 13 + 63


def test_points_of_a_special_card_follow_the_card_itself() -> None:
    answer = rules.score(
        {
            "game": "chorizo",
            "preset": "capagorry",
            "sides": ["A", "B"],
            "deal": {"as": {"7O": "3"}, "piles": {"A": ["7O"]}},
        }
    )

    assert lines_of(answer)["seven_of_coins"]["points"] == {"A": 2, "B": 0}


def test_a_changed_value_counts_in_the_sums() -> None:
    """7+8 by a king given as an 8 (a sota's value): the pack then adds up to 218, and the last cards to 8."""
    pile_a = ["12O", "7C"]
    request: dict[str, Any] = {
        "game": "chorizo",
        "preset": "montevideo",
        "sides": ["A", "B"],
        "deal": {"as": {"12O": "10"}, "last_capturer": "B", "leftover": ["5O", "3O"]},
    }
    request["deal"]["piles"] = {"A": pile_a}
    request["deal"]["rest"] = "B"

    assert [problem["code"] for problem in rules.score(request)["problems"]] == []
    request["deal"]["as"] = {}
    codes = {problem["code"] for problem in rules.score(request)["problems"]}
    assert codes == {"pile_modulus", "leftover_modulus"}


def test_one_wild_card_keeps_one_value() -> None:
    answer = rules.score(
        {
            "game": "chorizo",
            "preset": "montevideo",
            "sides": ["A", "B"],
            "deal": {
                "as": {"12O": "5"},
                "declarations": [{"side": "A", "cards": ["3C", "3B", "12O"], "as": {"12O": "3"}}],
            },
        }
    )

    assert [problem["code"] for problem in answer["problems"]] == ["wild_value_changed"]
