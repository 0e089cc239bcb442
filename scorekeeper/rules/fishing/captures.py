"""Captures: every legal set a card may take, and whether it may be left on the table instead (docs/rules.md 0).

:func:`legal_captures` forms every set, which is quick for the few cards of a table in play. A table of many cards may
have millions of sets: :class:`CaptureSets` counts them and lists the first ones without forming the rest, also where
wild cards may take any rank. Both return the same sets, and a test checks that; an answer takes what is quicker.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import NamedTuple, TypeAlias, TypeVar

from ...limits import MOST_CAPTURES
from .. import contract, schema
from ..cards import (
    CAPTURE_VALUES,
    CODES,
    FULL_PACK,
    PACK_SIZE,
    QUEEN_BELOW_JACK,
    RANKS,
    SUIT_WIDTH,
    SUITS,
    Card,
    Pile,
    cards_of,
    pile_of,
    rank_of,
    rank_pile,
    value_of,
)
from ..problems import Problems
from .evidence import read_cards
from .rules import FishingRules
from .table import FishingTable
from .wild import read_wild_faces

FIFTEEN = 15

FEW_CARDS = 10
"""Cards of a layout whose sets are all formed for an answer, a thousand at most, where one wild card is any at most."""

ACE = 0
"""Rank position of the ace."""


class Captures(NamedTuple):
    """The legal sets of a card, each a pile, and the sweeps that taking the whole layout is worth (0: none)."""

    sets: tuple[Pile, ...]
    sweep: int = 0


LOW_HALF = (1 << PACK_SIZE // 2) - 1
HIGH_HALF = FULL_PACK ^ LOW_HALF

LOW_CARDS = (1 << 13) - 1
MIDDLE_CARDS = LOW_CARDS << 13
HIGH_CARDS = FULL_PACK ^ LOW_CARDS ^ MIDDLE_CARDS
"""The pack in three parts, where every subset of a part counts: a layout has two or three cards of each, so the same
ones come up more often than halves do."""

MOST_CACHED, MOST_OF_CARDS = 50_000, 7
"""Parts of a layout that are cached for each way of adding, with some fifty megabytes of subsets; cards of a part."""

Made = TypeVar("Made")

Subsets: TypeAlias = tuple[tuple[Pile, int], ...]
"""Subsets of a pile, each with its sum from 0 to 14."""

BySum: TypeAlias = tuple[tuple[Pile, ...], ...]
"""Subsets of a pile: at each position from 0 to 14 those that add up to it."""

NONE: BySum = ((),) * FIFTEEN


class _Subsets(dict[Pile, Subsets]):
    """The subsets of a part of the pack, made on demand; sums of 15 and more are left out, or wrap to their rest."""

    def __init__(self, values: tuple[int, ...], *, wraps: bool) -> None:
        super().__init__()
        self.value_of_card = values * len(SUITS)
        self.wraps = wraps

    def __missing__(self, cards: Pile) -> Subsets:
        found = self.made(cards)
        _cache(self, cards, found)
        return found

    def made(self, cards: Pile) -> Subsets:
        """Return the subsets of a pile: those without its last card, and the same ones with it."""
        if not cards:
            return ((0, 0),)
        last = cards.bit_length() - 1
        bit, value = 1 << last, self.value_of_card[last]
        # The pile without it has mostly come up before.
        without = self[cards ^ bit]
        if self.wraps:
            return (*without, *[(subset | bit, (total + value) % FIFTEEN) for subset, total in without])
        most = FIFTEEN - 1 - value
        return (*without, *[(subset | bit, total + value) for subset, total in without if total <= most])


class _SubsetsBySum(dict[Pile, BySum]):
    """The same subsets by their sum."""

    def __init__(self, subsets: _Subsets) -> None:
        super().__init__()
        self.subsets = subsets

    def __missing__(self, cards: Pile) -> BySum:
        lists: list[list[Pile]] = [[] for _ in range(FIFTEEN)]
        for subset, total in self.subsets.made(cards):
            lists[total].append(subset)
        found = tuple([tuple(subsets) for subsets in lists])
        _cache(self, cards, found)
        return found


def _cache(cache: dict[Pile, Made], cards: Pile, made: Made) -> None:
    if cards.bit_count() <= MOST_OF_CARDS:
        if len(cache) >= MOST_CACHED:
            cache.clear()
        cache[cards] = made


class _Adding:
    """How the values of cards are added up: as they are, or by fifteens, where only the rest of a sum matters."""

    def __init__(self, values: tuple[int, ...], *, wraps: bool) -> None:
        self.subsets = _Subsets(values, wraps=wraps)
        self.by_sum = _SubsetsBySum(self.subsets)

    def exact(self, layout: Pile, wanted: int) -> list[Pile]:
        """Return every subset of a layout that adds up to ``wanted``, from 1 to 14."""
        high = self.by_sum[layout & HIGH_HALF]
        # At each sum of the low half, from 0 to 14, the subsets of the high half that complete it.
        rest = high[wanted::-1] + NONE
        return [one | two for one, total in self.subsets[layout & LOW_HALF] for two in rest[total]]

    def by_fifteens(self, layout: Pile, wanted: int) -> list[Pile]:
        """Return every subset of a layout that adds up to ``wanted``, from 1 to 14, or to fifteens more."""
        middle = self.subsets[layout & MIDDLE_CARDS]
        high = self.by_sum[layout & HIGH_CARDS]
        # The same at each sum of the two lower parts, from 0 to 28.
        rest = (high[wanted::-1] + high[:wanted:-1]) * 2
        return [
            one | two | three
            for one, total in self.subsets[layout & LOW_CARDS]
            for two, more in middle
            for three in rest[total + more]
        ]


_EXACT = {values: _Adding(values, wraps=False) for values in (CAPTURE_VALUES, QUEEN_BELOW_JACK)}
_BY_FIFTEENS = {values: _Adding(values, wraps=True) for values in (CAPTURE_VALUES, QUEEN_BELOW_JACK)}
_USUAL, _USUAL_BY_FIFTEENS = _EXACT[CAPTURE_VALUES], _BY_FIFTEENS[CAPTURE_VALUES]
_OF_RANK = tuple(rank_pile(rank) for rank in RANKS)


def captures_by_rank(rules: FishingRules, layout: Pile, rank: int) -> Captures:
    """Return the legal sets of a card of a rank, where every card of the layout counts as printed (docs/rules.md 0)."""
    value = rules.values[rank]
    kind = rules.capture_rule
    # To look up a table of values takes as long as a part of the layout.
    usual = rules.values is CAPTURE_VALUES
    adding = _USUAL if usual else _EXACT[rules.values]
    if kind == "sum15":
        sets = adding.exact(layout, FIFTEEN - value)
        return Captures(tuple(sets), int(layout in sets))
    if kind == "sum15k":
        adding = _USUAL_BY_FIFTEENS if usual else _BY_FIFTEENS[rules.values]
        sets = adding.by_fifteens(layout, FIFTEEN - value)
        units, rest = divmod(value + value_of(layout, rules.values), FIFTEEN)
        return Captures(tuple(sets), units if layout and not rest else 0)
    alike = layout & _OF_RANK[rank]
    if alike and (kind != "cirulla" or rank == ACE):
        pairs = tuple([1 << other for other in cards_of(alike)])
        scores = kind != "rank_else_sum_ace" or rank != ACE or rules.ace_on_ace_sweep
        return Captures(pairs, int(layout in pairs and scores))
    if kind == "rank_else_sum_ace" and rank == ACE:
        return Captures((layout,) if layout else ())
    # No two ranks have one value, so a set of one card is here a card of the same rank, and only in Cirulla.
    sets = adding.exact(layout, value)
    if kind != "cirulla":
        return Captures(tuple(sets), int(layout in sets))
    sets += adding.exact(layout, FIFTEEN - value)
    sweeps = layout in sets
    if rank == ACE and layout and not sweeps:
        sets.append(layout)
        sweeps = rules.ace_sweep
    return Captures(tuple(sets), int(sweeps))


def legal_captures(table: FishingTable, layout: Pile, card: Card, ranks: Mapping[Card, int] | None = None) -> Captures:
    """Return the legal sets of a card; ``ranks`` are rank positions given to wild cards.

    A wild card without a given rank may take any rank if it is the card played, or if it lies in the layout and the
    capturer chooses its rank. Every set that some choice allows counts once.
    """
    if not table.wilds or not (ranks or layout & table.loose_lying or table.loose_played >> card & 1):
        return captures_by_rank(table.rules, layout, card % SUIT_WIDTH)
    ranks = ranks or {}
    loose = []
    for wild in table.wilds.values():
        played = wild.card == card and table.loose_played >> card & 1
        lying = (layout & table.loose_lying) >> wild.card & 1
        if wild.card not in ranks and (played or lying):
            loose.append(wild.card)
    sets: dict[Pile, None] = {}
    sweep = 0
    for choice in product(range(len(RANKS)), repeat=len(loose)):
        captures = _captures_with_ranks(table.rules, layout, card, {**ranks, **dict(zip(loose, choice, strict=True))})
        sets.update(dict.fromkeys(captures.sets))
        sweep = max(sweep, captures.sweep)
    return Captures(tuple(sets), sweep)


def _captures_with_ranks(rules: FishingRules, layout: Pile, card: Card, ranks: Mapping[Card, int]) -> Captures:
    """Return the legal sets where some cards count with another rank.

    Each changed card takes the place of a free card of its new rank. In the sets of that table the changed cards are
    put back.
    """
    rank = ranks.get(card, rank_of(card))
    changed = [other for other in cards_of(layout) if ranks.get(other, rank_of(other)) != rank_of(other)]
    if not changed:
        return captures_by_rank(rules, layout, rank)
    place_of: dict[Card, Card] = {}
    table = layout & ~pile_of(changed)
    for other in changed:
        free = list(cards_of(rank_pile(RANKS[ranks[other]]) & ~table))
        if not free:
            # Five cards count as one rank. Only a game of fifteens allows that, and there only values matter.
            return _fifteens_tried_out(rules, layout, rank, ranks)
        place_of[free[0]] = other
        table |= 1 << free[0]
    captures = captures_by_rank(rules, table, rank)
    sets = tuple(pile_of(place_of.get(place, place) for place in cards_of(taken)) for taken in captures.sets)
    return Captures(sets, captures.sweep)


def _fifteens_tried_out(rules: FishingRules, layout: Pile, rank: int, ranks: Mapping[Card, int]) -> Captures:
    """Return the sets that make fifteen with a card of a rank, judged by their values alone."""
    worth = {other: rules.values[ranks.get(other, rank_of(other))] for other in cards_of(layout)}
    wanted = FIFTEEN - rules.values[rank]
    piles: dict[int, list[Pile]] = {0: [0]}
    for other, value in worth.items():
        for total in sorted(piles, reverse=True):
            if total + value <= wanted:
                piles.setdefault(total + value, []).extend([pile | 1 << other for pile in piles[total]])
    sets = tuple(pile for pile in piles.get(wanted, []) if pile)
    return Captures(sets, int(layout in sets))


@dataclass(frozen=True)
class _Lying:
    """A card of the layout: number, capture value, rank position; a loose card may take any rank (both are None)."""

    card: Card
    value: int | None
    rank: int | None


class CaptureSets:
    """All legal sets of a card, counted and listed from the smallest, without forming them all.

    A set is legal by the sum of its cards, or is one of a few ``special`` ones (an equal card, the whole table). For
    the sums, only two things of a set matter: which loose wild cards it has, and what its other cards add up to. For
    each choice of loose cards, ``any_size`` and ``of_several`` hold the legal sums of the other cards, as bits;
    ``of_several`` is for sets of two cards or more.
    """

    def __init__(
        self, table: FishingTable, layout: Sequence[Card], card: Card, ranks: Mapping[Card, int] | None = None
    ) -> None:
        ranks = ranks or {}
        rules = self.rules = table.rules

        def is_loose(other: Card) -> bool:
            wild = table.wilds.get(other)
            may_be_any = other == card or rules.wild_on_table == "free"
            return wild is not None and wild.power != "matta" and other not in ranks and may_be_any

        def printed(other: Card) -> int:
            return ranks.get(other, rank_of(other))

        self.layout = [
            _Lying(other, None, None)
            if is_loose(other)
            else _Lying(other, rules.values[printed(other)], printed(other))
            for other in layout
        ]
        self.loose = [position for position, lying in enumerate(self.layout) if lying.rank is None]
        self.bit = {position: 1 << number for number, position in enumerate(self.loose)}
        self.any_size = [0] * (1 << len(self.loose))
        self.of_several = [0] * (1 << len(self.loose))
        self.special: set[tuple[int, ...]] = set()
        self.sweep = 0
        own = range(len(RANKS)) if is_loose(card) else (printed(card),)
        for rank in own:
            for choice in product(range(len(RANKS)), repeat=len(self.loose)):
                self._add(rank, choice)

    def _add(self, rank: int, choice: tuple[int, ...]) -> None:
        """Add the sets that are legal where the loose cards take these ranks (docs/rules.md 0)."""
        rules, value, kind = self.rules, self.rules.values[rank], self.rules.capture_rule
        chosen = dict(zip(self.loose, choice, strict=True))
        lying = [chosen.get(position, each.rank) for position, each in enumerate(self.layout)]
        total = sum(rules.values[each] for each in lying if each is not None)
        whole = tuple(range(len(lying)))
        if kind == "sum15":
            self._add_sums(self.any_size, FIFTEEN - value, choice)
            self._sweeps(total == FIFTEEN - value)
            return
        if kind == "sum15k":
            units, rest = divmod(value + total, FIFTEEN)
            for unit in range(1, units + 1):
                self._add_sums(self.any_size, FIFTEEN * unit - value, choice)
            self._sweeps(units if lying and not rest else 0)
            return
        pairs = {(position,) for position, each in enumerate(lying) if each == rank}
        takes_ace_alone = rank == ACE and kind in ("rank_else_sum_ace", "cirulla")
        if pairs and (kind != "cirulla" or rank == ACE):
            scores = rules.ace_on_ace_sweep if takes_ace_alone and kind == "rank_else_sum_ace" else True
            self.special |= pairs
            self._sweeps(whole in pairs and scores)
            return
        if kind == "rank_else_sum_ace" and rank == ACE:
            self.special |= {whole} if lying else set()
            return
        self._add_sums(self.of_several, value, choice)
        by_sum = total == value and len(lying) > 1
        if kind == "cirulla":
            self.special |= pairs
            self._add_sums(self.any_size, FIFTEEN - value, choice)
            by_sum = by_sum or total == FIFTEEN - value or whole in pairs
            if rank == ACE and lying:
                self.special.add(whole)
                self._sweeps(by_sum or rules.ace_sweep)
        self._sweeps(by_sum)

    def _sweeps(self, units: int) -> None:
        self.sweep = max(self.sweep, int(units))

    def _add_sums(self, legal: list[int], wanted: int, choice: tuple[int, ...]) -> None:
        for inside in range(len(legal)):
            taken = sum(self.rules.values[rank] for number, rank in enumerate(choice) if inside >> number & 1)
            if wanted >= taken:
                legal[inside] |= 1 << wanted - taken

    def _is_legal_by_sum(self, positions: Sequence[int]) -> bool:
        inside = sum(self.bit.get(position, 0) for position in positions)
        total = sum(self.layout[position].value or 0 for position in positions)
        legal = self.any_size[inside] | (self.of_several[inside] if len(positions) > 1 else 0)
        return bool(positions) and bool(legal >> total & 1)

    def count(self) -> int:
        """Return how many sets there are."""
        ways = [1]
        for lying in self.layout:
            if lying.value is not None:
                longer = ways + [0] * lying.value
                for total, number in enumerate(ways):
                    longer[total + lying.value] += number
                ways = longer
        number_of_sets = sum(
            number
            for any_size, of_several in zip(self.any_size, self.of_several, strict=True)
            for total, number in enumerate(ways)
            if (any_size | of_several) >> total & 1
        )
        # Sets of fewer than two cards are legal only by ``any_size``, and the empty set is never legal.
        few = [(), *((position,) for position in range(len(self.layout)))]
        for positions in few:
            inside = sum(self.bit.get(position, 0) for position in positions)
            total = sum(self.layout[position].value or 0 for position in positions)
            counted = (self.any_size[inside] | self.of_several[inside]) >> total & 1
            number_of_sets -= counted - self._is_legal_by_sum(positions)
        return number_of_sets + sum(1 for positions in self.special if not self._is_legal_by_sum(positions))

    def first(self, most: int) -> list[tuple[int, ...]]:
        """Return the first sets as positions in the layout: by number of cards, then in the order of the layout."""
        sets: list[tuple[int, ...]] = []
        can_follow = self._followings()
        for size in range(1, len(self.layout) + 1):
            legal = [
                any_size | (of_several if size > 1 else 0)
                for any_size, of_several in zip(self.any_size, self.of_several, strict=True)
            ]
            of_size = list(islice(self._sets(size, legal, can_follow), most))
            extra = [each for each in self.special if len(each) == size and not self._is_legal_by_sum(each)]
            sets += sorted([*of_size, *extra])
            if len(sets) >= most:
                break
        return sets[:most]

    def _followings(self) -> list[list[list[int]]]:
        """Return the sums, as bits, from each position on, for each number of cards, by the loose cards among them."""
        none = [0] * len(self.any_size)
        empty = [1, *none[1:]]
        table = [[empty] + [none] * len(self.layout)]
        for position in reversed(range(len(self.layout))):
            after, here = table[-1], [empty]
            value, bit = self.layout[position].value, self.bit.get(position, 0)
            for cards in range(1, len(self.layout) + 1):
                sums = list(after[cards])
                for inside, others in enumerate(after[cards - 1]):
                    if others:
                        sums[inside | bit] |= others << (value or 0)
                here.append(sums)
            table.append(here)
        table.reverse()
        return table

    def _sets(self, size: int, legal: list[int], can_follow: list[list[list[int]]]) -> Iterator[tuple[int, ...]]:
        """Yield the sets of a size that are legal by their sum, in the order of the layout."""

        def is_open(position: int, taken: tuple[int, ...], total: int, inside: int) -> bool:
            return any(
                sums and legal[inside | more] >> total & sums
                for more, sums in enumerate(can_follow[position][size - len(taken)])
            )

        def go_on(position: int, taken: tuple[int, ...], total: int, inside: int) -> Iterator[tuple[int, ...]]:
            if len(taken) == size:
                yield taken
                return
            while position < len(self.layout):
                value, bit = self.layout[position].value or 0, self.bit.get(position, 0)
                more = (*taken, position)
                if is_open(position + 1, more, total + value, inside | bit):
                    yield from go_on(position + 1, more, total + value, inside | bit)
                position += 1
                if not is_open(position, taken, total, inside):
                    return

        return go_on(0, (), 0, 0)


def may_leave(
    table: FishingTable,
    layout: Sequence[Card],
    card: Card,
    hand: Sequence[Card],
    ranks: Mapping[Card, int],
    takes: bool,
) -> bool:
    """Return whether the table's obligation lets a player lay the card down; ``takes`` is True if it could take."""
    obligation = table.rules.obligation
    if obligation == "free":
        return True
    if obligation == "rank_only":
        rank = ranks.get(card, rank_of(card))
        forced_ace = table.rules.capture_rule == "rank_else_sum_ace" and rank == ACE and layout
        alike = any(ranks.get(other, rank_of(other)) == rank for other in layout)
        return not takes or not (alike or forced_ace)
    if takes:
        return False
    if obligation == "hand":
        return not any(_captures_of(table, layout, other, ranks, 0).many for other in hand)
    return True


