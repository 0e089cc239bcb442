"""A table from a file: the file is posted, and taken in piece by piece while a page shows how far it is."""

from __future__ import annotations

import time
from contextlib import nullcontext
from typing import Any, NoReturn
from uuid import NAMESPACE_OID, uuid5

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...limits import IMPORT_SECONDS, RETRY_SECONDS
from ...store.journal.entries import is_entry_id
from ...store.models import Table
from ...store.table_file import jobs
from ...store.table_file.missing import may_be_added, missing
from ...store.table_file.values import Refused
from ..base.access import owner_or_404
from ..base.addresses import address_mark
from ..base.brakes import TooMany, opening_table
from ..base.entry_form import pressed_button
from ..base.files import too_large_words
from ..base.htmx import go, page, wants_fragment
from ..base.marks import leaves_zone, takes_file
from ..base.remembered import has_room_for_table, phone_marks, remember_made

bp = Blueprint("imports", __name__)


@bp.get("/tables/import")
def show() -> BaseResponse:
    """Ask for the file of a table."""
    return _page(None)


@bp.post("/tables/import")
@takes_file
def begin() -> BaseResponse:
    """Take a file in: a small one leads to its table at once, another to the page that shows how far it is."""
    return _begin(None)


@bp.get("/o/<key>/import")
def show_part(key: str) -> BaseResponse:
    """Ask for a further part of a table that was made of a file."""
    return _page(owner_or_404(key))


@bp.post("/o/<key>/import")
@takes_file
@leaves_zone
def add_part(key: str) -> BaseResponse:
    """Take a further part in."""
    return _begin(owner_or_404(key))


@bp.get("/tables/import/<id>")
def progress(id: str) -> BaseResponse:
    """Show how far a file is, to the phone that has sent it."""
    far = _of_phone(id)
    return _over(far) if far.is_over else _how_far(id, far)


@bp.post("/tables/import/<id>")
def go_on(id: str) -> BaseResponse:
    """Take the next piece in."""
    far = jobs.go_on(_of_phone(id).id)
    if far is None:
        _gone()
    if far.is_over:
        return _over(far)
    return _how_far(id, far) if wants_fragment() else go(_address(id))


@bp.post("/tables/import/<id>/cancel")
def cancel(id: str) -> BaseResponse:
    """Stop: what came of the file so far is forgotten."""
    jobs.forget(_of_phone(id).id)
    return go(url_for("imports.show"))


def _ids(form_id: str) -> list[str]:
    """Return the ids that the file of this form may have: who only knows its address has none of them.

    They follow from the form and from the phone that sends it, and lead to the keys of the table.
    """
    return [str(uuid5(NAMESPACE_OID, f"import {mark} {form_id.lower()}")) for mark in phone_marks()]


def _known(form_id: str) -> jobs.Progress | None:
    return next((far for id in _ids(form_id) if (far := jobs.progress(id)) is not None), None)


def _of_phone(form_id: str) -> jobs.Progress:
    """Return how far the file of this form is that this phone has sent, or answer 404."""
    far = _known(form_id) if is_entry_id(form_id) else None
    if far is None:
        _gone()
    return far


def _gone() -> NoReturn:
    abort(404, description=_("This file is not here any more: nothing of it was written. Choose it again."))


def _begin(into: Table | None) -> BaseResponse:
    began = time.thread_time()
    form_id = pressed_button().id.data
    known = _known(form_id)
    id = _ids(form_id)[0] if known is None else known.id
    if known is None:
        file = request.files.get("file")
        text = file.read() if file is not None else b""
        if not text:
            return _page(into, 422, words=_("Choose the file first."))
        if into is None and not has_room_for_table():
            return _page(into, 422)
        try:
            with opening_table() if into is None else nullcontext():
                jobs.begin(id, text, address_mark() or "", into)
        except Refused as refused:
            return _page(into, 422, problem={"code": refused.code, "at": refused.at, "message": refused.message})
        except jobs.TooLarge:
            return _page(into, 413, words=too_large_words())
        except jobs.Busy:
            return _later(
                into, _("Too many files are being taken in just now. Send it again in a moment."), RETRY_SECONDS
            )
        except TooMany as braked:
            return _later(into, str(braked.description), braked.seconds)
    # A large file has taken its time already: the next request goes on.
    left = IMPORT_SECONDS - (time.thread_time() - began)
    far = jobs.go_on(id, left) if left > 0 else jobs.progress(id)
    if far is None:
        _gone()
    return _over(far) if far.is_over else go(_address(form_id))


def _later(into: Table | None, words: str, seconds: int) -> BaseResponse:
    answer = _page(into, 429, words=words)
    answer.headers["Retry-After"] = str(seconds)
    return answer


def _address(form_id: str) -> str:
    return url_for("imports.progress", id=form_id)


def _how_far(form_id: str, far: jobs.Progress) -> BaseResponse:
    return page("imports/progress.html", "imports/_progress.html", id=form_id, far=far)


def _over(far: jobs.Progress) -> BaseResponse:
    """Lead to the table of a file that is taken in, or say why it was refused."""
    table = far.table
    if table is None:
        return _page(None, 422 if request.method == "POST" else 200, problem=far.problem, adds=far.adds)
    if not far.adds and not remember_made(table):
        return go(url_for("owner.show", key=table.owner_key))
    rest = missing(table)
    if request.form.get("more") == "yes" or (rest is not None and rest.is_likely):
        return go(url_for("imports.show_part", key=table.owner_key))
    return go(url_for("tables.show", key=table.play_key))


def _page(table: Table | None, status: int = 200, **refused: Any) -> BaseResponse:
    """Return the page that asks for a file, or for a part of a table; where one was refused, with the reason."""
    may_add = table is not None and may_be_added(table)
    rest = missing(table) if table is not None else None
    has_room = table is not None or has_room_for_table()
    return page(
        "imports/show.html", None, status, table=table, may_add=may_add, rest=rest, has_room=has_room, **refused
    )
