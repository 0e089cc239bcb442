"""A second opinion on finished deals: each item said again in the plainest way, apart from the engine.

It knows the default options of every fishing game, the tie rules, and the five ways to value a prime.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .simulator import MIXED, RANKS, rank, value

Piles = dict[str, list[str]]
Points = dict[str, float]

PRIME_VALUES: dict[str, Callable[[int], float]] = {
    "face": lambda index: index if index <= 7 else 0,
    "half_ace": lambda index: 5.5 if index == 1 else index if index <= 7 else 0,
    "italian": lambda index: {1: 16, 2: 12, 3: 13, 4: 14, 5: 15, 6: 18, 7: 21}.get(index, 10),
    "seventy": lambda index: {1: 11, 2: 4, 3: 6, 4: 8, 5: 10, 6: 14, 7: 17.5}.get(index, 1),
}
DEFAULTS = {
    "chorizo": {"tie": "each_unless_all", "prime": "face", "needs": 0, "two": 4},
    "la_escoba": {"tie": "nobody", "prime": "half_ace", "needs": 4},
    "scopa": {"tie": "nobody", "prime": "italian", "needs": 0},
    "cirulla": {"tie": "nobody", "prime": "italian", "needs": 4},
}
ALIKE = {
    "baciga": "chorizo",
    "scopa_d_assi": "scopa",
    "scopone": "scopa",
    "scopone_scientifico": "scopa",
    "scopa_di_quindici": "scopa",
    "cirullone": "cirulla",
}


def share(values: dict[str, float | None], tie: str) -> list[str]:
    """Who takes a majority; a value of None does not compete."""
    best = max((each for each in values.values() if each is not None), default=0)
    if best <= 0:
        return []
    top = [side for side, each in values.items() if each == best]
    if len(top) == 1 or tie == "each":
        return top
    if tie == "each_unless_all":
        return top if len(top) < len(values) else []
    if tie == "best_untied":
        for wanted in sorted({each for each in values.values() if each}, reverse=True):
            alone = [side for side, each in values.items() if each == wanted]
            if len(alone) == 1:
                return alone
    return []


def prime_value(pile: Sequence[str], method: str, matta: int | None = None) -> float:
    """Add up the best card of each suit."""
    total = 0.0
    for suit in "OCEB":
        cards = [matta if card == "7C" and matta else rank(card) for card in pile if card[-1] == suit]
        total += max((PRIME_VALUES[method](index) for index in cards), default=0)
    return total


def score(request: dict[str, Any]) -> dict[str, Points]:
    """Give the points of every item at the end of a finished deal with default options, by item and side."""
    game, deal = request["game"], request["deal"]
    sides = request["sides"]
    piles: Piles = {side: list(deal["piles"].get(side, [])) for side in sides}
    if deal.get("last_capturer"):
        piles[deal["last_capturer"]] += deal.get("leftover", [])
    base = ALIKE.get(game, game)
    rules: dict[str, Any] = DEFAULTS.get(base, {"tie": "nobody"})
    matta = int(deal["as"]["7C"]) if "as" in deal else None
    lines: dict[str, Points] = {}

    def give(item: str, winners: Sequence[str], points: float = 1) -> None:
        lines[item] = {side: points if side in winners else 0 for side in sides}

    def most(item: str, wanted: Callable[[str], bool], points: float = 1) -> None:
        counts: dict[str, float | None] = {side: sum(map(wanted, pile)) for side, pile in piles.items()}
        give(item, share(counts, rules["tie"]), points)

    def holders(*cards: str) -> list[str]:
        return [side for side, pile in piles.items() if set(cards) <= set(pile)]

    coins = [f"{index}O" for index in RANKS]
    sevens = [f"7{suit}" for suit in "OCEB"]
    most("cards", lambda card: True)
    most("coins", lambda card: card[-1] == "O")
    give("seven_of_coins", holders("7O"))
    if "prime" in rules:
        values: dict[str, float | None] = {}
        for side, pile in piles.items():
            suits = len({card[-1] for card in pile})
            values[side] = prime_value(pile, rules["prime"], matta) if suits >= rules["needs"] else None
        give("prime", share(values, rules["tie"]))
    if base == "chorizo":
        give("two_of_clubs", holders("2B"), rules["two"])
    if base in ("escoba", "la_escoba"):
        most("sevens", lambda card: rank(card) == 7)
        all_of_them = holders(*sevens)
        give("all_sevens", all_of_them, 2 if base == "escoba" else 3)
        if all_of_them:
            give("sevens", [])
    if base == "escopa":
        give("all_sevens", holders(*sevens))
        give("fifty_cards", [side for side, pile in piles.items() if len(pile) >= 40], 2)
        if any(len(pile) >= 40 for pile in piles.values()):
            give("cards", [])
        give("all_coins", holders(*coins), 3)
    if base in ("la_escoba", "escova"):
        give("all_coins", holders(*coins), 2)
        if holders(*coins):
            give("coins", [])
    if base == "la_escoba":
        leaders = share({side: len(pile) for side, pile in piles.items()}, "nobody")
        few = [side for side in leaders if all(len(piles[other]) < 10 for other in sides if other != side)]
        give("few_cards", few, 2)
    if base == "chkobba":
        count: Callable[[int], dict[str, float | None]] = lambda index: {  # noqa: E731
            side: sum(rank(card) == index for card in pile) for side, pile in piles.items()
        }
        give("barmila", share(count(7), "nobody") or share(count(6), "nobody"))
    if base == "cirulla":
        give("grande", holders("10O", "11O", "12O"), 5)
        lines["piccola"] = {side: _piccola(pile) for side, pile in piles.items()}
        lines["cappotto"] = dict.fromkeys(sides, 0)
    lines["sweeps"] = dict(deal["sweeps"])
    opening = _opening(request, matta)
    if opening:
        give("table_sweep", [deal["dealer"]], opening)
    return lines


def _piccola(pile: Sequence[str]) -> int:
    length = 0
    while length < 6 and f"{length + 1}O" in pile:
        length += 1
    return length if length >= 3 else 0


def _opening(request: dict[str, Any], matta: int | None) -> int:
    game, layout = request["game"], request["deal"].get("layout", [])
    if game not in ("chorizo", "baciga", "la_escoba", "escopa", *MIXED):
        return 0
    total = sum(value(card, game, matta) for card in layout)
    return {15: 1, 30: 2}.get(total, 0)


def declared(cards: Sequence[str], low: str = "nine_and_misery") -> dict[str, int]:
    """Give what three cards hold in Chorizo (or, with ``low`` "baciga", in Báciga)."""
    places = sorted(RANKS.index(rank(card)) for card in cards)
    total = sum(value(card, "chorizo") for card in cards)
    found = {}
    if len({card[-1] for card in cards}) == 1:
        found["flush"] = 3
    if places[2] - places[1] == places[1] - places[0] == 1:
        found["run"] = 3
    if low == "baciga":
        if total <= 9:
            found["baciga"] = 2
    elif total == 9:
        found["three_for_nine"] = 3
    elif total <= 7:
        found["misery"] = 2
    if len(set(places)) == 1:
        found["three_of_a_kind"] = 20
    return found


def settled(
    judge: Callable[[Piles], Points],
    piles: Piles,
    loose: Sequence[str],
    agrees: Callable[[Piles], bool] = lambda _: True,
) -> Points | None:
    """Give an item's points where every way of giving out the loose cards yields the same, else None."""
    sides = list(piles)
    ways: list[Piles] = [piles]
    for card in loose:
        ways = [{**way, side: [*way[side], card]} for way in ways for side in sides]
    outcomes = {tuple(judge(way).items()) for way in ways if agrees(way)}
    return dict(outcomes.pop()) if len(outcomes) == 1 else None
