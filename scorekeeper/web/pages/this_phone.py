"""Statements of a phone about itself: who holds it at a table, and which tables it forgets."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import queries
from ..base.access import LINKS, WATCH, table_or_404
from ..base.entry_form import damaged, pressed_button
from ..base.htmx import go
from ..base.links import in_this_app
from ..base.remembered import forget_table, keys_here, links_shown, my_tables, only_watch
from ..base.request_bounds import whole_number
from ..match.author import hold, question
from ..match.show import board_address, go_and_start
from ..match.view import shown_match

bp = Blueprint("this_phone", __name__)

EVERYBODY, NOBODY = "everybody", "watch"
"""The answers to who holds a phone if no player does: it lies on the table, or its holder only watches."""


@bp.route(f"{LINKS}/phone", methods=["GET", "POST"])
def holder(key: str) -> BaseResponse:
    """Ask who holds this phone, or note the answer: a player, everybody, or a watcher."""
    table = table_or_404(key)
    row = queries.current_match(table)
    if row is None:
        return go_and_start(key)
    match = shown_match(table, row)
    if request.method == "GET":
        return question(match, request.args.get("look"), in_this_app(request.args.get("back", ""), ""))
    pressed_button()
    answer = request.form.get("holder", "")
    number = whole_number(answer)
    if answer not in (EVERYBODY, NOBODY) and number not in match.players:
        damaged()
    # Before anything is written: a link that is lost leads nowhere.
    watch_key = table.watch_key if answer == NOBODY else ""
    hold(match, number, watches=answer == NOBODY)
    if answer == NOBODY:
        only_watch(table)
        return go(url_for("tables.show", link=WATCH, key=watch_key))
    return go(in_this_app(request.form.get("back", ""), board_address(key)))


@bp.route("/forget", methods=["GET", "POST"])
def forget() -> BaseResponse:
    """Remove one table, or everything, from this phone. The tables themselves do not change."""
    mine = my_tables()
    if request.method == "GET":
        known = {each.table.id: links_shown(each.table, plays=each.link != "watch") for each in mine}
        keys = {table: [key for _link, key in shown] for table, shown in known.items()}
        return make_response(render_template("this_phone/forget.html", mine=mine, keys=keys))
    if request.form.get("what") == "all":
        session.clear()
        gone = go(url_for("home.show"))
        # Removes pages, waiting entries and drafts. Browsers ignore it on plain http: there js/forget.js does it.
        gone.headers["Clear-Site-Data"] = '"cache", "storage"'
        return gone
    chosen = next((each.table for each in mine if str(each.table.id) == request.form.get("what")), None)
    if chosen is None:
        abort(404, description=_("This phone does not know that table any more."))
    forget_table(chosen, keys_here(chosen))
    return go(url_for("this_phone.forget" if len(mine) > 1 else "home.show"))
