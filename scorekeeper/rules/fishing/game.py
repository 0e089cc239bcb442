"""A fishing game at one table: reads a deal, checks it, scores it line by line and says what to ask next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from ...limits import EVIDENCE_STEPS, LINE_STEPS, LINES_STEPS
from ..budget import BudgetSpent, current, is_bounded
from ..problems import Problems, check_fields
from ..ruleset import Ending, TableRules
from ..sheet import Line, Sheet
from .awards import read_awards
from .best_cards import accept_best, placed_by, read_best
from .checks import check_arithmetic, check_sweeps, last_capturer
from .claims import declaration_lines
from .counts import read_counts
from .evidence import Evidence, accept_told, read_piles, read_told
from .facts import Facts, read_accepted, read_facts
from .item_lines import ItemScorer, KnownDeal
from .items import Item, Prime
from .next_question import Asked, OpenItem, next_question
from .opening import FoundOpening, lines_of, read_opening
from .penalties import penalty_lines
from .primes import DOUBLED, Given, as_given
from .rules import FishingRules
from .table import FishingTable
from .ways import CARDS_KIND

DEAL_FIELDS = frozenset(
    {"dealer", "layout", "layout_result", "declarations", "sweeps", "penalties", "last_capturer", "leftover"}
    | {"piles", "rest", "best", "counts", "told", "awards", "as", "accept"}
)

FIELDS_WITHOUT_PRIME = DEAL_FIELDS - {"best"}

PERCENT_OF_A_SIDE = 80
"""So much longer a step for evidence takes with each side beyond two."""


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
        self._nothing = (0,) * len(table.sides)
        self._evidence_percent = PERCENT_OF_A_SIDE * (len(table.sides) - 2)
        self._ending_match = frozenset(item.id for item in self.items if item.ends_match)

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

    def score(self, deal: Mapping[str, object], number: int = 0) -> Sheet:
        """Return the sheet of one deal; raises ``Malformed`` where a type is wrong.

        A deal with errors gets a sheet without lines. The steps of the request are shared out beforehand
        among the evidence, the lines, the penalties and the question, so that each part has steps left.
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
        evidence = self._read_evidence(deal, facts, opening_units, problems)
        if evidence is None:
            return sheet
        read = KnownDeal(facts, evidence, self._given_in_prime(facts))
        lines = self._noted_lines(facts, opening)
        with current().share(LINES_STEPS):
            item_lines, left_open = self.scorer.score_items(read)
            lines += item_lines
        with current().share(LINE_STEPS):
            lines += penalty_lines(
                self.table, facts, opening_units, lambda side: self.scorer.points_made(side, lines, read)
            )
        sheet.lines = lines
        settled = [line.points for line in lines if line.points is not None]
        sheet.points = tuple(map(sum, zip(self._nothing, *settled, strict=True)))
        self._end_at_once(sheet, read)
        try:
            sheet.ask, sheet.ask_group = self._question(lines, read)
        except BudgetSpent:
            _warn_of_budget(left_open, problems)
        else:
            if left_open:
                _warn_of_budget(left_open, problems)
        return sheet

    def check_round(self, named: object, number: int, problems: Problems) -> None:
        """Deals of a fishing game are all alike."""

    def points_noted(self, deal: Mapping[str, object]) -> tuple[int | float, ...]:
        """Return what is noted during a deal gives each side already, whoever gets the cards (docs/rules.md 3, 5).

        That is sweeps, declarations, the opening, and a fault whose price does not wait for the cards.
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
        """Return what is known of a deal, as its sheet reads it; None where the deal has errors."""
        problems = Problems()
        facts = read_facts(self.table, deal, problems)
        opening_units = read_opening(self.rules, facts, problems).units(self.rules.opening)
        evidence = self._read_evidence(deal, facts, opening_units, problems)
        return None if evidence is None else KnownDeal(facts, evidence, self._given_in_prime(facts))

    def _noted_lines(self, facts: Facts, opening: FoundOpening) -> list[Line]:
        """Return the lines of what is noted during a deal; its faults, which can cost more, come last on the sheet."""
        lines = declaration_lines(self.table, facts.declared)
        lines += lines_of(opening, self.rules.opening, facts.dealer, len(self.table.sides))
        if self.rules.pts_sweeps:
            lines.append(self._sweep_line(facts.sweeps))
        return lines

    def _read_evidence(
        self, deal: Mapping[str, object], facts: Facts, opening_units: int, problems: Problems
    ) -> Evidence | None:
        """Read what is known of the piles and check it; return None where the deal has errors."""
        sides, given = self.table.sides, self._given_in_prime(facts)
        told = read_told(deal.get("told"), sides, problems)
        method = self._prime_method
        best = read_best(deal.get("best"), sides, method, given, problems) if method else []
        cards_told = [piece.card for _, piece in told]
        evidence = read_piles(deal, sides, self.rules, problems, [*placed_by(best), *cards_told])
        if problems.fatal:
            return None
        with current().charged_afterwards(self._evidence_percent), current().share(EVIDENCE_STEPS):
            agreeing = accept_best(best, sides, evidence, problems)
            if len(agreeing) < len(best) and deal.get("rest") is not None:
                # The rest takes the cards of what was dropped.
                evidence = read_piles(deal, sides, self.rules, Problems(), [*placed_by(agreeing), *cards_told])
                accept_best(agreeing, sides, evidence, problems)
            read_counts(deal.get("counts"), sides, evidence, self.rules.version, problems)
        accepted = read_accepted(deal.get("accept"), self.rules.version, problems)
        if problems.fatal:
            return None
        check_sweeps(self.table, facts, opening_units, evidence, problems)
        check_arithmetic(self.rules, sides, facts, evidence, accepted, problems)
        with current().charged_afterwards(self._evidence_percent), current().share(EVIDENCE_STEPS):
            accept_told(told, sides, evidence, problems)
            read_awards(deal.get("awards"), self.by_id, sides, evidence, given, problems)
        return None if problems.fatal else evidence

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

    def _question(self, lines: Sequence[Line], deal: KnownDeal) -> Asked:
        """Return what to ask next, nothing where no line is open; raises ``BudgetSpent`` where the steps run out."""
        undecided = [line for line in lines if line.points is None]
        if not undecided:
            return Asked()
        unsettled = [self.by_id[line.item] for line in undecided if line.item in self.by_id]
        open_items = [OpenItem(item, self.scorer.judge_of(item, deal.facts)) for item in unsettled]
        return next_question(open_items, deal.known(), deal.given, self.table.sides)

    def last_capturer(self, deal: Mapping[str, object]) -> str | None:
        """Return the side that took the last cards, None where the sums do not show it (docs/rules.md 6)."""
        problems = Problems()
        facts = read_facts(self.table, deal, problems)
        evidence = read_piles(deal, self.table.sides, self.rules, problems, ())
        side = None if problems.fatal else last_capturer(self.rules, self.table.sides, facts, evidence)
        return None if side is None else self.table.sides[side]

    def _sweep_line(self, made: tuple[int, ...]) -> Line:
        """Return the line of the sweeps made in play."""
        points = tuple(count * self.rules.pts_sweeps for count in made)
        return Line("sweeps", points, "each" if any(points) else "nobody", made, "counted")

    def _end_at_once(self, sheet: Sheet, deal: KnownDeal) -> None:
        """Note who won the match at once (cappotto), or lost it by capturing nothing."""
        for line in sheet.lines:
            if line.winners and line.item in self._ending_match:
                sheet.won_by = line.winners[0]
        if not self.rules.no_capture_loses or len(self.table.sides) != 2:
            return
        empty = [side for side in self.table.positions if not deal.evidence.piles[side] and not deal.facts.sweeps[side]]
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


def _warn_of_budget(left_open: Sequence[str], problems: Problems) -> None:
    """Warn that lines are open, or that there is no question, because the steps of the request ran out."""
    if not is_bounded():
        return
    if left_open:
        message = f"Too many ways are left to look at: {', '.join(left_open)} stay open until more is known."
    else:
        message = "Too many ways are left to look at to say what to ask next."
    problems.warn("budget_spent", "", message, items=list(left_open))
