"""The start page: the tables of this phone, and opening a pasted link."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, current_app, make_response, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from ... import rules
from ...store import queries
from ...store.models import Table
from ..base import links
from ..base.brakes import wrong_key
from ..base.gone import name_dead_links
from ..base.htmx import go
from ..base.remembered import dead_links, my_tables
from ..match.match_form import LineUp
from ..match.rules_words import played_games
from ..match.view import MatchView
from ..words.dates import calendar_day, recent_day
from ..words.names import shown_names

bp = Blueprint("home", __name__)

LONGEST = 2000
"""Characters of a pasted text that are searched for a link."""


@bp.get("/")
def show() -> str:
    """Show the tables of this phone."""
    return _render()


def _render(**context: Any) -> str:
    """Return the page of this phone's tables."""
    mine = my_tables()
    name_dead_links(dead_links(mine))
    tables = [remembered.table for remembered in mine]
    summaries = queries.current_summaries(tables)
    names = {table.id: shown_names(queries.player_names(table)) for table in tables}
    shown_games = played_games(summaries.values())
    context |= {"summaries": summaries, "names": names, "shown_games": shown_games, "last": _last(tables)}
    # Without the setting nobody deletes them, whatever was announced before.
    ends = tables if current_app.config["EXPIRE_MONTHS"] else []
    context["expires"] = {table.id: calendar_day(table.expires_on) for table in ends if table.expires_on}
    return render_template("home/show.html", mine=mine, tiles=rules.games_on_home(), **context)


def _last(tables: list[Table]) -> dict[str, str] | None:
    """Return what was played last on this phone, and the day, for a new table like it; None without a match."""
    row = queries.current_match(tables[0]) if tables else None
    if row is None:
        return None
    setup = MatchView(tables[0], row).setup
    shape = LineUp(len(setup.sides), setup.players_per_side).id
    day = recent_day(row.created_at)
    return {"game": setup.game, "preset": setup.preset or "", "shape": shape, "day": day}


@bp.post("/open")
def open_link() -> BaseResponse:
    """Open the table of a pasted link, by a post: addresses end up in logs of servers, and a key must not."""
    pasted = request.form.get("link", "")[:LONGEST]
    path = links.find(pasted)
    if path is None:
        wrong_key(pasted)
        return make_response(_render(pasted=pasted), 422)
    return go(path)
