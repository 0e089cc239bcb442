"""What a closing page says about the sum of a pile, case by case. Server and script must say the same."""

from __future__ import annotations

from typing import NamedTuple


class PileCase(NamedTuple):
    """Cards tapped into piles, and what the page shows beside a pile (``told``): cards, coins, sum, and a verdict.

    ``rest`` is the side that has the rest of the pack.

    ``given`` are the ranks that wild cards count as.
    """

    name: str
    piles: dict[str, list[str]]
    told: tuple[int, int, int, str]
    pile: str = "A"
    given: dict[str, str] = {}
    rest: str = ""


FIFTEENS = (
    PileCase("nothing", {}, (0, 0, 0, "")),
    PileCase("just begun", {"A": ["7O", "6C"]}, (2, 1, 13, "")),
    PileCase("fifteens", {"A": ["7O", "10C"]}, (2, 1, 15, "Exact: 15 is one fifteen.")),
    PileCase(
        "fifteens and the last cards",
        {"A": ["7O", "10C", "12E"]},
        (3, 1, 25, "Exact: 25 is fifteens and the last cards."),
    ),
    PileCase(
        "less over than the last cards come to",
        {"A": ["7O", "6C", "5B"]},
        (3, 1, 18, "One card too many or too few: 15, 25 or 30."),
    ),
    PileCase(
        "more over than the last cards come to",
        {"A": ["7O", "6O", "5B", "10E"]},
        (4, 2, 26, "One card too many or too few: 15, 25 or 30."),
    ),
    PileCase(
        "the last cards shown apart",
        {"A": ["7O", "6C", "5B", "10E"], "left": ["12O"]},
        (4, 1, 26, "One card too many or too few: 15 or 30."),
    ),
    PileCase(
        "the last cards shown apart, and once more in the pile",
        {"A": ["7O", "10C", "12E"], "left": ["12O"]},
        (3, 1, 25, "One card too many or too few: 15 or 30."),
    ),
    PileCase("of the last cards one", {"left": ["12O"]}, (1, 1, 10, ""), pile="left"),
    PileCase(
        "the last cards", {"left": ["12O", "12C", "5E"]}, (3, 1, 25, "Exact: the last cards add up to 25."), pile="left"
    ),
    PileCase(
        "last cards of whole fifteens",
        {"left": ["7O", "10C"]},
        (2, 1, 15, "The last cards add up to 10 or 25, not 15."),
        pile="left",
    ),
    PileCase(
        "last cards that are less than can be",
        {"left": ["12O", "7C"]},
        (2, 1, 17, "The last cards add up to 10 or 25, not 17."),
        pile="left",
    ),
    PileCase(
        "many fifteens",
        {"A": ["7O", "10C", "7C", "10O", "7E", "10E"]},
        (6, 2, 45, "Exact: 45 is three fifteens."),
    ),
    PileCase(
        "the rest of the pack, with the last cards in it",
        {"A": ["7O", "10C"]},
        (38, 9, 205, "Exact: 205 is fifteens and the last cards."),
        pile="B",
        rest="B",
    ),
    PileCase(
        "the other side's pile", {"A": ["7C"], "B": ["7O", "10C"]}, (2, 1, 15, "Exact: 15 is one fifteen."), pile="B"
    ),
)
WILD = (
    PileCase("a wild card as printed", {"A": ["12O", "5C"]}, (2, 1, 15, "Exact: 15 is one fifteen.")),
    PileCase(
        "a wild card counts as given, and so do the last cards",
        {"A": ["12O", "7C", "10C"]},
        (3, 1, 20, "Exact: 20 is fifteens and the last cards."),
        given={"12O": "5"},
    ),
    PileCase(
        "a wild card elsewhere changes what the last cards come to",
        {"A": ["7O", "6C", "5B", "10E"], "B": ["12O"]},
        (4, 1, 26, "One card too many or too few: 15, 20 or 30."),
        given={"12O": "5"},
    ),
    PileCase(
        "nothing over in the whole pack",
        {"A": ["7O", "6C", "5B", "10E"]},
        (4, 1, 26, "One card too many or too few: 15 or 30."),
        given={"1O": "6"},
    ),
)
EVEN = (
    PileCase("nothing", {}, (0, 0, 0, "")),
    PileCase("an ace", {"A": ["1O"]}, (1, 1, 1, "")),
    PileCase("even", {"A": ["7O", "1C"]}, (2, 1, 8, "Exact: 8 is even.")),
    PileCase("odd", {"A": ["7O"]}, (1, 1, 7, "7 is odd: in this game every capture adds up to an even sum")),
    PileCase("last cards that are even", {"left": ["7O", "1C"]}, (2, 1, 8, "Exact: 8 is even."), pile="left"),
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
