"""Matches: the deals of a match one after the other, their totals, and who deals next (docs/rules.md 0)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, cast

from ..limits import DEAL_STEPS, MOST_DEALS, MOST_PROBLEMS
from . import contract, schema
from .budget import Work, at_work
from .deal import score_deal
from .problems import TOO_MANY, Malformed, Problem, Problems, TooManyProblems, too_many
from .ruleset import Ending, TableRules
from .sheet import Sheet
from .table_rules import read_table

REMEMBERED = 2048
"""Deals whose sheets are cached."""
LONGEST = 8192
"""The most letters of such a deal; real deals are far shorter."""
LONG_ONES = 8
"""Longer deals whose sheets are cached, so that one request that needs a sheet several times scores it once."""


class MatchTotals:
    """The totals of a match after the deals added so far, and its winners.

    The total of a side that has left stays, but the side can no longer win. A side that enters begins with nothing.
    """

    def __init__(self, sides: Sequence[str], ending: Ending) -> None:
        self.totals: dict[str, int | float] = {}
        self.wins: dict[str, int] = {}
        self.deals = 0
        self.winners: tuple[str, ...] = ()
        self.reason: str | None = None
        self.is_open = False
        self.play_on(sides, ending)

    def play_on(self, sides: Sequence[str], ending: Ending) -> None:
        """Take these sides and this ending from now on."""
        self.sides, self.ending = tuple(sides), ending
        for label in sides:
            self.totals.setdefault(label, 0)
            self.wins.setdefault(label, 0)

    @property
    def is_won(self) -> bool:
        """True if the match is over."""
        return bool(self.winners)

    def add(self, sheet: Sheet) -> None:
        """Add a scored deal; a deal that is dealt again, or could not be scored, changes nothing."""
        if sheet.redeal is not None or sheet.points is None or sheet.status == "invalid":
            return
        self.deals += 1
        for label, points in zip(self.sides, sheet.points, strict=True):
            self.totals[label] += points
        played = sheet.points_in_play
        best = max(played)
        if best > 0 and played.count(best) == 1:
            self.wins[self.sides[played.index(best)]] += 1
        self.is_open = self.is_open or sheet.status == "open"
        self.reason = None
        if sheet.won_by is not None:
            self.winners, self.reason = (self.sides[sheet.won_by],), "cappotto"
        elif sheet.lost_by is not None:
            self.winners = tuple(label for side, label in enumerate(self.sides) if side != sheet.lost_by)
            self.reason = "no_capture"
        elif not self.is_open:
            self._check_end()

    def _check_end(self) -> None:
        ending = self.ending
        totals = [self.totals[label] for label in self.sides]
        by_target = ending.target is not None and max(totals) >= ending.target
        by_rounds = ending.rounds is not None and self.deals >= ending.rounds
        if not by_target and not by_rounds:
            return
        leading = ending.leading([self.wins[label] for label in self.sides] if ending.counts_wins else totals)
        if len(leading) > 1 and ending.tie == "extra_round":
            self.reason = "tie_at_target"
        else:
            self.winners = tuple(self.sides[side] for side in leading)
            self.reason = "target" if by_target else "rounds"


class Wanted(NamedTuple):
    """The parts of a sheet that a caller asks for, beyond the points and reasons of its lines."""

    lines: bool = True
    """True if its lines have everything that is certain: numbers, bounds, cards, evidence, needs."""
    question: bool = False
    question_steps: int | None = None
    """Steps for the question, of those that the lines leave; None for all of them."""


POINTS = Wanted(lines=False)
LINES = Wanted()
QUESTION = Wanted(question=True)


@dataclass(frozen=True)
class _ReportedDeal:
    """A deal as a table reported it, to be scored in so many ``steps``.

    Deals are equal where their texts are equal. The text is Python's ``repr`` of table and deal, not JSON: in it ``1``
    differs from ``true`` and ``1.0``, a name from a number, and one order of the fields (in which problems are listed)
    from another. Every object has such a text, also an object that the engine refuses.
    """

    text: str
    steps: int
    table: TableRules = field(compare=False)
    deal: Mapping[str, object] = field(compare=False)
    earlier: int = field(compare=False)
    wanted: Wanted = field(compare=False)

    def score(self) -> dict[Wanted, Sheet]:
        """Score the deal within its steps; return its sheets: with the wanted parts, and with fewer."""
        with at_work(Work(self.steps)) as work:
            try:
                sheet = score_deal(self.table, self.deal, self.earlier, is_bare=not self.wanted.lines)
            except TooManyProblems as stopped:
                sheet = Sheet(self.table.sides, problems=stopped.problems)
            if self.wanted.lines:
                sheet = sheet.explained()
            sheet.steps = work.spent
            sheets = {LINES if self.wanted.lines else POINTS: sheet.finished()}
            if self.wanted.question:
                with work.share(DEAL_STEPS if self.wanted.question_steps is None else self.wanted.question_steps):
                    sheet = sheet.asking()
                sheet.question_steps = work.spent - sheet.steps
                sheets[self.wanted] = sheet.finished()
        return sheets


@lru_cache(maxsize=REMEMBERED)
def _score(reported: _ReportedDeal) -> dict[Wanted, Sheet]:
    return reported.score()


@lru_cache(maxsize=LONG_ONES)
def _score_long(reported: _ReportedDeal) -> dict[Wanted, Sheet]:
    return reported.score()


def score_once(
    table: TableRules,
    deal: Mapping[str, object],
    earlier: int = 0,
    steps: int = DEAL_STEPS,
    wanted: Wanted = LINES,
) -> Sheet:
    """Return the sheet of a deal after ``earlier`` other deals, worked out in so many steps.

    The newest sheets are cached. A match is scored again after each of its deals, and all but the new deal are the same
    as before; the new deal was scored when its sheet was shown, before it was saved. No caller may change the sheet.
    """
    if not table.game.by_number:
        earlier = 0
    text = f"{table.text} {deal!r} {earlier}"
    score = _score if len(text) <= LONGEST else _score_long
    reported = _ReportedDeal(text, _rounded(steps), table, deal, earlier, wanted)
    sheets = score(reported)
    if wanted not in sheets:
        sheets.update(reported.score())
    return sheets[wanted]


def _rounded(steps: int) -> int:
    """Return the steps of a deal, or the first of their halves, quarters and so on that is no more than ``steps``.

    So the steps of earlier deals seldom change the budget of a later deal, and its sheet stays cached.
    """
    rounded = DEAL_STEPS
    while rounded > steps:
        rounded //= 2
    return rounded


def answer_match(
    table: TableRules,
    request: Mapping[str, object],
    problems: Problems,
    *,
    frozen: bool = False,
    until_won: bool = False,
    judged: Judged | None = None,
) -> contract.Standing:
    """Return the standing of a match after its deals; raises ``Malformed`` if a type is wrong.

    With ``until_won`` the deals after the winning deal are left out; else they are an error. With ``frozen`` the
    sheets may be cached, and the caller must not change them. ``judged`` says how the deals are judged.
    """
    deals = schema.items([] if request.get("deals") is None else request["deals"], "deals", None)
    if len(deals) > MOST_DEALS:
        problems.error("too_many_deals", "deals", f"A match may have {MOST_DEALS} deals at most.", most=MOST_DEALS)
        deals = []
    playing = _Playing(table, request, problems, until_won)
    judged = judged or Judged()
    scored = playing.play(deals, judged)
    sheets = [
        cast(
            contract.Sheet,
            {**rules.heading(), **(sheet.as_json(judged.asks) if judged.asks or not frozen else sheet.frozen_json)},
        )
        for rules, sheet in scored
    ]
    if not frozen:
        for number, each in enumerate(sheets):
            for problem in each["problems"]:
                place = problem.get("at", f"deal.{problem['where']}" if problem["where"] else "deal")
                problem["at"] = f"deals[{number}]{place.removeprefix('deal')}" if place else place
    if len(problems) > MOST_PROBLEMS:
        problems = _first_of(problems)
        _list_no_more(sheets, problems)
    totals = playing.totals
    winners = totals.winners
    answer = {
        **playing.table.heading(),
        "totals": totals.totals,
        "sheets": sheets,
        "status": "invalid" if problems.fatal else "won" if totals.is_won else "playing",
        "winner": winners[0] if len(winners) == 1 else list(winners) or None,
        "reason": totals.reason,
        "next_dealer": None if totals.is_won else playing.dealers.next,
        "problems": problems.as_json(),
    }
    return cast(contract.Standing, answer)


@dataclass(frozen=True)
class Judged:
    """How the deals of a match are judged."""

    most_steps: int | None = None
    """A budget for all deals together, and as much for their questions, besides the budget of each deal; None: none."""
    asks: bool = True
    """True if the sheets have their question."""
    explained: Collection[int] | None = None
    """The positions of the deals whose lines have everything that is certain; None for all. The lines of the others
    have their points and reasons, and take fewer steps of the budget."""

    def wanted(self, deal: int, question_steps: int | None) -> Wanted:
        """Return how much of the sheet of a deal is wanted."""
        lines = self.explained is None or deal in self.explained
        return Wanted(lines, self.asks, question_steps if self.asks else None)


class _Dealers:
    """The next dealer: the side after the last dealer, or the same side where the opening voids the deal that way."""

    def __init__(self, sides: Sequence[str]) -> None:
        self.sides = tuple(sides)
        self.last: str | None = None
        self.next = sides[0]

    def play_on(self, sides: Sequence[str]) -> None:
        """Take these sides from now on. If the next dealer has left, the next side present deals."""
        if self.next not in sides:
            turn = self.sides.index(self.next)
            order = (*self.sides[turn:], *self.sides[:turn])
            self.next = next((label for label in order if label in sides), sides[0])
        self.sides = tuple(sides)

    def take_turn(self, dealer: object, redeal: str | None) -> None:
        """Note the dealer of a deal; a deal without a dealer changes nothing."""
        if isinstance(dealer, str) and dealer in self.sides:
            self.last = dealer
            turn = 0 if redeal == "same" else 1
            self.next = self.sides[(self.sides.index(dealer) + turn) % len(self.sides)]


class _Left(NamedTuple):
    """The steps that are left for the lines of all deals, and for their questions."""

    for_lines: int
    for_questions: int


class _Playing:
    """A match that is played: its deals in order, each with its own options and sides.

    The problems of every sheet are added to ``problems`` with the place of the deal.
    """

    def __init__(self, table: TableRules, request: Mapping[str, object], problems: Problems, until_won: bool) -> None:
        self.table = table
        self.request = request
        self.problems = problems
        self.until_won = until_won
        self.totals = MatchTotals(table.sides, table.game.ending)
        self.dealers = _Dealers(table.sides)

    def play(self, deals: Sequence[Any], judged: Judged) -> list[tuple[TableRules, Sheet]]:
        """Score the deals and return their sheets, each with the rules that it was scored by.

        A deal that names no dealer has the next dealer in turn, once an earlier deal named a dealer.
        """
        sheets: list[tuple[TableRules, Sheet]] = []
        left = None if judged.most_steps is None else _Left(judged.most_steps, judged.most_steps)
        for number, reported in enumerate(deals):
            where = f"deals[{number}]"
            deal = dict(schema.mapping(reported, where))
            if self.totals.is_won:
                if not self.until_won:
                    self.problems.append(_after_end(where, number))
                break
            if not self._play_on(deal, where):
                break
            if deal.get("dealer") is None and self.dealers.last is not None:
                deal["dealer"] = self.dealers.next
            try:
                sheet, left = self._sheet_of(number, deal, judged, left)
            except Malformed as fault:
                raise fault.inside(where) from None
            self.problems.extend(problem.inside(where) for problem in sheet.problems)
            sheets.append((self.table, sheet))
            if sum(problem.severity == "error" for problem in self.problems) > MOST_PROBLEMS:
                break
            self.dealers.take_turn(deal.get("dealer"), sheet.redeal)
            self.totals.add(sheet)
        return sheets

    def _sheet_of(
        self, number: int, deal: dict[str, Any], judged: Judged, left: _Left | None
    ) -> tuple[Sheet, _Left | None]:
        """Score a deal; return also what it leaves of the steps that are left for all deals (None: any number)."""
        earlier = self.totals.deals
        if left is None:
            return score_once(self.table, deal, earlier, wanted=judged.wanted(number, None)), None
        wanted = judged.wanted(number, _rounded(min(left.for_questions, DEAL_STEPS)))
        sheet = score_once(self.table, deal, earlier, min(left.for_lines, DEAL_STEPS), wanted)
        return sheet, _Left(left.for_lines - sheet.steps, left.for_questions - sheet.question_steps)

    def _play_on(self, deal: dict[str, Any], where: str) -> bool:
        """Take the options and sides that count from this deal on; return whether a match can be played with them."""
        options, sides = deal.pop("options", None), deal.pop("sides", None)
        if options is None and sides is None:
            return True
        problems = Problems()
        try:
            changed = dict(self.request)
            if options is not None:
                former = schema.optional_mapping(self.request.get("options"), "options")
                changed["options"] = {**former, **schema.mapping(options, "options")}
            if sides is not None:
                changed["sides"] = sides
            table = read_table(changed, problems)
        except Malformed as fault:
            raise fault.inside(where) from None
        self.problems.extend(problem.inside(where) for problem in problems)
        if table is None or problems.fatal:
            return False
        self.request, self.table = changed, table
        self.totals.play_on(table.sides, table.game.ending)
        self.dealers.play_on(table.sides)
        return True


def _after_end(where: str, number: int) -> Problem:
    message = "The match was already won before this deal."
    return Problem("error", "deal_after_end", where, message, {"deal": number + 1})


def _first_of(problems: Problems) -> Problems:
    """Return the problems to list, errors first if there are any, and a last one that says that some are left out."""
    listed = [problem for problem in problems if problem.code != TOO_MANY]
    if problems.fatal:
        listed.sort(key=lambda problem: problem.severity)
    return Problems([*listed[:MOST_PROBLEMS], too_many("error" if problems.fatal else "warning")])


def _list_no_more(sheets: Sequence[contract.Sheet], problems: Problems) -> None:
    """Remove from the sheets the problems that the match does not list."""
    listed = {problem.where for problem in problems}
    for number, sheet in enumerate(sheets):
        where = f"deals[{number}]"
        sheet["problems"] = [
            problem
            for problem in sheet["problems"]
            if problem["code"] == TOO_MANY or (f"{where}.{problem['where']}" if problem["where"] else where) in listed
        ]