class _LegalSets(NamedTuple):
    """How many sets a card may take, the first ones as positions in the layout, and the sweeps of the whole layout."""

    many: int
    first: Sequence[Sequence[int]]
    sweep: int


def _captures_of(
    table: FishingTable, layout: Sequence[Card], card: Card, ranks: Mapping[Card, int], most: int
) -> _LegalSets:
    """Return the sets, listed as far as ``most``: by number of cards, then in the order of the layout."""
    pile = pile_of(layout)
    loose = pile & table.loose_lying | 1 << card & table.loose_played
    if len(layout) > FEW_CARDS or loose.bit_count() > 1:
        sets = CaptureSets(table, layout, card, ranks)
        return _LegalSets(sets.count(), sets.first(most) if most else (), sets.sweep)
    formed, sweep = legal_captures(table, pile, card, ranks)
    bits = [(position, 1 << other) for position, other in enumerate(layout)]
    listed = [[position for position, bit in bits if taken & bit] for taken in formed] if most else []
    return _LegalSets(len(formed), sorted(listed, key=lambda taken: (len(taken), taken))[:most], sweep)


def answer_captures(table: FishingTable, request: Mapping[str, object], problems: Problems) -> contract.Captures | None:
    """Return the answer to a captures request, or None with the reasons in ``problems``; raises ``Malformed``."""
    placed: dict[Card, str] = {}
    layout = read_cards(request.get("layout", []), "layout", problems, placed)
    played = read_cards([schema.text(request.get("card", schema.MISSING), "card")], "card", problems, placed)
    problems[:] = [replace(each, where="card") if each.where == "card[0]" else each for each in problems]
    hand = read_cards([] if request.get("hand") is None else request["hand"], "hand", problems, placed)
    last_play = schema.optional(request.get("last_play"), "last_play", schema.boolean) or False
    faces = read_wild_faces(table.wilds, request.get("as"), "as", problems)
    if problems.fatal:
        return None
    ranks = {card: face.rank for card, face in faces.items()}
    card = played[0]
    counts_last = table.rules.last_play_sweep or not last_play
    found = _captures_of(table, layout, card, ranks, MOST_CAPTURES)
    answer: contract.Captures = {
        "captures": [
            {
                "takes": [CODES[layout[position]] for position in positions],
                "sweep": found.sweep if len(positions) == len(layout) and counts_last else 0,
            }
            for positions in found.first
        ],
        "may_leave": may_leave(table, layout, card, hand, ranks, found.many > 0),
    }
    if found.many > MOST_CAPTURES:
        answer["more"] = found.many - MOST_CAPTURES
    return answer
