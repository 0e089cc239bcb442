"""The owner's pages of a person: another name, a guest, somebody who is another player too, and forgetting them."""

from __future__ import annotations

from typing import Any, NoReturn

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...limits import FORGET_HOURS
from ...store import free_text, ownership, people, queries
from ...store.db import Gone, writing
from ...store.forgotten import RESTORABLE
from ...store.journal.entries import Stale
from ...store.models import Table
from ...store.who import once
from ..base.access import owner_or_404
from ..base.entry_form import pressed_button
from ..base.htmx import go, page
from ..base.name_form import NameForm, refuse_old_form
from ..base.remembered import writer
from ..base.request_bounds import number_in
from ..words.names import shown_names

bp = Blueprint("people", __name__, url_prefix="/o/<key>")
PERSON = "/people/<int:number>"


@bp.get(PERSON)
def show(key: str, number: int) -> BaseResponse:
    """Show what the owner can do about a person; a merged player leads to who that is now."""
    table, names = _known(key, number)
    if number in names.merged:
        return go(url_for("people.show", key=key, number=names.merged[number]))
    return _page(table, names, number)


def _page(table: Table, names: queries.Names, number: int, status: int = 200, **refused: Any) -> BaseResponse:
    forgotten = people.restorable(table).get(number) if number in names.forgotten else None
    renaming = ownership.last_renaming(table)
    return page(
        "people/show.html",
        None,
        status,
        table=table,
        names=shown_names(names),
        number=number,
        own_names=people.own_names(table, once([number], names.merged)),
        gone_at=None if forgotten is None else forgotten + RESTORABLE,
        renaming=renaming if renaming is not None and renaming.payload.get("player") == number else None,
        made=request.args.get("made"),
        other=number_in(request.args, "other"),
        refused=refused,
    )


@bp.post("/players/<int:number>")
def rename(key: str, number: int) -> BaseResponse:
    """Rename a person. Every sheet then shows the new name."""
    table, names = _person(key, number)
    form = NameForm()
    if not form.validate_on_submit():
        return _page(table, names, number, 422, typed=form.name.data, errors=form.faults())
    try:
        with writing():
            ownership.rename_player(table, number, form.name.data, form.id.data, **writer(table))
    except ownership.NameTaken:
        taken = _("Two players have this name. Add an initial, so that the sheet says who is who.")
        same = _("If both are the same person: “Is the same as…”, below.")
        return _page(table, names, number, 422, typed=form.name.data, errors=[taken, same])
    except Stale:
        refuse_old_form()
    return go(url_for("people.show", key=key, number=number))


@bp.post(f"{PERSON}/guest")
def guest(key: str, number: int) -> BaseResponse:
    """Mark a person as a guest of the table, or as one of its own."""
    table, _names = _person(key, number)
    pressed_button()
    is_guest = request.form.get("guest") == "yes"
    with writing():
        people.mark_guest(table, number, is_guest=is_guest)
    return go(url_for("people.show", key=key, number=number, made="guest" if is_guest else "no_guest"))


@bp.route(f"{PERSON}/same", methods=["GET", "POST"])
def same(key: str, number: int) -> BaseResponse:
    """Ask whom a person turned out to be, and make both one. Two who sat in one match are refused, with that match."""
    table, names = _known(key, number)
    into = number_in(request.form, "into")
    if request.method == "GET" or into is None:
        _person(key, number)
        return _whom(table, names, number, 200 if request.method == "GET" else 422)
    form = pressed_button()
    if names.merged.get(into, into) not in names.people or number in names.forgotten:
        _nobody()
    try:
        with writing():
            people.merge(table, number, into, form.id.data, **writer(table))
    except people.SamePerson:
        return _whom(table, names, number, 422)
    except people.SatTogether as together:
        return _whom(table, names, number, 409, other=into, together=together)
    except Stale:
        refuse_old_form()
    return go(url_for("people.show", key=key, number=names.merged.get(into, into), made="merged", other=number))


def _whom(table: Table, names: queries.Names, number: int, status: int, **refused: Any) -> BaseResponse:
    shown = shown_names(names)
    others = {other: name for other, name in shown.people.items() if other != names.merged.get(number, number)}
    context: dict[str, Any] = {"table": table, "names": shown, "number": number, "others": others, "refused": refused}
    return page("people/same.html", None, status, **context)


@bp.post(f"{PERSON}/separate")
def separate(key: str, number: int) -> BaseResponse:
    """Make two again of a merged player and who that was."""
    table, _names = _known(key, number)
    form = pressed_button()
    try:
        with writing():
            people.separate(table, number, form.id.data, **writer(table))
    except Gone:
        _nobody()
    except Stale:
        refuse_old_form()
    return go(url_for("people.show", key=key, number=number, made="separated"))


@bp.route(f"{PERSON}/forget", methods=["GET", "POST"])
def forget(key: str, number: int) -> BaseResponse:
    """Show what forgetting a person does, and where the name stays in free text; the POST forgets them."""
    table, names = _known(key, number)
    if request.method == "GET":
        _person(key, number)
        its_names = free_text.names_of(table, once([number], names.merged))
        found = free_text.places_with(table, its_names, number_in(request.args, "before"))
        context: dict[str, Any] = {"table": table, "names": shown_names(names), "number": number}
        return page("people/forget.html", found=found, hours=FORGET_HOURS, **context)
    form = pressed_button()
    try:
        with writing():
            people.forget(table, number, form.id.data, **writer(table))
    except Stale:
        refuse_old_form()
    return go(url_for("people.show", key=key, number=names.merged.get(number, number), made="forgotten"))


@bp.post(f"{PERSON}/bring-back")
def bring_back(key: str, number: int) -> BaseResponse:
    """Give a forgotten person the name again, within a day."""
    table, _names = _known(key, number)
    form = pressed_button()
    try:
        with writing():
            people.bring_back(table, number, form.id.data, **writer(table))
    except Gone:
        abort(404, description=_("This name is gone for good: the person was forgotten more than a day ago."))
    except Stale:
        refuse_old_form()
    return go(url_for("people.show", key=key, number=number, made="back"))


def _known(key: str, number: int) -> tuple[Table, queries.Names]:
    """Return the table and its names. Aborts with 404 where it has no player of that number."""
    table = owner_or_404(key)
    names = queries.player_names(table)
    if number not in names:
        _nobody()
    return table, names


def _person(key: str, number: int) -> tuple[Table, queries.Names]:
    """Return the table and its names. Aborts with 404 where nobody can be chosen by that number."""
    table, names = _known(key, number)
    if number not in names.people:
        _nobody()
    return table, names


def _nobody() -> NoReturn:
    abort(404, description=_("Nobody plays here under that number."))
