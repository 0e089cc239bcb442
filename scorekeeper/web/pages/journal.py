"""Who noted what, and when: every entry of a match in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flask import Blueprint, render_template, request

from ...limits import DEAL_RIVALS, SCORED_AGAIN
from ...rules import contract
from ...store import agreement, standings
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry
from ..base.access import LINKS
from ..base.marks import for_watchers
from ..base.request_bounds import number_in
from ..match.author import AuthorName, AuthorNames, side_of_phone
from ..match.view import MatchView, match_at

bp = Blueprint("journal", __name__, url_prefix=f"{LINKS}/matches/<int:number>")

PAGE = 50
Points = Mapping[contract.Side, contract.Number]


LONGEST_ACT = DEAL_RIVALS + 2
"""Entries written together with an act, at most: it voids every version of a deal and repeats one of them."""


@dataclass(frozen=True)
class ShownEntry:
    """An entry as the journal's page shows it: a sentence for each act, with what its parts did."""

    entry: JournalEntry
    who: AuthorName
    of: JournalEntry | None = None
    """The entry that it voids."""
    corrects: bool = False
    """True if it is a closing in place of another one, which it voids."""
    undoes_correction: bool = False
    """True if it brings back the closing that was corrected."""
    taken_from: str | None = None
    """Whose version counts from then on, where it made the table take one; "" if not known."""
    voided_by: JournalEntry | None = None
    """The entry that voided it: the act, if that voiding is only part of one."""
    voided_by_whom: AuthorName | None = None
    is_taken: bool = False
    """True if it is voided because the table took this very version, which another closing repeats."""
    before: Points | None = None
    """The totals before the act was written, and after: where it moved them."""
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
    match = match_at(key, number, may_be_typed=True)
    entries = match.standing.state.entries
    before = number_in(request.args, "before")
    acts = acts_of_parts(entries)
    imported_at = match.table.imported_at
    wanted = [entry for entry in reversed(entries) if entry.id not in acts and (before is None or entry.seq < before)]
    newest, more = wanted[:PAGE], len(wanted) > PAGE
    return render_template(
        "journal/show.html",
        match=match,
        shown=shown_entries(match, entries, newest),
        more=newest[-1].seq if more else None,
        closed={deal.number for deal, _sheet in match.standing.sheets},
        mine=side_of_phone(match),
        from_file=imported_at if imported_at is not None and entries[0].created_at <= imported_at else None,
    )


def acts_of_parts(entries: Sequence[JournalEntry]) -> dict[str, JournalEntry]:
    """Return the act of each entry that is only a part of one, by the id of the part.

    Such are the voidings that come with a correction, and what carries out a proposal. The id of a part follows from
    that of its act, beside which it was written.
    """
    acts = {}
    for place, entry in enumerate(entries):
        part = agreement.part_name(entry)
        if part is None:
            continue
        near = entries[max(0, place - LONGEST_ACT) : place + LONGEST_ACT + 1]
        may_be = [other for other in near if other.kind in kinds.OF_A_DEAL - kinds.NOTED and other is not entry]
        act = next((other for other in may_be if agreement.part_id(other.id, part) == entry.id), None)
        if act is not None:
            acts[entry.id] = act
    return acts


def shown_entries(match: MatchView, entries: Sequence[JournalEntry], shown: Sequence[JournalEntry]) -> list[ShownEntry]:
    """Return the acts to be shown, each with who wrote it, who voided it, and what it did to the totals."""
    by_id = {entry.id: entry for entry in entries}
    acts = acts_of_parts(entries)
    parts: dict[str, list[JournalEntry]] = {}
    for entry in entries:
        if entry.id in acts:
            parts.setdefault(acts[entry.id].id, []).append(entry)
    voidings = {entry.payload["entry"]: acts.get(entry.id, entry) for entry in entries if entry.kind == kinds.VOIDED}
    speakers = AuthorNames(match, entries)
    again = ScoredAgain(match)
    course = CourseOfTotals(match, entries, again)
    accepted = {deal.closed.id for deal in match.standing.state.closed if deal.closed}

    def written_with(act: JournalEntry) -> list[JournalEntry]:
        return sorted([act, *parts.get(act.id, [])], key=lambda one: one.seq)

    acts_shown = []
    for entry in shown:
        written = written_with(entry)
        taken = _version_taken(written, by_id)
        is_back = taken is not None and taken.kind == entry.kind == kinds.DEAL_CLOSED
        by = voidings.get(entry.id)
        before, after = course.around(written)
        acts_shown.append(
            ShownEntry(
                entry,
                speakers.of(entry),
                of=by_id.get(entry.payload["entry"]) if entry.kind == kinds.VOIDED else None,
                corrects=entry.kind == kinds.DEAL_CLOSED and len(written) > 1 and taken is None,
                undoes_correction=is_back,
                taken_from=speakers.owner_of(taken) if taken and not is_back else None,
                voided_by=by,
                voided_by_whom=speakers.of(by) if by else None,
                is_taken=by is not None and _version_taken(written_with(by), by_id) is entry,
                before=before,
                after=after,
                sheet=None if entry.id in accepted or "facts" not in entry.payload else again.sheet(entry),
            )
        )
    return acts_shown


