"""Evidence that takes too long to be checked is believed; where it cannot be after all, the deal still has a sheet."""

from __future__ import annotations

from typing import Any

import pytest

from scorekeeper import rules

from ..helpers.cold import forget

ALL_OF_THEM = {"coins": "A", "seven_of_coins": "A", "sevens": "A", "all_sevens": "A"}
# Ana has too few cards for every seven and most coins beside those that she showed.
DEALS: tuple[tuple[dict[str, list[str]], dict[str, int]], ...] = (
    (
        {"A": ["10E", "12C", "6C", "7C", "2C"], "B": ["4E", "10C"], "C": ["2B", "11C", "5E"]}
        | {"D": ["12O", "1C", "12E", "10O"]},
        {"A": 9, "B": 11, "C": 7},
    ),
    (
        {"A": ["7E", "11B", "6O"], "B": ["10B", "1E"], "C": ["10E", "2C", "12B"]}
        | {"D": ["11C", "5B", "1O", "3E", "4C", "6C"]},
        {"A": 7, "B": 8, "C": 11},
    ),
)


@pytest.mark.parametrize(("piles", "cards"), DEALS, ids=["nine cards", "seven cards"])
def test_no_bounds_are_given_where_nothing_agrees(piles: dict[str, list[str]], cards: dict[str, int]) -> None:
    counts = {side: {"cards": number} for side, number in cards.items()}
    deal: dict[str, Any] = {"piles": piles, "counts": counts, "awards": ALL_OF_THEM}
    asked = {"game": "escoba", "sides": list("ABCD"), "options": {"target": 1000}, "deal": deal}
    forget()
    sheet = rules.score(asked)

    (sevens,) = (line for line in sheet["lines"] if line["item"] == "seven_of_coins")
    assert sevens["points"] == {"A": 1, "B": 0, "C": 0, "D": 0}
    assert "bounds" not in sevens
