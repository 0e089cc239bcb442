"""The lines of the items: each is scored with the strongest evidence that settles it, or stays open.

Evidence is tried from the strongest to the weakest: shown, counted, said. All ways of dealing out the unplaced cards
that agree with it are examined. If an item has the same outcome in all of them, its line is settled. Each examination
takes steps, which are limited (see :mod:`..budget`); if they run out, the line stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Any, TypeVar

from ...limits import BOUND_STEPS, LINE_STEPS, LINES_STEPS, SHORT_STEPS
from .. import contract
from ..budget import BudgetSpent, current
from ..cards import CODES, Position
from ..sheet import Line
from .bounds import Bound, Bounds, NothingAgrees, certain_best_cards
from .evidence import STRENGTHS, Evidence
from .facts import Penalty
from .features import Feature, PrimeOf
from .items import Item, Number, Prime, Verdict, award
from .known import Known
from .next_question import still_matter
from .outlook import Goal, Judge, Reader, examples, outcomes, reader_of
from .penalties import barred_from, strike
from .pieces import Awarded, CountIs, Piece, Shown, Told
from .primes import Given
from .smallest_evidence import smallest_part
from .table import FishingTable
from .ways import KINDS

FEW_CARDS = 12
"""The most unplaced cards that are looked at one by one."""

MOST_VERDICTS = 50_000
"""Judgements that are cached, of all tables together."""

_verdicts: dict[tuple[Any, ...], Verdict] = {}
_serial = count()

Key = TypeVar("Key", bound=Hashable)


@dataclass
class KnownDeal:
    """The evidence of a deal, the ranks of wild cards in its primes, and its recorded faults."""

    evidence: Evidence
    given: Given
    penalties: tuple[Penalty, ...] = ()

    def pieces(self, weakest: contract.Evidence) -> list[Piece]:
        """Return the evidence of a strength and of all greater strengths."""
        return self.evidence.of(*STRENGTHS[: STRENGTHS.index(weakest) + 1])

    def known(self, weakest: contract.Evidence = "said") -> Known:
        """Return what follows from the evidence of a strength and of all greater strengths."""
        return self.evidence.known_at(weakest)

    @cached_property
    def looked_through(self) -> Known:
        """All that follows from the evidence, probed card by card if few are unplaced, which saves steps later."""
        known = self.known()
        if known.base.unplaced.bit_count() > FEW_CARDS or (
            known.parts == ((known.base, ()),) and not known.base.limited
        ):
            return known
        try:
            with current().portion(BOUND_STEPS):
                return known.probed()
        except BudgetSpent:
            return known

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of all values under all the evidence."""
        return Bounds(self.looked_through, self.given, self.evidence.sides)


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

    def settle_items(self, deal: KnownDeal, is_bare: bool = False) -> Settled:
        """Return what settles each item, and its verdict; an ``is_bare`` verdict may have nothing but its points.

        Every item first gets a short examination, and only those that stay open get a long one. A prime comes last,
        because it takes the most steps.
        """
        settled: Settled = {}
        for item in self._primes_last if is_bare else ():
            said = deal.evidence.awards.get(item.id)
            if said is not None and item.points_follow_winners:
                settled[item.id] = _Settled("said", self._verdict_as_said(item, said, deal), as_said=True)
        for most in (SHORT_STEPS, LINE_STEPS):
            for item in self._primes_last:
                if item.id not in settled or settled[item.id].is_unsure:
                    settled[item.id] = self._settle(item, deal, most)
        return settled

    def bare_lines(self, settled: Settled) -> list[Line]:
        """Return the lines of all items; a settled one has its points and nothing else."""
        return [settled[item.id].bare_line(item) for item in self.table.items]

    @cached_property
    def _primes_last(self) -> Sequence[Item]:
        return sorted(self.table.items, key=lambda item: isinstance(item, Prime))

    def lines_of_piles(self, deal: KnownDeal) -> list[Line]:
        """Return the lines of all items of a deal without unplaced cards: one look at the piles settles them."""
        return [self._line_of_piles(item, features, deal) for item, features in self._read_by(deal.given)]

    def explained_lines(self, deal: KnownDeal, settled: Settled) -> dict[str, Line]:
        """Return the line of each item with everything that is certain of it: numbers, cards, evidence, needs."""
        lines = {item.id: self._line(item, deal, settled[item.id]) for item in self._primes_last}
        for item in self._primes_last:
            strength, verdict = settled[item.id].strength, settled[item.id].verdict
            if strength is not None and verdict is not None:
                part = self._because(item, deal, strength, verdict)
                # If the steps were too few for a stage of the evidence, the rest of it settles the line all the same.
                weakest = max((STRENGTHS.index(piece.strength) for piece in part), default=0)
                because = deal.evidence.as_deal(part, self.table.sides)
                lines[item.id] = lines[item.id]._replace(because=because, evidence=STRENGTHS[weakest])
        return lines

    def _read_by(self, given: Given) -> Sequence[tuple[Item, tuple[Feature, ...]]]:
        """Return the items with the features that are read for them."""
        return [(item, item.features(given)) for item in self.table.items] if given else self._read_without_wilds

    @cached_property
    def _read_without_wilds(self) -> Sequence[tuple[Item, tuple[Feature, ...]]]:
        return [(item, item.features(())) for item in self.table.items]

    def _line_of_piles(self, item: Item, features: Sequence[Feature], deal: KnownDeal) -> Line:
        """Return the line of an item of a deal without unplaced cards."""
        piles, first = deal.evidence.piles, features[0]
        # Lists inside, because they are made for each line of each deal, and generators would take twice as long.
        read = tuple([tuple([feature.measure(pile) for pile in piles]) for feature in features])
        verdict = strike(self.judge(item, read), barred_from(item.id, self.table, deal.penalties))
        cards = None
        if isinstance(first, PrimeOf):
            cards = tuple([tuple(first.rule.best_cards(pile, deal.given)) for pile in piles])
        points, reason, values, winners = verdict
        return Line(item.id, points, reason, values, "shown", winners=winners, cards=cards)

    def reader(self, item: Item, given: Given) -> Reader:
        """Return the reader of an item."""
        return reader_of(item, given, len(self.table.sides))

    def _outcomes(
        self, item: Item, known: Known, deal: KnownDeal, key: Callable[[Verdict], Key], most: int
    ) -> dict[Key, Verdict]:
        return outcomes(known.parts, self.reader(item, deal.given), self.judge_of(item, deal), key, most)

    def _settle(self, item: Item, deal: KnownDeal, most: int) -> _Settled:
        """Find the strongest evidence that settles an item, in ``most`` steps for each strength, else it is unsure."""
        evidence = deal.evidence
        said = evidence.awards.get(item.id)
        follows = said is not None and item.points_follow_winners
        stages = [strength for strength in STRENGTHS if strength == "shown" or strength in evidence.stages]
        try:
            last = self._without_steps(item, deal.known(stages[-1]), deal)
            if len(last) != 1:
                with current().portion(SHORT_STEPS if follows else most):
                    last = self._outcomes(item, deal.known(stages[-1]), deal, item.outcome, 2)
        except BudgetSpent:
            last = {}
        if len(last) != 1:
            if said is not None and follows:
                return _Settled("said", self._verdict_as_said(item, said, deal), as_said=True)
            return _Settled(None, None, is_unsure=not last)
        (verdict,) = last.values()
        for strength in stages[:-1]:
            try:
                known = deal.known(strength)
                if len(self._without_steps(item, known, deal)) == 1:
                    return _Settled(strength, verdict)
                with current().portion(most):
                    if len(self._outcomes(item, known, deal, item.outcome, 2)) == 1:
                        return _Settled(strength, verdict)
            except BudgetSpent:
                continue
        return _Settled(stages[-1], verdict)

    def _without_steps(self, item: Item, known: Known, deal: KnownDeal) -> dict[Hashable, Verdict]:
        """Return the outcomes that are possible if the bounds of each side are looked at alone; that takes no steps."""
        judge = self.judge_of(item, deal)
        verdicts = [judge(read) for read in examples(self.reader(item, deal.given), known.base)]
        return {item.outcome(verdict): verdict for verdict in verdicts}

    def _line(self, item: Item, deal: KnownDeal, settled: _Settled) -> Line:
        """Return the line of an item, with what is certain of its values and the evidence that settles it."""
        strength, verdict = settled.strength, settled.verdict
        cards = self._certain_cards(item, deal)
        if strength is None or verdict is None:
            needs = tuple(CODES[card] for card in still_matter(item, deal.looked_through.base, deal.given))
            bounds = self._bounds(item, deal)
            return Line(item.id, None, "open", needs=needs, bounds=bounds, cards=cards)
        bounds = self._bounds(item, deal)
        certain = bounds is not None and all(least == most for least, most in bounds)
        reason = verdict.reason if settled.as_said else self._reason(item, deal, verdict)
        values: tuple[Number, ...] | None = verdict.values or None if settled.as_said else None
        if bounds is not None and certain:
            values = tuple(least for least, _ in bounds)
        return Line(
            item.id,
            verdict.points,
            reason,
            values,
            strength,
            winners=verdict.winners,
            bounds=None if values is not None else bounds,
            cards=cards,
        )

    def _reason(self, item: Item, deal: KnownDeal, verdict: Verdict) -> str:
        """Return the reason of a settled item if it is the same in all ways, else "certain"."""
        try:
            with current().portion(SHORT_STEPS):
                reasons = self._outcomes(item, deal.looked_through, deal, lambda each: each.reason, 2)
        except BudgetSpent:
            return "certain"
        return next(iter(reasons)) if len(reasons) == 1 else "certain"

    def _bounds(self, item: Item, deal: KnownDeal) -> tuple[Bound, ...] | None:
        """Return the least and the most value of each side; None if the steps run out, or nothing agrees.

        A prime that was said has only a few steps for them, because very many ways lead to it.
        """
        is_costly = isinstance(item, Prime) and item.id in deal.evidence.awards
        most = 4 * SHORT_STEPS if is_costly else BOUND_STEPS
        try:
            with current().portion(most):
                return tuple(deal.bounds.of(item))
        except (BudgetSpent, NothingAgrees):
            return None

    def _certain_cards(self, item: Item, deal: KnownDeal) -> tuple[tuple[str, ...], ...] | None:
        """Return the best cards of a prime that are certain, by side; None for other items."""
        feature = item.features(deal.given)[0]
        if not isinstance(feature, PrimeOf):
            return None
        try:
            with current().portion(BOUND_STEPS):
                known = deal.looked_through
                certain = [certain_best_cards(feature, known, side) for side in self.table.positions]
        except BudgetSpent:
            return None
        return tuple(tuple(CODES[card] for card in cards) for cards in certain)

    def _because(self, item: Item, deal: KnownDeal, strength: contract.Evidence, verdict: Verdict) -> Sequence[Piece]:
        """Return the small part of the evidence that alone settles an item: the weakest is struck first."""
        pieces = deal.pieces(strength)
        own = own_award(item, pieces)
        weakest_first = sorted(pieces, key=lambda piece: (-STRENGTHS.index(piece.strength), _order(piece, item)))
        part: Sequence[Piece] = pieces if own is None else [own]
        try:
            with current().portion(LINES_STEPS):
                # If the item's own award is needed when all others are struck, it is enough.
                others = [piece for piece in pieces if not isinstance(piece, Awarded)]
                if own is not None and not self._settles(others, item, deal, verdict):
                    part = [own]
                else:
                    part = smallest_part(weakest_first, lambda some: self._settles(some, item, deal, verdict))
        except BudgetSpent:
            pass
        return part

    def _settles(self, pieces: Sequence[Piece], item: Item, deal: KnownDeal, verdict: Verdict) -> bool:
        """Return whether some pieces settle an item as all of them do."""
        known = deal.evidence.known_by(pieces)
        if known is None:
            return False
        if item.is_plain and len(verdict.winners) == 1 and not barred_from(item.id, self.table, deal.penalties):
            reader = self.reader(item, deal.given)
            ahead = item.goes_to(verdict.winners[0], *reader.between(known.base))
            if ahead or not (known.base.limited or len(known.parts) > 1 or known.parts[0][1]):
                # Without counts and goals, a rival may have all its possible cards, and the other side none of its.
                return bool(ahead)
            rivals = (side for side in self.table.positions if side != verdict.winners[0])
            if any(known.may_meet(Goal(reader, (rival,))) for rival in rivals):
                return False
        return set(self._outcomes(item, known, deal, item.outcome, 2)) == {item.outcome(verdict)}

    def judge_of(self, item: Item, deal: KnownDeal) -> Judge:
        """Return the judge of an item under the faults of the deal."""
        barred = barred_from(item.id, self.table, deal.penalties)
        if barred:
            return lambda read: strike(self.judge(item, read), barred)
        return lambda read: self.judge(item, read)

    def _verdict_as_said(self, item: Item, said: Awarded, deal: KnownDeal) -> Verdict:
        """Return the verdict on an item whose taker was said and not contradicted; no ways need to be examined."""
        sides = len(self.table.sides)
        reason, values = item.said(said.winners, sides)
        verdict = Verdict(award(said.winners, item.points or 0, sides), reason, values or (), said.winners)
        return strike(verdict, barred_from(item.id, self.table, deal.penalties))

    def points_made(self, side: Position, lines: Sequence[Line], deal: KnownDeal) -> int | None:
        """Return a side's points of some lines; None if an open one can still change them."""
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

    def _certain_points(self, side: Position, item: Item, deal: KnownDeal) -> int | None:
        """Return the points of an open item for one side, where only the points of the others are open."""
        try:
            with current().portion(LINE_STEPS):
                points = self._outcomes(item, deal.known(), deal, lambda verdict: verdict.points[side], 2)
        except BudgetSpent:
            return None
        return next(iter(points)) if len(points) == 1 else None


