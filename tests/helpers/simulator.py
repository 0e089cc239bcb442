"""Random legal deals of every fishing game, played card by card: slow, plain, and without the engine.

They follow all options except those on wild cards and declarations, which other tests cover.

Cards are words ("7O"), a table is a list, and captures are found by trying every subset. What comes out is a request in
the contract's shape, with all that an attentive table would have noted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

from scorekeeper import rules
from scorekeeper.rules.fishing.game import FishingGame
from scorekeeper.rules.fishing.rules import FishingRules

RANKS = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12)
PACK = [f"{rank}{suit}" for suit in "OCEB" for rank in RANKS]
NO_OPTIONS: Mapping[str, Any] = {}

# What there is to play comes from the engine, so that no game is forgotten: the games, their line-ups and items, the
# defaults of their options, how many cards are dealt and the name of the capture rule. What follows from an option or
# from a name, who may take what and what it is worth, is said here once more.
KNOWN = {game["id"]: game for game in rules.games()["games"] if game["family"] == "fishing"}
GAMES = tuple(KNOWN)
LINE_UPS = {id: [(seat["sides"], seat["players_per_side"]) for seat in game["seats"]] for id, game in KNOWN.items()}
ITEMS = {id: frozenset(item["id"] for item in game["items"]) for id, game in KNOWN.items()}
USUAL: dict[str, dict[str, Any]] = {
    id: {option["id"]: option["default"] for option in game["options"]} | game["presets"][game["default_preset"]]
    for id, game in KNOWN.items()
}
"""The default of every option of a game."""


@lru_cache(maxsize=64)
def dealt_by(game: str) -> FishingRules:
    """Return the engine's rules of a game, for the size of its hands and the name of its captures alone."""
    sides, players_per_side = LINE_UPS[game][0]
    labels = [str(number) for number in range(sides)]
    table = rules.read_table({"game": game, "sides": labels, "players_per_side": players_per_side}, rules.Problems())
    assert table is not None
    assert isinstance(table.game, FishingGame)
    return table.game.rules


CAPTURES = {game: dealt_by(game).capture_rule for game in GAMES}
FIFTEENS = tuple(game for game in GAMES if CAPTURES[game] in ("sum15", "sum15k"))
SUMS = tuple(game for game in GAMES if CAPTURES[game] in ("rank_else_sum", "rank_else_sum_ace"))
MIXED = tuple(game for game in GAMES if CAPTURES[game] == "cirulla")


def _tables() -> list[tuple[str, int, int]]:
    """Return each game with its first line-up, and each other line-up once for every way to capture."""
    found, seen = [], set()
    for game in GAMES:
        for number, (sides, players) in enumerate(LINE_UPS[game]):
            kind = (CAPTURES[game], sides, players)
            if number == 0 or kind not in seen:
                found.append((game, sides, players))
            seen.add(kind)
    return found


TABLES = _tables()
"""The games and line-ups that are played: game, sides and players per side."""


def rank(card: str) -> int:
    return int(card[:-1])


def value(card: str, game: str, matta: int | None = None, options: Mapping[str, Any] = NO_OPTIONS) -> int:
    """Return the capture value; in Tunisia the queen is below the jack; the matta may count as another rank."""
    index = matta if card == "7C" and matta is not None else rank(card)
    order = options.get("figure_values", USUAL[game].get("figure_values"))
    if order == "queen8_jack9" and index in (10, 11):
        return {11: 8, 10: 9}[index]
    return index if index <= 7 else index - 2


def shown_rank(card: str, matta: int | None) -> int:
    return matta if card == "7C" and matta is not None else rank(card)


def legal_sets(
    game: str, table: list[str], card: str, matta: int | None = None, options: Mapping[str, Any] = NO_OPTIONS
) -> list[tuple[str, ...]]:
    """Return every set that a card may take, by trying them all."""
    own = value(card, game, matta, options)
    subsets = [taken for size in range(1, len(table) + 1) for taken in combinations(table, size)]
    total = {taken: sum(value(other, game, matta, options) for other in taken) for taken in subsets}
    alike = [(other,) for other in table if shown_rank(other, matta) == shown_rank(card, matta)]
    is_ace = shown_rank(card, matta) == 1
    if CAPTURES[game] == "sum15k":
        return [taken for taken in subsets if (total[taken] + own) % 15 == 0]
    if CAPTURES[game] == "sum15":
        return [taken for taken in subsets if total[taken] + own == 15]
    if CAPTURES[game] == "rank_else_sum_ace" and is_ace:
        return alike or ([tuple(table)] if table else [])
    sums = [taken for taken in subsets if len(taken) > 1 and total[taken] == own]
    if game in MIXED:
        if is_ace and alike:
            return alike
        fifteens = [taken for taken in subsets if total[taken] + own == 15]
        everything = [tuple(table)] if is_ace and table else []
        return list(dict.fromkeys(alike + sums + fifteens + everything))
    return alike or sums


