"""The page of what can be set at a table and on this phone, each with how it is now."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.wrappers import Response as BaseResponse

from ...store import queries
from ..base.access import LINKS, table_or_404
from ..base.htmx import page
from ..base.marks import for_watchers
from ..match.show import go_and_start
from ..match.view import shown_match

bp = Blueprint("this_table", __name__, url_prefix=LINKS)


@bp.get("/table")
@for_watchers
def show(key: str) -> BaseResponse:
    """Show what can be set of the match being played, and on this phone; watchers get what they may read and choose."""
    table = table_or_404(key)
    row = queries.current_match(table)
    if row is None:
        return go_and_start(key)
    return page("this_table/show.html", match=shown_match(table, row))