@dataclass(frozen=True)
class _Settled:
    """The strength that settles an item, and its verdict; both None while it is open.

    ``is_unsure``: it is open only because the steps ran out. ``as_said``: the verdict is that of the award.
    """

    strength: contract.Evidence | None
    verdict: Verdict | None
    is_unsure: bool = False
    as_said: bool = False

    def bare_line(self, item: Item) -> Line:
        """Return the line of the item with its points alone."""
        if self.strength is None or self.verdict is None:
            return Line(item.id, None, "open")
        points, reason, _, winners = self.verdict
        return Line(item.id, points, reason, evidence=self.strength, winners=winners)


Settled = dict[str, _Settled]
"""Strength and verdict of each item, by its id."""


def own_award(item: Item, pieces: Sequence[Piece]) -> Piece | None:
    """Return the award of an item that alone decides it."""
    awards = (piece for piece in pieces if isinstance(piece, Awarded) and piece.item is item)
    return next(awards, None) if item.points_follow_winners else None


def _order(piece: Piece, item: Item) -> int:
    """Return how late a piece is struck among those of its strength: pieces that the item reads come last."""
    if isinstance(piece, Awarded):
        return 2 if piece.item is item else 0
    if isinstance(piece, Told):
        return 1
    if isinstance(piece, CountIs):
        return 1 if KINDS[piece.kind] & item.cards else 0
    if isinstance(piece, Shown):
        return 2 if 1 << piece.card & item.cards else 1
    # Cards laid out for a prime are weaker than the piles.
    return 0
