"""A second opinion on finished deals: it scores each item in the plainest way, without the engine.

It knows the options of every fishing game, the tie rules, and the ways to value a prime. Of wild cards it knows what
rank they were given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .simulator import ITEMS, RANKS, opening_of, rank, value

Options = dict[str, Any]
Piles = dict[str, list[str]]
Points = dict[str, float]
Values = dict[str, float | None]
Given = Mapping[str, int]
"""The ranks that wild cards were given, by card."""
NOTHING_GIVEN: Given = {}

PRIME_VALUES: dict[str, Callable[[int], float]] = {
    "face": lambda index: index if index <= 7 else 0,
    "half_ace": lambda index: 5.5 if index == 1 else index if index <= 7 else 0,
    "italian": lambda index: {1: 16, 2: 12, 3: 13, 4: 14, 5: 15, 6: 18, 7: 21}.get(index, 10),
    "seventy": lambda index: {1: 11, 2: 4, 3: 6, 4: 8, 5: 10, 6: 14, 7: 17.5}.get(index, 1),
}
SPECIAL = {
    "seven_of_coins": "7O",
    "two_of_clubs": "2B",
    "one_of_coins": "1O",
    "twelve_of_coins": "12O",
    "one_of_swords": "1E",
    "one_of_clubs": "1B",
    "seven_of_swords": "7E",
}
SEVENS = [f"7{suit}" for suit in "OCEB"]
COINS = [f"{index}O" for index in RANKS]
ALL_COINS_POINTS = {"escopa": 3}
"""The points for all the coins in games where they are not 2."""
ALL_SEVENS_POINTS = {"escoba": 2, "escopa": 1}
"""The points for all the sevens in games where they are not 3 and no option sets them."""
STACKS = {"instead": (0, None), "added": (1, None), "plus_one": (1, 1)}
"""For each way of stacking: whether the majority still scores, and the points for all (None: the usual points)."""


KNOWN_ITEMS = {
    *SPECIAL,
    *("cards", "coins", "sevens", "figures", "prime", "barmila"),
    *("all_coins", "all_sevens", "few_cards", "fifty_cards", "grande", "piccola", "cappotto"),
    *("sweeps", "table_sweep", "table_flush", "renuncio", "wrong_capture"),
}
"""The items that :func:`score` scores."""
KNOWN_COMBINATIONS = {
    *("flush", "run", "three_for_nine", "misery", "baciga", "baciga_pairs", "three_of_a_kind"),
    *("sweep_in_hand", "twenty_in_suit", "low_hand", "false_declaration"),
}
"""The combinations that :func:`declared` and :func:`claimed` score."""


def share(values: Values, tie: str) -> list[str]:
    """Return the sides that take a majority; a value of None does not compete."""
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


def prime_value(pile: Sequence[str], method: str, given: Given = NOTHING_GIVEN) -> float:
    """Add up the best card of each suit, or count the sevens."""
    ranks = {card: given.get(card, rank(card)) for card in pile}
    if method == "sevens_count":
        return sum(index == 7 for index in ranks.values())
    best = [max((PRIME_VALUES[method](ranks[card]) for card in pile if card[-1] == suit), default=0) for suit in "OCEB"]
    return sum(best)


def has_pips(pile: Sequence[str], given: Given = NOTHING_GIVEN) -> bool:
    """Return whether every suit has a card from ace to seven."""
    return all(any(card[-1] == suit and given.get(card, rank(card)) <= 7 for card in pile) for suit in "OCEB")


@dataclass
class Opinion:
    """The lines of a finished deal, filled in one after another."""

    game: str
    options: Options
    piles: Piles
    tie: str
    lines: dict[str, Points] = field(default_factory=dict)

    def scores(self, item: str) -> bool:
        """Return whether the game has such an item."""
        return item in ITEMS[self.game]

    def on(self, option: str, default: Any = None) -> Any:
        """Return the value of an option, or the default where the game does not have the option."""
        return self.options.get(option, default)

    def give(self, item: str, winners: Sequence[str], points: float = 1) -> None:
        """Write a line with the same points for each winner."""
        self.lines[item] = {side: points if side in winners else 0 for side in self.piles}

    def count(self, wanted: Callable[[str], bool]) -> Values:
        """Return how many such cards each side has."""
        return {side: sum(map(wanted, pile)) for side, pile in self.piles.items()}

    def holders(self, *cards: str) -> list[str]:
        """Return the sides that have all these cards in a pile."""
        return [side for side, pile in self.piles.items() if set(cards) <= set(pile)]

    def all_or_most(self, item: str, whole: str, cards: Sequence[str], points: int, stack: str, tie: str) -> None:
        """Write the line for all the cards of a kind, and the line for most of them."""
        majority_scores, alone = STACKS[stack]
        holders = self.holders(*cards)
        self.give(whole, holders, points if alone is None else alone)
        most = share(self.count(lambda card: card in cards), tie)
        self.give(item, most if not holders or majority_scores else [])


def score(request: dict[str, Any], options: Options) -> dict[str, Points]:
    """Return the points of every item of a finished deal, by item and side; ``options`` are all of the table's."""
    game, deal = request["game"], request["deal"]
    piles: Piles = {side: list(deal["piles"].get(side, [])) for side in request["sides"]}
    if deal.get("last_capturer") and options.get("last_cards") != "nobody":
        piles[deal["last_capturer"]] += deal.get("leftover", [])
    tie = options.get("tie_rule", "nobody")
    third = options.get("three_player_tie_to_third") and len(piles) == 3
    opinion = Opinion(game, options, piles, "best_untied" if third else tie)
    given = {card: int(face.rstrip("OCEB")) for card, face in deal.get("as", {}).items()}
    matta = given.get("7C")
    _cards(opinion, deal)
    _coins_and_special_cards(opinion)
    _sevens(opinion, tie)
    _prime(opinion, NOTHING_GIVEN if options.get("matta_in_prime") == "natural" else given)
    _items_of_one_game(opinion, tie)
    if opinion.on("pts_sweeps", 1):
        opinion.lines["sweeps"] = {side: deal["sweeps"].get(side, 0) for side in piles}
    total = opening_of(game, deal.get("layout", []), options, matta)
    opening = _opening(game, total, options)
    if opening:
        opinion.give("table_sweep", [deal["dealer"]], opening)
    if options.get("table_flush"):
        alike = max(sum(card[-1] == suit for card in deal.get("layout", [])) for suit in "OCEB")
        if alike >= 3:
            opinion.give("table_flush", [deal["dealer"]], alike)
    if deal.get("penalties"):
        _penalties(opinion, deal, total // 15)
    return opinion.lines


def _cards(opinion: Opinion, deal: dict[str, Any]) -> None:
    counts = opinion.count(lambda card: True)
    winners = share(counts, opinion.tie)
    if opinion.on("fifty_cards_at", "off") != "off":
        many = [side for side, pile in opinion.piles.items() if len(pile) >= opinion.on("fifty_cards_at")]
        opinion.give("fifty_cards", many, 2)
        winners = [] if many else winners
    if opinion.on("wrong_capture_mode") == "void_cards":
        barred = [fault["side"] for fault in deal.get("penalties", []) if fault["item"] == "wrong_capture"]
        winners = [side for side in winners if side not in barred]
    opinion.give("cards", winners)
    if opinion.on("pts_few_cards"):
        leader = share(counts, "nobody")
        few = [side for side in leader if all(len(pile) < 10 for other, pile in opinion.piles.items() if other != side)]
        opinion.give("few_cards", few, opinion.on("pts_few_cards"))


def _coins_and_special_cards(opinion: Opinion) -> None:
    if opinion.scores("all_coins"):
        points, stack = ALL_COINS_POINTS.get(opinion.game, 2), opinion.on("all_coins_stack", "instead")
        opinion.all_or_most("coins", "all_coins", COINS, points, stack, opinion.tie)
    else:
        opinion.give("coins", share(opinion.count(lambda card: card[-1] == "O"), opinion.tie))
    for item, card in SPECIAL.items():
        points = opinion.on(f"pts_{item}", 1 if item == "seven_of_coins" else 0)
        if points:
            opinion.give(item, opinion.holders(card), points)


def _sevens(opinion: Opinion, tie: str) -> None:
    points = opinion.on("pts_all_sevens", ALL_SEVENS_POINTS.get(opinion.game, 3))
    if opinion.scores("sevens"):
        opinion.all_or_most("sevens", "all_sevens", SEVENS, points, opinion.on("all_sevens_stack", "instead"), tie)
    elif opinion.scores("all_sevens") and points:
        opinion.give("all_sevens", opinion.holders(*SEVENS), points)


def _prime(opinion: Opinion, given: Given) -> None:
    method = opinion.on("prime_method", "italian" if opinion.scores("prime") else "off")
    if method == "off":
        return
    suits = opinion.on("prime_suits_required", 4)
    values: Values = {}
    for side, pile in opinion.piles.items():
        competes = method == "sevens_count" or (
            len({card[-1] for card in pile}) >= suits
            and (has_pips(pile, given) or not opinion.on("prime_needs_pip"))
            and (any(given.get(card, rank(card)) == 7 for card in pile) or not opinion.on("prime_needs_seven"))
        )
        values[side] = prime_value(pile, method, given) if competes else None
    winners = share(values, opinion.tie)
    if opinion.on("three_player_tie_to_third") and method != "sevens_count" and not share(values, "nobody"):
        winners = [side for side in winners if has_pips(opinion.piles[side], given)]
    void = opinion.on("prime_void_if_all_sevens") and opinion.holders(*SEVENS)
    opinion.give("prime", [] if void else winners)


def _items_of_one_game(opinion: Opinion, tie: str) -> None:
    if opinion.on("pts_figures"):
        opinion.give("figures", share(opinion.count(lambda card: rank(card) >= 10), tie))
    if opinion.scores("barmila"):
        sevens, sixes = (opinion.count(lambda card, index=index: rank(card) == index) for index in (7, 6))  # type: ignore[misc]
        opinion.give("barmila", share(sevens, "nobody") or share(sixes, "nobody"))
    if opinion.scores("grande"):
        opinion.give("grande", opinion.holders("10O", "11O", "12O"), 5)
    if opinion.scores("piccola"):
        opinion.lines["piccola"] = {side: _piccola(pile) for side, pile in opinion.piles.items()}
    if opinion.on("cappotto_wins"):
        opinion.give("cappotto", [], 0)


def _piccola(pile: Sequence[str]) -> int:
    length = 0
    while length < 6 and f"{length + 1}O" in pile:
        length += 1
    return length if length >= 3 else 0


def _opening(game: str, total: int, options: Options) -> int:
    if total == 15:
        return int(options.get("pts_table_sweep", 1))
    return total // 15


def _penalties(opinion: Opinion, deal: dict[str, Any], opening: int) -> None:
    """Write the lines of La escoba's faults: the points given up for a renuncio, the cost of a wrong capture."""
    made = {side: sum(line[side] for line in opinion.lines.values()) for side in opinion.piles}
    ways = {"renuncio": opinion.on("renuncio_mode"), "wrong_capture": opinion.on("wrong_capture_mode")}
    faults = {item: [each["side"] for each in deal["penalties"] if each["item"] == item] for item in ways}
    forfeits = {item: faults[item] for item, way in ways.items() if way in ("forfeit", "as_renuncio") and faults[item]}
    innocent = [side for side in opinion.piles if not any(side in sides for sides in forfeits.values())]
    for item, offenders in forfeits.items():
        opinion.give(item, [], 0)
        for offender in dict.fromkeys(offenders):
            lost, made[offender] = made[offender], 0
            opinion.lines[item][offender] -= lost
            for side in innocent:
                split = opinion.on("renuncio_share") == "split"
                opinion.lines[item][side] += lost // len(innocent) if split else lost
    if ways["wrong_capture"] == "four_plus_sweeps" and faults["wrong_capture"]:
        cost = 4 + sum(deal["sweeps"].values()) + opening
        times = faults["wrong_capture"].count
        opinion.lines["wrong_capture"] = {side: -cost * times(side) for side in opinion.piles}


def worth(game: str, options: Options, players: int = 2) -> dict[str, int]:
    """Return the points of every combination that is declared at a table."""
    low = options.get("low_combos")
    if "low_hand" in ITEMS[game]:
        points = {"three_of_a_kind": 10, "low_hand": 3}
    else:
        points = {
            "flush": options.get("pts_flush", 3),
            "run": 3 * (low is not None),
            "three_for_nine": 3 * (low == "nine_and_misery"),
            "misery": 2 * (low == "nine_and_misery"),
            "baciga": 2 * (low == "baciga"),
            "baciga_pairs": options.get("pts_baciga_pairs", 0) * (low == "baciga"),
            "three_of_a_kind": options["pts_three_of_a_kind"],
            "twenty_in_suit": options.get("pts_twenty_in_suit", 0),
            "sweep_in_hand": options["pts_sweep_in_hand"] * (game != "la_escoba" or players in (3, 4)),
        }
    return {item: each for item, each in points.items() if each}


def held(game: str, cards: Sequence[str]) -> set[str]:
    """Return the combinations that three cards hold, played or not; no wild cards, and no matta."""
    ranks = [rank(card) for card in cards]
    places = sorted(map(RANKS.index, ranks))
    total = sum(value(card, game) for card in cards)
    suits = {card[-1] for card in cards}
    holds = {
        "flush": len(suits) == 1,
        "run": places[2] - places[1] == places[1] - places[0] == 1,
        "three_for_nine": total == 9,
        "misery": total <= 7,
        "baciga": total <= 9,
        "baciga_pairs": total <= 9 and len(set(ranks)) == 2,
        "low_hand": total <= 9,
        "three_of_a_kind": len(set(ranks)) == 1,
        "twenty_in_suit": any({f"12{suit}", f"11{suit}"} <= set(cards) for suit in suits),
        "sweep_in_hand": total == 15,
    }
    return {item for item, holds_it in holds.items() if holds_it}


def declared(game: str, cards: Sequence[str], options: Options, players: int = 2) -> dict[str, int]:
    """Return the points of the combinations that three cards hold; no wild cards, and no matta."""
    points = worth(game, options, players)
    scored = held(game, cards) & set(points)
    if {"low_hand", "three_of_a_kind"} <= scored and options["low_and_three"] == "max":
        scored.remove("low_hand")
    if "baciga_pairs" in scored:
        scored.remove("baciga")
    return {item: points[item] for item in scored}


def claimed(
    game: str, cards: Sequence[str], items: Sequence[str], options: Options, players: int = 2
) -> tuple[dict[str, int], int, bool]:
    """Return what a claim of some combinations scores with these cards.

    These are the points of the claims that are true, the points of each opponent for those that are false, and whether
    there is a warning, as those cost nothing.
    """
    points, true = worth(game, options, players), held(game, cards) & set(items)
    dropped = set()
    if {"low_hand", "three_of_a_kind"} <= true and options["low_and_three"] == "max":
        dropped.add("low_hand")
    if "baciga_pairs" in true:
        dropped.add("baciga")
    false = set(items) - true
    price = sum(points[item] for item in false) if options.get("false_declaration") == "each_opponent" else 0
    return {item: points[item] for item in true - dropped}, price, bool(false) and not price


def settled(
    judge: Callable[[Piles], Points],
    piles: Piles,
    loose: Sequence[str],
    agrees: Callable[[Piles], bool] = lambda _: True,
) -> Points | None:
    """Return an item's points where every way to deal out the loose cards yields the same, else None."""
    sides = list(piles)
    ways: list[Piles] = [piles]
    for card in loose:
        ways = [{**way, side: [*way[side], card]} for way in ways for side in sides]
    outcomes = {tuple(judge(way).items()) for way in ways if agrees(way)}
    return dict(outcomes.pop()) if len(outcomes) == 1 else None