def opening_of(game: str, layout: list[str], options: Mapping[str, Any] = NO_OPTIONS, matta: int | None = None) -> int:
    """Return 15 or 30 where the dealer takes the opening layout, else 0."""
    agreed = {**USUAL[game], **options}
    takes_30 = agreed.get("table_sweep_30", "two_sweeps") == "two_sweeps"
    taken = (15, 30) if takes_30 else (15,)
    if "table_sweep" not in ITEMS[game] or agreed.get("table_sweep") == "off":
        taken = ()
    total = sum(value(card, game, matta) for card in layout)
    return total if total in taken else 0


def may_leave(
    game: str, card: str, sets: list[tuple[str, ...]], matta: int | None = None, options: Mapping[str, Any] = NO_OPTIONS
) -> bool:
    """Return whether a played card that could take these sets may stay on the table."""
    obligation = options.get("obligation", USUAL[game].get("obligation", "card"))
    if not sets or obligation == "free":
        return True
    if obligation != "rank_only" or (CAPTURES[game] == "rank_else_sum_ace" and rank(card) == 1):
        return False
    return not any(len(taken) == 1 and rank(taken[0]) == rank(card) for taken in sets)


@dataclass
class Played:
    """The result of a simulated deal."""

    request: dict[str, Any]
    is_redealt: bool = False
    asked: list[tuple[list[str], str, list[str], int | None, list[tuple[str, ...]]]] = field(default_factory=list)
    """Every turn: table, card, rest of the hand, the matta's rank, and the legal sets."""


def play(
    game: str, sides: int, players_per_side: int, random: Random, options: Mapping[str, Any] = NO_OPTIONS
) -> Played:
    """Play one deal; every capture and every discard is legal under the options, or the game's default ones."""
    options = {**USUAL[game], **options}
    labels = [chr(ord("A") + number) for number in range(sides)]
    players = sides * players_per_side
    pack = PACK[:]
    random.shuffle(pack)
    dealer = random.randrange(players)
    deal: dict[str, Any] = {"dealer": labels[dealer % sides]}
    request = {"game": game, "sides": labels, "players_per_side": players_per_side, "deal": deal}
    table = [pack.pop() for _ in range(dealt_by(game).layout_size)]
    if table:
        deal["layout"] = table[:]
    played = Played(request)
    if _is_void(table, options):
        played.is_redealt = True
        return played
    piles: dict[str, list[str]] = {label: [] for label in labels}
    sweeps = dict.fromkeys(labels, 0)
    last: str | None = None
    matta: int | None = None
    if "7C" in table and options.get("matta_in_layout") == "on":
        others = sum(value(card, game) for card in table if card != "7C")
        for wanted in (15, 30):
            if 1 <= wanted - others <= 10:
                matta = next(index for index in RANKS if (index if index <= 7 else index - 2) == wanted - others)
    if opening_of(game, table, options, matta):
        last = deal["dealer"]
        piles[last] += table
        table.clear()
    hand_size = dealt_by(game).hand_size
    while pack:
        hands = [[pack.pop() for _ in range(hand_size)] for _ in range(players)]
        for turn in range(hand_size * players):
            seat = (dealer + 1 + turn) % players
            hand, side = hands[seat], labels[seat % sides]
            able = [card for card in hand if legal_sets(game, table, card, matta, options)]
            must = options.get("obligation") == "hand"
            card = random.choice(able if must and able else hand)
            hand.remove(card)
            sets = legal_sets(game, table, card, matta, options)
            played.asked.append((table[:], card, hand[:], matta, sets))
            if not sets or (may_leave(game, card, sets, matta, options) and random.random() < 0.2):
                table.append(card)
                continue
            taken = random.choice(sets)
            is_last = not pack and turn == hand_size * players - 1
            sweeps[side] += _sweeps(game, table, card, taken, is_last, matta, options)
            piles[side] += [card, *taken]
            table = [other for other in table if other not in taken]
            last = side
    deal.update(sweeps=sweeps, last_capturer=last, leftover=table, piles=piles)
    if matta is not None:
        deal["as"] = {"7C": str(matta)}
    return played


def _is_void(table: list[str], options: Mapping[str, Any]) -> bool:
    ranks = [rank(card) for card in table]
    for option, concerned in (("redeal_kings", 12), ("redeal_aces", 1)):
        if options.get(option, "off") != "off" and ranks.count(concerned) >= options[option]:
            return True
    alike = options.get("redeal_same_rank", "off")
    return alike != "off" and any(ranks.count(each) >= alike for each in ranks)


def _sweeps(
    game: str,
    table: list[str],
    card: str,
    taken: tuple[str, ...],
    is_last: bool,
    matta: int | None,
    options: Mapping[str, Any],
) -> int:
    if len(taken) != len(table):
        return 0
    total = value(card, game, matta) + sum(value(other, game, matta) for other in taken)
    if is_last and not options.get("last_play_sweep", game not in MIXED):
        return 0
    if CAPTURES[game] == "sum15k":
        return total // 15
    takes_all = shown_rank(card, matta) == 1 and not any(shown_rank(other, matta) == 1 for other in table)
    if CAPTURES[game] == "rank_else_sum_ace" and rank(card) == 1:
        return int(not takes_all and options.get("ace_on_ace_sweep", True))
    if game in MIXED and takes_all and total != 15:
        return int(options.get("ace_sweep_scores", True))
    return 1