def _version_taken(written: Sequence[JournalEntry], by_id: Mapping[str, JournalEntry]) -> JournalEntry | None:
    """Return the version of a deal that these entries, an act and its parts, made count; None if they took none."""
    for entry in written:
        if "takes" in entry.payload and entry.kind == kinds.DEAL_CLOSED:
            return by_id.get(entry.payload["takes"])
    # An act that takes the closing that counts confirms it, and voids the others.
    return next(
        (by_id.get(one.payload["entry"]) for one in written if one.kind in CONFIRMING and len(written) > 1), None
    )


CONFIRMING = frozenset({kinds.CONFIRMED, kinds.PROPOSED, kinds.PROPOSAL_ACCEPTED})
"""The kinds of acts that name the closing that counts; it goes on counting if none is written with them."""


class ScoredAgain:
    """Scores closings that are not accepted: no more for one page than its limit, the first that are asked for."""

    def __init__(self, match: MatchView) -> None:
        self.match = match
        self._counted = {deal.closed.id: sheet for deal, sheet in match.standing.sheets if deal.closed is not None}
        self._scored: dict[str, contract.Scored] = {}

    def sheet(self, closing: JournalEntry) -> contract.Scored | None:
        """Return the sheet of a closing, accepted or not; None if too many were asked for before it."""
        known = self._counted.get(closing.id) or self._scored.get(closing.id)
        if known is None and len(self._scored) < SCORED_AGAIN:
            state = self.match.standing.state
            deal = state.deal(closing.payload["deal"]) or state.current
            known = self._scored[closing.id] = standings.score_closing(state, deal, closing)
        return known


class CourseOfTotals:
    """The totals before and after each entry that moved them, as they were when it was written.

    They are followed back from the totals of now, as far as closings may be scored again for one page.
    """

    def __init__(self, match: MatchView, entries: Sequence[JournalEntry], again: ScoredAgain) -> None:
        moves, accepted = _moves(entries)
        self._moved = {entry.id for entry, _closing, _sign in moves}
        self._steps: dict[str, tuple[Points, Points]] = {}
        totals: dict[contract.Side, contract.Number] = dict.fromkeys(match.all_sides, 0)
        for closing in accepted:
            sheet = again.sheet(closing)
            if sheet is None:
                return
            totals = {label: totals[label] + sheet["points"].get(label, 0) for label in totals}
        for entry, closing, sign in reversed(moves):
            sheet = again.sheet(closing)
            if sheet is None:
                return
            before = {label: totals[label] - sign * sheet["points"].get(label, 0) for label in totals}
            self._steps[entry.id] = (before, totals)
            totals = before

    def around(self, written: Sequence[JournalEntry]) -> tuple[Points, Points] | tuple[None, None]:
        """Return the totals before and after entries written together; None if they are as before, or not known."""
        steps = [self._steps.get(entry.id) for entry in written if entry.id in self._moved]
        if not steps or steps[0] is None or steps[-1] is None or steps[0][0] == steps[-1][1]:
            return None, None
        return steps[0][0], steps[-1][1]


def _moves(entries: Sequence[JournalEntry]) -> tuple[list[tuple[JournalEntry, JournalEntry, int]], list[JournalEntry]]:
    """Return what moved the totals (the entry, the closing it is about, 1 or -1) and the closings accepted now."""
    closings = {entry.id: entry for entry in entries if entry.kind == kinds.DEAL_CLOSED}
    counting: dict[int, JournalEntry] = {}
    moves = []
    for entry in entries:
        if entry.kind == kinds.DEAL_CLOSED and entry.payload["deal"] not in counting:
            counting[entry.payload["deal"]] = entry
            moves.append((entry, entry, 1))
        elif entry.kind == kinds.VOIDED:
            closing = closings.get(entry.payload["entry"])
            if closing is not None and counting.get(closing.payload["deal"]) is closing:
                del counting[closing.payload["deal"]]
                moves.append((entry, closing, -1))
    return moves, list(counting.values())
