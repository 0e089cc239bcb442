"""The lines of the items: each is scored with the strongest evidence that settles it, or stays open.

Evidence is tried from the strongest to the weakest: cards shown, cards counted, and what was only said. All ways of
dealing out the unplaced cards that agree with the evidence are examined. Where an item comes out the same in all of
them, its line is settled. Each examination takes steps, which are limited (see :mod:`..budget`); where they run out,
the line stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from ...limits import LINE_STEPS, SHORT_STEPS
from .. import contract
from ..budget import BudgetSpent, current, is_bounded, spend
from ..cards import CODES
from ..sheet import Line
from .evidence import Awarded, Evidence
from .facts import Facts
from .items import Item, Prime, Verdict, award
from .next_question import still_matter
from .penalties import barred_from, strike
from .possible import Constraint, PossibleValues, Vectors, outcomes, placed_by_counts, without_weighing
from .primes import Given
from .table import FishingTable

STEPS_OF_A_VERDICT = 10
"""Steps to judge one way of dealing out the cards."""

MOST_VERDICTS = 50_000
"""Judgements that are cached, of all tables together."""

_verdicts: dict[tuple[Any, ...], Verdict] = {}
_serial = count()

NOT_LOOKED_AT = PossibleValues(frozenset(), exact=False)

Judge = Callable[[Vectors], Verdict]


@dataclass(frozen=True)
class KnownDeal:
    """The deal being scored: its facts, what is known of the piles, and the ranks of wild cards in primes."""

    facts: Facts
    evidence: Evidence
    given: Given

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Everything counted and said."""
        return (*self.evidence.counts, *self.evidence.awards.values())


class ItemScorer:
    """Scores the items of one table."""

    def __init__(self, table: FishingTable) -> None:
        self.table = table
        self.serial = next(_serial)

    def judge(self, item: Item, read: tuple[tuple[int, ...], ...]) -> Verdict:
        """Judge an item; the verdict on the same values is cached."""
        key = (self.serial, item.id, read)
        verdict = _verdicts.get(key)
        if verdict is None:
            if len(_verdicts) > MOST_VERDICTS:
                _verdicts.clear()
            verdict = _verdicts[key] = item.judge(*read)
        return verdict

    def score_items(self, deal: KnownDeal) -> tuple[list[Line], list[str]]:
        """Return the lines of all items, and the items whose lines are open only because the steps did not suffice.

        Every item first gets a short examination, and only those that stay open get a long one. A prime takes the most
        steps and comes last.
        """
        primes_last = sorted(self.table.items, key=lambda item: isinstance(item, Prime))
        scored: dict[str, tuple[Line, bool]] = {}
        for most in (SHORT_STEPS, LINE_STEPS) if is_bounded() else (LINE_STEPS,):
            for item in primes_last:
                if item.id not in scored or scored[item.id][1]:
                    scored[item.id] = self._score_item(item, deal, most)
        return [scored[item.id][0] for item in self.table.items], [
            item.id for item in self.table.items if scored[item.id][1]
        ]

    def _score_item(self, item: Item, deal: KnownDeal, most: int) -> tuple[Line, bool]:
        """Score an item with the strongest evidence that settles it, or leave its line open.

        Each stage of the evidence may take ``most`` steps. The second value says whether the line is open only because
        the steps ran out.
        """
        evidence = deal.evidence
        judge = self._judge_of(item, deal.facts)
        if not evidence.unplaced:
            read = tuple(
                tuple(feature.measure(pile) for pile in evidence.piles) for feature in item.features(deal.given)
            )
            return _settled_line(item, [judge(read)], "shown"), False
        awarded = evidence.awards.get(item.id)
        is_proven_open = False
        for strength, constraints in _stages(item, awarded, deal):
            # An award settles a line without any steps. It gets few, to find stronger evidence or the values.
            steps = SHORT_STEPS if awarded in constraints else most
            possible = _possible_of(item, judge, constraints, deal, steps)
            verdicts = [judge(read) for read in possible.vectors]
            different = len({item.outcome(verdict) for verdict in verdicts})
            # The table says who took it, so a sample of the ways shows the outcome as well as all of them.
            follows = awarded in constraints and item.points_follow_winners
            if different == 1 and (possible.exact or follows):
                return _settled_line(item, verdicts, strength), False
            is_proven_open = is_proven_open or (constraints == deal.constraints and different > 1)
            if is_bounded() and different < 2:
                ahead = _line_of_the_one_ahead(item, constraints, deal)
                if ahead is not None:
                    return ahead, False
            if follows and is_bounded():
                break
        if awarded is not None and item.points_follow_winners:
            return self._line_as_said(item, awarded, deal.facts), False
        needs = tuple(CODES[card] for card in still_matter(item, evidence, deal.given))
        return Line(item.id, None, "open", needs=needs), not is_proven_open

    def _judge_of(self, item: Item, facts: Facts) -> Judge:
        """Return the judge of an item under the faults of the deal."""
        barred = barred_from(item.id, self.table, facts)
        if barred:
            return lambda read: strike(self.judge(item, read), barred)
        return lambda read: self.judge(item, read)

    def _line_as_said(self, item: Item, awarded: Awarded, facts: Facts) -> Line:
        """Return the line of an item whose taker was said and not contradicted; no ways need to be examined."""
        sides = len(self.table.sides)
        reason, values = item.said(awarded.winners, sides)
        points = award(awarded.winners, item.points or 0, sides)
        verdict = Verdict(points, reason, values or (), awarded.winners)
        verdict = strike(verdict, barred_from(item.id, self.table, facts))
        return Line(item.id, verdict.points, verdict.reason, values, "said", winners=verdict.winners)

    def points_made(self, side: int, lines: Sequence[Line], deal: KnownDeal) -> int | None:
        """Return a side's points of some lines; None where an open one can still change them."""
        total = 0
        for line in lines:
            if line.points is not None:
                points: int | None = int(line.points[side])
            else:
                points = self._certain_points(side, self.table.by_id[line.item], deal)
            if points is None:
                return None
            total += points
        return total

    def _certain_points(self, side: int, item: Item, deal: KnownDeal) -> int | None:
        """Return the points of an open item for one side, where only the points of the others are open."""
        judge = self._judge_of(item, deal.facts)
        known, wanted = deal.evidence.known(deal.given), item.features(deal.given)
        try:
            with current().portion(LINE_STEPS):
                possible = outcomes(known, wanted, deal.constraints, lambda read: judge(read).points[side])
        except BudgetSpent:
            return None
        points = {judge(read).points[side] for read in possible.vectors}
        return points.pop() if possible.exact and len(points) == 1 else None


