"""Captures: every legal set a card may take, and whether it may be left on the table instead (rules §0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

from . import shape
from .cards import (
    CAPTURE_VALUES,
    CODES,
    PACK_VALUE,
    QUEEN_BELOW_JACK,
    RANKS,
    SUIT_MASK,
    cards_of,
    pile_of,
    rank_of,
    rank_pile,
    value_of,
)
from .evidence import read_cards
from .fishing import FishingGame, FishingRules
from .problems import Problems

FIFTEEN = 15

LARGEST_TABLE = 20
"""Cards on the table beyond which the multiples of fifteen are not listed: there would be tens of thousands of sets."""

MOST_REMEMBERED = 100_000
"""Halves of a table whose sums are kept."""

ACE = 0
"""Rank position of the ace."""


class Captures(NamedTuple):
    """The legal sets of a card: each a pile, and the sweeps that the set with the whole table is worth (0: none)."""

    sets: tuple[int, ...]
    sweep: int = 0


TWO_SUITS = SUIT_MASK | SUIT_MASK << 10


class _SumsOfHalf(dict[int, dict[int, tuple[int, ...]]]):
    """The subsets of a pile of two suits by their total, up to ``most``; the empty one under 0. Made on demand."""

    def __init__(self, values: tuple[int, ...], most: int) -> None:
        super().__init__()
        self.values_by_rank = values
        self.most = most

    def __missing__(self, cards: int) -> dict[int, tuple[int, ...]]:
        by_sum: dict[int, tuple[int, ...]] = {0: (0,)}
        for card in cards_of(cards):
            value = self.values_by_rank[rank_of(card)]
            for total, subsets in sorted(by_sum.items(), reverse=True):
                if total + value <= self.most:
                    more = tuple(subset | 1 << card for subset in subsets)
                    by_sum[total + value] = by_sum.get(total + value, ()) + more
        if len(self) > MOST_REMEMBERED:
            self.clear()
        self[cards] = by_sum
        return by_sum


_HALVES = {
    (values, most): _SumsOfHalf(values, most)
    for values in (CAPTURE_VALUES, QUEEN_BELOW_JACK)
    for most in (FIFTEEN, PACK_VALUE)
}


def subsets_with_sum(layout: int, wanted: int, values: tuple[int, ...]) -> list[int]:
    """Give every non-empty subset of a layout whose capture values add up to ``wanted``."""
    halves = _HALVES[values, FIFTEEN if wanted <= FIFTEEN else PACK_VALUE]
    low = halves[layout & TWO_SUITS]
    high = halves[layout >> 20]
    found = []
    for total, ones in low.items():
        others = high.get(wanted - total)
        if others is not None:
            for one in ones:
                for other in others:
                    found.append(one | other << 20)
    return found if wanted else found[1:]


def captures_by_rank(rules: FishingRules, layout: int, rank: int) -> Captures:
    """Give the legal sets of a card of a rank, where every card on the table counts as printed (rules §0)."""
    value = rules.values[rank]
    kind = rules.capture_rule
    if kind == "sum15":
        sets = subsets_with_sum(layout, FIFTEEN - value, rules.values)
        return Captures(tuple(sets), int(layout in sets))
    if kind == "sum15k":
        units, rest = divmod(value + value_of(layout, rules.values), FIFTEEN)
        totals = range(FIFTEEN, FIFTEEN * (units + 1), FIFTEEN)
        found = [taken for total in totals for taken in subsets_with_sum(layout, total - value, rules.values)]
        return Captures(tuple(found), units if layout and not rest else 0)
    alike = layout & rank_pile(RANKS[rank])
    pairs = tuple(1 << other for other in cards_of(alike))
    takes_ace_alone = rank == ACE and kind in ("rank_else_sum_ace", "cirulla")
    if alike and (kind != "cirulla" or rank == ACE):
        scores = rules.ace_on_ace_sweep if takes_ace_alone and kind == "rank_else_sum_ace" else True
        return Captures(pairs, int(layout in pairs and scores))
    if kind == "rank_else_sum_ace" and rank == ACE:
        return Captures((layout,) if layout else ())
    sums = [taken for taken in subsets_with_sum(layout, value, rules.values) if taken & (taken - 1)]
    if kind != "cirulla":
        return Captures(tuple(sums), int(layout in sums))
    fifteens = subsets_with_sum(layout, FIFTEEN - value, rules.values)
    all_by_ace = [layout] if rank == ACE and layout else []
    sets = list(dict.fromkeys([*pairs, *sums, *fifteens, *all_by_ace]))
    only_by_ace = layout not in pairs and layout not in sums and layout not in fifteens
    return Captures(tuple(sets), int(layout in sets and (rules.ace_sweep or not only_by_ace)))


def legal_captures(game: FishingGame, layout: int, card: int, ranks: Mapping[int, int] | None = None) -> Captures:
    """Give the legal sets of a card: ``ranks`` are rank positions given to wild cards.

    A wild card without a given rank that is played, or lies on the table where its capturer assigns, may take any rank;
    every set that some choice allows counts once.
    """
    if not game.wilds:
        return captures_by_rank(game.rules, layout, rank_of(card))
    ranks = ranks or {}
    loose = []
    for wild in game.wilds.values():
        played = wild.card == card
        lying = layout >> wild.card & 1 and game.rules.wild_on_table == "free"
        if wild.power != "matta" and wild.card not in ranks and (played or lying):
            loose.append(wild.card)
    sets: dict[int, None] = {}
    sweep = 0
    for choice in product(range(len(RANKS)), repeat=len(loose)):
        found = _captures_with_ranks(game.rules, layout, card, {**ranks, **dict(zip(loose, choice, strict=True))})
        sets.update(dict.fromkeys(found.sets))
        sweep = max(sweep, found.sweep)
    return Captures(tuple(sets), sweep)


def _captures_with_ranks(rules: FishingRules, layout: int, card: int, ranks: Mapping[int, int]) -> Captures:
    """Solve a table with changed ranks: each card sits on a free place of its new rank, and the answer is led back."""
    rank = ranks.get(card, rank_of(card))
    changed = [other for other in cards_of(layout) if ranks.get(other, rank_of(other)) != rank_of(other)]
    if not changed:
        return captures_by_rank(rules, layout, rank)
    place_of: dict[int, int] = {}
    table = layout & ~pile_of(changed)
    for other in changed:
        free = list(cards_of(rank_pile(RANKS[ranks[other]]) & ~table))
        if not free:
            # Five cards count as one rank: only a table of fifteens can have that, and there values alone matter.
            return _fifteens_tried_out(rules, layout, rank, ranks)
        place_of[free[0]] = other
        table |= 1 << free[0]
    found = captures_by_rank(rules, table, rank)
    sets = tuple(pile_of(place_of.get(place, place) for place in cards_of(taken)) for taken in found.sets)
    return Captures(sets, found.sweep)


def _fifteens_tried_out(rules: FishingRules, layout: int, rank: int, ranks: Mapping[int, int]) -> Captures:
    worth = {other: rules.values[ranks.get(other, rank_of(other))] for other in cards_of(layout)}
    wanted = FIFTEEN - rules.values[rank]
    piles: dict[int, list[int]] = {0: [0]}
    for other, value in worth.items():
        for total in sorted(piles, reverse=True):
            if total + value <= wanted:
                piles.setdefault(total + value, []).extend([pile | 1 << other for pile in piles[total]])
    sets = tuple(pile for pile in piles.get(wanted, []) if pile)
    return Captures(sets, int(layout in sets))


def may_leave(
    game: FishingGame, layout: int, card: int, hand: Sequence[int] = (), ranks: Mapping[int, int] | None = None
) -> bool:
    """Whether the card may be laid down without taking anything, under the table's obligation."""
    obligation = game.rules.obligation
    if obligation == "free":
        return True
    ranks = ranks or {}
    found = legal_captures(game, layout, card, ranks).sets
    if obligation == "rank_only":
        rank = ranks.get(card, rank_of(card))
        forced_ace = game.rules.capture_rule == "rank_else_sum_ace" and rank == ACE and layout
        alike = any(ranks.get(other, rank_of(other)) == rank for other in cards_of(layout))
        return not found or not (alike or forced_ace)
    if found:
        return False
    if obligation == "hand":
        return not any(legal_captures(game, layout, other, ranks).sets for other in hand)
    return True


def answer_captures(game: FishingGame, request: Mapping[str, Any], problems: Problems) -> dict[str, Any]:
    """Answer a captures request in the contract's form; raises ``Malformed`` where a type is wrong."""
    placed: dict[int, str] = {}
    layout = read_cards(request.get("layout", []), "layout", problems, placed)
    played = read_cards([shape.text(request.get("card"), "card")], "card", problems, placed)
    problems[:] = [replace(one, where="card") if one.where == "card[0]" else one for one in problems]
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
    found = legal_captures(game, table, card, ranks)
    for taken in found.sets:
        positions = sorted(order[other] for other in cards_of(taken))
        sweep = found.sweep if taken == table and counts_last else 0
        answers.append((len(positions), positions, sweep))
    answers.sort()
    return {
        "captures": [
            {"takes": [CODES[layout[position]] for position in positions], "sweep": sweep}
            for _, positions, sweep in answers
        ],
        "may_leave": may_leave(game, table, card, hand, ranks),
    }
