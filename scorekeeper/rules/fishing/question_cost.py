"""The number of questions that the open lines still take on average; it decides the order of the questions.

Nobody knows who has an unplaced card, but the counts make some sides likelier than others (:func:`shares`). The number
follows from these chances, and from the features of the item:

- A kind of cards that can be counted takes the missing counts, or its unplaced cards one by one if those are fewer.
- Other cards and the run of the coins are so few that every answer can be followed to its end: one question, and
  then the questions after each answer, weighted by how likely the answer is.
- A prime has too many endings for that. Its number is estimated from how far apart the primes can still come out.

The estimate only orders questions, and the chances are rounded so that many states share one result. Only
:mod:`.outlook` decides whether a line is settled.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ..budget import cached, spend, spend_with_many
from ..cards import COINS, PACK_SIZE, SEVENS, SUITS, Card, Pile, Position, cards_of, suit_pile
from .features import CoinRun, Count, Feature, PrimeOf
from .items import Item, Prime
from .primes import DOUBLED, VALUE_BITS, Given
from .ways import KINDS, Ways

Shares = tuple[float, ...]
"""The chance of each holder to have a card."""

PER_SPREAD = 1.6
"""Questions for a spread as large as the best card of a prime."""

COUNTABLE = frozenset(Count(mask) for mask in KINDS)


def placed(ways: Ways) -> Ways:
    """Return the ways with the cards placed that the counts alone place."""
    kinds = ways.limited.bit_count()
    spend(20 * kinds)
    spend_with_many(len(ways.piles), 40 + 15 * kinds * (len(ways.piles) - 2))
    return ways.tightened() or ways


def counted(ways: Ways, kind: int, holder: Position) -> int | None:
    """Return the number of cards of a kind that a holder has; None if this kind alone does not make it certain."""
    least = ways.least[kind][holder]
    return least if least == ways.most[kind][holder] else None


@cached
def shares(ways: Ways, kinds: tuple[int, ...]) -> tuple[Shares, ...]:
    """Return for every card of the pack the chance of each holder to have it, by the narrowest of some kinds."""
    holders = len(ways.piles)
    spend(40 + 60 * len(kinds))
    by_card: list[Shares] = [(1 / holders,) * holders] * PACK_SIZE
    # From the widest kind to the narrowest, because the narrowest kind says most about a card.
    limited = [kind for kind in kinds if ways.limited >> kind & 1]
    for kind in sorted(limited, key=lambda each: -(ways.unplaced & KINDS[each]).bit_count()):
        loose = ways.unplaced & KINDS[kind]
        if loose:
            share = _share_of(ways, kind, loose.bit_count())
            for card in cards_of(loose):
                by_card[card] = share
    return tuple(by_card)


def _share_of(ways: Ways, kind: int, loose: int) -> Shares:
    """Return each holder's share of the unplaced cards of a kind: what a counted side lacks; the rest is even."""
    lacking = {}
    for holder, pile in enumerate(ways.piles):
        number = counted(ways, kind, holder)
        if number is not None:
            lacking[holder] = max(0, number - (pile & KINDS[kind]).bit_count())
    others = len(ways.piles) - len(lacking)
    left = max(0, loose - sum(lacking.values()))
    parts = [lacking.get(holder, left / others if others else 0) for holder in range(len(ways.piles))]
    whole = sum(parts) or 1
    return tuple(round(part / whole, 2) for part in parts)


ALL_KINDS = tuple(range(len(KINDS)))


def likely_owners(ways: Ways, card: Card, holders: Sequence[Position]) -> list[float]:
    """Return the chance of each of some holders to have a card; one of them surely has it."""
    share = shares(ways, ALL_KINDS)[card]
    parts = [share[holder] for holder in holders]
    whole = sum(parts)
    return [part / whole for part in parts] if whole else [1 / len(holders)] * len(holders)


@cached
def questions_left(item: Item, ways: Ways, given: Given, sides: int) -> float:
    """Return the estimated number of questions that settle an item; ``ways`` come from :func:`placed`."""
    spend(40)
    features = item.features(given)
    first = features[0]
    if isinstance(item, Prime) and isinstance(first, PrimeOf):
        if item.rule.method == "sevens_count":
            return _of_count(item, Count(SEVENS), ways, 1, sides)
        return _of_prime(item, first, ways, sides)
    if isinstance(first, CoinRun):
        owners = tuple(
            next((s for s, pile in enumerate(ways.piles) if pile >> card & 1), None) for card in cards_of(first.cards)
        )
        return _of_run(item, owners, _of_sides(shares(ways, ALL_KINDS)[_loose_coin(ways)], sides))
    # A further feature matters only if the earlier ones leave the item open, so each counts half as much.
    total, weight = 0.0, 1.0
    for feature in features:
        assert isinstance(feature, Count)
        total += weight * _of_count(item, feature, ways, len(features), sides)
        weight /= 2
    return total


