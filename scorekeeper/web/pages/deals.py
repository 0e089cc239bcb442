"""Deals: what is noted while one is played, and the sheet of a closed one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import commands
from ...store.journal.entries import Full, Locked, NoSuchEntry, Stale
from ..base.access import LINKS, match_or_404, visitor
from ..base.by_facts import by_facts
from ..base.entry_form import new_id, pressed_button
from ..base.htmx import go, is_refresh, nothing_new, page, wants_fragment
from ..base.marks import for_watchers
from ..base.remembered import known_device
from ..deal_entry.closing_statements import closed_deal
from ..deal_entry.incoming import EntryRefused, open_deal, posted_entry
from ..deal_entry.notes import (
    DeclarationEntry,
    LayoutEntry,
    PenaltyEntry,
    PointsEntry,
    SweepEntry,
    TrumpEntry,
    penalties_of,
)
from ..match.author import AuthorNames, written_by
from ..match.correction_shown import correction_of
from ..match.deal_agreement import agreement_about
from ..match.reasons import reasons_of
from ..match.show import board_address, show_match
from ..match.view import match_at
from ..words.problems import full_words, locked_words

bp = Blueprint("deals", __name__, url_prefix=f"{LINKS}/matches/<int:number>/deals/<int:deal>")


@bp.post("/sweep")
def sweep(key: str, number: int, deal: int) -> BaseResponse:
    """Note a sweep: the most frequent tap of the evening."""
    return _tapped(SweepEntry, key, number, deal)


@bp.post("/points")
def points(key: str, number: int, deal: int) -> BaseResponse:
    """Note points that were tapped on the free pad."""
    return _tapped(PointsEntry, key, number, deal)


@bp.post("/trump")
def trump(key: str, number: int, deal: int) -> BaseResponse:
    """Note which suit is trumps, or take that back."""
    return _tapped(TrumpEntry, key, number, deal)


def _tapped(tap: type[SweepEntry | PointsEntry | TrumpEntry], key: str, number: int, deal: int) -> BaseResponse:
    """Write what one tap on a zone of the board says, and show the board."""
    match = match_at(key, number, deal)
    form = pressed_button()
    open_deal(match, deal)
    try:
        tap(match, posted_entry(deal)).write(**written_by(match))
    except Stale:
        abort(409, description=_("This tap was already noted for something else. Load the page again."))
    if wants_fragment():
        return show_match(*match_or_404(key, number), undo=form.id.data)
    return go(board_address(key))


@bp.route("/declare", methods=["GET", "POST"])
def declare(key: str, number: int, deal: int) -> BaseResponse:
    """Declare three cards: what they score is shown before anything is written."""
    match = match_at(key, number, deal)
    current, entry = open_deal(match, deal), DeclarationEntry(match, posted_entry(deal))
    draw = partial(page, "deals/declare.html", match=match, form=entry.form, deal=current, worth=entry.worth)
    if request.form.get("step") != "save" and not request.form.get("knock"):
        return draw(fragment="deals/_declaration_points.html")
    return _save_note(
        entry, draw, _("This form was saved before, with something else in it. Save again to add this too.")
    )


@bp.route("/layout", methods=["GET", "POST"])
def layout(key: str, number: int, deal: int) -> BaseResponse:
    """Note the opening layout; one that voids the deal has it dealt again."""
    match = match_at(key, number, deal)
    current, entry = open_deal(match, deal), LayoutEntry(match, posted_entry(deal))
    draw = partial(page, "deals/layout.html", match=match, form=entry.form, deal=current, means=entry.means)
    if not entry.form.told.data and request.form.get("step") != "save":
        return draw(fragment="deals/_layout_points.html")
    return _save_note(
        entry, draw, _("This form was saved before, with something else in it. Save again to replace that.")
    )


def _save_note(
    entry: DeclarationEntry | LayoutEntry, draw: Callable[..., BaseResponse], saved_before: str
) -> BaseResponse:
    """Write what the form notes and lead to the table; else draw the form again by ``draw``.

    ``saved_before`` is said where the form's id was used for something else; the form goes on under a new one.
    """
    form = entry.form
    try:
        entry.write(**written_by(entry.match))
    except EntryRefused:
        return draw(status=422)
    except Stale:
        form.id.data = new_id()
        form.cards.errors = [saved_before]
        return draw(status=409)
    except Full as full:
        form.cards.errors = [full_words(full)]
        return draw(status=422)
    return go(url_for("tables.show", key=entry.match.key))


@bp.route("/penalty", methods=["GET", "POST"])
def penalty(key: str, number: int, deal: int) -> BaseResponse:
    """Note a penalty, in the games that have them."""
    match = match_at(key, number, deal)
    current = open_deal(match, deal)
    penalties_of(match)
    if request.method == "GET":
        return page("deals/penalty.html", match=match, deal=current)
    pressed_button()
    try:
        PenaltyEntry(match, posted_entry(deal)).write(**written_by(match))
    except Stale:
        abort(409, description=_("This tap was already noted for something else. Load the page again."))
    return go(url_for("tables.show", key=key))


@bp.get("")
@for_watchers
@by_facts
def sheet(key: str, number: int, deal: int) -> BaseResponse:
    """Show the sheet of a closed deal; an open one is closed first. ``lines`` asks for its lines alone."""
    match = match_at(key, number, deal)
    deal_and_sheet = match.sheet_of(deal)
    if deal_and_sheet is None:
        if is_refresh():
            abort(409, description=_("Somebody has opened this deal again. Go back to the table."))
        if deal == match.deal.number and not match.standing.is_over and visitor().may_write:
            return go(url_for("closing.close", key=key, number=number, deal=deal))
        abort(404, description=_("This match has no such deal."))
    deal_state, lines = deal_and_sheet
    in_match, saved = "lines" in request.args, request.args.get("saved")
    agreement = agreement_about(match, deal_state)
    by_phone = (known_device(match.table), agreement.cache_key)
    # The end of a match shows the score of its evening: it depends on other matches, which are not in the cache key.
    cache_key = None if match.standing.is_over else (*match.cache_key, deal, in_match, saved, *by_phone)

    def told() -> dict[str, Any]:
        return {
            "correction": correction_of(match, deal_state, lines),
            "speakers": AuthorNames(match, [entry for entry in (deal_state.closed, *deal_state.statements) if entry]),
            "reasons": reasons_of(match, deal_state.facts()),
        }

    return nothing_new(match.version) or page(
        "deals/sheet.html",
        "deals/_lines.html" if in_match else None,
        cache_key=cache_key,
        work_out=told,
        match=match,
        deal=deal_state,
        sheet=lines,
        counts=deal_state not in match.surplus,
        # Elsewhere the totals above the lines of the last deal have their sum.
        summed=in_match or match.standing.is_over or deal_state.number != match.standing.sheets[-1][0].number,
        is_last=deal_state.number == match.standing.sheets[-1][0].number,
        saved=saved,
        agreement=agreement,
        options=match.setup.options,
    )


@bp.post("/restore")
def restore(key: str, number: int, deal: int) -> BaseResponse:
    """Undo the correction of a deal: what it was closed with before counts again."""
    match = match_at(key, number, deal)
    closed_deal(match, deal)
    form, former, by = pressed_button(), request.form.get("entry", ""), written_by(match)
    try:
        commands.write(match.row, lambda: commands.draft_restoring(match.row, deal, former, form.id.data, **by))
    except NoSuchEntry:
        abort(409, description=_("This deal was corrected meanwhile. Look at its sheet again."))
    except Locked as locked:
        abort(409, description=locked_words(locked.deal))
    return go(url_for("deals.sheet", key=key, number=number, deal=deal, saved=1))
