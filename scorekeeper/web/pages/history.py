"""The matches of a table, newest first."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from ...store import queries
from ..base.access import LINKS, for_watchers, table_or_404
from ..base.incoming import number_in

bp = Blueprint("history", __name__, url_prefix=LINKS)


@bp.get("/history")
@for_watchers
def show(key: str) -> str:
    """Show the matches of the table, newest first, a page at a time."""
    table = table_or_404(key)
    before = number_in(request.args, "before")
    summaries, more = queries.history(table, before, size=queries.PAGE)
    return render_template(
        "history/show.html",
        table=table,
        summaries=summaries,
        more=more,
        names=queries.player_names(table),
    )
