"""Ways of sharing out the cards that nobody showed, under what is known of the piles.

:class:`Ways` holds all of them at once: the cards that each holder has for certain, the loose cards with the holders
that may have them, and the number of cards of each counted kind that a holder may have. :meth:`Ways.is_possible`
decides exactly, and without trying any, if there is a way: every other question about a partly known deal is put as
"is there a way in which ...?".

The cards fall into five classes by what is counted of them: coins, sevens, sixes, figures, and the others. If each
card belongs to one class, the numbers that the holders may have of a class form a polymatroid, and so do the sums over
all classes; then there is a way if and only if, for every group of holders, what they must have is no more than what
they can have. The few coins that are sevens, sixes or figures belong to two classes; those are dealt out one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ..budget import spend
from ..cards import COINS, FIGURES, FULL_PACK, SEVENS, SIXES, Card, Pile, Position, cards_of
from .features import COUNTED

KINDS = tuple(COUNTED.values())
"""The kinds of cards that are counted, as masks."""

CARDS_KIND, COINS_KIND, SEVENS_KIND, SIXES_KIND, FIGURES_KIND = range(len(KINDS))

RANK_KINDS = (SEVENS_KIND, SIXES_KIND, FIGURES_KIND)

OTHERS = SEVENS | SIXES | FIGURES
"""The cards that are counted by their rank."""

Limits = tuple[tuple[int, ...], ...]
"""For each kind, a number for each holder."""

Group = tuple[int, int]
"""The holders that may have some cards, as a mask, and the number of these cards."""


class Ways(NamedTuple):
    """All ways of sharing out the loose cards.

    ``piles`` has a pile for each side, and one more for nobody where cards may be left to nobody. ``loose`` are pairs:
    the holders that may have some cards (a mask of positions), and those cards. ``least`` and ``most`` are the numbers
    of cards of each kind that a whole pile may have, and ``limited`` are the kinds that these numbers limit (a mask of
    positions).
    """

    piles: tuple[Pile, ...]
    loose: tuple[tuple[int, Pile], ...]
    least: Limits
    most: Limits
    limited: int = 0

    def give(self, cards: Pile, holder: Position) -> Ways | None:
        """Return the ways in which a holder has these cards; None if that is impossible."""
        missing = cards & ~self.piles[holder]
        if not missing:
            return self
        bit, loose, taken = 1 << holder, [], 0
        for allowed, mask in self.loose:
            here = mask & missing
            if here:
                if not allowed & bit:
                    return None
                taken |= here
                mask ^= here
            if mask:
                loose.append((allowed, mask))
        if taken != missing:
            return None
        piles = (*self.piles[:holder], self.piles[holder] | cards, *self.piles[holder + 1 :])
        return self._replace(piles=piles, loose=tuple(loose))

    def deny(self, cards: Pile, holder: Position) -> Ways | None:
        """Return the ways in which a holder has none of these cards; None if that is impossible."""
        if cards & self.piles[holder]:
            return None
        bit, loose = 1 << holder, []
        piles = list(self.piles)
        for allowed, mask in self.loose:
            here = mask & cards if allowed & bit else 0
            if here:
                fewer = allowed & ~bit
                if not fewer:
                    return None
                if fewer & (fewer - 1):
                    loose.append((fewer, here))
                else:
                    piles[fewer.bit_length() - 1] |= here
                mask ^= here
            if mask:
                loose.append((allowed, mask))
        return self._replace(piles=tuple(piles), loose=_joined(loose))

    def limit(self, kind: int, holder: Position, least: int, most: int) -> Ways | None:
        """Return the ways in which a holder has so many cards of a kind; None if that is impossible."""
        least, most = max(least, self.least[kind][holder]), min(most, self.most[kind][holder])
        if least > most:
            return None
        return self._replace(
            least=_replaced(self.least, kind, holder, least),
            most=_replaced(self.most, kind, holder, most),
            limited=self.limited | 1 << kind,
        )

    @property
    def unplaced(self) -> Pile:
        """The loose cards of all groups."""
        cards = 0
        for _, mask in self.loose:
            cards |= mask
        return cards

    def reach(self, holder: Position) -> Pile:
        """Return the cards that a holder has or may have."""
        cards, bit = self.piles[holder], 1 << holder
        for allowed, mask in self.loose:
            if allowed & bit:
                cards |= mask
        return cards

    def range_of(self, kind: int) -> tuple[list[int], list[int]]:
        """Return the least and the most cards of a kind that each holder may have by this kind alone."""
        mask = KINDS[kind]
        holders = range(len(self.piles))
        low = [max(self.least[kind][holder], (self.piles[holder] & mask).bit_count()) for holder in holders]
        high = [min(self.most[kind][holder], (self.reach(holder) & mask).bit_count()) for holder in holders]
        whole = mask.bit_count()
        all_low, all_high = sum(low), sum(high)
        return (
            [max(low[holder], whole - all_high + high[holder]) for holder in holders],
            [min(high[holder], whole - all_low + low[holder]) for holder in holders],
        )

    def tightened(self) -> Ways | None:
        """Return the same ways with the cards placed that the limits alone place; None if a limit cannot be met.

        A holder that lacks as many of a kind as it may have has them all, and one that lacks none has no more of them.
        """
        ways, again = self, bool(self.limited)
        while again:
            again = False
            for kind, mask in enumerate(KINDS):
                if not ways.limited >> kind & 1 or not ways.unplaced & mask:
                    continue
                low, high = ways.range_of(kind)
                for holder, (least, most) in enumerate(zip(low, high, strict=True)):
                    held = (ways.piles[holder] & mask).bit_count()
                    open_to = ways.reach(holder) & mask & ~ways.piles[holder]
                    if not open_to:
                        continue
                    if most < least:
                        return None
                    after = (
                        ways.give(open_to, holder)
                        if least - held == open_to.bit_count()
                        else ways.deny(open_to, holder)
                        if most == held
                        else ways
                    )
                    if after is None:
                        return None
                    again = again or after is not ways
                    ways = after
        return ways

    def is_possible(self) -> bool:
        """Return whether there is any way at all."""
        return _is_possible(self)


def all_ways(sides: int, may_be_nobodys: bool) -> Ways:
    """Return every way of sharing out the whole pack."""
    holders = sides + may_be_nobodys
    nothing, everything = (0,) * holders, tuple((kind.bit_count(),) * holders for kind in KINDS)
    return Ways(nothing, (((1 << holders) - 1, FULL_PACK),), (nothing,) * len(KINDS), everything)


def _joined(loose: Sequence[tuple[int, Pile]]) -> tuple[tuple[int, Pile], ...]:
    by_holders: dict[int, Pile] = {}
    for allowed, mask in loose:
        by_holders[allowed] = by_holders.get(allowed, 0) | mask
    return tuple(sorted(by_holders.items()))


def _replaced(limits: Limits, kind: int, holder: Position, number: int) -> Limits:
    row = limits[kind]
    if row[holder] == number:
        return limits
    return (*limits[:kind], (*row[:holder], number, *row[holder + 1 :]), *limits[kind + 1 :])


# ---------------------------------------------------------------- is there a way?


def _is_possible(ways: Ways) -> bool:
    if not ways.limited:
        return True
    holders = len(ways.piles)
    spend(30 + 12 * holders)
    room: list[tuple[list[int], list[int]] | None] = []
    unplaced = ways.unplaced
    for kind, mask in enumerate(KINDS):
        limits = _room(ways, kind, mask, unplaced & mask) if ways.limited >> kind & 1 else None
        if limits == ():
            return False
        room.append(limits or None)
    classes, doubles = _classes(ways, [limits is not None for limits in room])
    if not doubles:
        return _fits(holders, classes, room)
    # Without their second class first: if that is impossible already, no double card needs to be dealt out.
    for kinds in (RANK_KINDS, (COINS_KIND,)):
        relaxed = [limits if kind == CARDS_KIND or kind in kinds else None for kind, limits in enumerate(room)]
        if not _fits(holders, _classes(ways, [limits is not None for limits in relaxed])[0], relaxed):
            return False
    return any(
        _fits(holders, classes, _less(room, dealt)) for dealt in _deals(doubles, holders) if _has_room(room, dealt)
    )


def _room(ways: Ways, kind: int, mask: Pile, unplaced: Pile) -> tuple[list[int], list[int]] | tuple[()] | None:
    """Return the least and the most of the loose cards of a kind for each holder.

    None: no limit; empty: one has too many.
    """
    least, most = ways.least[kind], ways.most[kind]
    loose = unplaced.bit_count()
    low, high, is_limit = [], [], False
    for holder, pile in enumerate(ways.piles):
        held = (pile & mask).bit_count()
        may = most[holder] - held
        if may < 0:
            return ()
        must = least[holder] - held
        is_limit = is_limit or must > 0 or may < loose
        low.append(max(must, 0))
        high.append(min(may, loose))
    return (low, high) if is_limit else None


class _Double(NamedTuple):
    """Loose coins that are counted by their rank too: the kind of the rank, the possible holders, and their number."""

    kind: int
    allowed: int
    number: int


def _classes(ways: Ways, limited: Sequence[bool]) -> tuple[list[list[Group]], list[_Double]]:
    """Return the loose cards of each class as groups, and the coins that belong to two limited classes.

    The classes have the numbers of their kinds; class 0 are the cards without a limited kind.
    """
    classes: list[list[Group]] = [[], [], [], [], []]
    doubles: list[_Double] = []
    for allowed, mask in ways.loose:
        rest = mask
        for kind in RANK_KINDS:
            here = mask & KINDS[kind]
            if not here or not limited[kind]:
                continue
            coins = here & COINS if limited[COINS_KIND] else 0
            if coins:
                doubles.append(_Double(kind, allowed, coins.bit_count()))
            if here ^ coins:
                classes[kind].append((allowed, (here ^ coins).bit_count()))
            rest ^= here
        coins = rest & COINS if limited[COINS_KIND] else 0
        if coins:
            classes[COINS_KIND].append((allowed, coins.bit_count()))
        if rest ^ coins:
            classes[CARDS_KIND].append((allowed, (rest ^ coins).bit_count()))
    return classes, doubles


Dealt = tuple[tuple[int, tuple[int, ...]], ...]
"""For some kinds, the number of double cards of the kind that each holder is dealt."""


def _deals(doubles: Sequence[_Double], holders: int) -> Iterator[Dealt]:
    """Yield the ways to deal out the double cards."""
    shares = [_shares(each.number, each.allowed, holders) for each in doubles]
    for chosen in product(*shares):
        yield tuple((each.kind, share) for each, share in zip(doubles, chosen, strict=True))


@lru_cache(maxsize=512)
def _shares(number: int, allowed: int, holders: int) -> tuple[tuple[int, ...], ...]:
    """Return the ways to share out so many equal cards among the holders that may have them."""
    ways: list[tuple[tuple[int, ...], int]] = [((), number)]
    for holder in range(holders):
        most = [left if allowed >> holder & 1 else 0 for _, left in ways]
        ways = [
            ((*share, taken), left - taken)
            for (share, left), up_to in zip(ways, most, strict=True)
            for taken in range(up_to + 1)
        ]
    return tuple(share for share, left in ways if not left)


Room = Sequence[tuple[list[int], list[int]] | None]


def _has_room(room: Room, dealt: Dealt) -> bool:
    """Return whether no holder gets more double cards than it may have."""
    spend(7 * len(dealt[0][1]) - 6)
    coins = room[COINS_KIND]
    for kind, share in dealt:
        limits = room[kind]
        if limits is not None and any(number > most for number, most in zip(share, limits[1], strict=True)):
            return False
    together = [sum(share[holder] for _, share in dealt) for holder in range(len(dealt[0][1]))]
    return coins is None or all(number <= most for number, most in zip(together, coins[1], strict=True))


def _less(room: Room, dealt: Dealt) -> Room:
    """Return the room of each holder after the double cards were dealt."""
    after = [None if limits is None else (limits[0][:], limits[1][:]) for limits in room]
    for kind, share in dealt:
        for limited in (kind, COINS_KIND, CARDS_KIND):
            limits = after[limited]
            if limits is not None:
                for holder, number in enumerate(share):
                    limits[0][holder] -= number
                    limits[1][holder] -= number
    for limits in after:
        if limits is not None:
            for holder, least in enumerate(limits[0]):
                if least < 0:
                    limits[0][holder] = 0
    return after


def _fits(holders: int, classes: Sequence[Sequence[Group]], room: Room) -> bool:
    """Return whether the loose cards of all classes can be shared out within the limits."""
    spend(20 * holders)
    everyone = (1 << holders) - 1
    can = [0] * (everyone + 1)
    whole = 0
    for kind, groups in enumerate(classes):
        limits = room[kind] if kind != CARDS_KIND else None
        if not groups:
            if limits is not None and any(limits[0]):
                return False
            continue
        whole += sum(number for _, number in groups)
        reach = _reach(groups, everyone)
        if limits is not None:
            narrowed = _narrowed(reach, limits[0], limits[1], everyone, groups)
            if narrowed is None:
                return False
            reach = narrowed
        can = [some + more for some, more in zip(can, reach, strict=True)]
    total = room[CARDS_KIND]
    if total is None:
        return True
    must, may = _sums(total[0], everyone), _sums(total[1], everyone)
    # What some holders must have they can have, and what the others cannot have fits in with them.
    return all(must[some] <= can[some] and whole - can[everyone ^ some] <= may[some] for some in range(everyone + 1))


def _sums(numbers: Sequence[int], everyone: int) -> list[int]:
    """Return the sum of the numbers of each group of holders."""
    sums = [0] * (everyone + 1)
    for holder, number in enumerate(numbers):
        bit = 1 << holder
        for some in range(bit, 2 * bit):
            sums[some] = sums[some ^ bit] + number
    return sums


def _reach(groups: Sequence[Group], everyone: int) -> list[int]:
    """Return the most cards of each group of holders."""
    if len(groups) == 1 and groups[0][0] == everyone:
        return [0] + [groups[0][1]] * everyone
    return [sum(number for allowed, number in groups if allowed & some) for some in range(everyone + 1)]


def _narrowed(
    reach: list[int], least: list[int], most: list[int], everyone: int, groups: Sequence[Group]
) -> list[int] | None:
    """Return the most cards of each group of holders within the limits of a class; None if none are possible."""
    must, may = _sums(least, everyone), _sums(most, everyone)
    whole = reach[everyone]
    for some in range(everyone + 1):
        if must[some] > reach[some] or whole - reach[everyone ^ some] > may[some]:
            return None
    if len(groups) == 1 and groups[0][0] == everyone:
        return [min(may[some], whole - must[everyone ^ some]) for some in range(everyone + 1)]
    spend(4 * everyone * everyone // 3)
    return [
        min(reach[some_of] + may[some & ~some_of] - must[some_of & ~some] for some_of in range(everyone + 1))
        for some in range(everyone + 1)
    ]


def loose_holders(ways: Ways, card: Card) -> Sequence[Position]:
    """Return the holders that may have a loose card."""
    for allowed, mask in ways.loose:
        if mask >> card & 1:
            return _holders_of(allowed)
    return ()


@lru_cache(maxsize=256)
def _holders_of(allowed: int) -> tuple[Position, ...]:
    return tuple(cards_of(allowed))
