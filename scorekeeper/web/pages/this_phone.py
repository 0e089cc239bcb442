"""This phone: opening a link that was pasted, forgetting tables."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ..base.htmx import go
from ..base.remembered import forget_table, my_tables

bp = Blueprint("this_phone", __name__)


@bp.route("/forget", methods=["GET", "POST"])
def forget() -> BaseResponse:
    """Take one table, or everything, off this phone. The tables themselves stay as they are."""
    mine = my_tables()
    if request.method == "GET":
        return make_response(render_template("this_phone/forget.html", mine=mine))
    if request.form.get("what") == "all":
        session.clear()
        gone = go(url_for("home.show"))
        # Pages, entries and drafts that the phone keeps for no signal; a plain http address does it by js/forget.js.
        gone.headers["Clear-Site-Data"] = '"cache", "storage"'
        return gone
    chosen = next((one.table for one in mine if str(one.table.id) == request.form.get("what")), None)
    if chosen is None:
        abort(404, description=_("This phone does not know that table any more."))
    forget_table(chosen)
    return go(url_for("this_phone.forget" if len(mine) > 1 else "home.show"))
