"""The owner's pages of a table: renewing links, renaming, deleting."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, Response, abort, flash, get_flashed_messages, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from ...names import forget_names, same
from ...store import links, ownership, people, queries
from ...store.db import writing
from ...store.forgotten import RESTORABLE
from ...store.journal.entries import Stale
from ...store.models import Table
from ...store.table_file.missing import missing
from ..base.access import owner_or_404
from ..base.by_facts import forget_answers
from ..base.entry_form import EntryForm, damaged
from ..base.gone import name_dead_links
from ..base.htmx import go, page
from ..base.links import LETTERS, PICTURES, address_of, qr_code
from ..base.marks import for_moved
from ..base.name_form import NameForm, refuse_old_form
from ..base.page_cache import forget_parts
from ..base.remembered import forget, forget_table, keys_here, links_shown, my_keys, next_owner_key, remember, writer
from ..match.result_picture import forget_pictures
from ..words.names import shown_names

bp = Blueprint("owner", __name__, url_prefix="/o/<key>")


@bp.get("")
@for_moved
def show(key: str) -> BaseResponse:
    """Show the owner's page, with the links and the names. After a renewal it names the former link as dead."""
    table = owner_or_404(key)
    renewed = cast("list[tuple[str, str]]", get_flashed_messages(with_categories=True))
    name_dead_links((link, former) for link, former in renewed if link in LETTERS)
    return _page(table)


def _page(table: Table, status: int = 200, **refused: Any) -> Response:
    names = shown_names(queries.player_names(table))
    return page(
        "owner/show.html",
        None,
        status,
        table=table,
        names=names,
        forgotten={number: at + RESTORABLE for number, at in people.restorable(table).items()},
        addresses={link: address_of(table, link) if table.can_show(link) else None for link in LETTERS},
        renaming=ownership.last_renaming(table),
        made=request.args.get("made"),
        rest=missing(table),
        refused=refused,
    )


@bp.get("/qr/<which>.<kind>")
@for_moved
def qr(key: str, which: str, kind: str) -> Response:
    """Return the QR code of one of the links."""
    table = owner_or_404(key)
    if which not in LETTERS or kind not in PICTURES:
        abort(404)
    return qr_code(table, which, kind)


@bp.route("/renew/<which>", methods=["GET", "POST"])
@for_moved
def renew(key: str, which: str) -> BaseResponse:
    """Renew a link. A GET says what happens to the old one; the POST does it, and this phone remembers the new link.

    A new owner link has a key that this phone has had since the GET (``coming``), so that a lost answer does no harm.
    """
    if which not in LETTERS:
        abort(404)
    coming = request.form.get("coming", "") if which == "owner" else None
    done = queries.table_by_key("owner", coming) if coming else None
    if done is not None:
        # The form was posted before and its answer was lost. The address it is posted to is dead by now.
        return go(url_for("owner.show", key=done.owner_key, made=which))
    table = owner_or_404(key)
    form = EntryForm()
    if request.method == "GET":
        coming = next_owner_key() if which == "owner" else None
        former = links.present_hash(table, which)
        return page("owner/renew.html", table=table, link=which, form=form, former=former, coming=coming)
    if not form.validate_on_submit() or (which == "owner" and coming not in my_keys("owner")):
        damaged()
    shown = [queries.key_of(table, which)] if table.can_show(which) else []
    known = links.which_open(table, which, [*my_keys(which), *shown])
    with writing():
        ownership.renew_key(table, which, request.form.get("former", ""), coming)
    for dead in set(known).difference(links.which_open(table, which, known)):
        flash(dead, which)
        forget(dead, which)
    remember(queries.key_of(table, which), which)
    return go(url_for("owner.show", key=table.owner_key, made=which, _anchor=which))


@bp.post("/name")
def rename(key: str) -> BaseResponse:
    """Rename the table."""
    table = owner_or_404(key)
    form = NameForm()
    if not form.validate_on_submit():
        return _page(table, 422, typed=form.name.data, errors=form.faults())
    try:
        with writing():
            ownership.rename_table(table, form.name.data, form.id.data, **writer(table))
    except Stale:
        refuse_old_form()
    return go(url_for("owner.show", key=key))


@bp.route("/delete", methods=["GET", "POST"])
@for_moved
def delete(key: str) -> BaseResponse:
    """Delete the table for good. A GET says what is lost; the POST must bring the name of the table."""
    table = owner_or_404(key)
    form = NameForm()
    typed = form.name.data or ""
    context: dict[str, Any] = {"table": table, "form": form, "typed": typed, "holds": ownership.contents(table)}
    if request.method == "GET":
        return page("owner/delete.html", **context)
    form.check_id()
    if same(typed) != same(table.name):
        return page("owner/delete.html", None, 422, is_other=True, **context)
    known, number = keys_here(table), table.id
    gone = links_shown(table)
    with writing():
        ownership.delete_table(table)
    forget_table(table, known)
    forget_parts(number)
    forget_answers(number)
    forget_pictures()
    forget_names()
    name_dead_links(gone)
    return page("owner/deleted.html", name=table.name)
