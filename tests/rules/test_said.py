"""Said at the table: when every line has its taker, the deal is scored, however many play."""

from __future__ import annotations

import pytest

from scorekeeper import rules

SAID = {"cards": "A", "coins": "B", "seven_of_coins": "A", "two_of_clubs": "B", "prime": "A"}


@pytest.mark.parametrize("sides", ["AB", "ABC", "ABCD"])
def test_a_deal_said_in_full_is_complete(sides: str) -> None:
    sheet = rules.score({"game": "chorizo", "sides": list(sides), "deal": {"awards": SAID}})
    assert sheet["status"] == "complete"
    assert sheet["points"] == {**dict.fromkeys(sides, 0), "A": 3, "B": 5}


@pytest.mark.parametrize("sides", ["ABC", "ABCD"])
def test_a_prime_that_was_said_is_settled_though_the_ways_are_too_many_to_follow(sides: str) -> None:
    sheet = rules.score({"game": "chorizo", "sides": list(sides), "deal": {"awards": {"prime": "C"}}})
    (prime,) = (line for line in sheet["lines"] if line["item"] == "prime")
    assert (prime["points"], prime["evidence"]) == ({**dict.fromkeys(sides, 0), "C": 1}, "said")
