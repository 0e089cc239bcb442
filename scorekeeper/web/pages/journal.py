"""Who wrote what, and when: every entry of a match in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request

from ...limits import SCORED_AGAIN
from ...rules import contract
from ...store import journal, standings
from ...store.journal import JournalEntry
from ..base.access import LINKS, for_watchers, match_or_404
from ..base.incoming import number_in
from ..match.author import AuthorName, AuthorNames, side_of_phone
from ..match.view import MatchView

bp = Blueprint("journal", __name__, url_prefix=f"{LINKS}/matches/<int:number>")

PAGE = 50
Points = Mapping[contract.Side, contract.Number]


@dataclass(frozen=True)
class ShownEntry:
    """An entry as the journal's page shows it. ``of`` is the entry that a voiding names."""

    entry: JournalEntry
    who: AuthorName
    voided_by: JournalEntry | None
    voided_by_whom: AuthorName | None
    of: JournalEntry | None
    before: Points | None = None
    """The totals before it was written, and after: where it moved them."""
    after: Points | None = None
    sheet: contract.Scored | None = None
    """The sheet of a closing that is not accepted, or no longer: it stays to be read."""

    @property
    def deal(self) -> int | None:
        """The deal that it is about."""
        number: int | None = (self.of or self.entry).payload.get("deal")
        return number


@bp.get("/journal")
@for_watchers
def show(key: str, number: int) -> str:
    """Show the journal of a match, newest first, a page at a time."""
    match = MatchView(*match_or_404(key, number))
    entries = match.standing.state.entries
    before = number_in(request.args, "before")
    wanted = [entry for entry in reversed(entries) if before is None or entry.seq < before]
    newest, more = wanted[:PAGE], len(wanted) > PAGE
    return render_template(
        "journal/show.html",
        match=match,
        shown=shown_entries(match, entries, newest),
        more=newest[-1].seq if more else None,
        closed={deal.number for deal, _sheet in match.standing.sheets},
        mine=side_of_phone(match),
    )


def shown_entries(match: MatchView, entries: Sequence[JournalEntry], shown: Sequence[JournalEntry]) -> list[ShownEntry]:
    """Return the entries to be shown, each with who wrote it, who voided it, and what it did to the totals."""
    by_id = {entry.id: entry for entry in entries}
    voidings = {entry.payload["entry"]: entry for entry in entries if entry.kind == journal.VOIDED}
    speakers = AuthorNames(match, entries)
    again = ScoredAgain(match)
    course = totals_by_entry(match, entries, again)
    accepted = {deal.closed.id for deal in match.standing.state.closed if deal.closed}
    found = []
    for entry in shown:
        by = voidings.get(entry.id)
        of = by_id.get(entry.payload["entry"]) if entry.kind == journal.VOIDED else None
        before, after = course.get(entry.id, (None, None))
        sheet = None if entry.id in accepted or "facts" not in entry.payload else again.sheet(entry)
        found.append(
            ShownEntry(entry, speakers.of(entry), by, speakers.of(by) if by else None, of, before, after, sheet)
        )
    return found


class ScoredAgain:
    """Scores closings that are not accepted: no more for one page than its limit, the first that are asked for."""

    def __init__(self, match: MatchView) -> None:
        self.match = match
        self._counted = {deal.closed.id: sheet for deal, sheet in match.standing.sheets if deal.closed is not None}
        self._scored: dict[str, contract.Scored] = {}

    def sheet(self, closing: JournalEntry) -> contract.Scored | None:
        """Return the sheet of a closing, accepted or not; None where too many were asked for before it."""
        known = self._counted.get(closing.id) or self._scored.get(closing.id)
        if known is None and len(self._scored) < SCORED_AGAIN:
            state = self.match.standing.state
            deal = state.deal(closing.payload["deal"]) or state.current
            known = self._scored[closing.id] = standings.score_deal(state, deal, closing.payload["facts"])
        return known


def totals_by_entry(
    match: MatchView, entries: Sequence[JournalEntry], again: ScoredAgain
) -> dict[str, tuple[Points, Points]]:
    """Return the totals before and after each entry that moved them, as they were when it was written.

    They are followed back from the totals of now, as far as closings may be scored again for one page.
    """
    moves, accepted = _moves(entries)
    totals: dict[contract.Side, contract.Number] = dict.fromkeys(match.setup.labels, 0)
    for closing in accepted:
        sheet = again.sheet(closing)
        if sheet is None:
            return {}
        totals = {label: totals[label] + sheet["points"].get(label, 0) for label in totals}
    course: dict[str, tuple[Points, Points]] = {}
    for entry, closing, sign in reversed(moves):
        sheet = again.sheet(closing)
        if sheet is None:
            break
        before = {label: totals[label] - sign * sheet["points"].get(label, 0) for label in totals}
        if sheet["points"]:
            course[entry.id] = (before, totals)
        totals = before
    return course


def _moves(entries: Sequence[JournalEntry]) -> tuple[list[tuple[JournalEntry, JournalEntry, int]], list[JournalEntry]]:
    """Return what moved the totals (the entry, the closing it is about, 1 or -1) and the closings accepted now."""
    closings = {entry.id: entry for entry in entries if entry.kind == journal.DEAL_CLOSED}
    counting: dict[int, JournalEntry] = {}
    moves = []
    for entry in entries:
        if entry.kind == journal.DEAL_CLOSED and entry.payload["deal"] not in counting:
            counting[entry.payload["deal"]] = entry
            moves.append((entry, entry, 1))
        elif entry.kind == journal.VOIDED:
            closing = closings.get(entry.payload["entry"])
            if closing is not None and counting.get(closing.payload["deal"]) is closing:
                del counting[closing.payload["deal"]]
                moves.append((entry, closing, -1))
    return moves, list(counting.values())
