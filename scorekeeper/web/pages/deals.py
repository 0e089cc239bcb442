"""Deals: what is noted while one is played, its closing, its sheet, its correction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import agreement, commands, journal
from ...store.journal import DealState, Full, JournalEntry, Locked, NewEntry, Stale
from ...store.standings import BrokenMatch, standing_of
from ..base.access import LINKS, for_watchers, match_or_404, visitor
from ..base.entry_form import new_id, pressed_button
from ..base.htmx import go, is_refresh, nothing_new, page, wants_fragment
from ..base.incoming import number_in
from ..deal_entry.closing_grid import ClosingForm
from ..deal_entry.closing_questions import QuestionsForm
from ..deal_entry.declaration import declaration_form, worth
from ..deal_entry.entries import (
    ReportedClosing,
    before_it_was_closed,
    closed_meanwhile,
    deal_to_close,
    open_deal,
    penalty_of,
    read_closing,
    redealt,
    sweep_of,
)
from ..deal_entry.opening_layout import layout_form, meaning
from ..match.author import Speakers, written_by
from ..match.reasons import reasons_of
from ..match.standpoint import agreement_about
from ..match.view import MatchView, board_address, show_match
from ..words.primes import method_name
from ..words.problems import full_words, in_words, locked_words

bp = Blueprint("deals", __name__, url_prefix=f"{LINKS}/matches/<int:number>/deals/<int:deal>")


def _match(key: str, number: int) -> MatchView:
    return MatchView(*match_or_404(key, number))


def _note(match: MatchView, kind: str, id: str, payload: dict[str, Any]) -> None:
    """Write one entry about the open deal. Raises ``Stale`` for an id used before for something else."""
    by = written_by(match)

    def drafted() -> commands.Draft:
        is_closed = standing_of(match.row).state.closed_deal(payload["deal"]) is not None
        if is_closed and commands.kind_of(match.row, id) is None:
            abort(409, description=_("That deal was closed meanwhile. Open its sheet to correct it."))
        return commands.draft(match.row, [NewEntry(kind, payload, id=id)], **by)

    commands.write(match.row, drafted)


def _is_noted(match: MatchView, id: str, payload: dict[str, Any]) -> bool:
    """Say whether this very form was saved before: then it is not judged beside itself."""
    said = journal.reported_in(payload)
    entries = match.standing.state.entries
    return any(entry.id == id and journal.reported_in(entry.payload) == said for entry in entries)


@bp.post("/sweep")
def sweep(key: str, number: int, deal: int) -> BaseResponse:
    """Note a sweep: the most frequent tap of the evening."""
    match = _match(key, number)
    form = pressed_button()
    open_deal(match, deal)
    told = sweep_of(match, request.form)
    try:
        _note(match, journal.SWEPT, form.id.data, {"deal": deal, **told})
    except Stale:
        abort(409, description=_("This tap was already noted for another side. Load the page again."))
    if wants_fragment():
        return show_match(*match_or_404(key, number), undo=form.id.data)
    return go(board_address(key))


@bp.route("/declare", methods=["GET", "POST"])
def declare(key: str, number: int, deal: int) -> BaseResponse:
    """Declare three cards: what they score is shown before anything is written."""
    match = _match(key, number)
    current, needs = open_deal(match, deal), match.needs()
    if not needs.declarations:
        abort(404, description=_("Nothing is declared in this game."))
    form = declaration_form(match, needs, request.form if request.method == "POST" else None, request.args)
    valid = request.method == "POST" and form.validate()
    value = worth(match, current, form) if valid and form.is_told() else None
    context: dict[str, Any] = {"match": match, "form": form, "needs": needs, "worth": value, "deal": current}
    if request.form.get("step") != "save":
        return page("deals/declare.html", "deals/_declaration_points.html", **context)
    if valid and _is_noted(match, form.id.data, {"deal": deal, **form.declaration()}):
        return go(url_for("tables.show", key=key))
    if not form.may_be_saved(value):
        return page("deals/declare.html", None, 422, **context)
    try:
        _note(match, journal.DECLARED, form.id.data, {"deal": deal, **form.declaration()})
    except Stale:
        form.id.data = new_id()
        form.cards.errors = [_("This form was saved before, with something else in it. Save again to add this too.")]
        return page("deals/declare.html", None, 409, **context)
    except Full as full:
        form.cards.errors = [full_words(full)]
        return page("deals/declare.html", None, 422, **context)
    return go(url_for("tables.show", key=key))


@bp.route("/layout", methods=["GET", "POST"])
def layout(key: str, number: int, deal: int) -> BaseResponse:
    """Note the opening layout; one that voids the deal has it dealt again."""
    match = _match(key, number)
    current, needs = open_deal(match, deal), match.needs()
    form = layout_form(needs, request.form if request.method == "POST" else None)
    valid = request.method == "POST" and form.validate()
    facts = form.facts()
    means = meaning(match, current, facts) if valid and form.is_whole else None
    context: dict[str, Any] = {"match": match, "form": form, "needs": needs, "means": means, "deal": current}
    if not form.told.data and request.form.get("step") != "save":
        return page("deals/layout.html", "deals/_layout_points.html", **context)
    if not form.may_be_saved(means):
        return page("deals/layout.html", None, 422, **context)
    try:
        if means and means.redeal:
            _note(match, journal.DEAL_CLOSED, form.id.data, redealt(deal, facts, means.redeal))
        else:
            _note(match, journal.LAYOUT_NOTED, form.id.data, {"deal": deal, **facts})
    except Stale:
        form.id.data = new_id()
        form.cards.errors = [_("This form was saved before, with something else in it. Save again to replace that.")]
        return page("deals/layout.html", None, 409, **context)
    except Full as full:
        form.cards.errors = [full_words(full)]
        return page("deals/layout.html", None, 422, **context)
    return go(url_for("tables.show", key=key))


@bp.route("/penalty", methods=["GET", "POST"])
def penalty(key: str, number: int, deal: int) -> BaseResponse:
    """Note a penalty, in the games that have them."""
    match = _match(key, number)
    current, needs = open_deal(match, deal), match.needs()
    if not needs.penalties:
        abort(404, description=_("This game knows no penalties."))
    if request.method == "GET":
        return page("deals/penalty.html", match=match, needs=needs, deal=current)
    form, told = pressed_button(), penalty_of(match, request.form)
    try:
        _note(match, journal.PENALISED, form.id.data, {"deal": deal, **told})
    except Stale:
        abort(409, description=_("This tap was already noted for something else. Load the page again."))
    return go(url_for("tables.show", key=key))


@bp.get("")
@for_watchers
def sheet(key: str, number: int, deal: int) -> BaseResponse:
    """Show the sheet of a closed deal; an open one is closed first."""
    match = _match(key, number)
    found = match.sheet_of(deal)
    if found is None:
        if is_refresh():
            abort(409, description=_("Somebody has opened this deal again. Go back to the table."))
        if deal == match.deal.number and not match.standing.is_over and visitor().may_write:
            return go(url_for("deals.close", key=key, number=number, deal=deal))
        abort(404, description=_("This match has no such deal."))
    one, lines = found
    return nothing_new(match.shown) or page(
        "deals/sheet.html",
        match=match,
        deal=one,
        sheet=lines,
        counts=one not in match.surplus,
        is_last=one.number == match.standing.sheets[-1][0].number,
        saved=request.args.get("saved"),
        refused=request.args.get("locked"),
        stands=agreement_about(match, one),
        speakers=Speakers(match, [entry for entry in (one.closed, *one.statements) if entry]),
        reasons=reasons_of(match, one.facts()),
        options=match.setup.options,
        method_name=method_name,
    )


@bp.get("/meanwhile")
def meanwhile(key: str, number: int, deal: int) -> BaseResponse:
    """Tell whoever fills in a closing form what was written since it was drawn, from ``seq`` on."""
    match = _match(key, number)
    drawn_from = number_in(request.args, "seq")
    since = journal.entries_of(match.row, after=match.row.head if drawn_from is None else drawn_from)
    whole = "closing/_written_meanwhile.html"
    return nothing_new(match.shown) or page(whole, whole, match=match, deal=deal, since=since)


@bp.route("/close", methods=["GET", "POST"])
def close(key: str, number: int, deal: int) -> BaseResponse:
    """Close the deal, or correct it once it is closed: what it was is voided, what it is now is added."""
    match = _match(key, number)
    one = deal_to_close(match, deal)
    if request.method == "GET" and agreement.agreement_of(one).is_locked:
        return go(url_for("deals.sheet", key=key, number=number, deal=deal, locked=1, _anchor="settlement"))
    needs = match.needs()
    posted = request.form if request.method == "POST" else None
    known = None if posted is not None else _known_facts(one)
    closing = read_closing(match, one, posted, known)
    meanwhile = posted is not None and _closed_meanwhile(one, closing.form)
    one = before_it_was_closed(one) if meanwhile else one
    form, judged, settled = closing.form, closing.judged, closing.is_settled
    whole, live = "closing/questions.html", "closing/_questions_update.html"
    if match.game["family"] == "fishing":
        whole, live = "closing/grid.html", "closing/_grid_update.html"
    context: dict[str, Any] = {
        "match": match,
        "deal": one,
        "form": form,
        "needs": needs,
        "judged": judged,
        "whole": whole,
    }
    context["meanwhile"] = meanwhile
    since = _written_since(match, form) if posted is not None and not meanwhile else []
    if since:
        return _show_both(match, one, form, since, context)
    step = request.form.get("step", "live" if wants_fragment() or closing.was_tapped else "check")
    if step == "live" and (answer := _after_overtaking(match, one, closing, context)):
        return answer
    just_settled = step == "live" and form.was_open.data == "yes" and not one.closed and not judged.is_doubtful
    if request.method == "GET" or (step != "save" and not (settled and just_settled)):
        form.was_open.data = "yes" if form.saves_itself and not judged.is_complete else "no"
        return page(whole, None if closing.was_tapped else live, **context)
    if not settled:
        return page(whole, None, 422, unsettled=True, **context)
    return _save(match, one, closing, context)


def _save(match: MatchView, one: DealState, closing: ReportedClosing, context: dict[str, Any]) -> BaseResponse:
    """Write the closing, the one it replaces voided with it; where someone wrote meanwhile, show both and ask."""
    form, entries, by = closing.form, closing.entries(one), written_by(match)
    try:
        commands.write(match.row, lambda: commands.draft(match.row, entries, drawn_from=form.seq.data, **by))
    except Stale as stale:
        fresh = _match(match.key, match.number)
        now = deal_to_close(fresh, one.number)
        if one.closed is not None and _closed_meanwhile(now, form):
            return _save(fresh, before_it_was_closed(now), closing, context)
        return _show_both(match, one, form, stale.since, context)
    except Locked as locked:
        return page(context["whole"], None, 409, broken=[locked_words(locked.deal)], **context)
    except Full as full:
        return page(context["whole"], None, 422, broken=[full_words(full)], **context)
    except BrokenMatch as broken:
        return page(context["whole"], None, 422, broken=[in_words(problem) for problem in broken.problems], **context)
    return _after_saving(match, one, commands.kind_of(match.row, form.id.data))


def _after_overtaking(
    match: MatchView, one: DealState, closing: ReportedClosing, context: dict[str, Any]
) -> BaseResponse | None:
    """Answer a tap that overtook the answer to the one before it, with which this very form was saved.

    What the form tells now takes the place of what was saved. None where no such answer was overtaken, and where the
    form does not tell a whole deal any more.
    """
    form, saved = closing.form, one.closed
    if saved is None or saved.id != form.id.data:
        return None
    if saved.payload["facts"] == form.facts():
        return _after_saving(match, one, journal.DEAL_CLOSED)
    if not closing.is_settled or closing.judged.is_doubtful:
        return None
    form.go_on_from(saved.seq)
    return _save(match, one, closing, context)


def _after_saving(match: MatchView, one: DealState, kind: str | None) -> BaseResponse:
    """Go to the sheet, or to both versions where another closing of this deal says something else."""
    at: dict[str, Any] = {"key": match.key, "number": match.number, "deal": one.number}
    if kind == journal.DEAL_CONTESTED:
        return go(url_for("agreement.versions", **at))
    return go(url_for("deals.sheet", **at, saved="alike" if kind == journal.CONFIRMED else 1))


def _closed_meanwhile(one: DealState, form: ClosingForm | QuestionsForm) -> bool:
    return closed_meanwhile(one, form.seq.data, {form.id.data})


def _written_since(match: MatchView, form: ClosingForm | QuestionsForm) -> list[JournalEntry]:
    """Return what others wrote after the form was drawn; nothing where it is this form itself, posted again."""
    if form.seq.data is None or form.seq.data == match.row.head:
        return []
    since = journal.written_since(match.row, form.seq.data)
    return [] if any(entry.id == form.id.data for entry in since) else since


def _show_both(
    match: MatchView,
    one: DealState,
    form: ClosingForm | QuestionsForm,
    since: Sequence[JournalEntry],
    context: dict[str, Any],
) -> BaseResponse:
    """Show what was entered beside what someone else wrote meanwhile; the form now knows of it, and may be saved."""
    fresh = _match(match.table.play_key, match.number)
    theirs = fresh.sheet_of(one.number)
    form.go_on_from(fresh.standing.state.head)
    context.update(
        match=fresh, deal=deal_to_close(fresh, one.number), since=since, theirs=theirs[1] if theirs else None
    )
    return page(context["whole"], None, 409, **context)


def _known_facts(one: DealState) -> dict[str, Any]:
    """Return what the form starts from: the closing itself, else what was noted, over a closing taken back before."""
    if one.closed is not None or one.former is None:
        return one.facts()
    former = dict(one.former.payload["facts"])
    newer = any(entry.seq > one.former.seq for entry in one.noted)
    return {**former, **one.noted_facts()} if newer else former
