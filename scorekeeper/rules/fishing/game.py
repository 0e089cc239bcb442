"""A fishing game at one table: scores a deal line by line, each with the strongest evidence that settles it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar

from ...limits import EVIDENCE_STEPS, LINE_STEPS, LINES_STEPS, SHORT_STEPS
from ..budget import BudgetSpent, current, is_bounded, spend
from ..cards import CODES, FULL_PACK
from ..problems import Problems, check_fields
from ..ruleset import Ending, TableRules
from ..sheet import Line, Sheet
from .checks import check_arithmetic, check_sweeps, last_capturer
from .claims import declaration_lines
from .evidence import Awarded, Evidence, read_awards, read_evidence
from .facts import Facts, read_accepted, read_facts
from .features import Count
from .items import Item, Prime, Verdict, award
from .next_question import next_question, still_matter
from .opening import lines_of, read_opening
from .penalties import barred_from, penalty_lines, strike
from .possible import Constraint, PossibleValues, Vectors, outcomes, placed_by_counts, possible_values, without_weighing
from .primes import Given, as_given
from .rules import FishingRules
from .table import FishingTable

DEAL_FIELDS = frozenset(
    {"dealer", "layout", "layout_result", "declarations", "sweeps", "penalties", "last_capturer", "leftover"}
    | {"piles", "rest", "counts", "awards", "as", "accept"}
)

STEPS_OF_A_VERDICT = 10
"""Steps that it takes to judge one way of dealing out."""

MOST_VERDICTS = 50_000
"""Judgements that are remembered, of all tables together."""

_verdicts: dict[tuple[Any, ...], Verdict] = {}
_serial = count()

NOT_LOOKED_AT = PossibleValues(frozenset(), exact=False)

Judge = Callable[[Vectors], Verdict]


@dataclass(frozen=True)
class _Deal:
    """One deal that is scored: what was reported, what is known of the piles, and the ranks of wild cards in primes."""

    facts: Facts
    evidence: Evidence
    given: Given

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """Everything counted and said."""
        return (*self.evidence.counts, *self.evidence.awards.values())


class FishingGame:
    """A fishing game at one table."""

    by_number: ClassVar[bool] = False

    def __init__(self, table: TableRules) -> None:
        self.rules: FishingRules = table.resolve(table.rules.play)
        self.table = FishingTable(self.rules, table.sides, table.players_per_side)
        self.ending = Ending(target=self.rules.target, winner=self.rules.winner)
        self.serial = next(_serial)

    @property
    def items(self) -> tuple[Item, ...]:
        """The items that are scored from the piles."""
        return self.table.items

    @property
    def by_id(self) -> Mapping[str, Item]:
        """The same items by their id."""
        return self.table.by_id

    @property
    def combo_points(self) -> Mapping[str, int]:
        """The points of each combination that can be declared."""
        return self.table.combo_points

    def item_ids(self) -> tuple[str, ...]:
        """Return the items that can have a line at this table, in the order of the sheet."""
        ids = [combo.id for combo in self.table.combos]
        if self.rules.false_declaration and self.table.combos:
            ids.append("false_declaration")
        if self.rules.opening.fifteen or self.rules.opening.thirty:
            ids.append("table_sweep")
        if self.rules.opening.flush:
            ids.append("table_flush")
        if self.rules.pts_sweeps:
            ids.append("sweeps")
        ids += [item.id for item in self.items]
        ids += [id for id, how in self.table.penalties.items() if how != "off"]
        return tuple(ids)

    # ---------------------------------------------------------------- a deal

    def score(self, deal: Mapping[str, Any], number: int = 0) -> Sheet:
        """Return the sheet of one deal; raises ``Malformed`` where a type is wrong.

        A deal with errors gets a sheet without lines. The steps of the request are shared out beforehand: so many for
        the evidence, for the lines, for the penalties and for the question, so that no part starves the next.
        """
        problems = Problems()
        sheet = Sheet(self.table.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS, problems)
        facts = read_facts(self.table, deal, problems)
        if facts.layout is not None and not problems.fatal:
            sheet.redeal = next((rule.who for rule in self.rules.redeals if rule.voids(facts.layout)), None)
            if sheet.redeal is not None:
                return sheet
        opening = read_opening(self.rules, facts, problems)
        opening_units = opening.units(self.rules.opening)
        evidence = self._read_evidence(deal, facts, opening_units, problems)
        if evidence is None:
            return sheet
        read = _Deal(facts, evidence, self._given_in_prime(facts))
        lines = declaration_lines(self.table, facts.declared)
        lines += lines_of(opening, self.rules.opening, facts.dealer, len(self.table.sides))
        if self.rules.pts_sweeps:
            lines.append(self.sweep_line(facts.sweeps))
        with current().share(LINES_STEPS):
            item_lines, left_open = self._score_items(read)
            lines += item_lines
        with current().share(LINE_STEPS):
            lines += penalty_lines(self.table, facts, opening_units, lambda side: self._points_made(side, lines, read))
        sheet.lines = lines
        sheet.points = tuple(
            sum(line.points[side] for line in lines if line.points is not None) for side in self.table.positions
        )
        self._end_at_once(sheet, read)
        try:
            sheet.ask = self._question(lines, read)
        except BudgetSpent:
            _warn_of_budget(left_open, problems)
        else:
            if left_open:
                _warn_of_budget(left_open, problems)
        return sheet

    def _read_evidence(
        self, deal: Mapping[str, Any], facts: Facts, opening_units: int, problems: Problems
    ) -> Evidence | None:
        """Read what is known of the piles and check it; return None where the deal has errors."""
        with current().share(EVIDENCE_STEPS):
            evidence = read_evidence(deal, self.table.sides, self.rules.last_cards, problems)
        accepted = read_accepted(deal.get("accept"), problems)
        if problems.fatal:
            return None
        check_sweeps(self.table, facts, opening_units, evidence, problems)
        check_arithmetic(self.rules, self.table.sides, facts, evidence, accepted, problems)
        given = self._given_in_prime(facts)
        with current().share(EVIDENCE_STEPS):
            read_awards(deal.get("awards"), self.by_id, self.table.sides, evidence, given, problems)
        return None if problems.fatal else evidence

    def _given_in_prime(self, facts: Facts) -> Given:
        """Return the ranks that wild cards have in a prime."""
        if self.rules.matta and self.rules.matta_in_prime == "natural":
            return ()
        return as_given(facts.ranks)

    def _question(self, lines: Sequence[Line], deal: _Deal) -> dict[str, Any] | None:
        """Return what to ask next, None where no line is open; raises ``BudgetSpent`` where the steps are used up."""
        undecided = [line for line in lines if line.points is None]
        if not undecided:
            return None
        unsettled = [self.by_id[line.item] for line in undecided if line.item in self.by_id]
        return next_question(unsettled, deal.evidence, deal.given, self.table.sides)

    def last_capturer(self, deal: Mapping[str, Any]) -> str | None:
        """Return who took the last cards, where the sums of finished piles tell (rules §6)."""
        problems = Problems()
        facts = read_facts(self.table, deal, problems)
        # Counts do not tell how the cards lie, and weighing them is work.
        evidence = read_evidence(deal, self.table.sides, self.rules.last_cards, problems, accept_counts=False)
        side = None if problems.fatal else last_capturer(self.rules, self.table.sides, facts, evidence)
        return None if side is None else self.table.sides[side]

    # ---------------------------------------------------------------- lines

    def sweep_line(self, made: tuple[int, ...]) -> Line:
        """Return the line of the sweeps made in play."""
        points = tuple(count * self.rules.pts_sweeps for count in made)
        return Line("sweeps", points, "each" if any(points) else "nobody", made, "counted")

    def line_of(self, item: Item, read: tuple[tuple[int, ...], ...]) -> Line:
        """Return the line of an item whose values are all known, from cards shown."""
        return _settled_line(item, [self.judge(item, read)], "shown")

    def judge(self, item: Item, read: tuple[tuple[int, ...], ...]) -> Verdict:
        """Judge an item, remembering what the same values came to before."""
        key = (self.serial, item.id, read)
        verdict = _verdicts.get(key)
        if verdict is None:
            if len(_verdicts) > MOST_VERDICTS:
                _verdicts.clear()
            verdict = _verdicts[key] = item.judge(*read)
        return verdict

    def _score_items(self, deal: _Deal) -> tuple[list[Line], list[str]]:
        """Return the lines of all items, and the items whose lines are open only because the steps did not suffice.

        Nothing that is quickly weighed waits for what is not: a long look is for what a short one leaves undecided, and
        a prime, the most to weigh, comes last.
        """
        primes_last = sorted(self.items, key=lambda item: isinstance(item, Prime))
        scored: dict[str, tuple[Line, bool]] = {}
        for most in (SHORT_STEPS, LINE_STEPS) if is_bounded() else (LINE_STEPS,):
            for item in primes_last:
                if item.id not in scored or scored[item.id][1]:
                    scored[item.id] = self._score_item(item, deal, most)
        return [scored[item.id][0] for item in self.items], [item.id for item in self.items if scored[item.id][1]]

    def _score_item(self, item: Item, deal: _Deal, most: int) -> tuple[Line, bool]:
        """Score an item with the strongest evidence that settles it, or leave its line open.

        Each stage of the evidence may take ``most`` steps. The second value says whether the line is open only for want
        of steps.
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
            # A line that was said needs no steps: it gets few to look for stronger evidence, or its values.
            steps = SHORT_STEPS if awarded in constraints else most
            possible = _possible_of(item, judge, constraints, deal, steps)
            verdicts = [judge(read) for read in possible.vectors]
            different = len({item.outcome(verdict) for verdict in verdicts})
            # Who took it is said: a sample of the ways shows what that comes to as well as all of them.
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
        """Return the line of an item whose taker was said and not contradicted: it needs no weighing."""
        sides = len(self.table.sides)
        reason, values = item.said(awarded.winners, sides)
        points = award(awarded.winners, item.points or 0, sides)
        verdict = Verdict(points, reason, values or (), awarded.winners)
        verdict = strike(verdict, barred_from(item.id, self.table, facts))
        return Line(item.id, verdict.points, verdict.reason, values, "said", winners=verdict.winners)

    # ---------------------------------------------------------------- what lines come to

    def _points_made(self, side: int, lines: Sequence[Line], deal: _Deal) -> int | None:
        """Return a side's points of some lines; None where an open one can still change them."""
        total = 0
        for line in lines:
            if line.points is not None:
                points: int | None = int(line.points[side])
            else:
                points = self._certain_points(side, self.by_id[line.item], deal)
            if points is None:
                return None
            total += points
        return total

    def _certain_points(self, side: int, item: Item, deal: _Deal) -> int | None:
        """Return what an open item gives one side, where only what it gives the others is open."""
        judge = self._judge_of(item, deal.facts)
        known, wanted = deal.evidence.known(deal.given), item.features(deal.given)
        try:
            with current().portion(LINE_STEPS):
                possible = outcomes(known, wanted, deal.constraints, lambda read: judge(read).points[side])
        except BudgetSpent:
            return None
        points = {judge(read).points[side] for read in possible.vectors}
        return points.pop() if possible.exact and len(points) == 1 else None

    def _end_at_once(self, sheet: Sheet, deal: _Deal) -> None:
        """Note who won the match at once (cappotto), or lost it by capturing nothing."""
        for line in sheet.lines:
            if line.winners and line.item in self.by_id and self.by_id[line.item].ends_match:
                sheet.won_by = line.winners[0]
        if not self.rules.no_capture_loses or len(self.table.sides) != 2:
            return
        try:
            with current().portion(LINE_STEPS):
                known, counts = deal.evidence.known(deal.given), tuple(deal.evidence.counts)
                possible = possible_values(known, (Count(FULL_PACK),), counts)
        except BudgetSpent:
            return
        for side in self.table.positions:
            is_empty = {read[0][side] == 0 for read in possible.vectors} == {True}
            other_took = all(read[0][1 - side] > 0 for read in possible.vectors)
            if is_empty and other_took and not deal.facts.sweeps[side]:
                sheet.lost_by = side


