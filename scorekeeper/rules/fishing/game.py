"""A fishing game at one table: reads a deal, checks it, scores it line by line and finds the next question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from ...limits import EVIDENCE_STEPS, LINE_STEPS, LINES_STEPS
from ..budget import BudgetSpent, Memo, current
from ..cards import PACK_SIZE
from ..problems import Problems, check_fields
from ..ruleset import Ending, TableRules
from ..sheet import Asked, Line, Sheet
from .best_cards import accept_best, placed_by, read_best
from .checks import check_arithmetic, check_sweeps, last_capturer
from .claims import declaration_lines
from .counts import read_counts
from .evidence import Evidence, accept_told, read_piles, read_told
from .facts import Facts, read_accepted, read_facts
from .item_lines import ItemScorer, KnownDeal
from .items import Prime
from .next_question import OpenItem, next_question
from .opening import OpeningResult, lines_of, read_opening
from .penalties import penalty_lines
from .pieces import Told
from .primes import DOUBLED, Given, as_given
from .reading import Reading, read_once
from .rules import FishingRules
from .said_awards import read_awards
from .table import FishingTable
from .ways import CARDS_KIND

DEAL_FIELDS = frozenset(
    {"dealer", "layout", "layout_result", "declarations", "sweeps", "penalties", "last_capturer", "leftover"}
    | {"piles", "rest", "best", "counts", "told", "awards", "as", "accept"}
)

PILE_FIELDS = frozenset({"last_capturer", "leftover", "piles", "rest", "best", "counts", "told", "awards"})
"""The fields about the piles. With the ranks of wild cards and the faults they settle the items."""

FIELDS_WITHOUT_PRIME = DEAL_FIELDS - {"best"}


class FishingGame:
    """A fishing game at one table."""

    by_number: ClassVar[bool] = False
    deal_fields: ClassVar[frozenset[str]] = DEAL_FIELDS
    reads_points: ClassVar[bool] = False

    def __init__(self, table: TableRules, rules: FishingRules) -> None:
        self.rules = rules
        self.table = FishingTable(self.rules, table.sides, table.players_per_side)
        self.ending = Ending(target=self.rules.target, winner=self.rules.winner)
        self.scorer = ItemScorer(self.table)
        self._text = table.text
        self._possible = Memo()
        self._nothing = (0,) * len(table.sides)
        self.items, self.by_id, self.combo_points = self.table.items, self.table.by_id, self.table.combo_points
        self._ending_match = frozenset(item.id for item in self.items if item.ends_match)

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

    def score(self, deal: Mapping[str, object], number: int = 0, *, is_bare: bool = False) -> Sheet:
        """Return the sheet of one deal; raises ``Malformed`` if a type is wrong.

        A deal with errors gets a sheet without lines. The steps of the request are shared out beforehand among the
        evidence, the lines, the penalties and the question, so that each part has steps left. Lines of a deal with
        unplaced cards have their points; the rest of them, and the question, are worked out on request.
        """
        problems = Problems()
        sheet = Sheet(self.table.sides, problems=problems)
        check_fields(deal, DEAL_FIELDS if self._prime_method else FIELDS_WITHOUT_PRIME, problems)
        facts = read_facts(self.table, deal, problems)
        redeal = self.rules.redeal_after(facts.layout, facts.layout_results)
        if redeal is not None and not problems.fatal:
            sheet.redeal = redeal.who
            return sheet
        opening = read_opening(self.rules, facts, problems)
        opening_units = opening.units(self.rules.opening)
        reading = self._read(deal, facts, opening_units, problems, is_bare)
        if reading is None:
            return sheet
        known = reading.deal
        lines = self._noted_lines(facts, opening)
        lines += self.scorer.bare_lines(reading.settled) if reading.settled else self.scorer.lines_of_piles(known)
        with current().share(LINE_STEPS):
            lines += penalty_lines(
                self.table, facts, opening_units, lambda side: self.scorer.points_made(side, lines, known)
            )
        sheet.lines = lines
        settled = [line.points for line in lines if line.points is not None]
        sheet.points = tuple(map(sum, zip(self._nothing, *settled, strict=True)))
        self._end_at_once(sheet, known, facts)
        if reading.settled:
            _warn_of_budget([item.id for item in self.items if reading.settled[item.id].is_unsure], problems)
            sheet.explain = lambda: reading.explained(self.scorer)
            sheet.find_question = lambda: reading.memo.find("question", lambda: self._question(lines, known))
        return sheet

    def check_round(self, named: object, number: int, problems: Problems) -> None:
        """Check nothing: deals of a fishing game are all alike."""

    def points_noted(self, deal: Mapping[str, object]) -> tuple[int | float, ...]:
        """Return the points that notes already give each side, independent of the piles (docs/rules.md 3, 5).

        Notes are sweeps, declarations, the opening, and faults whose price does not depend on the cards.
        """
        problems = Problems()
        facts = read_facts(self.table, deal, problems)
        opening = read_opening(self.rules, facts, problems)
        if problems.fatal or self.rules.redeal_after(facts.layout, facts.layout_results) is not None:
            return self._nothing
        lines = self._noted_lines(facts, opening)
        lines += penalty_lines(self.table, facts, opening.units(self.rules.opening), lambda _side: None)
        return tuple(sum((line.points[side] for line in lines if line.points), 0) for side in self.table.positions)

    def known_deal(self, deal: Mapping[str, object]) -> KnownDeal | None:
        """Return what is known of a deal, as its sheet reads it; None if the deal has errors."""
        problems = Problems()
        facts = read_facts(self.table, deal, problems)
        opening_units = read_opening(self.rules, facts, problems).units(self.rules.opening)
        evidence = self._read_evidence(deal, facts, opening_units, problems)
        return None if evidence is None else KnownDeal(evidence, self._given_in_prime(facts), facts.penalties)

    def _noted_lines(self, facts: Facts, opening: OpeningResult) -> list[Line]:
        """Return the lines of what is noted during a deal; its faults, which can cost more, come last on the sheet."""
        lines = declaration_lines(self.table, facts.declared)
        lines += lines_of(opening, self.rules.opening, facts.dealer, len(self.table.sides))
        if self.rules.pts_sweeps:
            lines.append(self._sweep_line(facts.sweeps))
        return lines

    def _read(
        self, deal: Mapping[str, object], facts: Facts, opening_units: int, problems: Problems, is_bare: bool
    ) -> Reading | None:
        """Read what is known of the piles, check it, and settle the items; None if the deal has errors.

        If cards are unplaced, deals with the same facts about their piles share a cached reading.
        """
        if deal.get("rest") is None and _cards_listed(deal) < PACK_SIZE and not problems.fatal:
            listed = {name: deal[name] for name in deal if name in PILE_FIELDS}
            text = f"{self._text} {listed!r} {facts.ranks} {facts.penalties}"
            reading = read_once(text, is_bare, lambda: self._reading(deal, facts, is_bare))
            if reading is not None:
                checked = Problems(reading.problems[0])
                self._check(deal, facts, opening_units, reading.evidence, checked)
                if not checked.fatal:
                    problems.include([*checked, *reading.problems[1]])
                    return reading
        evidence = self._read_evidence(deal, facts, opening_units, problems)
        return None if evidence is None else self._settle(evidence, facts, is_bare)

    def _reading(self, deal: Mapping[str, object], facts: Facts, is_bare: bool) -> Reading | None:
        """Read a deal before its sums are checked; None if it has errors."""
        counted, said = Problems(), Problems()
        evidence, told = self._read_counted(deal, facts, counted)
        if counted.fatal:
            return None
        self._read_said(deal, facts, told, evidence, said)
        return None if said.fatal else self._settle(evidence, facts, is_bare, (counted, said))

    def _settle(
        self,
        evidence: Evidence,
        facts: Facts,
        is_bare: bool,
        problems: tuple[Problems, Problems] = (Problems(), Problems()),
    ) -> Reading:
        """Find what settles the items."""
        work = current()
        reading = Reading(evidence, self._given_in_prime(facts), facts.penalties, problems)
        if evidence.unplaced:
            before = work.spent
            with work.share(LINES_STEPS):
                reading.settled = self.scorer.settle_items(reading.deal, is_bare)
            reading.steps_to_settle = work.spent - before
        return reading

    def _read_evidence(
        self, deal: Mapping[str, object], facts: Facts, opening_units: int, problems: Problems
    ) -> Evidence | None:
        """Read what is known of the piles and check it; return None if the deal has errors."""
        evidence, told = self._read_counted(deal, facts, problems)
        if problems.fatal:
            return None
        self._check(deal, facts, opening_units, evidence, problems)
        self._read_said(deal, facts, told, evidence, problems)
        return None if problems.fatal else evidence

    def _read_counted(
        self, deal: Mapping[str, object], facts: Facts, problems: Problems
    ) -> tuple[Evidence, list[tuple[str, Told]]]:
        """Read the cards of the piles and the counts; return also the cards told."""
        sides, given = self.table.sides, self._given_in_prime(facts)
        told = read_told(deal.get("told"), sides, problems)
        method = self._prime_method
        best = read_best(deal.get("best"), sides, method, given, problems) if method else []
        cards_told = [piece.card for _, piece in told]
        evidence = read_piles(deal, sides, self.rules, problems, [*placed_by(best), *cards_told])
        if problems.fatal:
            return evidence, told
        with current().share(EVIDENCE_STEPS):
            agreeing = accept_best(best, sides, evidence, problems)
            if len(agreeing) < len(best) and deal.get("rest") is not None:
                # The rest takes the cards of what was dropped.
                evidence = read_piles(deal, sides, self.rules, Problems(), [*placed_by(agreeing), *cards_told])
                accept_best(agreeing, sides, evidence, problems)
            read_counts(deal.get("counts"), sides, evidence, problems)
        return evidence, told

    def _check(
        self, deal: Mapping[str, object], facts: Facts, opening_units: int, evidence: Evidence, problems: Problems
    ) -> None:
        """Check the sums of the piles, and the sweeps; if the deal has errors already, only the field ``accept``."""
        accepted = read_accepted(deal.get("accept"), problems)
        if not problems.fatal:
            check_sweeps(self.table, facts, opening_units, evidence, problems)
            check_arithmetic(self.rules, self.table.sides, facts, evidence, accepted, problems)

    def _read_said(
        self,
        deal: Mapping[str, object],
        facts: Facts,
        told: Sequence[tuple[str, Told]],
        evidence: Evidence,
        problems: Problems,
    ) -> None:
        """Read the cards and the items that are said to be a side's."""
        with current().share(EVIDENCE_STEPS):
            accept_told(told, self.table.sides, evidence, problems)
            given = self._given_in_prime(facts)
            read_awards(deal.get("awards"), self.by_id, self.table.sides, evidence, given, problems, self._possible)

    @cached_property
    def _prime_method(self) -> str:
        """How the table values the cards of a prime; "" where it has no prime by cards."""
        prime = next((item for item in self.items if isinstance(item, Prime)), None)
        return prime.rule.method if prime is not None and prime.rule.method in DOUBLED else ""

    def _given_in_prime(self, facts: Facts) -> Given:
        """Return the ranks that wild cards have in a prime."""
        if self.rules.matta and self.rules.matta_in_prime == "natural":
            return ()
        return as_given(facts.ranks)

    def _question(self, lines: Sequence[Line], deal: KnownDeal) -> Asked | None:
        """Return the next question, an empty one if no line is open; None if the steps run out."""
        undecided = [line for line in lines if line.points is None]
        if not undecided:
            return Asked()
        unsettled = [self.by_id[line.item] for line in undecided if line.item in self.by_id]
        open_items = [OpenItem(item, self.scorer.judge_of(item, deal)) for item in unsettled]
        try:
            return next_question(open_items, deal.known(), deal.given, self.table.sides)
        except BudgetSpent:
            return None

    def last_capturer(self, deal: Mapping[str, object]) -> str | None:
        """Return the side that took the last cards, None if the sums do not show it (docs/rules.md 6)."""
        problems = Problems()
        facts = read_facts(self.table, deal, problems)
        evidence = read_piles(deal, self.table.sides, self.rules, problems, ())
        side = None if problems.fatal else last_capturer(self.rules, self.table.sides, facts, evidence)
        return None if side is None else self.table.sides[side]

    def _sweep_line(self, made: tuple[int, ...]) -> Line:
        """Return the line of the sweeps made in play."""
        points = tuple(count * self.rules.pts_sweeps for count in made)
        return Line("sweeps", points, "each" if any(points) else "nobody", made, "counted")

    def _end_at_once(self, sheet: Sheet, deal: KnownDeal, facts: Facts) -> None:
        """Note who won the match at once (cappotto), or lost it by capturing nothing."""
        for line in sheet.lines:
            if line.winners and line.item in self._ending_match:
                sheet.won_by = line.winners[0]
        if not self.rules.no_capture_loses or len(self.table.sides) != 2:
            return
        empty = [side for side in self.table.positions if not deal.evidence.piles[side] and not facts.sweeps[side]]
        if not empty:
            return
        try:
            with current().portion(LINE_STEPS):
                cards = deal.bounds.of_kind(CARDS_KIND)
        except BudgetSpent:
            return
        for side in empty:
            if cards[side] == (0, 0) and cards[1 - side][0]:
                sheet.lost_by = side


def _cards_listed(deal: Mapping[str, object]) -> int:
    """Return how many cards are listed in the piles and as the last ones; they may be wrong."""
    piles = deal.get("piles")
    lists = [*(piles.values() if isinstance(piles, Mapping) else ()), deal.get("leftover")]
    return sum(len(cards) for cards in lists if isinstance(cards, Sequence))


def _warn_of_budget(left_open: Sequence[str], problems: Problems) -> None:
    """Warn of lines that are open because the steps of the request ran out."""
    if left_open:
        message = f"Too many ways are left to look at: {', '.join(left_open)} stay open until more is known."
        problems.warn("budget_spent", "", message, items=list(left_open))
