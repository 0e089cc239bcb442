"""Scoring items of the fishing games: small frozen objects, each with its own condition, tie rule and reason.

An item names the features it reads and judges their values; it does not know where the values come from. So the same
judgement serves cards shown, counts, and everything that a partly known deal can still become. Forms and pages ask the
item itself for its points, its counts and whether it is rare; they never go by its id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

from ..cards import COINS, FULL_PACK, SEVENS, SIXES, SUITS, Pile, Position
from .features import COUNTED, CoinRun, Count, Feature, PrimeOf
from .primes import PIP_SHIFT, SEVEN_SHIFT, SUIT_SHIFT, THREE_BITS, VALUE_BITS, Given, PrimeRule, has_pips, in_units
from .ties import leaders, scorers

Number = int | float | None

Values = tuple[int, ...]
"""The value of each side, in playing order."""

Read = tuple[Values, ...]
"""The values of each feature that an item reads."""


class Verdict(NamedTuple):
    """The judgement of an item on its values: points and values per side, in playing order, and the takers."""

    points: tuple[int, ...]
    reason: str
    values: tuple[Number, ...]
    winners: tuple[Position, ...]


def award(winners: Sequence[Position], points: int, sides: int) -> tuple[int, ...]:
    """Return the points of each side: ``points`` for a winner, nothing for the others."""
    return tuple(points if side in winners else 0 for side in range(sides))


@dataclass(frozen=True)
class Item:
    """An item scored from the piles at the end of a deal. ``points`` 0 means that it is off."""

    id: str
    points: int

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Return the features that are read from each pile; ``given`` are the ranks given to wild cards."""
        raise NotImplementedError

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Return the verdict on the values read: one tuple for each feature, in it one number for each side."""
        raise NotImplementedError

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return values between ``low`` and ``high``, of each side by itself: an example for each possible outcome.

        There may be more examples than outcomes, because dependencies between sides are ignored.
        """
        raise NotImplementedError

    is_plain = False
    """True if the highest value alone decides who takes the item (see :meth:`goes_to`)."""

    def goes_to(self, winner: Position, low: Read, high: Read) -> bool | None:
        """Return whether one side takes a plain item alone (None: perhaps), with values from ``low`` to ``high``."""
        raise NotImplementedError

    def splits_at(self, low: int, high: int) -> int:
        """Return the number, above ``low``, at which the outcome is most likely to change."""
        return (low + high + 1) // 2

    @property
    def is_on(self) -> bool:
        """True if the item is played at this table."""
        return bool(self.points)

    ends_match = False
    """True if taking the item wins the match at once."""

    points_follow_winners = True
    """True if the takers of the item alone decide its points."""

    @property
    def fixed_points(self) -> int | None:
        """The points for taking the item, None if they are not one fixed number."""
        return self.points if self.points_follow_winners and not self.ends_match else None

    @property
    def span(self) -> tuple[int, int] | None:
        """The fewest and the most points for taking the item, if they depend on the cards taken."""
        return None

    @property
    def counts(self) -> tuple[str, ...]:
        """The kinds of cards to count in each pile to settle the item, of those that a table counts."""
        read = [feature.of for feature in self.features(()) if isinstance(feature, Count)]
        return tuple(kind for kind, mask in COUNTED.items() if mask in read)

    @property
    def cards(self) -> Pile:
        """The cards that the item counts, as a mask; the full pack where it counts every card, or values them."""
        return FULL_PACK

    @property
    def is_rare(self) -> bool:
        """True if only a rare pile scores the item, so that in most deals nobody has it."""
        return False

    def said(self, winners: Sequence[Position], sides: int) -> tuple[str, tuple[Number, ...] | None]:
        """Return the reason and the values (None: unknown) of an item whose takers alone are known."""
        return "certain", None

    def outcome(self, verdict: Verdict) -> tuple[int, ...]:
        """Return the part of a verdict that decides the deal: the points, or who wins the match."""
        return verdict.winners if self.ends_match else verdict.points


