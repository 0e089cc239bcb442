"""Who wins a deal of tricks: small frozen objects, each with its own condition, reason and next question.

A decider judges what was read of a deal (:class:`ReadDeal`); it does not know what the table reported it by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from .. import contract, schema
from ..cards import SUITS
from ..problems import Problems
from ..sheet import Line
from .pack import LAST_TRICK, MARRIAGE_IN_TRUMPS, WHOLE
from .said_winner import Range, may_lead, warn_of_word

CALLERS_NEED = 61


@dataclass
class CardPoints:
    """The card points as far as known: least and most of each side, the evidence, and the cards of each pile."""

    least: list[int]
    most: list[int]
    evidence: contract.Evidence | None
    cards: list[int | None]
    piles: list[set[str]]
    is_whole: bool

    @property
    def exact(self) -> tuple[int, ...] | None:
        """The card points of every side, or None while those of a side are not known."""
        return tuple(self.least) if self.least == self.most else None


@dataclass(frozen=True)
class ReadDeal:
    """A deal, read: all that the rule needs that decides it."""

    facts: Mapping[str, object]
    """The reported deal."""
    sides: tuple[str, ...]
    problems: Problems
    card_points: CardPoints
    bonus: Sequence[int]
    """Points that marriages and the last trick add to the card points of each side."""
    bid: tuple[int, int] | None
    """Side and points."""
    partner: int | None
    said: int | None
    """The side of which the table says that it won."""
    ranges: Sequence[Range]
    """The least and the most card points of each side, also by the number of its cards."""

    @property
    def positions(self) -> range:
        """The positions of the sides, in playing order."""
        return range(len(self.sides))

    def to(self, side: int | None, points: int) -> tuple[int, ...]:
        """Return the points of each side where one gets all of them; nobody, where that is None."""
        return tuple(points if each == side else 0 for each in self.positions)

    def believes(self, *winners: int) -> bool:
        """Return whether these may be who won by the table's word, or nobody was named; warn where they are not."""
        if self.said is None or self.said in winners:
            return True
        warn_of_word("game_point", "awards.game_point", self.sides[self.said], self.problems)
        return False


@dataclass(frozen=True)
class Decider:
    """A rule that decides a deal."""

    id: ClassVar[str]
    """Its name for pages."""
    bids: ClassVar[tuple[int, int] | None] = None
    """The lowest and the highest bid; None where nobody bids."""
    unsaid_bid: ClassVar[int | None] = None
    """The bid if the table says none; None if it must say one."""
    laid_away: ClassVar[int] = 0
    """Number of cards that the bidder lays away into the own pile."""
    items: ClassVar[tuple[str, ...]] = ("game_point",)
    """The items whose lines it writes."""
    reads_points: ClassVar[bool] = False
    """True if the table itself decides the points of each player."""

    def lines(self, read: ReadDeal) -> list[Line]:
        """Return the lines that say who won the deal."""
        raise NotImplementedError

    def ask(self, read: ReadDeal, undecided: list[str]) -> contract.Question | None:
        """Return what to ask next: open card points first, then the number of cards."""
        return ask_in(read.positions, read, undecided)


def ask_in(order: Sequence[int], read: ReadDeal, undecided: list[str]) -> contract.Question | None:
    """Return the question about the first side in this order whose card points are open, then about its cards."""
    known = read.card_points
    for side in order:
        if known.least[side] != known.most[side]:
            return {"count": "card_points", "side": read.sides[side], "settles": undecided}
    for side in read.positions:
        if known.cards[side] is None:
            return {"count": "cards", "side": read.sides[side], "settles": undecided}
    return None


