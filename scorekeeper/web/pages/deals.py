"""Deals: what is noted while one is played, its closing, its sheet, its correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NotRequired, TypedDict, cast

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...limits import DEAL_NOTES
from ...rules import contract
from ...store import commands, journal
from ...store.journal import DealState, Full, JournalEntry, Stale
from ..base.access import LINKS, for_watchers, match_or_404, visitor
from ..base.entry_form import EntryForm, new_id, pressed_button
from ..base.htmx import go, is_refresh, nothing_new, page, wants_fragment
from ..base.remembered import device
from ..base.request_bounds import number_in
from ..deal_entry.closing_entry import ClosingEntry, ReportedClosing, deal_to_close, read_closing
from ..deal_entry.closing_grid import FORM, SHEET, ClosingForm
from ..deal_entry.closing_questions import QuestionsForm
from ..deal_entry.closing_statements import closed_deal
from ..deal_entry.decide import (
    LIVE,
    Agreed,
    Broken,
    NoRoom,
    NothingNew,
    Open,
    Outdated,
    Overtook,
    Saved,
    Unchanged,
    decide,
)
from ..deal_entry.hands import Hand, hands_of, leaders_after
from ..deal_entry.incoming import EntryRefused, ReportedEntry, open_deal
from ..deal_entry.judged import PRIME, JudgedClosing
from ..deal_entry.notes import DeclarationEntry, LayoutEntry, PenaltyEntry, PointsEntry, SweepEntry, penalties_of
from ..deal_entry.prime_slots import PrimeSlots, prime_slots
from ..deal_entry.still_decides import still_decides
from ..match.ahead import deals_ahead
from ..match.author import AuthorNames, written_by
from ..match.correction import correction_of
from ..match.deal_agreement import agreement_about
from ..match.needs import Needs
from ..match.reasons import reasons_of
from ..match.show import board_address, show_match
from ..match.view import MatchView, match_at
from ..words.names import join_names
from ..words.primes import METHODS
from ..words.problems import full_words, in_words, locked_words

bp = Blueprint("deals", __name__, url_prefix=f"{LINKS}/matches/<int:number>/deals/<int:deal>")


class NoteContext(TypedDict):
    """What the templates of a note's form need."""

    match: MatchView
    form: EntryForm
    needs: Needs
    deal: DealState


class LayoutContext(NoteContext):
    """What the templates of the opening layout need."""

    former: JournalEntry | None
    """What was noted before of this deal's opening, and is replaced."""


class ClosingContext(TypedDict):
    """What the templates of the closing form need; ``whole`` is the page, ``live`` what a tap replaces.

    ``live`` is None where the tap came from another page of the form, of which nothing stays.
    """

    match: MatchView
    deal: DealState
    form: ClosingForm | QuestionsForm
    needs: Needs
    judged: JudgedClosing
    without_cards: str
    whole: str
    live: str | None
    meanwhile: bool
    is_proposed: bool
    hands: list[Hand]
    """The rows of a round's closing; none in games that have no rounds."""
    leaders: list[Hand]
    still_decides: Callable[[], dict[contract.Side, list[list[contract.ItemId]]]]
    """Returns by which open lines the sides reach the target; only the grid asks."""
    slots: NotRequired[PrimeSlots]
    opened_from: NotRequired[str]
    since: NotRequired[Sequence[JournalEntry]]
    theirs: NotRequired[contract.Scored | None]
    ahead: NotRequired[Mapping[str, object]]
    """What the phone keeps beside the form for the deals to come."""


def _match(key: str, number: int, deal: int) -> MatchView:
    """Return the match as of the time of a deal."""
    match = match_at(key, number)
    return match.as_of(match.standing.state.deal(deal))


def _reported(deal: int) -> ReportedEntry:
    """Return what was posted about a deal; on a GET the form is only drawn."""
    posted = request.form if request.method == "POST" else None
    own = (_ids_in(request.form, "counted"), _ids_in(request.form, "instead_of"))
    return ReportedEntry(request.form.get("id", ""), posted, deal, *own, asked=request.args)


