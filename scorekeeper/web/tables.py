"""Tables: those of this phone, a new one, its play link, and the match that is being played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from flask import Blueprint, Response, abort, flash, get_flashed_messages, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ..limits import FORM_SECONDS
from ..store import commands, journal, queries
from ..store.db import writing
from ..store.models import Table, now
from . import starting
from .access import (
    LINKS,
    device,
    for_watchers,
    is_mine,
    my_tables,
    phone_marks,
    remember,
    table_or_404,
    visitor,
)
from .forms import TableForm, match_form
from .fragments import go, page
from .links import address_of, qr_code
from .match_page import show_match

bp = Blueprint("tables", __name__)

OPENED = "opened"
"""Flashed once, when the table is opened: its page then says where the owner's page is."""


@bp.get("/")
def home() -> str:
    """Show the tables of this phone."""
    return render_home()


def render_home(**context: Any) -> str:
    """Draw the page of this phone's tables."""
    mine = my_tables()
    tables = [one.table for one in mine]
    summaries = queries.latest_summaries(tables)
    names = {table.id: queries.player_names(table) for table in tables}
    return render_template("tables/home.html", mine=mine, summaries=summaries, names=names, **context)


@bp.route("/tables/new", methods=["GET", "POST"])
def new() -> BaseResponse:
    """Open a table with its first match."""
    asked = {name: request.args.get(name, "") for name in ("game", "preset")}
    form = match_form(TableForm, request.form if request.method == "POST" else None, asked)
    if request.method == "GET" or request.form.get("step") == "refresh":
        return page("tables/new.html", "tables/_new_form.html", form=form)
    agreed = starting.agree(form)
    if agreed is None:
        return page("tables/new.html", "tables/_new_form.html", 422, form=form)
    made_by = _ids_of(form, phone_marks())
    try:
        with writing():
            table = _made_before(made_by)
            if table is None:
                table = commands.open_table(form.table_name.data or _default_name(form), made_by[0])
                starting.write(table, form, agreed, device(), _one_way(form.id.data))
    except (journal.Full, journal.Stale) as refused:
        starting.tell(form, refused)
        return page("tables/new.html", "tables/_new_form.html", 422, form=form)
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


@bp.get(LINKS)
@for_watchers
def show(key: str) -> BaseResponse:
    """Show the match being played, or how to start one."""
    table = table_or_404(key)
    match = queries.latest_match(table)
    if match is None:
        return go(url_for("matches.new" if visitor().may_write else "matches.history", key=key))
    return show_match(table, match, is_new=bool(get_flashed_messages(category_filter=[OPENED])))


@bp.get(f"{LINKS}/share")
def share(key: str) -> str:
    """Show the play link, as an address and as a QR code."""
    table = table_or_404(key)
    return render_template(
        "tables/share.html",
        table=table,
        address=address_of(table, "play"),
        watch_address=address_of(table, "watch"),
        board_address=url_for("boards.board", link="w", key=table.watch_key),
        names=queries.player_names(table),
        is_mine=is_mine(table),
    )


@bp.get(f"{LINKS}/owner")
def owner(key: str) -> BaseResponse:
    """Lead a phone that holds the owner link to its page: the link itself stands on no page that others look at."""
    table = table_or_404(key)
    if not is_mine(table):
        abort(403, description=_("This phone has the link to play. Open the owner link once, and it keeps the table."))
    return go(url_for("owner.show", key=table.owner_key))


@bp.get(f"{LINKS}/qr.svg")
def qr(key: str) -> Response:
    """Draw the QR code of the play link."""
    return qr_code(table_or_404(key), "play", "svg")


@bp.get(f"{LINKS}/watch.svg")
@for_watchers
def watch_qr(key: str) -> Response:
    """Draw the QR code of the watch link."""
    return qr_code(table_or_404(key), "watch", "svg")
