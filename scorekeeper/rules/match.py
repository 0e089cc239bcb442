"""Matches: the deals of a match, the standing, and who deals next (rules §0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from . import shape
from .problems import Malformed, Problems
from .ruleset import Ending, Table
from .sheet import Sheet

REMEMBERED = 4096
"""Deals whose sheets are kept."""
LONGEST = 8192
"""Letters of a deal that is kept; what a table tells of a deal is far shorter."""


class Standing:
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
class _Told:
    """A deal as a table told it, compared by its text: types and all."""

    text: str
    table: Table = field(compare=False)
    deal: Mapping[str, Any] = field(compare=False)
    earlier: int = field(compare=False)


@lru_cache(maxsize=REMEMBERED)
def _score(told: _Told) -> Sheet:
    return told.table.game.score(told.deal, told.earlier)


def score_once(table: Table, deal: Mapping[str, Any], earlier: int = 0) -> Sheet:
    """Score a deal that ``earlier`` others came before; one scored lately is not worked out again.

    A match is scored anew after each of its deals, and all but one of them are the same as before; that one was scored
    when it was looked at before it was saved.
    """
    if not table.game.by_number:
        earlier = 0
    text = f"{table.text} {deal!r} {earlier}"
    if len(text) > LONGEST:
        return table.game.score(deal, earlier)
    return _score(_Told(text, table, deal, earlier))


def answer_match(
    table: Table, request: Mapping[str, Any], problems: Problems, *, frozen: bool = False, until_won: bool = False
) -> dict[str, Any]:
    """Answer a match request in the contract's form; raises ``Malformed`` where a type is wrong."""
    deals = shape.optional_items(request.get("deals"), "deals")
    standing = Standing(table.sides, table.game.ending)
    dealer: str | None = None
    next_dealer = table.sides[0]
    sheets = []
    for number, deal in enumerate(deals):
        where = f"deals[{number}]"
        deal = dict(shape.mapping(deal, where))
        if standing.is_won and until_won:
            break
        if standing.is_won:
            problems.error("deal_after_end", where, "The match was already won before this deal.", deal=number + 1)
            break
        if deal.get("dealer") is None and dealer is not None:
            deal["dealer"] = next_dealer
        try:
            sheet = score_once(table, deal, standing.deals)
        except Malformed as fault:
            raise fault.inside(where) from None
        problems.extend(problem.inside(where) for problem in sheet.problems)
        sheets.append(sheet)
        dealt_by = deal.get("dealer")
        if dealt_by in table.sides:
            dealer = dealt_by
            turn = 0 if sheet.redeal == "same" else 1
            next_dealer = table.sides[(table.sides.index(dealer) + turn) % len(table.sides)]
        standing.add(sheet)
    heading = table.heading()
    answer: dict[str, Any] = {
        **heading,
        "totals": dict(zip(table.sides, standing.totals, strict=True)),
        "sheets": [{**heading, **(sheet.frozen_json if frozen else sheet.as_json())} for sheet in sheets],
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