def _ids_in(values: Mapping[str, str], field: str) -> frozenset[str]:
    """Return the ids that a page names in a field, as a push does."""
    return frozenset(values.get(field, "").split()[:DEAL_NOTES])


@bp.post("/sweep")
def sweep(key: str, number: int, deal: int) -> BaseResponse:
    """Note a sweep: the most frequent tap of the evening."""
    return _tapped(SweepEntry, key, number, deal)


@bp.post("/points")
def points(key: str, number: int, deal: int) -> BaseResponse:
    """Note points that were tapped on the free pad."""
    return _tapped(PointsEntry, key, number, deal)


def _tapped(tap: type[SweepEntry | PointsEntry], key: str, number: int, deal: int) -> BaseResponse:
    """Write what one tap on a zone of the board says, and show the board."""
    match = _match(key, number, deal)
    form = pressed_button()
    open_deal(match, deal)
    try:
        tap(match, _reported(deal)).write(**written_by(match))
    except Stale:
        abort(409, description=_("This tap was already noted for another side. Load the page again."))
    if wants_fragment():
        return show_match(*match_or_404(key, number), undo=form.id.data)
    return go(board_address(key))


@bp.route("/declare", methods=["GET", "POST"])
def declare(key: str, number: int, deal: int) -> BaseResponse:
    """Declare three cards: what they score is shown before anything is written."""
    match = _match(key, number, deal)
    current, entry = open_deal(match, deal), DeclarationEntry(match, _reported(deal))
    context: NoteContext = {"match": match, "form": entry.form, "needs": match.needs(), "deal": current}
    if request.form.get("step") != "save" and not request.form.get("knock"):
        return page("deals/declare.html", "deals/_declaration_points.html", worth=entry.worth, **context)
    return _save_note(
        entry,
        lambda status: page("deals/declare.html", None, status, worth=entry.worth, **context),
        _("This form was saved before, with something else in it. Save again to add this too."),
    )


@bp.route("/layout", methods=["GET", "POST"])
def layout(key: str, number: int, deal: int) -> BaseResponse:
    """Note the opening layout; one that voids the deal has it dealt again."""
    match = _match(key, number, deal)
    current, entry = open_deal(match, deal), LayoutEntry(match, _reported(deal))
    context: LayoutContext = {
        "match": match,
        "form": entry.form,
        "needs": match.needs(),
        "deal": current,
        "former": next(iter(current.noted_openings[-1:]), None),
    }
    if not entry.form.told.data and request.form.get("step") != "save":
        return page("deals/layout.html", "deals/_layout_points.html", means=entry.means, **context)
    return _save_note(
        entry,
        lambda status: page("deals/layout.html", None, status, means=entry.means, **context),
        _("This form was saved before, with something else in it. Save again to replace that."),
    )


def _save_note(
    entry: DeclarationEntry | LayoutEntry, draw: Callable[[int], BaseResponse], saved_before: str
) -> BaseResponse:
    """Write what the form notes and lead to the table; else draw the form again, with ``draw`` given the status.

    ``saved_before`` is said where the form's id was used for something else; the form goes on under a new one.
    """
    form = entry.form
    try:
        entry.write(**written_by(entry.match))
    except EntryRefused:
        return draw(422)
    except Stale:
        form.id.data = new_id()
        form.cards.errors = [saved_before]
        return draw(409)
    except Full as full:
        form.cards.errors = [full_words(full)]
        return draw(422)
    return go(url_for("tables.show", key=entry.match.key))