def majorities(low: Values, high: Values, deep: bool) -> Iterator[Values]:
    """Yield values between ``low`` and ``high``: one example for each way in which sides may lead alone or level.

    With ``deep`` there are examples for the order of the sides behind those that are level, too.
    """
    sides = range(len(low))
    top = max(low)
    if top <= 0:
        yield low
    rivals = [side for side in sides if high[side] >= top and high[side] > 0]
    for side in rivals:
        behind = max((low[other] for other in sides if other != side), default=0)
        least = max(low[side], behind + 1, 1)
        if least <= high[side]:
            yield (*low[:side], least, *low[side + 1 :])
    for size in range(2, len(rivals) + 1):
        for level in combinations(rivals, size):
            others = [side for side in sides if side not in level]
            least = max([1, *(low[side] for side in level), *(low[side] + 1 for side in others)])
            most = min(high[side] for side in level)
            if least > most:
                continue
            values = [most if side in level else low[side] for side in sides]
            yield tuple(values)
            if deep and others:
                below = tuple(min(high[side], most - 1) for side in others)
                for rest in majorities(tuple(low[side] for side in others), below, deep):
                    for side, value in zip(others, rest, strict=True):
                        values[side] = value
                    yield tuple(values)


def is_ahead(winner: Position, low: Values, high: Values) -> bool | None:
    """Return whether a side surely has the highest value alone; None if both may be."""
    if high[winner] <= max(0, *(low[other] for other in range(len(low)) if other != winner)):
        return False
    return True if low[winner] > max(0, *(high[other] for other in range(len(low)) if other != winner)) else None