@dataclass(frozen=True)
class MostPoints(Decider):
    """Most card points win, then most cards. ``doubles``: with more than a hundred the deal counts twice."""

    id = "most"
    doubles: bool = False

    @property
    def items(self) -> tuple[str, ...]:  # type: ignore[override]
        """The game point, and what takes its place above a hundred."""
        return ("game_point", "over_hundred") if self.doubles else ("game_point",)

    def lines(self, read: ReadDeal) -> list[Line]:
        """Return the lines of a deal that most card points win.

        The line is settled where the winner is the same however the open points fall, or where the table says who won.
        Where the top is level tables differ, so there the table's word counts; elsewhere the cards do.
        """
        known, said = read.card_points, read.said
        if not read.believes(*(side for side in read.positions if may_lead(side, read.ranges, read.bonus))):
            least, most = ([bounds[end] for bounds in read.ranges] for end in (0, 1))
            known, said = replace(known, least=least, most=most), None
        results = {_winner(totals, known) for totals in _extremes(known, read.bonus)}
        strength: contract.Evidence = known.evidence or "counted"
        if len(results) > 1 or (known.exact is None and None in results) or (None, "cards") in results:
            if said is None:
                return [Line("game_point", None, "open")]
            return [Line("game_point", read.to(said, 1), "most", None, "said")]
        ((winner, reason),) = results
        if said not in (None, winner):
            return [Line("game_point", read.to(said, 1), "most", None, "said")]
        values = known.exact and tuple(own + more for own, more in zip(known.exact, read.bonus, strict=True))
        point = Line("game_point", read.to(winner, 1), reason, values or None, strength)
        if not self.doubles or winner is None:
            return [point]
        over = {totals[winner] > 100 for totals in _extremes(known, read.bonus)}
        if len(over) > 1:
            return [point._replace(points=None, reason="open", values=None, evidence=None)]
        if over == {True}:
            return [
                point._replace(points=read.to(None, 0), reason="superseded"),
                Line("over_hundred", read.to(winner, 2), "over_hundred", values or None, strength),
            ]
        return [point]


def _extremes(known: CardPoints, bonus: Sequence[int]) -> list[list[int]]:
    """Return, for each side, the totals if all open points fall to that side.

    These are the extremes of what can happen, so what is the same in all of them is certain.
    """
    base = [own + more for own, more in zip(known.least, bonus, strict=True)]
    ways = []
    for side, (least, most) in enumerate(zip(known.least, known.most, strict=True)):
        if most > least:
            ways.append([*base[:side], base[side] + most - least, *base[side + 1 :]])
    return ways or [base]


def _winner(totals: list[int], known: CardPoints) -> tuple[int | None, str]:
    """Return who wins with these totals, and why: most points, then most cards.

    Return ``(None, "cards")`` where the cards decide and were not counted.
    """
    top = [side for side, total in enumerate(totals) if total == max(totals)]
    if len(top) == 1:
        return top[0], "most"
    if any(known.cards[side] is None for side in top):
        return None, "cards"
    most = max(known.cards[side] or 0 for side in top)
    leading = [side for side in top if known.cards[side] == most]
    return (leading[0], "more_cards") if len(leading) == 1 else (None, "tied")


@dataclass(frozen=True)
class Limit(Decider):
    """Everyone with so many card points or fewer wins (mexican)."""

    id = "limit"
    at: int = 11

    def lines(self, read: ReadDeal) -> list[Line]:
        """Return the line of a game point for everyone at or under the limit."""
        known = read.card_points
        read.believes(*(side for side in read.positions if read.ranges[side][0] <= self.at))
        if any(least <= self.at < most for least, most in zip(known.least, known.most, strict=True)):
            return [Line("game_point", None, "open")]
        points = tuple(int(most <= self.at) for most in known.most)
        reason = "within_limit" if any(points) else "over_limit"
        return [Line("game_point", points, reason, known.exact, known.evidence)]


