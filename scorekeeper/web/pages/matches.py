"""Matches: the deals of one, its end, and taking back what was entered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from flask import Blueprint, abort, jsonify, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from ...limits import DELETED_HOURS, PAGES_OF_A_PHONE, SHEETS_OF_A_PAGE
from ...rules.contract import Sheet
from ...store import deleted, queries
from ...store.agreement import corrected_closing
from ...store.db import Gone, writing
from ...store.journal import kinds
from ...store.journal.entries import Locked, Stale, TakeBackFirst
from ...store.journal.replay import DealState
from ...store.models import Table
from ...store.turning_points import turning_points
from ..base.access import LINKS, match_of, match_or_404, table_or_404
from ..base.by_facts import by_facts
from ..base.entry_form import new_id, pressed_button
from ..base.htmx import go, nothing_new, page, wants_fragment
from ..base.marks import for_watchers
from ..base.remembered import is_mine
from ..base.request_bounds import number_in, whole_number
from ..base.seen import see
from ..deal_entry.incoming import ReportedEntry, posted_entry
from ..deal_entry.match_entries import EndEntry, MatchNoteEntry, ResumedEntry, VoidEntry
from ..deal_entry.saving import save
from ..match.author import written_by
from ..match.entry_words import first_words
from ..match.notices import staying_notice
from ..match.show import board_address, show_match
from ..match.view import MatchView, match_at, shown_match
from ..words.chart import chart_of
from ..words.dates import day
from ..words.problems import locked_words
from ..words.sparkline import thinned
from ..words.turning_points import turning_words

bp = Blueprint("matches", __name__, url_prefix=LINKS)


@bp.get("/matches/<int:number>")
@for_watchers
@by_facts
def show(key: str, number: int) -> BaseResponse:
    """Show a match: its totals, how they came about, and its deals, each with a link to its sheet."""
    match = match_at(key, number, may_be_typed=True)
    before = number_in(request.args, "before")
    earlier = [(deal, sheet) for deal, sheet in match.standing.sheets if before is None or deal.number < before]
    sheets = earlier[-SHEETS_OF_A_PAGE:]
    more = sheets[0][0].number if len(earlier) > len(sheets) else None
    course = thinned(list(enumerate(match.standing.course, 1)))
    named = {**match.all_sides, **{label: "\n".join(match.lines_of(label)) for label in match.sides}}
    totals_after = [totals for _deal, totals in course]
    chart = chart_of(totals_after, named, [str(deal) for deal, _totals in course], match.ending.target)
    notice = staying_notice(match)
    notice_key = () if notice is None else notice.cache_key
    cache_key = (*match.cache_key, *notice_key, day(match.row.created_at), before, match.is_left_open)
    context: dict[str, Any] = {"match": match, "sheets": sheets, "chart": chart, "more": more}
    context["doubtful"] = {doubt.deal.number for doubt in match.doubts}
    context["what_turned"] = partial(_what_turned, match)
    context["corrected"] = partial(_corrected, match, sheets)
    return nothing_new(match.version) or page("matches/show.html", cache_key=cache_key, **context)


def _what_turned(match: MatchView) -> list[str]:
    """Return what turned a match that is won, in sentences; [] while another version of a deal may still count."""
    if not match.standing.is_over or match.doubts:
        return []
    return turning_words(turning_points(match.standing), match.all_sides, match.setup.game)


def _corrected(match: MatchView, sheets: Sequence[tuple[DealState, Sheet]]) -> set[int]:
    """Return the numbers of those of these deals that count as they were corrected."""
    state = match.standing.state
    closings = Counter(entry.payload["deal"] for entry in state.entries if entry.kind == kinds.DEAL_CLOSED)
    several = [deal for deal, _sheet in sheets if closings[deal.number] > 1]
    return {deal.number for deal in several if corrected_closing(state, deal) is not None}


@bp.route("/matches/<int:number>/end", methods=["GET", "POST"])
def end(key: str, number: int) -> BaseResponse:
    """Stop a match before anybody has won it: the leader wins, or nobody does."""
    match = match_at(key, number)
    if request.method == "GET":
        return page("matches/end.html", match=match)
    pressed_button()
    EndEntry(match, posted_entry()).write(**written_by(match))
    return go(url_for("tables.show", key=key))


@bp.post("/matches/<int:number>/resume")
def resume(key: str, number: int) -> BaseResponse:
    """Take up a match that was left in the middle: it is the one being played, on every phone."""
    match = match_at(key, number)
    pressed_button()
    ResumedEntry(match, posted_entry()).write(**written_by(match))
    return go(url_for("tables.show", key=key))


@bp.route("/matches/<int:number>/note", methods=["GET", "POST"])
def note(key: str, number: int) -> BaseResponse:
    """Write a line about a match, and what it is played for."""
    match = match_at(key, number)
    entry = MatchNoteEntry(match, posted_entry())

    def draw(status: int, refused: list[str]) -> BaseResponse:
        entry.form.id.data = new_id()
        return page("matches/note.html", None, status, match=match, form=entry.form, refused=refused)

    address = url_for("matches.show", key=key, number=number)
    return draw(200, []) if request.method == "GET" else save(entry, address, draw)


@bp.route("/matches/<int:number>/delete", methods=["GET", "POST"])
def delete(key: str, number: int) -> BaseResponse:
    """Delete a match, after a look at what goes with it. Only the owner of the table does."""
    table = _own_table(key)
    row = match_of(table, number)
    if request.method == "GET":
        return page("matches/delete.html", match=shown_match(table, row), hours=DELETED_HOURS)
    pressed_button()
    with writing():
        deleted.hide(table, row)
    current = queries.current_match(table)
    if current is not None:
        # The phone that did it gets no notice.
        see(table, current, 0)
    return go(url_for("history.show", key=key))


@bp.get("/deleted")
@for_watchers
def which_are_deleted(key: str) -> BaseResponse:
    """Return which matches are deleted, of those whose pages a phone has: for a day (``hidden``), or for good."""
    table = table_or_404(key)
    asked = [whole_number(number) for number in request.args.getlist("match")[:PAGES_OF_A_PHONE]]
    hidden, gone = deleted.which_are_deleted(table, {number for number in asked if number is not None})
    return jsonify(hidden=hidden, gone=gone)


@bp.post("/matches/<int:number>/restore")
def restore(key: str, number: int) -> BaseResponse:
    """Bring a deleted match back."""
    table = _own_table(key)
    pressed_button()
    try:
        with writing():
            deleted.bring_back(table, number)
    except Gone:
        abort(404, description=_("This match is gone for good: it was deleted more than a day ago."))
    return go(url_for("matches.show", key=key, number=number))


def _own_table(key: str) -> Table:
    """Return the table; a phone without the owner link gets a 403."""
    table = table_or_404(key)
    if not is_mine(table):
        abort(403, description=_("Only the owner of the table deletes a match, or brings it back."))
    return table


@bp.post("/matches/<int:number>/undo/<entry>")
def undo(key: str, number: int, entry: str) -> BaseResponse:
    """Take one entry back, by its id. A closing taken back opens its deal again, with all that was entered."""
    match = match_at(key, number)
    pressed_button()
    taken_back = match.entry(entry)
    # An entry is voided once, by any form: the voiding needs no id of its form.
    voiding = VoidEntry(match, ReportedEntry(new_id(), MultiDict({"entry": entry})))
    try:
        voiding.write(**written_by(match))
    except Locked as locked:
        abort(409, description=locked_words(locked.deal))
    except TakeBackFirst as refused:
        abort(422, description=first_words(match, refused.first))
    except Stale:
        abort(409, description=_("A deal was closed meanwhile: who played it, and who dealt, stays as it was."))
    if taken_back is not None and taken_back.kind == kinds.DEAL_CLOSED:
        return go(url_for("closing.close", key=key, number=number, deal=taken_back.payload["deal"]))
    if taken_back is not None and taken_back.kind in kinds.STATEMENTS | {kinds.DEAL_CONTESTED}:
        return go(url_for("deals.sheet", key=key, number=number, deal=taken_back.payload["deal"], _anchor="settlement"))
    # From any other page than the board its button leads to the board.
    if taken_back is not None and wants_fragment() and request.headers.get("HX-Target") == "board":
        return show_match(*match_or_404(key, number), undone=taken_back.id)
    return go(board_address(key))
