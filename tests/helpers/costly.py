"""Half-known deals from a search for the costliest: they take (nearly) all the steps of a deal."""

from __future__ import annotations

from typing import Any

from .partly_known import ACCEPTED

COSTLIEST: tuple[dict[str, Any], ...] = (
    {
        "game": "baciga",
        "sides": ["A", "B"],
        "options": {
            "target": 21,
            "tie_rule": "nobody",
            "pts_sweep_in_hand": 1,
            "pts_seven_of_coins": 1,
            "pts_one_of_swords": 1,
            "table_flush": False,
        },
        "deal": {
            "piles": {"B": ["3C"]},
            "counts": {"A": {"figures": 5}, "B": {"sixes": 1, "sevens": 3}},
            "awards": {"prime": "B"},
            "accept": ACCEPTED,
        },
    },
    {
        "game": "cirulla",
        "sides": ["A", "B", "C"],
        "options": {},
        "deal": {
            "piles": {"B": ["6B", "12E", "10E"]},
            "counts": {
                "A": {"cards": 10, "sevens": 1, "figures": 3},
                "B": {"cards": 15, "coins": 2, "sixes": 2, "figures": 4},
                "C": {"cards": 15, "coins": 4, "sixes": 2, "figures": 5},
            },
            "accept": ACCEPTED,
            "awards": {"coins": "A"},
        },
    },
    {
        "game": "la_escoba",
        "sides": ["A", "B", "C", "D"],
        "options": {
            "wrong_capture_mode": "off",
            "three_player_tie_to_third": False,
            "prime_method": "face",
            "prime_needs_pip": True,
            "call_ultimas": True,
        },
        "deal": {
            "piles": {"B": ["7E"], "C": ["6E", "7C", "10C"], "D": ["2B", "11C", "12C"]},
            "counts": {
                "A": {"coins": 3},
                "B": {"figures": 4, "sixes": 2},
                "C": {"sevens": 1, "cards": 11},
                "D": {"coins": 2},
            },
            "accept": ACCEPTED,
            "awards": {"sevens": "B"},
            "told": {"B": ["3O"]},
        },
    },
    {
        "game": "baciga",
        "sides": ["A", "B", "C", "D"],
        "options": {},
        "deal": {
            "piles": {"A": ["3C"], "B": ["7C"], "D": ["6B"]},
            "counts": {
                "A": {"sixes": 1},
                "B": {"coins": 1, "sevens": 1},
                "C": {"cards": 12, "coins": 3, "sixes": 1, "figures": 1},
                "D": {"cards": 12, "sevens": 0},
            },
            "accept": ACCEPTED,
            "awards": {"coins": "A"},
        },
    },
)