@dataclass(frozen=True)
class Bid(Decider):
    """One declarer against two: the declarer scores the bid (with ``by_made`` what was made), or the others half of it.

    It is open until the last trick is known, and the marriages if one could turn it.
    """

    id = "bid"
    items = ("bid",)
    bids = (100, WHOLE + MARRIAGE_IN_TRUMPS + LAST_TRICK)
    laid_away = 2
    by_made: bool = False

    def lines(self, read: ReadDeal) -> list[Line]:
        """Return the line of a bid that is made, failed or open."""
        assert read.bid is not None
        (declarer, bid), known = read.bid, read.card_points
        least, most = (bound[declarer] + read.bonus[declarer] for bound in (known.least, known.most))
        if self._is_open(least, most, bid) or self._waits_for_word(read, least, most):
            return [Line("bid", None, "open")]
        values = read.to(declarer, least) if least == most else None
        if least >= bid:
            points = read.to(declarer, least if self.by_made else bid)
            return [Line("bid", points, "made", values, known.evidence)]
        half = bid // 2 if bid % 2 == 0 else bid / 2
        failed = tuple(0 if side == declarer else half for side in read.positions)
        return [Line("bid", failed, "failed", values, known.evidence)]

    def ask(self, read: ReadDeal, undecided: list[str]) -> contract.Question | None:
        """Return the next question; none where the bid waits for what only the table can say."""
        if not self._hangs_on_points(read):
            return None
        return super().ask(read, undecided)

    def _is_open(self, least: int, most: int, bid: int) -> bool:
        """Return whether a bid is open where the declarer has between ``least`` and ``most`` points."""
        return least < bid <= most or (self.by_made and least != most and most >= bid)

    def _waits_for_word(self, read: ReadDeal, least: int, most: int) -> bool:
        """Return whether it waits for what only the table can say: the last trick, or a marriage that could turn it."""
        if read.bid is None:
            return False
        marriage = MARRIAGE_IN_TRUMPS if self._may_marry(read) else 0
        return read.facts.get("last_trick") is None or self._is_open(least, most + marriage, read.bid[1])

    def _may_marry(self, read: ReadDeal) -> bool:
        """Return whether the declarer may have an unreported marriage: no other pile holds a card of it."""
        if read.facts.get("marriages") is not None or read.card_points.is_whole or read.bid is None:
            return False
        named = read.facts.get("trump")
        suits = named.upper() if isinstance(named, str) else SUITS
        others = set[str]().union(*(pile for side, pile in enumerate(read.card_points.piles) if side != read.bid[0]))
        return any(not {"12" + suit, "11" + suit} & others for suit in suits)

    def _hangs_on_points(self, read: ReadDeal) -> bool:
        """Return whether the bid hangs on the declarer's card points, whatever else the table has to say."""
        if read.bid is None:
            return False
        declarer, bid = read.bid
        told = read.bonus[declarer]
        tricks = {0, LAST_TRICK} if read.facts.get("last_trick") is None else {0}
        married = {0, MARRIAGE_IN_TRUMPS} if self._may_marry(read) else {0}
        least, most = read.card_points.least[declarer] + told, read.card_points.most[declarer] + told
        return any(
            self._is_open(least + trick + pair, most + trick + pair, bid) for trick in tricks for pair in married
        )


@dataclass(frozen=True)
class Call(Decider):
    """A caller and a hidden partner against the rest: together they need so many points, or the caller alone.

    ``scores`` is what that brings: ``two_one``, ``deal_wins``, or ``manual`` where the table writes it down.
    """

    id = "call"
    items = ("bid",)
    bids = (0, WHOLE)
    unsaid_bid = CALLERS_NEED
    scores: str = "two_one"

    @property
    def reads_points(self) -> bool:  # type: ignore[override]
        """True if the table writes down the points of each player."""
        return self.scores == "manual"

    def lines(self, read: ReadDeal) -> list[Line]:
        """Return the line of a call. Who plays alone wins or loses what all the others lose or win."""
        if self.reads_points:
            given = schema.by_side(read.facts.get("points"), "points", read.sides, read.problems)
            if len(given) < len(read.sides):
                return [Line("bid", None, "open")]
            by_hand = tuple(schema.integer(given[side], f"points.{side}") for side in read.sides)
            return [Line("bid", by_hand, "manual", None, "said")]
        assert read.bid is not None
        (caller, bid), known = read.bid, read.card_points
        team = {caller} if read.partner is None else {caller, read.partner}
        wanted = max(CALLERS_NEED, bid)
        least = sum(known.least[side] for side in team)
        most = WHOLE - sum(known.least[side] for side in read.positions if side not in team)
        if all(known.least[side] == known.most[side] for side in team):
            most = least
        if least < wanted <= most:
            return [Line("bid", None, "open")]
        won = least >= wanted
        if self.scores == "deal_wins":
            points = tuple(int((side in team) == won) for side in read.positions)
        else:
            sign = 1 if won else -1
            stake = len(read.sides) - 1 if len(team) == 1 else 2
            points = tuple(sign * (stake if side == caller else 1 if side in team else -1) for side in read.positions)
        return [Line("bid", points, "made" if won else "failed", known.exact, known.evidence)]

    def ask(self, read: ReadDeal, undecided: list[str]) -> contract.Question | None:
        """Return the next question: first about the caller and the partner, as theirs are enough.

        Where its points are entered by hand, those are asked for.
        """
        if self.reads_points:
            given = schema.by_side(read.facts.get("points"), "points", read.sides, Problems())
            missing = next(side for side in read.sides if side not in given)
            return {"count": "points", "side": missing, "settles": undecided}
        team = (read.bid and read.bid[0], read.partner)
        return ask_in(sorted(read.positions, key=lambda side: side not in team), read, undecided)
