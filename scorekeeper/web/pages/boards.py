"""Other looks of the match being played: a big screen, and a phone that lies between the players."""

from __future__ import annotations

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as BaseResponse

from ...store import queries
from ..base.access import LINKS, table_or_404
from ..base.by_facts import by_facts
from ..base.marks import for_watchers
from ..match.author import question_first
from ..match.show import go_and_start, show_match

bp = Blueprint("boards", __name__, url_prefix=LINKS)


@bp.get("/board")
@for_watchers
@by_facts
def board(key: str) -> BaseResponse | str:
    """Show the score on a big screen, with nothing to tap."""
    table = table_or_404(key)
    match = queries.current_match(table)
    if match is None:
        return render_template("boards/big.html", table=table, match=None)
    return show_match(table, match, look="big")


@bp.get("/faces")
@by_facts
def faces(key: str) -> BaseResponse:
    """Show the board twice, one half upside down, on a phone that lies between the players.

    A phone that joins is asked first who holds it.
    """
    table = table_or_404(key)
    match = queries.current_match(table)
    if match is None:
        return go_and_start(key)
    return question_first(table, match, "faces") or show_match(table, match, look="faces")
