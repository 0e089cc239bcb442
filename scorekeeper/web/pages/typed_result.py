"""Results from paper: typing one, and taking it back at once."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import commands, deleted, queries
from ...store.db import db, writing
from ...store.journal.entries import Full, Stale
from ...store.journal.kinds import StoredSetup
from ...store.journal.match_setup import Setup
from ...store.models import Match, Table, now
from ..base.access import LINKS, match_or_404, table_or_404
from ..base.entry_form import new_id, pressed_button
from ..base.htmx import go, page
from ..base.remembered import writer
from ..base.request_bounds import number_in
from ..base.seen import see
from ..match.match_form import LineUp
from ..match.typed_form import TypedForm, of_typed, typed_form
from ..match.typed_here import entry_typed_here
from ..words.dates import local
from ..words.evenings import evening_of
from ..words.problems import full_words

bp = Blueprint("typed_result", __name__, url_prefix=f"{LINKS}/matches")


@bp.route("/paper", methods=["GET", "POST"])
def add(key: str) -> BaseResponse:
    """Type the result of a match that was scored on paper: it counts like any other, and is never played on."""
    table = table_or_404(key)
    posted = request.form if request.method == "POST" else None
    form = typed_form(posted, {} if posted is not None else _begun_with(table), local(now()).date())
    if request.method == "GET" or request.form.get("step") == "refresh":
        return _page(table, form)
    if not form.validate_on_submit():
        return _page(table, form, 422)
    try:
        with writing():
            numbers = commands.seat_players(table, [field.data for field in form.players()])
            match = commands.type_result(table, form.id.data, form.setup(numbers), form.result(), **writer(table))
            number = match.number
    except Full as full:
        form.id.errors = [full_words(full)]
        return _page(table, form, 422)
    except Stale:
        form.id.data = new_id()
        form.id.errors = [_("This form was saved before, with something else in it. Save again to add another result.")]
        return _page(table, form, 409)
    return go(url_for("history.show", key=key, typed=number))


def _page(table: Table, form: TypedForm, status: int = 200) -> BaseResponse:
    names = queries.player_names(table)
    known = [names[number] for number in sorted(names.people, key=lambda one: (one in names.guests, names[one]))]
    context: dict[str, Any] = {"table": table, "form": form, "known_players": known}
    return page("typed_result/add.html", "typed_result/_form.html", status, **context)


def _begun_with(table: Table) -> dict[str, Any]:
    """Return what a new form begins with: a result just taken back, else this evening and the game played last."""
    number = number_in(request.args, "again")
    taken_back = db.session.get(Match, (table.id, number)) if number is not None else None
    entry = entry_typed_here(table, taken_back) if taken_back is not None else None
    if entry is not None:
        return of_typed(entry.payload, queries.player_names(table))
    filled: dict[str, Any] = {"day": min(evening_of(now()), local(now()).date())}
    last = queries.current_match(table)
    if last is not None:
        setup = Setup.from_json(cast(StoredSetup, last.setup))
        shape = LineUp(len(setup.sides), setup.players_per_side)
        filled |= {"game": setup.game, "shape": shape.id, "game_name": setup.game_name or ""}
    return filled


@bp.post("/<int:number>/paper/undo")
def undo(key: str, number: int) -> BaseResponse:
    """Take back a result that this phone has just typed; its form is there again with all that was in it."""
    table, row = match_or_404(key, number)
    pressed_button()
    if entry_typed_here(table, row) is None:
        abort(403, description=_("Only the phone that typed a result takes it back, within the hour; later the owner."))
    with writing():
        deleted.hide(table, row)
    current = queries.current_match(table)
    if current is not None:
        # The phone that did it gets no notice.
        see(table, current, 0)
    return go(url_for("typed_result.add", key=key, again=number))