def _loose_coin(ways: Ways) -> Card:
    return next(cards_of(ways.unplaced & COINS), 0)


def _of_sides(share: Shares, sides: int) -> Shares:
    """Return a share without that of nobody."""
    whole = sum(share[:sides]) or 1
    return tuple(round(part / whole, 2) for part in share[:sides])


def _of_count(item: Item, feature: Count, ways: Ways, features: int, sides: int) -> float:
    """Return the number of counts, or of single cards, that show how many cards each side has."""
    loose = ways.unplaced & feature.of
    if not loose:
        return 0.0
    if feature not in COUNTABLE:
        if features == 1:
            held = tuple(feature.measure(pile) for pile in ways.piles[:sides])
            share = shares(ways, ALL_KINDS)[next(cards_of(loose))]
            return _by_cards(item, held, loose.bit_count(), _of_sides(share, sides))
        return float(loose.bit_count())
    low, high = ways.range_of(KINDS.index(feature.of))
    unsure = sum(1 for side in range(sides) if low[side] != high[side])
    # The last side's number follows from the others, unless cards may be nobody's.
    return float(min(loose.bit_count(), unsure - (unsure > 0 and len(ways.piles) == sides)))


@lru_cache(maxsize=8192)
def _endings(item: Item, held: tuple[int, ...], loose: int) -> frozenset[tuple[int, ...]]:
    """Return all the points that an item can have when these loose cards join the cards held."""
    if not loose:
        return frozenset((item.outcome(item.judge(held)),))
    return frozenset().union(*(_endings(item, _one_more(held, side), loose - 1) for side in range(len(held))))


@lru_cache(maxsize=8192)
def _by_cards(item: Item, held: tuple[int, ...], loose: int, share: Shares) -> float:
    """Return the average number of loose cards that are asked for until the points are certain."""
    if len(_endings(item, held, loose)) == 1:
        return 0.0
    return 1 + sum(
        chance * _by_cards(item, _one_more(held, side), loose - 1, share) for side, chance in enumerate(share)
    )


def _one_more(held: tuple[int, ...], side: Position) -> tuple[int, ...]:
    return (*held[:side], held[side] + 1, *held[side + 1 :])


Owners = tuple[Position | None, ...]
"""The sides that have the coins, from the ace up; None if that is open."""


def _asked_next(owners: Owners) -> int | None:
    """Return the first coin on which the run still depends; None if the run has ended."""
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


def _given_to(owners: Owners, position: int, side: Position) -> Owners:
    return (*owners[:position], side, *owners[position + 1 :])


def _of_prime(item: Prime, feature: PrimeOf, ways: Ways, sides: int) -> float:
    """Return the estimate for a prime: the spread of the primes of those who may still win."""
    least = [feature.measure(ways.piles[side]) & VALUE_BITS for side in range(sides)]
    reach = [ways.reach(side) for side in range(sides)]
    most = [feature.measure(pile) & VALUE_BITS for pile in reach]
    rivals = [side for side in range(sides) if most[side] >= max(least)]
    spend_with_many(len(ways.piles), 150)
    if len(rivals) < 2:
        return float(_is_short(item, ways.piles[rivals[0]], reach[rivals[0]]))
    spread = sum(most[side] - least[side] for side in rivals)
    return max(1.0, PER_SPREAD * spread / max(DOUBLED[item.rule.method])) if spread else 0.0


def _is_short(item: Prime, pile: Pile, reach: Pile) -> bool:
    """Return whether a missing suit leaves it open if a prime may compete."""
    if not item.rule.suits_required:
        return False
    suits = [suit_pile(suit) for suit in range(len(SUITS))]
    return all(reach & suit for suit in suits) and not all(pile & suit for suit in suits)


def lines_left(items: Sequence[Item], ways: Ways, given: Given, sides: int) -> float:
    """Return the number of questions that some items still take; items with equal features share their questions."""
    groups: dict[tuple[Feature, ...], float] = {}
    spend(20 * len(items))
    for item in items:
        reads = item.features(given)
        groups[reads] = max(groups.get(reads, 0.0), questions_left(item, ways, given, sides))
    return sum(groups.values())
