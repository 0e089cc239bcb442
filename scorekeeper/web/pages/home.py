"""The first page: the tables of this phone, and opening a link that was pasted."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, make_response, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from ...store import queries
from ..base import links
from ..base.htmx import go
from ..base.remembered import my_tables

bp = Blueprint("home", __name__)

LONGEST = 2000
"""Characters of a pasted text in which a link is looked for."""


@bp.get("/")
def show() -> str:
    """Show the tables of this phone."""
    return render_home()


def render_home(**context: Any) -> str:
    """Draw the page of this phone's tables."""
    mine = my_tables()
    tables = [one.table for one in mine]
    summaries = queries.latest_summaries(tables)
    names = {table.id: queries.player_names(table) for table in tables}
    return render_template("home/show.html", mine=mine, summaries=summaries, names=names, **context)


@bp.post("/open")
def open_link() -> BaseResponse:
    """Open the table of a pasted link. A post, as the address of a request may end in a log, and a key must not."""
    told = request.form.get("link", "")[:LONGEST]
    path = links.find(told)
    if path is None:
        return make_response(render_home(pasted=told), 422)
    return go(path)