@bp.route("/penalty", methods=["GET", "POST"])
def penalty(key: str, number: int, deal: int) -> BaseResponse:
    """Note a penalty, in the games that have them."""
    match = _match(key, number, deal)
    current = open_deal(match, deal)
    penalties_of(match)
    if request.method == "GET":
        return page("deals/penalty.html", match=match, needs=match.needs(), deal=current)
    pressed_button()
    try:
        PenaltyEntry(match, _reported(deal)).write(**written_by(match))
    except Stale:
        abort(409, description=_("This tap was already noted for something else. Load the page again."))
    return go(url_for("tables.show", key=key))


@bp.get("")
@for_watchers
def sheet(key: str, number: int, deal: int) -> BaseResponse:
    """Show the sheet of a closed deal; an open one is closed first."""
    match = _match(key, number, deal)
    deal_and_sheet = match.sheet_of(deal)
    if deal_and_sheet is None:
        if is_refresh():
            abort(409, description=_("Somebody has opened this deal again. Go back to the table."))
        if deal == match.deal.number and not match.standing.is_over and visitor().may_write:
            return go(url_for("deals.close", key=key, number=number, deal=deal))
        abort(404, description=_("This match has no such deal."))
    deal_state, lines = deal_and_sheet
    return nothing_new(match.version) or page(
        "deals/sheet.html",
        match=match,
        deal=deal_state,
        sheet=lines,
        counts=deal_state not in match.surplus,
        is_last=deal_state.number == match.standing.sheets[-1][0].number,
        saved=request.args.get("saved"),
        correction=correction_of(match, deal_state, lines),
        agreement=agreement_about(match, deal_state),
        speakers=AuthorNames(match, [entry for entry in (deal_state.closed, *deal_state.statements) if entry]),
        reasons=reasons_of(match, deal_state.facts()),
        options=match.setup.options,
    )


@bp.post("/restore")
def restore(key: str, number: int, deal: int) -> BaseResponse:
    """Undo the correction of a deal: what it was closed with before counts again."""
    match = _match(key, number, deal)
    closed_deal(match, deal)
    form, former, by = pressed_button(), request.form.get("entry", ""), written_by(match)
    try:
        commands.write(match.row, lambda: commands.draft_restoring(match.row, deal, former, form.id.data, **by))
    except journal.NoSuchEntry:
        abort(409, description=_("This deal was corrected meanwhile. Look at its sheet again."))
    except journal.Locked as locked:
        abort(409, description=locked_words(locked.deal))
    return _after_saving(match, deal, journal.DEAL_CLOSED)


@bp.get("/meanwhile")
def meanwhile(key: str, number: int, deal: int) -> BaseResponse:
    """Tell whoever fills in a closing form what was written since it was drawn, from ``seq`` on.

    A deal that this very phone has closed is no news to it, nor what the form has ``counted``: the beginnings of ids.
    """
    match = _match(key, number, deal)
    drawn_from = number_in(request.args, "seq")
    seq = match.row.head if drawn_from is None else drawn_from
    written = journal.written_about(match.row, deal, seq)
    ended = [entry for entry in journal.entries_of(match.row, after=seq) if entry.kind == journal.MATCH_ENDED]
    counted = _ids_in(request.args, "counted")
    others = [entry for entry in written if entry.id[:8] not in counted]
    since = [entry for entry in others if not (entry.kind == journal.DEAL_CLOSED and entry.device == device())] + ended
    whole = "closing/_written_meanwhile.html"
    return nothing_new(match.version) or page(whole, whole, match=match, deal=deal, since=since)


@bp.get("/close")
def close(key: str, number: int, deal: int) -> BaseResponse:
    """Show the form that closes a deal, or corrects it once it is closed."""
    match = _match(key, number, deal)
    deal_state = deal_to_close(match, deal)
    known, asked = _known_facts(deal_state), request.args.get("as")
    if asked == "full" and match.takes_plain_points:
        known = cast(contract.Deal, {name: fact for name, fact in known.items() if name != "points"})
    closing = read_closing(match, deal_state, None, known, is_bare=asked == "points")
    return _go_on(closing, _closing_context(match, deal_state, closing))


