"""What a closing page says about the sum of a pile, case by case. Server and script must say the same."""

from __future__ import annotations

from typing import NamedTuple


class PileCase(NamedTuple):
    """Cards tapped into piles, and what the page shows beside a pile (``told``): cards, coins, sum, and a verdict.

    ``given`` are the ranks that wild cards count as.
    """

    name: str
    piles: dict[str, list[str]]
    told: tuple[int, int, int, str]
    pile: str = "A"
    given: dict[str, str] = {}


FIFTEENS = (
    PileCase("nothing", {}, (0, 0, 0, "")),
    PileCase("just begun", {"A": ["7O", "6C"]}, (2, 1, 13, "")),
    PileCase("fifteens", {"A": ["7O", "10C"]}, (2, 1, 15, "✓ fifteens")),
    PileCase("fifteens and the last cards", {"A": ["7O", "10C", "12E"]}, (3, 1, 25, "✓ fifteens and the last cards")),
    PileCase(
        "less over than the last cards come to",
        {"A": ["7O", "6C", "5B"]},
        (3, 1, 18, "18: 15 or 30; with the last cards 10 or 25"),
    ),
    PileCase(
        "more over than the last cards come to",
        {"A": ["7O", "6O", "5B", "10E"]},
        (4, 2, 26, "26: 15 or 30; with the last cards 25 or 40"),
    ),
    PileCase(
        "the last cards shown apart",
        {"A": ["7O", "6C", "5B", "10E"], "left": ["12O"]},
        (4, 1, 26, "26: a pile of fifteens is 15 or 30"),
    ),
    PileCase(
        "the last cards shown apart, and once more in the pile",
        {"A": ["7O", "10C", "12E"], "left": ["12O"]},
        (3, 1, 25, "25: a pile of fifteens is 15 or 30"),
    ),
    PileCase("of the last cards one", {"left": ["12O"]}, (1, 1, 10, ""), pile="left"),
    PileCase("the last cards", {"left": ["12O", "12C", "5E"]}, (3, 1, 25, "✓ fifteens"), pile="left"),
    PileCase(
        "last cards of whole fifteens",
        {"left": ["7O", "10C"]},
        (2, 1, 15, "15: the last cards come to 10 or 25"),
        pile="left",
    ),
    PileCase(
        "last cards that are less than can be",
        {"left": ["12O", "7C"]},
        (2, 1, 17, "17: the last cards come to 10 or 25"),
        pile="left",
    ),
    PileCase("the other side's pile", {"A": ["7C"], "B": ["7O", "10C"]}, (2, 1, 15, "✓ fifteens"), pile="B"),
)
WILD = (
    PileCase("a wild card as printed", {"A": ["12O", "5C"]}, (2, 1, 15, "✓ fifteens")),
    PileCase(
        "a wild card counts as given, and so do the last cards",
        {"A": ["12O", "7C", "10C"]},
        (3, 1, 20, "✓ fifteens and the last cards"),
        given={"12O": "5"},
    ),
    PileCase(
        "a wild card elsewhere changes what the last cards come to",
        {"A": ["7O", "6C", "5B", "10E"], "B": ["12O"]},
        (4, 1, 26, "26: 15 or 30; with the last cards 20 or 35"),
        given={"12O": "5"},
    ),
    PileCase(
        "nothing over in the whole pack",
        {"A": ["7O", "6C", "5B", "10E"]},
        (4, 1, 26, "26: a pile of fifteens is 15 or 30"),
        given={"1O": "6"},
    ),
)
EVEN = (
    PileCase("nothing", {}, (0, 0, 0, "")),
    PileCase("an ace", {"A": ["1O"]}, (1, 1, 1, "")),
    PileCase("even", {"A": ["7O", "1C"]}, (2, 1, 8, "✓ even")),
    PileCase("odd", {"A": ["7O"]}, (1, 1, 7, "7 is odd: in this game every capture adds up to an even sum")),
    PileCase("last cards that are even", {"left": ["7O", "1C"]}, (2, 1, 8, "✓ even"), pile="left"),
    PileCase(
        "last cards that are odd",
        {"left": ["7O", "2C"]},
        (2, 1, 9, "9 is odd: in this game every capture adds up to an even sum"),
        pile="left",
    ),
)
NO_RULE = (PileCase("a game whose sums tell nothing", {"A": ["7O", "6C", "5B", "10E"]}, (4, 1, 26, "")),)

TABLES: dict[str, tuple[dict[str, str], tuple[PileCase, ...]]] = {
    "fifteens": ({"game": "chorizo"}, FIFTEENS),
    "wild": ({"game": "chorizo", "preset": "montevideo"}, WILD),
    "even": ({"game": "scopa"}, EVEN),
    "no rule": ({"game": "cirulla", "shape": "2x1"}, NO_RULE),
}
"""The tables to open, and the cases to try at each."""
