"""How many questions an open line still takes on average; this decides the order of the questions.

Nobody knows who has an unplaced card, but the counts make some sides likelier than others (:func:`shares`). The number
is worked out from these chances, in a way that depends on what the item reads:

- A kind of cards that can be counted takes the missing counts, or its unplaced cards one by one, whichever is fewer.
- Other cards and the run of the coins are so few that every answer can be followed to its end: one question, and
  then the questions after each answer, weighted by how likely the answer is.
- A prime has too many endings for that. Its number is estimated from two things: how open it is who wins, in bits (for
  two sides, from the chances of every difference between their primes, joined suit by suit), and how far apart the
  primes can still come out. The weights ``PER_BIT`` and ``PER_SPREAD`` were fitted to primes that were followed to the
  end.

The estimate only orders questions, and the chances are rounded so that many states share one result. Whether a line is
settled is decided in :mod:`.possible` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2

from ..budget import cached, spend
from ..cards import PACK_SIZE, SEVENS, SUIT_MASK, SUIT_WIDTH, SUITS, cards_of
from .features import CoinRun, Count, Feature, PrimeOf, dealing_order
from .items import Item, Prime
from .pieces import COUNTED
from .possible import CountIs, Known, fixed_by_counts
from .primes import DOUBLED, VALUE_BITS

COUNTABLE = frozenset(Count(mask) for mask in COUNTED.values())

Counts = tuple[CountIs, ...]
Shares = tuple[float, ...]
"""How likely each side is to have a card."""

Chances = tuple[tuple[int, float], ...]
"""Values in order, each with its chance."""

PER_BIT, PER_SPREAD = 1.7, 0.5
"""Fitted to the shortest ways of settling a prime, found by trying all of them for two sides."""


@cached(lambda each_share: len(each_share))
def shares(known: Known, counts: Counts) -> tuple[Shares, ...]:
    """Return for every card of the pack how likely each side is to have it, by the narrowest kind that was counted."""
    spend(40 + 60 * len(counts))
    by_card: list[Shares] = [(1 / known.sides,) * known.sides] * PACK_SIZE
    # From the widest kind to the narrowest, because the narrowest kind says most about a card.
    kinds = {count.feature: (known.unplaced & count.feature.of).bit_count() for count in counts}
    for kind, loose in sorted(kinds.items(), key=lambda each: (-each[1], each[0].of)):
        if loose:
            share = _share_of(kind, loose, known, counts)
            for card in cards_of(kind.of):
                by_card[card] = share
    return tuple(by_card)


def _share_of(kind: Count, loose: int, known: Known, counts: Counts) -> Shares:
    """Return each side's share of the unplaced cards of a kind.

    The share of a counted side is what it lacks; the others share the rest equally.
    """
    lacking = {
        count.side: max(0, count.number - kind.measure(known.piles[count.side]))
        for count in counts
        if count.feature == kind
    }
    others = known.sides - len(lacking)
    left = max(0, loose - sum(lacking.values()))
    parts = [lacking.get(side, left / others if others else 0) for side in range(known.sides)]
    whole = sum(parts) or 1
    return tuple(round(part / whole, 2) for part in parts)


@cached(lambda questions: 1)
def questions_left(item: Item, known: Known, counts: Counts) -> float:
    """Return the estimated number of questions that settle an item.

    ``known`` holds the cards that the counts place already (see :func:`.possible.placed_by_counts`).
    """
    spend(40 + 10 * len(counts))
    if isinstance(item, Prime):
        return _of_prime(item, known, counts)
    features = item.features(known.given)
    low = 0
    for feature in features:
        if isinstance(feature, CoinRun):
            low |= feature.cards
    if low:
        owners = tuple(
            next((s for s, pile in enumerate(known.piles) if pile >> card & 1), None) for card in cards_of(low)
        )
        return _of_run(item, owners, shares(known, counts)[0])
    # A further feature matters only where the earlier ones leave the item open, so each counts half as much.
    total, weight = 0.0, 1.0
    for feature in features:
        assert isinstance(feature, Count)
        total += weight * _of_count(item, feature, known, counts)
        weight /= 2
    return total


def _of_count(item: Item, feature: Count, known: Known, counts: Counts) -> float:
    """Return the number of counts, or of single cards, that show how many cards each side has."""
    if fixed_by_counts(known, (feature,), counts) is not None:
        return 0.0
    loose = known.unplaced & feature.of
    if feature not in COUNTABLE and len(item.features(known.given)) == 1:
        held = tuple(feature.measure(pile) for pile in known.piles)
        return _by_cards(item, held, loose.bit_count(), shares(known, counts)[next(cards_of(loose))])
    counted = sum(1 for count in counts if count.feature == feature)
    # The last side's number follows from the others, unless cards may be nobody's.
    return float(min(loose.bit_count(), known.sides - counted - (not known.may_be_nobodys)))


@lru_cache(maxsize=8192)
def _endings(item: Item, held: tuple[int, ...], loose: int) -> frozenset[tuple[int, ...]]:
    """Return all the points that an item can have when these loose cards join the cards held."""
    if not loose:
        return frozenset((item.judge(held).points,))
    return frozenset().union(*(_endings(item, _one_more(held, side), loose - 1) for side in range(len(held))))


@lru_cache(maxsize=8192)
def _by_cards(item: Item, held: tuple[int, ...], loose: int, share: Shares) -> float:
    """Return the average number of loose cards that are asked for until the points are certain."""
    if len(_endings(item, held, loose)) == 1:
        return 0.0
    return 1 + sum(
        chance * _by_cards(item, _one_more(held, side), loose - 1, share) for side, chance in enumerate(share)
    )


def _one_more(held: tuple[int, ...], side: int) -> tuple[int, ...]:
    return (*held[:side], held[side] + 1, *held[side + 1 :])


Owners = tuple[int | None, ...]
"""The sides that have the coins, from the ace up; None where that is open."""


def _asked_next(owners: Owners) -> int | None:
    """Return the first coin on which the run still depends; None where the run has ended."""
    for position, owner in enumerate(owners):
        if owner is None:
            return position
        if owner != owners[0]:
            return None
    return None


@lru_cache(maxsize=8192)
def _runs_to(item: Item, owners: Owners, sides: int) -> frozenset[tuple[int, ...]]:
    """Return all the points that the run can have."""
    asked = _asked_next(owners)
    if asked is not None:
        return frozenset().union(*(_runs_to(item, _given_to(owners, asked, side), sides) for side in range(sides)))
    length = next((at for at, owner in enumerate(owners) if owner != owners[0]), len(owners))
    return frozenset((item.judge(tuple(length if side == owners[0] else 0 for side in range(sides))).points,))


@lru_cache(maxsize=8192)
def _of_run(item: Item, owners: Owners, share: Shares) -> float:
    """Return the average number of coins that are asked for until the points of the run are certain."""
    asked = _asked_next(owners)
    if asked is None or len(_runs_to(item, owners, len(share))) == 1:
        return 0.0
    return 1 + sum(chance * _of_run(item, _given_to(owners, asked, side), share) for side, chance in enumerate(share))


def _given_to(owners: Owners, position: int, side: int) -> Owners:
    return (*owners[:position], side, *owners[position + 1 :])


def suit_of_pile(pile: int, suit: int) -> int:
    """Return the ten bits of one suit."""
    return pile >> SUIT_WIDTH * suit & SUIT_MASK


@dataclass(frozen=True)
class SuitOutlook:
    """What one suit can add to a prime: the least and the most for each side, and which sides surely have a card of it.

    For two sides, ``differences`` are the possible differences between them, each with its chance.
    """

    least: tuple[int, ...]
    most: tuple[int, ...]
    has: tuple[bool, ...]
    differences: Chances


def _of_prime(item: Prime, known: Known, counts: Counts) -> float:
    """Return the estimate for a prime, from how open the winner is and how far apart the primes can still come out."""
    rule = item.rule
    if rule.method == "sevens_count":
        return _of_count(item, Count(SEVENS), known, counts)
    feature = PrimeOf(rule, known.given)
    suits = [_suit_outlook(feature, suit, known, counts) for suit in range(len(SUITS))]
    positions = range(known.sides)
    least = [sum(suit.least[side] for suit in suits) for side in positions]
    most = [sum(suit.most[side] for suit in suits) for side in positions]
    if least == most:
        return 0.0
    best = max(positions, key=lambda side: least[side])
    if all(least[best] > most[side] for side in positions if side != best):
        unsure = rule.suits_required and not all(suit.has[best] for suit in suits)
        return 1.0 if unsure else 0.0
    spread = sum(most[side] - least[side] for side in positions if most[side] >= least[best])
    doubt = 1.0
    if known.sides == 2:
        first, second, third, fourth = sorted(suit.differences for suit in suits)
        doubt = _doubt(_both(first, second), _both(third, fourth))
    return PER_BIT * doubt + PER_SPREAD * spread / max(DOUBLED[rule.method])


def _suit_outlook(feature: PrimeOf, suit: int, known: Known, counts: Counts) -> SuitOutlook:
    piles = tuple(suit_of_pile(pile, suit) for pile in known.piles)
    loose = suit_of_pile(known.unplaced, suit)
    first = tuple([share[0] for share in shares(known, counts)[suit * SUIT_WIDTH : (suit + 1) * SUIT_WIDTH]])
    return _suit_outlook_of(feature, suit, piles, loose, first)


@cached(lambda outlook: len(outlook.differences))
def _suit_outlook_of(
    feature: PrimeOf, suit: int, piles: tuple[int, ...], loose: int, first: tuple[float, ...]
) -> SuitOutlook:
    spend(40)
    table = feature.table(suit)
    differences = _differences(feature, suit, piles, loose, first) if len(piles) == 2 else ()
    return SuitOutlook(
        tuple(table[pile] & VALUE_BITS for pile in piles),
        tuple(table[pile | loose] & VALUE_BITS for pile in piles),
        tuple(pile > 0 for pile in piles),
        differences,
    )


def _differences(feature: PrimeOf, suit: int, piles: tuple[int, ...], loose: int, first: tuple[float, ...]) -> Chances:
    """Deal the loose cards of a suit to two sides, the best first; return the differences of their best cards."""
    table = feature.table(suit)
    ways = {(piles[0], piles[1]): 1.0}
    for rank in dealing_order(suit, (feature,)):
        card = loose & 1 << rank
        if not card:
            continue
        spend(6 * len(ways))
        after: dict[tuple[int, int], float] = {}
        for (own, other), chance in ways.items():
            if table[own | card] == table[own] and table[other | card] == table[other]:
                shared = [((own, other), chance)]  # Both have a better card already, so this card changes nothing.
            else:
                to_first, to_second = chance * first[rank], chance * (1 - first[rank])
                shared = [((own | card, other), to_first), ((own, other | card), to_second)]
            for way, likely in shared:
                after[way] = after.get(way, 0.0) + likely
        ways = after
    return _summed(
        ((table[own] & VALUE_BITS) - (table[other] & VALUE_BITS), chance) for (own, other), chance in ways.items()
    )


def _summed(values: Iterable[tuple[int, float]]) -> Chances:
    """Return the values in order; equal values are merged and their chances added."""
    chances: dict[int, float] = {}
    for value, chance in values:
        chances[value] = chances.get(value, 0.0) + chance
    return tuple(sorted(chances.items()))


@cached(lambda differences: 2 * len(differences))
def _both(some: Chances, other: Chances) -> Chances:
    """Return the sum of two independent differences."""
    spend(20 + len(some) * len(other))
    return _summed((apart + further, chance * likely) for apart, chance in some for further, likely in other)


@cached(lambda bits: 1)
def _doubt(some: Chances, other: Chances) -> float:
    """Return the entropy, in bits, of three outcomes: either side is ahead, or neither."""
    spend(20 + len(some) * len(other) // 2)
    ahead = level = behind = 0.0
    for apart, chance in some:
        below = equal = 0.0
        for step, likely in other:
            if apart + step < 0:
                below += likely
            elif apart + step == 0:
                equal = likely
            else:
                break
        behind += chance * below
        level += chance * equal
        ahead += chance * (1 - below - equal)
    return -sum(part * log2(part) for part in (ahead, level, behind) if part > 1e-9)


def open_cards(feature: Feature, known: Known, cards: Sequence[int]) -> list[int]:
    """Return the cards worth asking for among those that still matter.

    For a prime they are the best open card of each suit, for a run the next two, otherwise any while they are few.
    """
    loose = [card for card in cards if known.unplaced >> card & 1]
    if isinstance(feature, PrimeOf):
        order = [suit * SUIT_WIDTH + rank for suit in feature.suits for rank in dealing_order(suit, (feature,))]
        first: dict[int, int] = {}
        for card in order:
            if card in loose:
                first.setdefault(card // SUIT_WIDTH, card)
        return list(first.values())
    if isinstance(feature, CoinRun):
        return loose[:2]
    return loose if len(loose) <= 3 or feature not in COUNTABLE else []