def _stages(item: Item, awarded: Awarded | None, deal: _Deal) -> Iterator[tuple[str, tuple[Constraint, ...]]]:
    """Yield the evidence to try for an item, as strength and constraints: cards alone, then counts, then awards.

    What settles under some of what is known settles under all of it, and less is quicker to weigh. So what reads the
    same features comes first, then all but the primes, then everything.
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
    item: Item, judge: Judge, constraints: tuple[Constraint, ...], deal: _Deal, steps: int
) -> PossibleValues:
    """Return the values that an item can have, or what is known without weighing where the steps do not suffice."""
    known, wanted = deal.evidence.known(deal.given), item.features(deal.given)
    try:
        with current().portion(steps):
            possible = outcomes(known, wanted, constraints, lambda read: item.outcome(judge(read)))
            spend(STEPS_OF_A_VERDICT * len(possible.vectors))
            return possible
    except BudgetSpent:
        return without_weighing(known, wanted, constraints) or NOT_LOOKED_AT


def _settled_line(item: Item, verdicts: Sequence[Verdict], evidence: str) -> Line:
    """Return the line of an item that comes out the same by all these verdicts.

    Where they differ in their values, the line has what is certain of them instead (``at_least``).
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


def _line_of_the_one_ahead(item: Item, constraints: tuple[Constraint, ...], deal: _Deal) -> Line | None:
    """Return the line of a prime that is ahead of all that the others can still have, where there is one."""
    if not isinstance(item, Prime):
        return None
    evidence = deal.evidence
    known = placed_by_counts(evidence.known(deal.given), constraints)
    ahead = item.surely_ahead(known.piles, known.unplaced, deal.given)
    if ahead is None:
        return None
    at_least = item.at_least(known.piles, deal.given)
    strength = "shown" if known.unplaced == evidence.unplaced else "counted"
    points = award((ahead,), item.points, known.sides)
    return Line(item.id, points, "most", None, strength, at_least=at_least, winners=(ahead,))


def _warn_of_budget(left_open: Sequence[str], problems: Problems) -> None:
    """Warn that lines are open, or that nothing is asked, because the steps of the request did not suffice."""
    if not is_bounded():
        return
    if left_open:
        message = f"Too many ways are left to look at: {', '.join(left_open)} stay open until more is known."
    else:
        message = "Too many ways are left to look at to say what to ask next."
    problems.warn("budget_spent", "", message, items=list(left_open))