def _stages(
    item: Item, awarded: Awarded | None, deal: KnownDeal
) -> Iterator[tuple[contract.Evidence, tuple[Constraint, ...]]]:
    """Yield the evidence to try for an item, as strength and constraints: cards alone, then counts, then awards.

    A line that is settled under some constraints is settled under all, and fewer constraints are quicker to check. So
    those that read the same features come first, then all but the primes, then all of them.
    """
    features = set(item.features(deal.given))
    counts: tuple[Constraint, ...] = tuple(deal.evidence.counts)
    awards = tuple(deal.evidence.awards.values())
    yield "shown", ()
    alike_counts = tuple(count for count in counts if features & set(count.features(deal.given)))
    for some_counts in dict.fromkeys((alike_counts, counts)):
        if some_counts:
            yield "counted", some_counts
    if awarded is not None:
        yield "said", (*counts, awarded)
    alike = tuple(each for each in awards if features & set(each.features(deal.given)))
    cheap = tuple(each for each in awards if not isinstance(each.item, Prime))
    for some_awards in dict.fromkeys((alike, cheap, awards)):
        if some_awards:
            yield "said", counts + some_awards


def _possible_of(
    item: Item, judge: Judge, constraints: tuple[Constraint, ...], deal: KnownDeal, steps: int
) -> PossibleValues:
    """Return the values that an item can have; where the steps run out, the values that are known without any steps."""
    known, wanted = deal.evidence.known(deal.given), item.features(deal.given)
    try:
        with current().portion(steps):
            possible = outcomes(known, wanted, constraints, lambda read: item.outcome(judge(read)))
            spend(STEPS_OF_A_VERDICT * len(possible.vectors))
            return possible
    except BudgetSpent:
        return without_weighing(known, wanted, constraints) or NOT_LOOKED_AT


def _settled_line(item: Item, verdicts: Sequence[Verdict], evidence: contract.Evidence) -> Line:
    """Return the line of an item on which all these verdicts agree.

    Where they differ in their values, the line has the least values instead (``at_least``).
    """
    first = verdicts[0]
    reasons = {verdict.reason for verdict in verdicts}
    values: tuple[Any, ...] | None = first.values
    at_least = None
    if any(verdict.values != first.values for verdict in verdicts):
        values = None
        columns = list(zip(*(verdict.values for verdict in verdicts), strict=True))
        if all(isinstance(value, int) for column in columns for value in column):
            at_least = tuple(min(column) for column in columns)
    reason = reasons.pop() if len(reasons) == 1 else "certain"
    winners = first.winners if len({verdict.winners for verdict in verdicts}) == 1 else ()
    return Line(item.id, first.points, reason, values, evidence, at_least=at_least, winners=winners)


def _line_of_the_one_ahead(item: Item, constraints: tuple[Constraint, ...], deal: KnownDeal) -> Line | None:
    """Return the line of a prime that no other side can still reach, where there is one."""
    if not isinstance(item, Prime):
        return None
    evidence = deal.evidence
    known = placed_by_counts(evidence.known(deal.given), constraints)
    ahead = item.surely_ahead(known.piles, known.unplaced, deal.given)
    if ahead is None:
        return None
    at_least = item.at_least(known.piles, deal.given)
    strength: contract.Evidence = "shown" if known.unplaced == evidence.unplaced else "counted"
    points = award((ahead,), item.points, known.sides)
    return Line(item.id, points, "most", None, strength, at_least=at_least, winners=(ahead,))
