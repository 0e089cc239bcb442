"""Matches: the deals of a match, the standing, and who deals next (rules §0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..limits import DEAL_STEPS, MOST_DEALS, MOST_PROBLEMS
from . import schema
from .budget import Work, at_work, is_bounded
from .problems import TOO_MANY, Malformed, Problem, Problems, TooManyProblems, too_many
from .ruleset import Ending, TableRules
from .sheet import Sheet

REMEMBERED = 2048
"""Deals whose sheets are kept."""
LONGEST = 8192
"""Letters of a deal that is kept; what a table tells of a deal is far shorter."""


class MatchTotals:
    """The totals of a match after the deals added so far, and whether somebody has won."""

    def __init__(self, sides: Sequence[str], ending: Ending) -> None:
        self.sides = tuple(sides)
        self.ending = ending
        self.totals: list[int | float] = [0] * len(self.sides)
        self.wins = [0] * len(self.sides)
        self.deals = 0
        self.winners: tuple[int, ...] = ()
        self.reason: str | None = None
        self.is_open = False

    @property
    def is_won(self) -> bool:
        """Whether the match is over."""
        return bool(self.winners)

    def add(self, sheet: Sheet) -> None:
        """Add a scored deal; one that was redealt, or could not be scored, counts nothing."""
        if sheet.redeal is not None or sheet.points is None or sheet.status == "invalid":
            return
        self.deals += 1
        for seat, points in enumerate(sheet.points):
            self.totals[seat] += points
        best = max(sheet.points)
        if best > 0 and list(sheet.points).count(best) == 1:
            self.wins[sheet.points.index(best)] += 1
        self.is_open = self.is_open or sheet.status == "open"
        self.reason = None
        if sheet.won_by is not None:
            self.winners, self.reason = (sheet.won_by,), "cappotto"
        elif sheet.lost_by is not None:
            self.winners = tuple(seat for seat in range(len(self.sides)) if seat != sheet.lost_by)
            self.reason = "no_capture"
        elif not self.is_open:
            self._check_end()

    def _check_end(self) -> None:
        ending = self.ending
        by_target = ending.target is not None and max(self.totals) >= ending.target
        by_rounds = ending.rounds is not None and self.deals >= ending.rounds
        if not by_target and not by_rounds:
            return
        compared = self.wins if ending.counts_wins else self.totals
        best = max(compared) if ending.winner == "highest" else min(compared)
        leading = tuple(seat for seat, total in enumerate(compared) if total == best)
        if len(leading) > 1 and ending.tie == "extra_round":
            self.reason = "tie_at_target"
        else:
            self.winners, self.reason = leading, "target" if by_target else "rounds"


@dataclass(frozen=True)
class _ReportedDeal:
    """A deal as a table told it, compared by its text: types and all. ``steps`` may be taken (None: any number)."""

    text: str
    steps: int | None
    table: TableRules = field(compare=False)
    deal: Mapping[str, Any] = field(compare=False)
    earlier: int = field(compare=False)

    def score(self) -> Sheet:
        """Score the deal within its steps."""
        with at_work(Work(self.steps)) as work:
            try:
                sheet = self.table.game.score(self.deal, self.earlier)
            except TooManyProblems as stopped:
                sheet = Sheet(self.table.sides, problems=stopped.problems)
        sheet.steps = work.spent
        return sheet


@lru_cache(maxsize=REMEMBERED)
def _score(told: _ReportedDeal) -> Sheet:
    return told.score()


def score_once(table: TableRules, deal: Mapping[str, Any], earlier: int = 0, steps: int | None = None) -> Sheet:
    """Score a deal that ``earlier`` others came before, in so many steps; one scored lately is not worked out again.

    A match is scored anew after each of its deals, and all but one of them are the same as before; that one was scored
    when it was looked at before it was saved.
    """
    if not table.game.by_number:
        earlier = 0
    text = f"{table.text} {deal!r} {earlier}"
    score = _score if len(text) <= LONGEST else _ReportedDeal.score
    return score(_ReportedDeal(text, None if steps is None else _rounded(steps), table, deal, earlier))


def _rounded(steps: int) -> int:
    """Give the next lower of a few numbers of steps, so that what an earlier deal took changes few later ones."""
    rounded = DEAL_STEPS
    while rounded > steps:
        rounded //= 2
    return rounded


def answer_match(
    table: TableRules,
    request: Mapping[str, Any],
    problems: Problems,
    *,
    frozen: bool = False,
    until_won: bool = False,
    most_steps: int | None = None,
) -> dict[str, Any]:
    """Answer a match request in the contract's form; raises ``Malformed`` where a type is wrong.

    With ``until_won`` the deals after the one that wins are left out; otherwise they are an error. ``most_steps`` is
    a budget of all deals together, beside that of each.
    """
    deals = schema.items([] if request.get("deals") is None else request["deals"], "deals", None)
    in_bounds = is_bounded()
    if in_bounds and len(deals) > MOST_DEALS:
        problems.error("too_many_deals", "deals", f"A match may have {MOST_DEALS} deals at most.", most=MOST_DEALS)
        deals = []
    standing = MatchTotals(table.sides, table.game.ending)
    dealer: str | None = None
    next_dealer = table.sides[0]
    sheets: list[Sheet] = []
    left = most_steps
    for number, deal in enumerate(deals):
        where = f"deals[{number}]"
        deal = dict(schema.mapping(deal, where))
        if standing.is_won:
            if not until_won:
                problems.append(_after_end(where, number))
            break
        if deal.get("dealer") is None and dealer is not None:
            deal["dealer"] = next_dealer
        try:
            steps = DEAL_STEPS if left is None else min(left, DEAL_STEPS)
            sheet = score_once(table, deal, standing.deals, steps if in_bounds else None)
        except Malformed as fault:
            raise fault.inside(where) from None
        if left is not None:
            left -= sheet.steps
        problems.extend(problem.inside(where) for problem in sheet.problems)
        sheets.append(sheet)
        if in_bounds and sum(problem.severity == "error" for problem in problems) > MOST_PROBLEMS:
            break
        dealt_by = deal.get("dealer")
        if dealt_by in table.sides:
            dealer = dealt_by
            turn = 0 if sheet.redeal == "same" else 1
            next_dealer = table.sides[(table.sides.index(dealer) + turn) % len(table.sides)]
        standing.add(sheet)
    heading = table.heading()
    given = [{**heading, **(sheet.frozen_json if frozen else sheet.as_json())} for sheet in sheets]
    if in_bounds and len(problems) > MOST_PROBLEMS:
        problems = _first_of(problems)
        _list_no_more(given, problems)
    answer: dict[str, Any] = {
        **heading,
        "totals": dict(zip(table.sides, standing.totals, strict=True)),
        "sheets": given,
        "status": "invalid" if problems.fatal else "won" if standing.is_won else "playing",
        "winner": None,
        "reason": standing.reason,
        "next_dealer": None if standing.is_won else next_dealer,
        "problems": problems.as_json(),
    }
    if standing.is_won:
        named = [table.sides[seat] for seat in standing.winners]
        answer["winner"] = named[0] if len(named) == 1 else named
    return answer


def _after_end(where: str, number: int) -> Problem:
    message = "The match was already won before this deal."
    return Problem("error", "deal_after_end", where, message, {"deal": number + 1})


def _first_of(problems: Problems) -> Problems:
    """Give as many problems as are listed, errors before warnings where there are any, and that there are more."""
    found = [problem for problem in problems if problem.code != TOO_MANY]
    if problems.fatal:
        found.sort(key=lambda problem: problem.severity)
    return Problems([*found[:MOST_PROBLEMS], too_many("error" if problems.fatal else "warning")])


def _list_no_more(sheets: Sequence[dict[str, Any]], problems: Problems) -> None:
    """Leave out of the sheets the problems that the match does not list."""
    listed = {problem.where for problem in problems}
    for number, sheet in enumerate(sheets):
        where = f"deals[{number}]"
        sheet["problems"] = [
            problem
            for problem in sheet["problems"]
            if problem["code"] == TOO_MANY or (f"{where}.{problem['where']}" if problem["where"] else where) in listed
        ]
