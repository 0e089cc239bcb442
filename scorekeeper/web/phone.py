"""This phone: opening a link that was pasted, forgetting tables."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from . import links
from .access import forget_table, my_tables
from .fragments import go
from .tables import render_home

bp = Blueprint("phone", __name__)

LONGEST = 2000
"""Characters of a pasted text in which a link is looked for."""


@bp.post("/open")
def open_link() -> BaseResponse:
    """Open the table of a pasted link. A post, as the address of a request may end in a log, and a key must not."""
    told = request.form.get("link", "")[:LONGEST]
    path = links.find(told)
    if path is None:
        return make_response(render_home(pasted=told), 422)
    return go(path)


@bp.route("/forget", methods=["GET", "POST"])
def forget() -> BaseResponse:
    """Take one table, or everything, off this phone. The tables themselves stay as they are."""
    mine = my_tables()
    if request.method == "GET":
        return make_response(render_template("phone/forget.html", mine=mine))
    if request.form.get("what") == "all":
        session.clear()
        gone = go(url_for("tables.home"))
        # Pages, entries and drafts that the phone keeps for no signal; a plain http address does it by js/forget.js.
        gone.headers["Clear-Site-Data"] = '"cache", "storage"'
        return gone
    chosen = next((one.table for one in mine if str(one.table.id) == request.form.get("what")), None)
    if chosen is None:
        abort(404, description=_("This phone does not know that table any more."))
    forget_table(chosen)
    return go(url_for("phone.forget" if len(mine) > 1 else "tables.home"))
