"""Matches: the deals of one, its end, and taking back what was entered."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from ...limits import SHEETS_OF_A_PAGE
from ...store import journal
from ..base.access import LINKS, for_watchers, match_or_404
from ..base.entry_form import new_id, pressed_button
from ..base.htmx import go, nothing_new, page
from ..base.incoming import number_in
from ..deal_entry.entries import EndEntry, ReportedEntry, VoidEntry
from ..match.author import written_by
from ..match.view import MatchView, board_address
from ..words.chart import chart_of
from ..words.dates import day
from ..words.problems import locked_words
from ..words.sparkline import thinned

bp = Blueprint("matches", __name__, url_prefix=LINKS)


@bp.get("/matches/<int:number>")
@for_watchers
def show(key: str, number: int) -> BaseResponse:
    """Show a match: its totals, how they came about, and its deals, each of which leads to its sheet."""
    table, row = match_or_404(key, number)
    match = MatchView(table, row)
    before = number_in(request.args, "before")
    found = [(deal, sheet) for deal, sheet in match.standing.sheets if before is None or deal.number < before]
    sheets = found[-SHEETS_OF_A_PAGE:]
    more = sheets[0][0].number if len(found) > len(sheets) else None
    course = thinned(list(enumerate(match.standing.course, 1)))
    chart = chart_of(
        [totals for _deal, totals in course], match.sides, [str(deal) for deal, _totals in course], match.target
    )
    cache_key = (*match.cache_key, day(row.created_at), before)
    context: dict[str, Any] = {"match": match, "sheets": sheets, "chart": chart, "more": more}
    return nothing_new(match.shown) or page("matches/show.html", cache_key=cache_key, **context)


@bp.post("/matches/<int:number>/end")
def end(key: str, number: int) -> BaseResponse:
    """Stop a match before anybody has won it."""
    match = MatchView(*match_or_404(key, number))
    form = pressed_button()
    EndEntry(match, ReportedEntry(form.id.data, request.form)).write(**written_by(match))
    return go(url_for("tables.show", key=key))


@bp.post("/matches/<int:number>/undo/<entry>")
def undo(key: str, number: int, entry: str) -> BaseResponse:
    """Take one entry back, by its id. A closing taken back opens its deal again, with all that was entered."""
    match = MatchView(*match_or_404(key, number))
    pressed_button()
    written = next((known for known in match.standing.state.entries if known.id == entry), None)
    # An entry is voided once, whatever form asks for it: the voiding needs no id of its form.
    voiding = VoidEntry(match, ReportedEntry(new_id(), MultiDict({"entry": entry})))
    try:
        voiding.write(**written_by(match))
    except journal.Locked as locked:
        abort(409, description=locked_words(locked.deal))
    if written is not None and written.kind == journal.DEAL_CLOSED:
        return go(url_for("deals.close", key=key, number=number, deal=written.payload["deal"]))
    if written is not None and written.kind in journal.MOVES_NO_POINTS:
        return go(url_for("deals.sheet", key=key, number=number, deal=written.payload["deal"], _anchor="settlement"))
    return go(board_address(key))
