"""The page of a player: what they have played, won and scored at the table."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, abort, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import moments, player_records, queries
from ...store.models import Table
from ..base.access import LINKS, table_or_404, visitor
from ..base.by_facts import by_facts_of_table, only_until, present_at
from ..base.htmx import go
from ..base.marks import for_watchers
from ..base.request_bounds import number_in
from ..base.whole_pages import cached_page
from ..words.names import games, shown_names

bp = Blueprint("players", __name__, url_prefix=f"{LINKS}/players")


@bp.get("/<int:number>")
@for_watchers
@by_facts_of_table
def show(key: str, number: int) -> BaseResponse:
    """Show a player's record over a window of matches; one who was merged leads to who that is now."""
    table = table_or_404(key)
    present = present_at(table)
    turning = moments.turns(table, present)
    only_until(turning.until(table.zone))
    asked = (number, number_in(request.args, "before"), turning.next)
    return cached_page(partial(_draw, table, number), "players/show.html", table, present, *asked)


def _draw(table: Table, number: int) -> str:
    """Draw the page. Aborts with a 404, or with a redirect to who a merged player is now."""
    names = queries.player_names(table)
    if number not in names:
        abort(404, description=_("Nobody plays here under that number."))
    if number in names.merged:
        abort(go(url_for("players.show", key=visitor().key(table), number=names.merged[number])))
    before = number_in(request.args, "before")
    summaries, more = player_records.window(table, before)
    lowest = [id for id, game in games().items() if game["family"] == "rummy"]
    record = player_records.record_of(number, summaries, lowest, names.merged)
    # Again: players who came in while the matches were read are among them.
    names = shown_names(queries.player_names(table))
    return render_template(
        "players/show.html",
        table=table,
        names=names,
        record=record,
        others=sorted({*record.beside, *record.against}),
        summaries=summaries,
        more=more,
        before=before,
    )
