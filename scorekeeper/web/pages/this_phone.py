"""Forgetting the tables of this phone."""

from __future__ import annotations

from flask import Blueprint, abort, make_response, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ..base.htmx import go
from ..base.remembered import forget_table, my_tables

bp = Blueprint("this_phone", __name__)


@bp.route("/forget", methods=["GET", "POST"])
def forget() -> BaseResponse:
    """Remove one table, or everything, from this phone. The tables themselves stay as they are."""
    mine = my_tables()
    if request.method == "GET":
        return make_response(render_template("this_phone/forget.html", mine=mine))
    if request.form.get("what") == "all":
        session.clear()
        gone = go(url_for("home.show"))
        # Removes pages, waiting entries and drafts. Browsers ignore it on plain http: there js/forget.js does it.
        gone.headers["Clear-Site-Data"] = '"cache", "storage"'
        return gone
    chosen = next((each.table for each in mine if str(each.table.id) == request.form.get("what")), None)
    if chosen is None:
        abort(404, description=_("This phone does not know that table any more."))
    forget_table(chosen)
    return go(url_for("this_phone.forget" if len(mine) > 1 else "home.show"))
