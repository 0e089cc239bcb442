"""Matches: a new one, the sheets of one, its end, a rematch, the history of a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ..limits import SHEETS_OF_A_PAGE
from ..store import commands, journal, queries
from ..store.db import writing
from ..store.journal import NewEntry
from . import starting
from .access import LINKS, device, for_watchers, match_or_404, table_or_404
from .clock import day
from .entering import locked_words
from .forms import MatchForm, match_form, of_former
from .fragments import go, page
from .incoming import number_in
from .live import nothing_new
from .match_page import MatchPage, board_address
from .speaking import written_by
from .writing import pressed_button

bp = Blueprint("matches", __name__, url_prefix=LINKS)


@bp.route("/matches/new", methods=["GET", "POST"])
def new(key: str) -> BaseResponse:
    """Start a match, offered as the last one was played."""
    table = table_or_404(key)
    former = None
    last = queries.latest_match(table)
    if last is not None:
        view = MatchPage(table, last)
        setup = view.setup
        named = queries.saved_rules(table).get(request.args.get("rules", ""))
        if named is not None:
            kept = ("game", "preset", "options", "rules_name")
            setup = replace(setup, **{name: named[name] for name in kept})
        former = of_former(setup, view.players, view.deal.dealer_seat)
    form = match_form(MatchForm, request.form if request.method == "POST" else None, former)
    if request.method == "GET" or request.form.get("step") == "refresh":
        saved = queries.saved_rules(table)
        return page("matches/new.html", "matches/_new_form.html", form=form, table=table, saved=saved)
    agreed = starting.agree(form)
    if agreed is None:
        return page("matches/new.html", "matches/_new_form.html", 422, form=form, table=table)
    try:
        with writing():
            starting.write(table, form, agreed, device())
    except (journal.Full, journal.Stale) as refused:
        starting.tell(form, refused)
        status = 409 if isinstance(refused, journal.Stale) else 422
        saved = queries.saved_rules(table)
        return page("matches/new.html", "matches/_new_form.html", status, form=form, table=table, saved=saved)
    return go(url_for("tables.show", key=key))


@bp.get("/matches/<int:number>")
@for_watchers
def show(key: str, number: int) -> BaseResponse:
    """Show a match: its sheets, one below the other."""
    table, match = match_or_404(key, number)
    view = MatchPage(table, match)
    before = number_in(request.args, "before")
    found = [(deal, sheet) for deal, sheet in view.standing.sheets if before is None or deal.number < before]
    sheets = found[-SHEETS_OF_A_PAGE:]
    more = sheets[0][0].number if len(found) > len(sheets) else None
    made_from = (*view.made_from, day(match.created_at), before)
    context: dict[str, Any] = {"m": view, "sheets": sheets, "more": more}
    return nothing_new(view.shown) or page("matches/show.html", made_from=made_from, **context)


@bp.post("/matches/<int:number>/rematch")
def rematch(key: str, number: int) -> BaseResponse:
    """Start the same match again: seats kept, the dealer moved on. Whoever else asks for it comes to the same match."""
    table, match = match_or_404(key, number)
    form = pressed_button()
    view = MatchPage(table, match)
    state = view.standing.state
    with writing():
        commands.start_match(
            table,
            form.id.data,
            game=state.setup.game,
            preset=state.setup.preset,
            options=dict(state.setup.options),
            sides=[side.players for side in state.setup.sides],
            first_dealer=state.current.dealer_seat,
            rules_name=state.setup.rules_name,
            rematch_of=number,
            device=device(),
        )
    return go(url_for("tables.show", key=key))


@bp.post("/matches/<int:number>/end")
def end(key: str, number: int) -> BaseResponse:
    """Stop a match before anybody has won it."""
    table, match = match_or_404(key, number)
    form, view = pressed_button(), MatchPage(table, match)
    ended, by = NewEntry(journal.MATCH_ENDED, {}, id=form.id.data), written_by(view)
    commands.write(match, lambda: commands.draft(match, [ended], **by))
    return go(url_for("tables.show", key=key))


@bp.post("/matches/<int:number>/undo/<entry>")
def undo(key: str, number: int, entry: str) -> BaseResponse:
    """Take one entry back, by its id. A closing taken back opens its deal again, with all that was entered."""
    view = MatchPage(*match_or_404(key, number))
    pressed_button()
    written, by = next((one for one in view.standing.state.entries if one.id == entry), None), written_by(view)
    try:
        commands.write(view.match, lambda: commands.draft_undo(view.match, entry, **by))
    except journal.NoSuchEntry:
        abort(409, description=_("That entry is not in this match. Load the page again."))
    except journal.Locked as locked:
        abort(409, description=locked_words(locked.deal))
    if written is not None and written.kind == journal.DEAL_CLOSED:
        return go(url_for("deals.close", key=key, number=number, deal=written.payload["deal"]))
    if written is not None and written.kind in journal.MOVES_NO_POINTS:
        return go(url_for("deals.sheet", key=key, number=number, deal=written.payload["deal"], _anchor="settlement"))
    return go(board_address(key))


@bp.get("/history")
@for_watchers
def history(key: str) -> str:
    """Show the matches of the table, newest first, a page at a time."""
    table = table_or_404(key)
    before = number_in(request.args, "before")
    summaries, more = queries.history(table, before, size=queries.PAGE)
    return render_template(
        "matches/history.html",
        table=table,
        summaries=summaries,
        more=more,
        names=queries.player_names(table),
    )
