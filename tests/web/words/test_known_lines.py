"""A line that is settled, or open, with cards unplaced: its numbers and bounds in words, and what settles it."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from scorekeeper.web.words.because import grounds_of
from scorekeeper.web.words.values import takers_of

from .test_every_code_has_words import sentence_of

NAMES = {"A": "Ana", "B": "Beto"}
ALL_SEVENS = {"counts": {"A": {"sevens": 4}}}
TWO_SIXES = {"counts": {"A": {"sixes": 2}}}


def line(item: str, points: Any, reason: str, **more: Any) -> dict[str, Any]:
    return {"item": item, "points": points, "reason": reason, **more}


FOR_ANA, FOR_NOBODY = {"A": 1, "B": 0}, {"A": 0, "B": 0}
COUNTED, SAID = {"evidence": "counted"}, {"evidence": "said"}

SENTENCES: list[tuple[str, dict[str, Any]]] = [
    (
        "Prime: Ana 28, Beto at most 24",
        line("prime", FOR_ANA, "most", bounds={"A": [28, 28], "B": [0, 24]}, because=ALL_SEVENS, **COUNTED),
    ),
    (
        "Prime: Ana at least 25, Beto at most 24",
        line("prime", FOR_ANA, "most", bounds={"A": [25, 27], "B": [None, 24]}, because=ALL_SEVENS, **COUNTED),
    ),
    (
        "Most cards: Ana at least 21, Beto at most 19",
        line("cards", FOR_ANA, "most", bounds={"A": [21, 40], "B": [0, 19]}, because={"piles": {}}, evidence="shown"),
    ),
    # Where the bounds overlap, they do not show who took it: the name does.
    (
        "Prime: Ana, wherever the other cards are",
        line("prime", FOR_ANA, "most", bounds={"A": [20, 28], "B": [10, 24]}, because=TWO_SIXES, **COUNTED),
    ),
    # What was only said has a name and no numbers.
    (
        "Prime: Ana",
        line("prime", FOR_ANA, "most", bounds={"A": [0, 28], "B": [0, 28]}, because={"awards": {"prime": "A"}}, **SAID),
    ),
    (
        "Prime: still open (Ana 20 to 28, Beto at most 26)",
        line("prime", None, "open", bounds={"A": [20, 28], "B": [0, 26]}, needs=["6E"]),
    ),
    (
        "Most cards: level, nobody",
        line("cards", FOR_NOBODY, "tied", bounds={"A": [5, 20], "B": [5, 20]}, because={"awards": {"cards": None}}),
    ),
]


@pytest.mark.parametrize(("sentence", "settled"), SENTENCES, ids=[f"{n}" for n in range(len(SENTENCES))])
def test_a_line_says_what_is_certain(app: Flask, sentence: str, settled: dict[str, Any]) -> None:
    game = "cirulla" if settled["item"] == "cappotto" else "chorizo"
    assert sentence_of(app, settled, game, NAMES) == sentence


def test_equal_values_beside_a_side_that_cannot_compete_keep_their_names(app: Flask) -> None:
    three = {**NAMES, "C": "Cata"}
    tied = line("prime", dict.fromkeys(three, 0), "tied", values={"A": 24, "B": 24, "C": None}, evidence="shown")
    assert sentence_of(app, tied, "chorizo", three) == "Prime: Ana 24, Beto 24, Cata –, level, nobody"


def test_a_side_that_has_left_is_named_by_its_label(app: Flask) -> None:
    said = line("prime", {**FOR_NOBODY, "C": 1}, "most", **SAID)
    assert sentence_of(app, said, "chorizo", NAMES) == "Prime: C"


def test_the_side_with_all_the_coins_took_them_although_they_give_no_points() -> None:
    won: Any = line("cappotto", FOR_NOBODY, "all", values={"A": 0, "B": 10})
    assert takers_of(won) == ["B"]


PILE = ["7O", "6C"]
MANY = [f"{rank}{suit}" for suit in "OC" for rank in (1, 2, 3, 4, 5, 6, 7)]
GROUNDS: list[tuple[dict[str, Any], list[tuple[str, str, list[str]]]]] = [
    (ALL_SEVENS, [("counted", "Ana has all four sevens", [])]),
    (
        {"counts": {"A": {"cards": 21, "coins": 0}, "B": {"sixes": 1}}},
        [("counted", "Ana has 21 cards", []), ("counted", "Ana has no coins", []), ("counted", "Beto has 1 six", [])],
    ),
    ({"piles": {"A": PILE}}, [("shown", "in the pile of Ana:", PILE)]),
    ({"piles": {"A": MANY}}, [("shown", "14 cards in the pile of Ana", [])]),
    ({"told": {"B": ["7c"]}}, [("said", "in the pile of Beto:", ["7C"])]),
    (
        {"best": {"A": {"C": "figure", "O": 7, "B": None}}},
        [("shown", "Ana laid out as the best: 7 of coins, only figures of cups, no clubs", [])],
    ),
    ({"leftover": ["12O"], "last_capturer": "B"}, [("shown", "left on the table for Beto:", ["12O"])]),
    ({"leftover": ["12O"], "last_capturer": None}, [("shown", "left on the table, nobody's:", ["12O"])]),
    (
        {"awards": {"coins": None, "cards": ["A", "B"]}},
        [("said", "Most coins: nobody", []), ("said", "Most cards: Ana and Beto", [])],
    ),
    (
        {"awards": {"prime": "A"}, "counts": {"A": {"cards": 40}}, "piles": {"A": PILE}},
        [
            ("shown", "in the pile of Ana:", PILE),
            ("counted", "Ana has all forty cards", []),
            ("said", "Prime: Ana", []),
        ],
    ),
]


@pytest.mark.parametrize(("because", "told"), GROUNDS, ids=[" ".join(because) for because, _told in GROUNDS])
def test_what_settles_a_line_is_told_the_strongest_first(
    app: Flask, because: Any, told: list[tuple[str, str, list[str]]]
) -> None:
    with app.test_request_context():
        grounds = [
            (ground.evidence, ground.words, list(ground.cards)) for ground in grounds_of(because, NAMES, "chorizo")
        ]
    assert grounds == told
