"""Starting a match: at a new table, at one that has played before, or the same match again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from uuid import NAMESPACE_OID, uuid5

from flask import Blueprint, flash, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from ...limits import FORM_SECONDS
from ...store import commands, journal, queries
from ...store.db import writing
from ...store.models import Table, now
from ..base.access import LINKS, match_or_404, table_or_404
from ..base.entry_form import pressed_button
from ..base.htmx import go, page
from ..base.remembered import device, is_mine, phone_marks, remember
from ..match.match_form import MatchForm, TableForm, agree, explain_refusal, match_form, of_former, write_match
from ..match.view import OPENED, MatchView

bp = Blueprint("new_match", __name__)


@bp.route("/tables/new", methods=["GET", "POST"])
def table() -> BaseResponse:
    """Open a table with its first match."""
    asked = {name: request.args.get(name, "") for name in ("game", "preset")}
    form = match_form(TableForm, request.form if request.method == "POST" else None, asked)
    if request.method == "GET" or request.form.get("step") == "refresh":
        return page("new_match/table.html", "new_match/_table_form.html", form=form)
    agreed = agree(form)
    if agreed is None:
        return page("new_match/table.html", "new_match/_table_form.html", 422, form=form)
    made_by = _ids_of(form, phone_marks())
    try:
        with writing():
            table = _made_before(made_by)
            if table is None:
                table = commands.open_table(form.table_name.data or _default_name(form), made_by[0])
                write_match(table, form, agreed, device(), _one_way(form.id.data))
    except (journal.Full, journal.Stale) as refused:
        explain_refusal(form, refused)
        return page("new_match/table.html", "new_match/_table_form.html", 422, form=form)
    for link in ("play", "owner"):
        remember(queries.key_of(table, link), link)
    flash("", OPENED)
    return go(url_for("tables.show", key=table.play_key))


def _one_way(*told: str) -> str:
    """Return an id that follows from what is told, and from which that cannot be found."""
    return str(uuid5(NAMESPACE_OID, " ".join(told)))


def _ids_of(form: TableForm, marks: Sequence[str]) -> list[str]:
    """Return the ids under which a table may be known that this very form has opened, the one for a new table first.

    They follow from the form, what it says and the phone that sends it: on another phone it opens a table of its own,
    and so does a form that came back from the phone's memory and tells of another table. No page shows any of them.
    """
    id = form.id.data.lower()
    told = "\n".join(
        f"{name}={value}" for name, value in sorted(request.form.items(multi=True)) if name != "csrf_token"
    )
    said = [_one_way(mark, id, told) for mark in marks]
    # What was opened before forms were told apart by what they say is known by its phone and its form.
    return [*said, *(_one_way(mark, id) for mark in marks)]


def _made_before(made_by: Sequence[str]) -> Table | None:
    """Return the table that this form has opened on this phone, if it did; call inside ``writing()``.

    The phone holds its keys, or asks again so soon that the answer with the keys may never have reached it. Later the
    form opens a new table.
    """
    table = commands.table_of_form(*made_by)
    if table is None or is_mine(table) or now() - table.created_at < timedelta(seconds=FORM_SECONDS):
        return table
    commands.forget_form(table)
    return None


def _default_name(form: TableForm) -> str:
    """Name the table after its players."""
    return ", ".join(field.data for field in form.players())[:40]


@bp.route(f"{LINKS}/matches/new", methods=["GET", "POST"])
def match(key: str) -> BaseResponse:
    """Start a match, offered as the last one was played."""
    table = table_or_404(key)
    former = None
    last = queries.latest_match(table)
    if last is not None:
        match = MatchView(table, last)
        setup = match.setup
        named = queries.saved_rules(table).get(request.args.get("rules", ""))
        if named is not None:
            kept = ("game", "preset", "options", "rules_name")
            setup = replace(setup, **{name: named[name] for name in kept})
        former = of_former(setup, match.players, match.deal.dealer_seat)
    form = match_form(MatchForm, request.form if request.method == "POST" else None, former)
    if request.method == "GET" or request.form.get("step") == "refresh":
        saved = queries.saved_rules(table)
        return page("new_match/match.html", "new_match/_match_form.html", form=form, table=table, saved=saved)
    agreed = agree(form)
    if agreed is None:
        return page("new_match/match.html", "new_match/_match_form.html", 422, form=form, table=table)
    try:
        with writing():
            write_match(table, form, agreed, device())
    except (journal.Full, journal.Stale) as refused:
        explain_refusal(form, refused)
        status = 409 if isinstance(refused, journal.Stale) else 422
        saved = queries.saved_rules(table)
        return page("new_match/match.html", "new_match/_match_form.html", status, form=form, table=table, saved=saved)
    return go(url_for("tables.show", key=key))


@bp.post(f"{LINKS}/matches/<int:number>/rematch")
def rematch(key: str, number: int) -> BaseResponse:
    """Start the same match again: seats kept, the dealer moved on. Whoever else asks for it comes to the same match."""
    table, row = match_or_404(key, number)
    form = pressed_button()
    match = MatchView(table, row)
    state = match.standing.state
    with writing():
        commands.start_match(
            table,
            form.id.data,
            game=state.setup.game,
            preset=state.setup.preset,
            options=dict(state.setup.options),
            sides=[side.players for side in state.setup.sides],
            first_dealer=state.current.dealer_seat,
            rules_name=state.setup.rules_name,
            rematch_of=number,
            device=device(),
        )
    return go(url_for("tables.show", key=key))
