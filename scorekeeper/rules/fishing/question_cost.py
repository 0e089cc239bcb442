"""How many questions an open line still takes, on the mean: what decides the order in which to ask.

Each card that is not placed may be any side's, as likely as the counts make it. Lines that read counts, single cards or
the run of the coins are small enough to follow every answer to its end. A prime is not: there the number is estimated
from what its suits can still add up to. The estimate only orders questions; what settles a line is decided in
:mod:`.settle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2

from ..budget import cached, spend
from ..cards import PACK_SIZE, SEVENS, SUIT_MASK, SUIT_WIDTH, SUITS, cards_of
from .evidence import COUNTED
from .features import CoinRun, Count, Feature, PrimeOf, dealing_order
from .items import Item, Prime
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


@cached(lambda found: len(found))
def shares(known: Known, counts: Counts) -> tuple[Shares, ...]:
    """Tell for every card of the pack how likely each side is to have it, by the narrowest kind that was counted."""
    spend(40 + 60 * len(counts))
    found: list[Shares] = [(1 / known.sides,) * known.sides] * PACK_SIZE
    kinds = {count.feature: (known.unplaced & count.feature.of).bit_count() for count in counts}
    for kind, loose in sorted(kinds.items(), key=lambda each: (-each[1], each[0].of)):
        if loose:
            share = _share_of(kind, loose, known, counts)
            for card in cards_of(kind.of):
                found[card] = share
    return tuple(found)


def _share_of(kind: Count, loose: int, known: Known, counts: Counts) -> Shares:
    """Share out the unplaced cards of a kind: to a side that counted what it lacks, to the others alike."""
    lacking = {
        one.side: max(0, one.number - kind.measure(known.piles[one.side])) for one in counts if one.feature == kind
    }
    others = known.sides - len(lacking)
    left = max(0, loose - sum(lacking.values()))
    parts = [lacking.get(side, left / others if others else 0) for side in range(known.sides)]
    whole = sum(parts) or 1
    return tuple(round(part / whole, 2) for part in parts)


@cached(lambda found: 1)
def questions_left(item: Item, known: Known, counts: Counts) -> float:
    """Estimate the questions that settle an item; ``known`` holds the cards that the counts place already."""
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
    total, weight = 0.0, 1.0
    for feature in features:
        assert isinstance(feature, Count)
        total += weight * _of_count(item, feature, known, counts)
        weight /= 2
    return total


def _of_count(item: Item, feature: Count, known: Known, counts: Counts) -> float:
    """Give the counts, or the cards one by one, that tell how many each side has."""
    if fixed_by_counts(known, (feature,), counts) is not None:
        return 0.0
    loose = known.unplaced & feature.of
    if feature not in COUNTABLE and len(item.features(known.given)) == 1:
        held = tuple(feature.measure(pile) for pile in known.piles)
        return _by_cards(item, held, loose.bit_count(), shares(known, counts)[next(cards_of(loose))])
    told = sum(1 for count in counts if count.feature == feature)
    return float(min(loose.bit_count(), known.sides - told - (not known.may_be_nobodys)))


@lru_cache(maxsize=8192)
def _endings(item: Item, held: tuple[int, ...], loose: int) -> frozenset[tuple[int, ...]]:
    """Give the points that so many loose cards can still make of the cards held."""
    if not loose:
        return frozenset((item.judge(held).points,))
    return frozenset().union(*(_endings(item, _one_more(held, side), loose - 1) for side in range(len(held))))


@lru_cache(maxsize=8192)
def _by_cards(item: Item, held: tuple[int, ...], loose: int, share: Shares) -> float:
    if len(_endings(item, held, loose)) == 1:
        return 0.0
    return 1 + sum(
        chance * _by_cards(item, _one_more(held, side), loose - 1, share) for side, chance in enumerate(share)
    )


def _one_more(held: tuple[int, ...], side: int) -> tuple[int, ...]:
    return (*held[:side], held[side] + 1, *held[side + 1 :])


Owners = tuple[int | None, ...]
"""Who has the coins from the ace up; None where that is open."""


def _asked_next(owners: Owners) -> int | None:
    """Give the first coin on which the run still hangs; None where it has ended."""
    for position, owner in enumerate(owners):
        if owner is None:
            return position
        if owner != owners[0]:
            return None
    return None


@lru_cache(maxsize=8192)
def _runs_to(item: Item, owners: Owners, sides: int) -> frozenset[tuple[int, ...]]:
    asked = _asked_next(owners)
    if asked is not None:
        return frozenset().union(*(_runs_to(item, _given_to(owners, asked, side), sides) for side in range(sides)))
    length = next((at for at, owner in enumerate(owners) if owner != owners[0]), len(owners))
    return frozenset((item.judge(tuple(length if side == owners[0] else 0 for side in range(sides))).points,))


@lru_cache(maxsize=8192)
def _of_run(item: Item, owners: Owners, share: Shares) -> float:
    asked = _asked_next(owners)
    if asked is None or len(_runs_to(item, owners, len(share))) == 1:
        return 0.0
    return 1 + sum(chance * _of_run(item, _given_to(owners, asked, side), share) for side, chance in enumerate(share))


def _given_to(owners: Owners, position: int, side: int) -> Owners:
    return (*owners[:position], side, *owners[position + 1 :])


def suit_of_pile(pile: int, suit: int) -> int:
    """Give the bits of one suit."""
    return pile >> SUIT_WIDTH * suit & SUIT_MASK


@dataclass(frozen=True)
class SuitOutlook:
    """What one suit can add to a prime: the least and the most for each side, which sides surely have a card of it, and
    for two sides each difference that can be with its chance."""

    least: tuple[int, ...]
    most: tuple[int, ...]
    has: tuple[bool, ...]
    differences: Chances


def _of_prime(item: Prime, known: Known, counts: Counts) -> float:
    """Estimate from how open it is who wins, and from how far apart the primes can still come out."""
    rule = item.rule
    if rule.method == "sevens_count":
        return _of_count(item, Count(SEVENS), known, counts)
    feature = PrimeOf(rule, known.given)
    suits = [_suit_outlook(feature, suit, known, counts) for suit in range(len(SUITS))]
    seats = range(known.sides)
    least = [sum(suit.least[seat] for suit in suits) for seat in seats]
    most = [sum(suit.most[seat] for suit in suits) for seat in seats]
    if least == most:
        return 0.0
    best = max(seats, key=lambda seat: least[seat])
    if all(least[best] > most[seat] for seat in seats if seat != best):
        unsure = rule.suits_required and not all(suit.has[best] for suit in suits)
        return 1.0 if unsure else 0.0
    spread = sum(most[seat] - least[seat] for seat in seats if most[seat] >= least[best])
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


@cached(lambda found: len(found.differences))
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
    """Deal the loose cards of a suit to two sides, the best first, and give how far apart their best cards come out."""
    table = feature.table(suit)
    one, two = piles
    ways = {(one, two): 1.0}
    for rank in dealing_order(suit, (feature,)):
        card = loose & 1 << rank
        if not card:
            continue
        spend(6 * len(ways))
        after: dict[tuple[int, int], float] = {}
        for (one, two), chance in ways.items():
            if table[one | card] == table[one] and table[two | card] == table[two]:
                shared = [((one, two), chance)]  # Both have a better card already: this one changes nothing.
            else:
                shared = [((one | card, two), chance * first[rank]), ((one, two | card), chance * (1 - first[rank]))]
            for way, likely in shared:
                after[way] = after.get(way, 0.0) + likely
        ways = after
    return _summed(
        ((table[one] & VALUE_BITS) - (table[two] & VALUE_BITS), chance) for (one, two), chance in ways.items()
    )


def _summed(values: Iterable[tuple[int, float]]) -> Chances:
    """Put values in order, equal ones together."""
    found: dict[int, float] = {}
    for value, chance in values:
        found[value] = found.get(value, 0.0) + chance
    return tuple(sorted(found.items()))


@cached(lambda found: 2 * len(found))
def _both(one: Chances, other: Chances) -> Chances:
    """Add two independent differences."""
    spend(20 + len(one) * len(other))
    return _summed((apart + further, chance * likely) for apart, chance in one for further, likely in other)


@cached(lambda found: 1)
def _doubt(one: Chances, other: Chances) -> float:
    """Tell in bits how open it is which of the two sides is ahead, or neither."""
    spend(20 + len(one) * len(other) // 2)
    ahead = level = behind = 0.0
    for apart, chance in one:
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
    """Choose the cards worth asking for among those that still matter: the best open one of each suit of a prime, the
    next one of a run, any of a few others."""
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
