"""The unusual in a deal: who dealt, dealing again, points by agreement, and who made a sweep."""

from __future__ import annotations

from typing import Any, cast

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as BaseResponse

from ...store import commands
from ...store.agreement import part_id
from ...store.journal import kinds
from ...store.journal.entries import NewEntry, reported_in
from ..base.access import LINKS
from ..base.entry_form import damaged, new_id, pressed_button
from ..base.htmx import go, page
from ..base.links import in_this_app
from ..deal_entry.incoming import IncomingEntry, ReportedEntry, open_deal, posted_entry
from ..deal_entry.match_entries import VoidEntry
from ..deal_entry.notes import (
    CREDITED_KINDS,
    AdjustmentEntry,
    CreditEntry,
    DealerEntry,
    DealtAgainEntry,
    ToldApartEntry,
    noted_entry,
    refuse_without_dealers,
)
from ..deal_entry.saving import save
from ..match.author import written_by
from ..match.show import board_address
from ..match.view import MatchView, match_at

bp = Blueprint("dealing", __name__, url_prefix=f"{LINKS}/matches/<int:number>/deals/<int:deal>")


@bp.get("/dealer")
def dealer(key: str, number: int, deal: int) -> BaseResponse:
    """Show who deals, with what may be unusual: another dealt, or it was dealt again."""
    match = match_at(key, number)
    open_deal(match, deal)
    refuse_without_dealers(match)
    return _dealer_page(match)


def _dealer_page(match: MatchView, status: int = 200, refused: list[str] | None = None) -> BaseResponse:
    return page("dealing/dealer.html", None, status, match=match, deal=match.deal, refused=refused)


@bp.post("/dealt")
def dealt(key: str, number: int, deal: int) -> BaseResponse:
    """Note that another player deals than the one whose turn it is."""
    return _note(DealerEntry, key, number, deal)


@bp.post("/again")
def again(key: str, number: int, deal: int) -> BaseResponse:
    """Note that what was dealt is void."""
    return _note(DealtAgainEntry, key, number, deal)


def _note(entry_class: type[DealerEntry | DealtAgainEntry], key: str, number: int, deal: int) -> BaseResponse:
    match = match_at(key, number)
    address = url_for("tables.show", key=key)
    return save(entry_class(match, posted_entry(deal)), address, lambda status, why: _dealer_page(match, status, why))


@bp.route("/adjust", methods=["GET", "POST"])
def adjust(key: str, number: int, deal: int) -> BaseResponse:
    """Add points to a side, or take some, for a reason of the table's own."""
    match = match_at(key, number)
    current = open_deal(match, deal)
    entry = AdjustmentEntry(match, posted_entry(deal))

    def draw(status: int, refused: list[str]) -> BaseResponse:
        entry.form.id.data = new_id()
        context: dict[str, Any] = {"match": match, "deal": current, "form": entry.form, "refused": refused}
        return page("dealing/adjust.html", None, status, **context)

    return draw(200, []) if request.method == "GET" else save(entry, url_for("tables.show", key=key), draw)


@bp.route("/credit", methods=["GET", "POST"])
def credit(key: str, number: int, deal: int) -> BaseResponse:
    """Name the player of a side who made a sweep, or declared."""
    match = match_at(key, number)
    open_deal(match, deal)

    def draw(status: int, refused: list[str]) -> BaseResponse:
        noted = noted_entry(match, request.values.get("entry", ""))
        if noted is None:
            abort(404, description=_("That is not noted any more. Load the page again."))
        side = next(side for side in match.setup.sides if side.label == noted.payload["side"])
        return page("dealing/credit.html", None, status, match=match, entry=noted, side=side, refused=refused)

    if request.method == "GET":
        return draw(200, [])
    return save(CreditEntry(match, posted_entry(deal)), url_for("tables.show", key=key), draw)


@bp.post("/same")
def same_note(key: str, number: int, deal: int) -> BaseResponse:
    """Note whether two notes are one: then the later one is taken back; or two: then nobody is asked again."""
    match, form = match_at(key, number), pressed_button()
    answer = request.form.get("answer")
    if answer == "two":
        entry: IncomingEntry = ToldApartEntry(match, posted_entry(deal))
    elif answer == "one":
        pair = match.noted_twice
        if pair is None or pair.second.id != request.form.get("entry"):
            # It was answered meanwhile.
            return go(in_this_app(request.form.get("back", ""), board_address(key)))
        entry = VoidEntry(match, ReportedEntry(form.id.data, MultiDict({"entry": pair.second.id})))
    elif answer == "again":
        return _count_again(match, form.id.data)
    else:
        damaged()
    entry.write(**written_by(match))
    board = board_address(key)
    if answer == "one":
        board = url_for("tables.show", key=key, again=request.form.get("entry"))
    return go(in_this_app(request.form.get("back", ""), board))


def _count_again(match: MatchView, form_id: str) -> BaseResponse:
    """Note again what was taken back as one: it is another, and nobody is asked about the two again."""
    state, named = match.standing.state, request.form.get("entry")
    taken = next((one for one in state.entries if one.id == named and one.kind in CREDITED_KINDS), None)
    beside = request.form.get("beside", "")
    if taken is None or taken.payload["deal"] != match.deal.number or any(one.id == named for one in match.deal.noted):
        abort(409, description=_("That deal was closed meanwhile. Open its sheet to correct it."))
    payload = cast(kinds.AnyPayload, {"deal": match.deal.number, **reported_in(taken.payload)})
    again = NewEntry(taken.kind, payload, id=form_id)
    new = [again]
    if any(one.id == beside for one in match.deal.noted):
        pair: kinds.AnyPayload = {"deal": match.deal.number, "entry": form_id, "beside": beside}
        new.append(NewEntry(kinds.TOLD_APART, pair, id=part_id(form_id, "told apart")))
    by = written_by(match)
    commands.write(match.row, lambda: commands.draft(match.row, new, **by))
    return go(board_address(match.key))
