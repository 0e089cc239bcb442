"""Tables: those of this phone, a new one, its play link, and the match that is being played."""

from __future__ import annotations

import io

import segno
from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from ..store import notebook, queries
from ..store.db import writing
from . import starting
from .access import LINKS, device, for_watchers, my_keys, remember, table_or_404, visitor
from .forms import TableForm, match_form
from .fragments import go, page
from .match_page import show_match

bp = Blueprint("tables", __name__)


@bp.get("/")
def home() -> str:
    """Show the tables of this phone."""
    tables = queries.tables_by_play_key(my_keys())
    summaries = queries.latest_summaries(tables)
    names = {table.id: queries.player_names(table) for table in tables}
    return render_template("tables/home.html", tables=tables, summaries=summaries, names=names)


@bp.route("/tables/new", methods=["GET", "POST"])
def new() -> BaseResponse:
    """Open a table with its first match."""
    form = match_form(TableForm, request.form if request.method == "POST" else None)
    if request.method == "GET" or request.form.get("step") == "refresh":
        return page("tables/new.html", "tables/_new_form.html", form=form)
    agreed = starting.agree(form)
    if agreed is None:
        return page("tables/new.html", "tables/_new_form.html", 422, form=form)
    with writing():
        table = notebook.open_table(form.table_name.data or _default_name(form), form.id.data)
        starting.write(table, form, agreed, device())
        key = table.play_key
    remember(key)
    return go(url_for("tables.show", key=key))


def _default_name(form: TableForm) -> str:
    """Name the table after its players."""
    return ", ".join(field.data for field in form.players())[:40]


@bp.get(LINKS)
@for_watchers
def show(key: str) -> BaseResponse:
    """Show the match being played, or how to start one."""
    table = table_or_404(key)
    match = queries.latest_match(table)
    if match is None:
        return go(url_for("matches.new" if visitor().may_write else "matches.history", key=key))
    return show_match(table, match)


@bp.get(f"{LINKS}/share")
def share(key: str) -> str:
    """Show the play link, as an address and as a QR code."""
    return render_template("tables/share.html", table=table_or_404(key))


@bp.get(f"{LINKS}/qr.svg")
def qr(key: str) -> Response:
    """Draw the QR code of the play link."""
    table_or_404(key)
    picture = io.BytesIO()
    segno.make(url_for("tables.show", key=key, _external=True), error="m").save(
        picture, kind="svg", scale=8, border=3, dark="#000", light="#fff", xmldecl=False
    )
    response = Response(picture.getvalue(), mimetype="image/svg+xml")
    response.headers["Cache-Control"] = "private, no-store"
    return response
