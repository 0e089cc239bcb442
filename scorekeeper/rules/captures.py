"""Captures: every legal set a card may take, and whether it may be left on the table instead (rules §0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from . import shape
from .cards import CODES, PACK_VALUE, RANKS, SUIT_MASK, cards_of, pile_of, rank_of, rank_pile
from .evidence import read_cards
from .fishing import FishingGame, FishingRules
from .problems import Problems

FIFTEEN = 15

LARGEST_TABLE = 20
"""Cards on the table beyond which the multiples of fifteen are not listed: there would be tens of thousands of sets."""

ACE = 0
"""Rank position of the ace."""


@dataclass(frozen=True)
class Capture:
    """A legal set: the cards taken as a pile, and the sweeps it makes."""

    takes: int
    sweep: int


HALVES = (SUIT_MASK | SUIT_MASK << 10, (SUIT_MASK | SUIT_MASK << 10) << 20)


@lru_cache(maxsize=65536)
def _half(cards: int, values: tuple[int, ...], most: int) -> dict[int, tuple[int, ...]]:
    """Give the subsets of a pile (of two suits) by their total, up to ``most``; the empty one under 0."""
    by_sum: dict[int, tuple[int, ...]] = {0: (0,)}
    for card in cards_of(cards):
        value = values[rank_of(card)]
        for total, subsets in sorted(by_sum.items(), reverse=True):
            if total + value <= most:
                by_sum[total + value] = by_sum.get(total + value, ()) + tuple(subset | 1 << card for subset in subsets)
    return by_sum


def subsets_with_sum(layout: int, wanted: int, values: tuple[int, ...]) -> list[int]:
    """Give every non-empty subset of a layout whose capture values add up to ``wanted``."""
    most = FIFTEEN if wanted <= FIFTEEN else PACK_VALUE
    low = _half(layout & HALVES[0], values, most)
    high = _half(layout & HALVES[1], values, most)
    return [
        one | other
        for total, subsets in low.items()
        for other in high.get(wanted - total, ())
        for one in subsets
        if one | other
    ]


def natural_captures(rules: FishingRules, layout: int, card: int, ranks: Mapping[int, int]) -> list[Capture]:
    """Give the legal sets of a card whose rank, like that of every card on the table, is settled.

    ``ranks`` holds the rank positions of the cards that do not count as printed.
    """
    if ranks:
        return _relabelled(rules, layout, card, ranks)
    return _captures(rules, layout, rank_of(card))


def _captures(rules: FishingRules, layout: int, rank: int) -> list[Capture]:
    value = rules.values[rank]
    kind = rules.capture_rule
    if kind == "sum15":
        return [
            Capture(taken, int(taken == layout)) for taken in subsets_with_sum(layout, FIFTEEN - value, rules.values)
        ]
    if kind == "sum15k":
        found = []
        for units in range(1, (value + PACK_VALUE) // FIFTEEN + 1):
            for taken in subsets_with_sum(layout, FIFTEEN * units - value, rules.values):
                found.append(Capture(taken, units if taken == layout else 0))
        return found
    alike = layout & rank_pile(RANKS[rank])
    pairs = [1 << other for other in cards_of(alike)]
    if kind == "rank_else_sum_ace" and rank == ACE:
        if alike:
            return [Capture(taken, int(taken == layout and rules.ace_on_ace_sweep)) for taken in pairs]
        return [Capture(layout, 0)] if layout else []
    if kind == "cirulla":
        if rank == ACE and alike:
            return [Capture(taken, int(taken == layout)) for taken in pairs]
        sets = dict.fromkeys(pairs)
        sets.update(dict.fromkeys(s for s in subsets_with_sum(layout, value, rules.values) if s & (s - 1)))
        fifteens = subsets_with_sum(layout, FIFTEEN - value, rules.values)
        sets.update(dict.fromkeys(fifteens))
        if rank == ACE and layout:
            sets[layout] = None
        ace_takes_all = rank == ACE and layout not in fifteens and not rules.ace_sweep
        return [Capture(taken, 0 if ace_takes_all else int(taken == layout)) for taken in sets]
    if alike:
        return [Capture(taken, int(taken == layout)) for taken in pairs]
    return [
        Capture(taken, int(taken == layout))
        for taken in subsets_with_sum(layout, value, rules.values)
        if taken & (taken - 1)
    ]


def _relabelled(rules: FishingRules, layout: int, card: int, ranks: Mapping[int, int]) -> list[Capture]:
    """Solve a table with changed ranks: each card sits on a free place of its new rank, and the answer is led back."""
    free = {rank: list(cards_of(rank_pile(RANKS[rank]))) for rank in range(len(RANKS))}
    seat: dict[int, int] = {}
    spill: list[int] = []
    for other in cards_of(layout):
        rank = ranks.get(other, rank_of(other))
        if rank == rank_of(other) and other in free[rank]:
            seat[other] = other
            free[rank].remove(other)
        else:
            spill.append(other)
    for other in spill:
        rank = ranks.get(other, rank_of(other))
        if not free[rank]:
            return _brute_force(rules, layout, card, ranks)
        seat[other] = free[rank].pop()
    back = {place: other for other, place in seat.items()}
    found = _captures(rules, pile_of(seat.values()), ranks.get(card, rank_of(card)))
    return [Capture(pile_of(back[place] for place in cards_of(capture.takes)), capture.sweep) for capture in found]


def _brute_force(rules: FishingRules, layout: int, card: int, ranks: Mapping[int, int]) -> list[Capture]:
    """Solve the odd table where five cards count as one rank: only sums can matter there."""
    values = rules.values
    own = values[ranks.get(card, rank_of(card))]
    cards = list(cards_of(layout))
    found = []
    for chosen in product((0, 1), repeat=len(cards)):
        taken = [other for other, take in zip(cards, chosen, strict=True) if take]
        total = own + sum(values[ranks.get(other, rank_of(other))] for other in taken)
        if taken and total == FIFTEEN:
            found.append(Capture(pile_of(taken), int(len(taken) == len(cards))))
    return found


def legal_captures(game: FishingGame, layout: int, card: int, ranks: Mapping[int, int]) -> list[Capture]:
    """Give the legal sets of a card; a wild card without a given rank may take any, and every set counts once."""
    rules = game.rules
    loose = []
    for wild in game.wilds.values():
        played = wild.card == card
        lying = layout >> wild.card & 1 and rules.wild_on_table == "free"
        if wild.power != "matta" and wild.card not in ranks and (played or lying):
            loose.append(wild.card)
    found: dict[int, Capture] = {}
    for choice in product(range(len(RANKS)), repeat=len(loose)):
        for capture in natural_captures(rules, layout, card, {**ranks, **dict(zip(loose, choice, strict=True))}):
            best = found.get(capture.takes)
            if best is None or best.sweep < capture.sweep:
                found[capture.takes] = capture
    return list(found.values())


def may_leave(game: FishingGame, layout: int, card: int, hand: Sequence[int], ranks: Mapping[int, int]) -> bool:
    """Whether the card may be laid down without taking anything, under the table's obligation."""
    obligation = game.rules.obligation
    if obligation == "free":
        return True
    found = legal_captures(game, layout, card, ranks)
    if obligation == "rank_only":
        rank = ranks.get(card, rank_of(card))
        forced_ace = game.rules.capture_rule == "rank_else_sum_ace" and rank == ACE and layout
        alike = any(ranks.get(other, rank_of(other)) == rank for other in cards_of(layout))
        return not found or not (alike or forced_ace)
    if found:
        return False
    if obligation == "hand":
        return not any(legal_captures(game, layout, other, ranks) for other in hand)
    return True