@bp.get("/ahead")
def ahead(key: str, number: int, deal: int) -> BaseResponse:
    """Show the closing form with nothing told yet, as a phone keeps it for this deal and the next ones.

    Without signal the phone shows it in the place of any of these forms (``static/js/ahead``).
    """
    match = _match(key, number, deal)
    current = open_deal(match, deal)
    closing = read_closing(match, current, None, {}, is_bare=request.args.get("as") == "points")
    return _go_on(closing, {**_closing_context(match, current, closing), "ahead": deals_ahead(match)})


@bp.post("/close")
def save_closing(key: str, number: int, deal: int) -> BaseResponse:
    """Close a deal, or correct it: what it was is voided, what it is now is added. Else draw the form again."""
    match = _match(key, number, deal)
    entry = ClosingEntry(match, _reported(deal))
    deal_state, closing = entry.deal_state, entry.closing
    step = request.form.get("step", LIVE if wants_fragment() or closing.was_tapped else "check")
    if _lays_out_the_prime(closing, step):
        context = _slots_context(match, deal_state, closing, meanwhile=entry.is_second)
    else:
        context = _closing_context(match, deal_state, closing, meanwhile=entry.is_second)
    whole = context["whole"]
    match decide(entry, step, **written_by(match)):
        case Saved(kind):
            return _after_saving(match, deal, kind)
        case Overtook():
            return _after_saving(match, deal, journal.DEAL_CLOSED)
        case Unchanged():
            return go(url_for("deals.sheet", key=key, number=number, deal=deal, saved="same"))
        case NothingNew():
            return page(whole, None, 422, broken=[_("It gives the same points: nothing was proposed.")], **context)
        case Outdated(since):
            return _show_both(entry, since, context)
        case Agreed(locked):
            return page(whole, None, 409, broken=[locked_words(locked)], **context)
        case NoRoom(full):
            return page(whole, None, 422, broken=[full_words(full)], **context)
        case Broken(problems):
            return page(whole, None, 422, broken=[in_words(problem) for problem in problems], **context)
        case Open(is_asked=True):
            return page(whole, None, 422, **context)
        case Open(is_refused=True):
            return page(whole, None, 422, unsettled=True, **context)
        case Open():
            return _go_on(closing, context)


@bp.get("/prime")
@for_watchers
def prime(key: str, number: int, deal: int) -> BaseResponse:
    """Show the prime of a closed deal: as slots to be filled in and noted, or as it is to whoever may not write."""
    match = _match(key, number, deal)
    found = match.sheet_of(deal)
    if found is None:
        abort(404, description=_("This match has no such deal."))
    deal_state, sheet = found
    line = next((line for line in sheet["lines"] if line["item"] == PRIME), None)
    reasons = reasons_of(match, deal_state.facts())
    if line is None or reasons.prime_rule is None:
        abort(404, description=_("No prime was counted in this deal."))
    if visitor().may_write and match.needs().best:
        closing = read_closing(match, deal_state, None, deal_state.facts())
        return _go_on(closing, _slots_context(match, deal_state, closing, opened_from=SHEET))
    return nothing_new(match.version) or page(
        "deals/prime.html",
        match=match,
        deal=deal_state,
        line=line,
        reasons=reasons,
        can_compare=reasons.prime_rule.method in METHODS,
    )


def _lays_out_the_prime(closing: ReportedClosing, step: str) -> bool:
    """Say whether the form goes on as the slots of its prime. What cannot be saved from them goes on as the form."""
    return step == PRIME and isinstance(closing.form, ClosingForm) and bool(closing.form.needs.best)


def _slots_context(
    match: MatchView,
    deal_state: DealState,
    closing: ReportedClosing,
    *,
    meanwhile: bool = False,
    opened_from: str = FORM,
) -> ClosingContext:
    """Return what the templates of the prime's slots need."""
    form = closing.form
    assert isinstance(form, ClosingForm)
    opened = form.opened_from()
    slots = prime_slots(match, deal_state, form)
    return {
        **_closing_context(match, deal_state, closing, meanwhile=meanwhile),
        "judged": slots.judged,
        "slots": slots,
        "opened_from": opened or opened_from,
        "whole": "closing/prime.html",
        "live": "closing/_prime_update.html" if opened else None,
    }


