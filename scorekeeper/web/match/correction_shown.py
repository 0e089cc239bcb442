"""The correction of a deal, as its sheet shows it: what it said before, and what it did to the match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ...rules import contract
from ...store import agreement
from ...store.compare import differ, lines_of
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry
from ...store.journal.replay import DealState
from ...store.standings import Standing, score_closing, standing_after
from .view import MatchView


class ChangedLine(NamedTuple):
    """The lines of one item before and after; None on the side where the sheet has no such line."""

    item: contract.ItemId
    before: contract.Line | None
    after: contract.Line | None


@dataclass(frozen=True)
class Correction:
    """A closing that took the place of a former one of its deal."""

    match: MatchView
    deal: DealState
    former: JournalEntry
    """The closing that counted before."""
    before: contract.Scored
    """The sheet of the former closing."""
    after: contract.Scored

    @property
    def is_undone(self) -> bool:
        """True if a correction was undone by this: what had been closed before it counts again."""
        return agreement.is_restored(self.deal)

    def points(self, sheet: contract.Scored) -> dict[contract.Side, contract.Number]:
        """Return the points of the sides by a sheet, none where the deal was dealt again."""
        return {label: sheet["points"].get(label, 0) for label in self.match.sides}

    @property
    def changes(self) -> list[ChangedLine]:
        """The lines that say something else than before, in the order of the sheet."""
        before, after = lines_of(self.before), lines_of(self.after)
        items = [ChangedLine(item, before.get(item), after.get(item)) for item in dict.fromkeys([*after, *before])]
        return [line for line in items if differ(line.before, line.after)]

    @cached_property
    def standing_before(self) -> Standing | None:
        """The standing before; None if the match has been scored anew since, so that it is not the only change."""
        closing, entries = self.deal.closed, self.match.standing.state.entries
        assert closing is not None
        if any(entry.kind in kinds.SCORES_MATCH for entry in entries[closing.seq :]):
            return None
        voiding = agreement.voiding_id(closing.id, self.former.id)
        seq = next(entry.seq for entry in entries if entry.id == voiding)
        return standing_after(None, entries[: seq - 1])

    @property
    def won_in(self) -> int | None:
        """The deal in which the match is won now, if it was not before, or not in that deal or by those sides."""
        now, before = self.match.standing, self.standing_before
        if before is None or not now.winners:
            return None
        changed = (before.winners, len(before.sheets)) != (now.winners, len(now.sheets))
        return now.sheets[-1][0].number if changed else None

    @property
    def reopens_match(self) -> bool:
        """True if the match was won before, and goes on now."""
        before = self.standing_before
        return before is not None and bool(before.winners) and not self.match.standing.is_over


def correction_of(match: MatchView, deal: DealState, sheet: contract.Scored) -> Correction | None:
    """Return the correction that the closing of a deal with this sheet is; None if it is the first one."""
    state = match.standing.state
    former = agreement.corrected_closing(state, deal)
    if former is None:
        return None
    return Correction(match, deal, former, score_closing(state, deal, former), sheet)
