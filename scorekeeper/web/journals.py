"""Who wrote what, and when: every entry of a match in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request

from ..limits import JOURNAL_SCORED
from ..store import journal, settlement
from ..store.journal import Record
from .access import LINKS, for_watchers, match_or_404
from .incoming import number_in
from .match_page import MatchPage
from .speaking import Speaker, Speakers, speaks_for

bp = Blueprint("journals", __name__, url_prefix=f"{LINKS}/matches/<int:number>")

PAGE = 50
Points = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """An entry as the journal's page tells it. ``of`` is the entry that a voiding names."""

    entry: Record
    who: Speaker
    voided_by: Record | None
    voided_by_whom: Speaker | None
    of: Record | None
    before: Points | None = None
    """The totals before it was written, and after: where it moved them."""
    after: Points | None = None
    sheet: Mapping[str, Any] | None = None
    """What a closing said that does not stand (any more): it stays to be read."""

    @property
    def deal(self) -> int | None:
        """The deal that it is about."""
        number: int | None = (self.of or self.entry).payload.get("deal")
        return number


@bp.get("/journal")
@for_watchers
def show(key: str, number: int) -> str:
    """Show the journal of a match, newest first, a page at a time."""
    view = MatchPage(*match_or_404(key, number))
    entries = view.standing.state.entries
    before = number_in(request.args, "before")
    wanted = [entry for entry in reversed(entries) if before is None or entry.seq < before]
    shown, more = wanted[:PAGE], len(wanted) > PAGE
    return render_template(
        "matches/journal.html",
        m=view,
        told=tell(view, entries, shown),
        more=shown[-1].seq if more else None,
        closed={deal.number for deal, _sheet in view.standing.sheets},
        mine=speaks_for(view),
    )


def tell(view: MatchPage, entries: Sequence[Record], shown: Sequence[Record]) -> list[Told]:
    """Return the entries to be shown, each with who wrote it, who voided it, and what it did to the totals."""
    by_id = {entry.id: entry for entry in entries}
    voidings = {entry.payload["entry"]: entry for entry in entries if entry.kind == journal.VOIDED}
    speakers = Speakers(view, entries)
    course = totals_by_entry(view, entries, shown)
    standing = {deal.closed.id for deal in view.standing.state.closed if deal.closed}
    told = []
    for entry in shown:
        by = voidings.get(entry.id)
        of = by_id.get(entry.payload["entry"]) if entry.kind == journal.VOIDED else None
        before, after = course.get(entry.id, (None, None))
        sheet = None if entry.id in standing or "facts" not in entry.payload else _scored(view, entry)
        told.append(Told(entry, speakers.of(entry), by, speakers.of(by) if by else None, of, before, after, sheet))
    return told


def totals_by_entry(
    view: MatchPage, entries: Sequence[Record], shown: Sequence[Record]
) -> dict[str, tuple[Points, Points]]:
    """Return the totals before and after each shown entry that moved them, as they were when it was written.

    Nothing where so many closings that no longer stand would have to be scored that the page would be long in coming.
    """
    if not shown:
        return {}
    closings = {entry.id: entry for entry in entries if entry.kind == journal.DEAL_CLOSED}
    standing: dict[int, Record] = {}
    stood: list[Record] = []
    """The closings that counted before the first entry that is shown."""
    moves: list[tuple[Record, Record, int]] = []
    first = shown[-1].seq
    for entry in entries:
        if entry.seq == first:
            stood = list(standing.values())
        if entry.seq > shown[0].seq:
            break
        if entry.kind == journal.DEAL_CLOSED and entry.payload["deal"] not in standing:
            standing[entry.payload["deal"]] = entry
            moves.append((entry, entry, 1))
        elif entry.kind == journal.VOIDED:
            closing = closings.get(entry.payload["entry"])
            if closing is not None and standing.get(closing.payload["deal"]) is closing:
                del standing[closing.payload["deal"]]
                moves.append((entry, closing, -1))
    moves = [move for move in moves if move[0].seq >= first]
    points = {deal.closed.id: sheet["points"] for deal, sheet in view.standing.sheets if deal.closed is not None}
    asked = {closing.id: closing for closing in [*stood, *(closing for _entry, closing, _way in moves)]}
    unknown = [closing for id, closing in asked.items() if id not in points]
    if len(unknown) > JOURNAL_SCORED:
        return {}
    points |= {closing.id: _scored(view, closing)["points"] for closing in unknown}
    totals: dict[str, Any] = {label: sum(points[one.id].get(label, 0) for one in stood) for label in view.setup.labels}
    course: dict[str, tuple[Points, Points]] = {}
    for entry, closing, way in moves:
        if not points[closing.id]:
            continue
        after = {label: totals[label] + way * points[closing.id].get(label, 0) for label in totals}
        course[entry.id] = (totals, after)
        totals = after
    return course


def _scored(view: MatchPage, closing: Record) -> dict[str, Any]:
    """Return the sheet of a closing, whether or not it stands."""
    state = view.standing.state
    deal = state.deal(closing.payload["deal"]) or state.current
    return settlement.scored(state, deal, closing.payload["facts"])