def answer_captures(game: FishingGame, request: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    """Answer a captures request in the contract's form; raises ``Malformed`` where a type is wrong."""
    placed: dict[int, str] = {}
    layout = read_cards(request.get("layout", []), "layout", problems, placed)
    played = read_cards([shape.text(request.get("card"), "card")], "card", problems, placed)
    hand = read_cards(shape.optional_items(request.get("hand"), "hand"), "hand", problems, placed)
    last_play = shape.optional(request.get("last_play"), "last_play", shape.boolean) or False
    faces = game.read_wild_values(request.get("as"), "as", problems)
    if game.rules.capture_rule == "sum15k" and len(layout) > LARGEST_TABLE:
        problems.error(
            "too_many_cards",
            "layout",
            f"More than {LARGEST_TABLE} cards make too many sets to list.",
            cards=len(layout),
        )
    if problems.fatal:
        return {}
    ranks = {card: face.rank for card, face in faces.items() if face.rank != rank_of(card) or card in game.wilds}
    order = {card: position for position, card in enumerate(layout)}
    table, card = pile_of(layout), played[0]
    counts_last = game.rules.last_play_sweep or not last_play
    answers = []
    for capture in legal_captures(game, table, card, ranks):
        positions = sorted(order[other] for other in cards_of(capture.takes))
        answers.append((len(positions), positions, capture.sweep if counts_last else 0))
    answers.sort()
    return {
        "captures": [
            {"takes": [CODES[layout[position]] for position in positions], "sweep": sweep}
            for _, positions, sweep in answers
        ],
        "may_leave": may_leave(game, table, card, hand, ranks),
    }