def _closing_context(
    match: MatchView, deal_state: DealState, closing: ReportedClosing, *, meanwhile: bool = False
) -> ClosingContext:
    """Return what the templates of the closing form need."""
    form = closing.form
    whole, live = "closing/tricks.html", "closing/_tricks_update.html"
    rows: list[Hand] = []
    if isinstance(form, QuestionsForm) and (match.is_in_rounds or form.is_bare):
        whole, live = "closing/rounds.html", "closing/_rounds_update.html"
        rows = hands_of(match, form, closing.judged)
    if isinstance(form, ClosingForm):
        whole, live = "closing/grid.html", "closing/_grid_update.html"
    return {
        "match": match,
        "deal": deal_state,
        "form": form,
        "needs": match.needs(),
        "judged": closing.judged,
        "without_cards": join_names(match.sides[label] for label in closing.without_cards),
        "hands": rows,
        "leaders": leaders_after(match, rows) if rows else [],
        "still_decides": partial(still_decides, match, deal_state, closing),
        "whole": whole,
        "live": None if isinstance(form, ClosingForm) and form.opened_from() else live,
        "meanwhile": meanwhile,
        "is_proposed": deal_state.closed is not None and agreement_about(match, deal_state).is_for_all,
    }


def _go_on(closing: ReportedClosing, context: ClosingContext) -> BaseResponse:
    """Draw the form to be filled in further; a button that filled in fields has the whole page drawn."""
    form = closing.form
    form.was_open.data = "yes" if form.saves_itself and not closing.judged.is_complete else "no"
    return page(context["whole"], None if closing.was_tapped else context["live"], **context)


def _after_saving(match: MatchView, deal: int, kind: str | None) -> BaseResponse:
    """Go to the sheet, or to both versions where another one says something else, or this one is only proposed."""
    if kind == journal.DEALT_AGAIN:
        return go(url_for("tables.show", key=match.key))
    if kind in (journal.DEAL_CONTESTED, journal.PROPOSED):
        return go(url_for("agreement.versions", key=match.key, number=match.number, deal=deal, saved=1))
    # A second closing that agrees for nobody is not written: it is there already.
    saved = "alike" if kind in (journal.CONFIRMED, None) else 1
    return go(url_for("deals.sheet", key=match.key, number=match.number, deal=deal, saved=saved))


def _show_both(entry: ClosingEntry, since: Sequence[JournalEntry], context: ClosingContext) -> BaseResponse:
    """Show what was entered beside what someone else wrote meanwhile; the form now knows of it, and may be saved."""
    number = entry.deal_state.number
    fresh = _match(entry.match.table.play_key, entry.match.number, number)
    theirs = fresh.sheet_of(number)
    entry.go_on_from(fresh.standing.state.head)
    context["match"], context["deal"] = fresh, deal_to_close(fresh, number)
    context["since"], context["theirs"] = since, theirs[1] if theirs else None
    return page(context["whole"], None, 409, **context)


def _known_facts(deal_state: DealState) -> contract.Deal:
    """Return what the form starts from: the closing itself, else what was noted, over a closing taken back before."""
    if deal_state.closed is not None or deal_state.former is None:
        return deal_state.facts()
    former = deal_state.former.payload["facts"].copy()
    newer = any(entry.seq > deal_state.former.seq for entry in deal_state.noted)
    added = deal_state.noted_points(after=deal_state.former.seq)
    if added:
        points = former.get("points") or {}
        return {"points": {**points, **{label: (points.get(label) or 0) + more for label, more in added.items()}}}
    return cast(contract.Deal, {**former, **deal_state.noted_facts()}) if newer else former