@dataclass(frozen=True)
class Most(Item):
    """Most cards of a kind. ``superseded_at``: a count from which another item scores instead (None: never)."""

    of: Pile = FULL_PACK
    tie_rule: str = "nobody"
    superseded_at: int | None = None

    @property
    def cards(self) -> Pile:
        """The cards that it counts."""
        return self.of

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read the number in a pile."""
        return (Count(self.of),)

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Let the highest count score, or the sides that the tie rule names."""
        (counts,) = read
        if self.superseded_at is not None and max(counts) >= self.superseded_at:
            return Verdict(award((), 0, len(counts)), "superseded", counts, ())
        return majority(counts, counts, self.tie_rule, self.points)

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return an example for each order of the sides, and for a count that leaves it to another item."""
        (least,), (most,) = low, high
        at, deep = self.superseded_at, self.tie_rule == "best_untied"
        if at is None:
            return [(values,) for values in majorities(least, most, deep)]
        if max(least) >= at:
            return [low]
        below = tuple(min(number, at - 1) for number in most)
        reads: list[Read] = [(values,) for values in majorities(least, below, deep)]
        for side, number in enumerate(most):
            if number >= at:
                reads.append(((*least[:side], number, *least[side + 1 :]),))
        return reads

    @property
    def is_plain(self) -> bool:  # type: ignore[override]
        """True where no other rule may give it to a side."""
        return self.tie_rule != "best_untied" and self.superseded_at is None

    def goes_to(self, winner: Position, low: Read, high: Read) -> bool | None:
        """Return whether one side has the most."""
        return is_ahead(winner, low[0], high[0])

    def splits_at(self, low: int, high: int) -> int:
        """Return the majority of all the cards, or half of them, or the middle."""
        half = self.of.bit_count() // 2
        return next((at for at in (half + 1, half) if low < at <= high), (low + high + 1) // 2)

    def said(self, winners: Sequence[Position], sides: int) -> tuple[str, tuple[Number, ...] | None]:
        """One taker has most, unless the tie rule lets a lower one score; several are level."""
        if not winners:
            return "certain" if self.superseded_at is not None else "tied", None
        return _reason_of(winners, self.tie_rule), None


def _reason_of(winners: Sequence[Position], tie_rule: str) -> str:
    if len(winners) > 1:
        return "tied_each_scores"
    return "certain" if tie_rule == "best_untied" else "most"


def majority(compared: Sequence[int | None], shown: tuple[Number, ...], tie_rule: str, points: int) -> Verdict:
    """Judge a majority: who has the highest value, or why nobody scores."""
    top = leaders(compared)
    winners = scorers(compared, tie_rule)
    if winners == top and len(top) == 1:
        reason = "most"
    elif winners == top and top:
        reason = "tied_each_scores"
    elif winners:
        reason = "best_untied"
    elif top:
        reason = "tied"
    else:
        reason = "nobody_eligible"
    return Verdict(award(winners, points, len(compared)), reason, shown, winners)


@dataclass(frozen=True)
class AtLeast(Item):
    """So many cards of a kind in one pile: a special card, all four sevens, all ten coins, the three court coins."""

    of: Pile = FULL_PACK
    at: int | None = 1

    @property
    def cards(self) -> Pile:
        """The cards that it counts."""
        return self.of

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read the number in a pile; a wild card counts as itself."""
        return (Count(self.of),)

    @property
    def is_rare(self) -> bool:
        """True if one pile must hold several cards of the kind, and the kind has that many."""
        return self.at is not None and 1 < self.at <= self.of.bit_count()

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Let each side that reaches the number score."""
        (counts,) = read
        if self.at is None:
            return Verdict(award((), 0, len(counts)), "not_all", counts, ())
        winners = tuple(side for side, count in enumerate(counts) if count >= self.at)
        if winners:
            reason = "holds" if self.at == 1 else "all"
        else:
            reason = "nobody" if self.at == 1 else "not_all"
        return Verdict(award(winners, self.points or 0, len(counts)), reason, counts, winners)

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return an example for each group of sides that may reach the number."""
        (least,), (most,) = low, high
        if self.at is None:
            return [low]
        reach = [side for side, number in enumerate(most) if number >= self.at]
        at_once = max(1, self.of.bit_count() // self.at)
        reads: list[Read] = []
        for size in range(min(len(reach), at_once) + 1):
            for winners in combinations(reach, size):
                values = tuple(
                    max(number, self.at) if side in winners else min(number, self.at - 1)
                    for side, number in enumerate(least)
                )
                if all(number >= given for number, given in zip(values, least, strict=True)):
                    reads.append((values,))
        return reads

    def splits_at(self, low: int, high: int) -> int:
        """Return the number that the item needs."""
        return self.at if self.at is not None and low < self.at <= high else (low + high + 1) // 2

    def said(self, winners: Sequence[Position], sides: int) -> tuple[str, tuple[Number, ...] | None]:
        """Give the taker as many cards as the item needs; all numbers follow where those are all the cards."""
        if not winners:
            return "nobody" if self.at == 1 else "not_all", None
        there_are = self.of.bit_count()
        values = award(winners, there_are, sides) if there_are == self.at else None
        return "holds" if self.at == 1 else "all", values


@dataclass(frozen=True)
class Cappotto(AtLeast):
    """All ten coins: no points, the match itself (docs/rules.md 4.3)."""

    ends_match = True

    @property
    def is_on(self) -> bool:
        """True if all the coins win the match at this table."""
        return self.at is not None


FACE_PRIME = PrimeRule("face")


@dataclass(frozen=True)
class Prime(Item):
    """The better prime. ``third_side``: two sides that tie leave it to a third that is not lame (docs/rules.md 3.2)."""

    rule: PrimeRule = FACE_PRIME
    tie_rule: str = "nobody"
    void_if_all_sevens: bool = False
    third_side: bool = False

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read the prime, and the sevens where all four in one pile call it off."""
        prime = PrimeOf(self.rule, given)
        return (prime, Count(SEVENS)) if self.void_if_all_sevens else (prime,)

    @property
    def span(self) -> tuple[int, int] | None:
        """The fewest and the most points for taking the item, if they depend on the cards taken."""
        return None

    @property
    def counts(self) -> tuple[str, ...]:
        """Sevens and sixes, which decide most of a prime; where a prime is counted in sevens, sevens alone."""
        return ("sevens",) if self.rule.method == "sevens_count" else ("sevens", "sixes")

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Let the best prime that may compete score."""
        packed = read[0]
        values = [self.rule.value(measure) for measure in packed]
        shown = tuple(in_units(value) for value in values)
        if self.void_if_all_sevens and max(read[1]) == 4:
            return Verdict(award((), 0, len(values)), "superseded", shown, ())
        if self.third_side and len(leaders(values)) == 2:
            ahead = leaders(values)
            counts_sevens = self.rule.method == "sevens_count"
            third = [
                value if side not in ahead and (counts_sevens or has_pips(packed[side])) else None
                for side, value in enumerate(values)
            ]
            winners = scorers(third, "nobody")
            reason = "best_untied" if winners else "tied"
            return Verdict(award(winners, self.points, len(values)), reason, shown, winners)
        return majority(values, shown, self.tie_rule, self.points)

    @property
    def deciding_bits(self) -> int:
        """The bits of a packed measure that can decide at this table."""
        bits = VALUE_BITS
        if self.rule.suits_required:
            bits |= THREE_BITS << SUIT_SHIFT
        if self.rule.needs_pip or self.third_side:
            bits |= THREE_BITS << PIP_SHIFT
        if self.rule.needs_seven:
            bits |= THREE_BITS << SEVEN_SHIFT
        return bits

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return an example for each order of the primes, of those too that may not compete."""
        if self.void_if_all_sevens and max(low[1]) == 4:
            return [low]
        is_eligible = self.rule.is_eligible
        least = tuple(each & VALUE_BITS if is_eligible(each) else -1 for each in low[0])
        most = tuple(each & VALUE_BITS if is_eligible(each) else -1 for each in high[0])
        nothing = (0,) * len(least)
        reads: list[Read] = []
        for values in majorities(least, most, self.tie_rule == "best_untied" or self.third_side):
            for packed in self._as_measured(values, low[0], high[0]):
                reads.append((packed, nothing) if self.void_if_all_sevens else (packed,))
        if self.void_if_all_sevens:
            for side, sevens in enumerate(high[1]):
                if sevens == 4:
                    reads.append((high[0], (*nothing[:side], 4, *nothing[side + 1 :])))
        return reads

    @property
    def is_plain(self) -> bool:  # type: ignore[override]
        """True where no other rule may give it to a side."""
        return self.tie_rule != "best_untied" and not self.third_side and not self.void_if_all_sevens

    def goes_to(self, winner: Position, low: Read, high: Read) -> bool | None:
        """Return whether one side has the best prime."""
        return is_ahead(winner, *(tuple(self.rule.value(each) or 0 for each in read[0]) for read in (low, high)))

    def _as_measured(self, values: Values, low: Values, high: Values) -> Iterator[Values]:
        """Yield measures with these values, -1 for a prime that may not compete; with and without pips in all suits."""
        pips: list[tuple[int, ...]] = [
            (len(SUITS),) if not self.third_side or has_pips(least) else (0, len(SUITS)) if has_pips(most) else (0,)
            for least, most in zip(low, high, strict=True)
        ]
        all_else = len(SUITS) << SUIT_SHIFT | 1 << SEVEN_SHIFT
        for suits_with_pips in product(*pips):
            yield tuple(
                value | all_else | suits << PIP_SHIFT if value >= 0 else 0
                for value, suits in zip(values, suits_with_pips, strict=True)
            )

    def said(self, winners: Sequence[Position], sides: int) -> tuple[str, tuple[Number, ...] | None]:
        """One taker has the best, unless the tie rule lets a lower one score; several are level."""
        return "certain" if not winners or self.third_side else _reason_of(winners, self.tie_rule), None

    @property
    def is_on(self) -> bool:
        """A prime needs points and a method."""
        return bool(self.points) and self.rule.method != "off"


@dataclass(frozen=True)
class Barmila(Item):
    """Most sevens; where they are level, most sixes (docs/rules.md 4.5)."""

    cards = SEVENS | SIXES

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read sevens and sixes."""
        return (Count(SEVENS), Count(SIXES))

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Let sevens decide, then sixes."""
        sevens, sixes = read
        if len(leaders(sevens)) == 1:
            return majority(sevens, sevens, "nobody", self.points)
        verdict = majority(sixes, sixes, "nobody", self.points)
        return verdict._replace(reason="most_sixes") if verdict.winners else verdict

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return an example for each order of the sevens, and of the sixes where the sevens are level."""
        reads: list[Read] = []
        for sevens in majorities(low[0], high[0], False):
            level = len(leaders(sevens)) != 1
            reads += [(sevens, sixes) for sixes in (majorities(low[1], high[1], False) if level else (low[1],))]
        return reads

    def splits_at(self, low: int, high: int) -> int:
        """Return the majority of four cards, or half of them."""
        return next((at for at in (3, 2) if low < at <= high), high)


@dataclass(frozen=True)
class FewCards(Item):
    """Every other side has fewer than ten cards: a bonus for the side with the most (docs/rules.md 3.2 and A24)."""

    fewer_than: int = 10

    is_rare = True
    """Between two sides it takes three quarters of the pack."""

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read the number of cards."""
        return (Count(FULL_PACK),)

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Let the leader score where all the others are below the line."""
        (counts,) = read
        top = leaders(counts)
        below = all(count < self.fewer_than for side, count in enumerate(counts) if side not in top)
        winners = top if len(top) == 1 and below else ()
        return Verdict(award(winners, self.points, len(counts)), "few_cards" if winners else "not_few", counts, winners)

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return an example for each side that may take it, and examples in which nobody does."""
        (least,), (most,) = low, high
        reads: list[Read] = []
        for side, number in enumerate(most):
            reads.append(((*least[:side], number, *least[side + 1 :]),))
        for pair in combinations(range(len(least)), 2):
            if all(most[side] >= self.fewer_than for side in pair):
                values = (max(n, self.fewer_than) if side in pair else n for side, n in enumerate(least))
                reads.append((tuple(values),))
        return reads + [(values,) for values in majorities(least, most, False)]

    def splits_at(self, low: int, high: int) -> int:
        """Return the number of cards that is not few, or the number that leaves the others few."""
        many = FULL_PACK.bit_count() - self.fewer_than + 1
        return next((at for at in (many, self.fewer_than) if low < at <= high), (low + high + 1) // 2)

    def said(self, winners: Sequence[Position], sides: int) -> tuple[str, tuple[Number, ...] | None]:
        """Return the reason, which depends only on whether a side took it."""
        return "few_cards" if winners else "not_few", None


@dataclass(frozen=True)
class LowCoins(Item):
    """Piccola: coins from the ace up without a gap, at least three of them (docs/rules.md 4.3).

    It scores a point for each card, six at most.
    """

    shortest: int = 3
    longest: int = 6

    points_follow_winners = False

    @property
    def span(self) -> tuple[int, int]:
        """The points of the shortest and of the longest run."""
        return self.shortest * self.points, self.longest * self.points

    is_rare = True
    """The three lowest coins are seldom in one pile."""

    cards = COINS

    def examples(self, low: Read, high: Read) -> list[Read]:
        """Return an example for each length that one side's run may have: only the owner of the ace has one."""
        (least,), (most,) = low, high
        nothing = (0,) * len(least)
        reads: list[Read] = [] if any(least) else [(nothing,)]
        for side, longest in enumerate(most):
            if any(length for other, length in enumerate(least) if other != side):
                continue
            for length in range(max(1, least[side]), longest + 1):
                reads.append(((*nothing[:side], length, *nothing[side + 1 :]),))
        return reads

    def features(self, given: Given) -> tuple[Feature, ...]:
        """Read the run of coins from the ace."""
        return (CoinRun(self.longest),)

    def judge(self, *read: tuple[int, ...]) -> Verdict:
        """Score a run that is long enough, by its length."""
        (lengths,) = read
        points = tuple(min(length, self.longest) * self.points if length >= self.shortest else 0 for length in lengths)
        winners = tuple(side for side, gained in enumerate(points) if gained)
        return Verdict(points, "run" if winners else "not_all", lengths, winners)
