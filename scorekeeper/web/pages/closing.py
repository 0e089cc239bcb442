"""The closing of a deal: its form, the slots of its prime, and what was written while it was filled in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NotRequired, TypedDict, cast

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...rules import contract
from ...store.journal import kinds
from ...store.journal.entries import JournalEntry, entries_of, written_about
from ...store.journal.replay import DealState
from ...store.models import Table
from ..base.access import LINKS, match_of, table_or_404, visitor
from ..base.by_facts import by_facts, present_of
from ..base.htmx import go, nothing_new, page, wants_fragment
from ..base.marks import for_watchers
from ..base.page_cache import only_here
from ..base.remembered import holders, known_device
from ..base.request_bounds import number_in
from ..base.whole_pages import cached_page
from ..deal_entry.closing_entry import ClosingEntry, ReportedClosing, deal_to_close, read_closing
from ..deal_entry.closing_grid import FORM, SHEET, ClosingForm
from ..deal_entry.closing_questions import QuestionsForm
from ..deal_entry.decide import LIVE, Open, Outdated, Overtook, Refused, Saved, Unchanged, decide
from ..deal_entry.incoming import ids_in, open_deal, posted_entry
from ..deal_entry.judged import PRIME, JudgedClosing
from ..deal_entry.prime_slots import PrimeSlots, prime_slots
from ..deal_entry.round_rows import Hand, hands_of, leaders_after
from ..deal_entry.saving import status_and_words
from ..deal_entry.still_decides import still_decides
from ..match.ahead import deals_ahead
from ..match.author import written_by
from ..match.deal_agreement import agreement_about
from ..match.reasons import reasons_of
from ..match.view import MatchView, match_at, match_in
from ..words.names import join_names
from ..words.primes import METHODS

bp = Blueprint("closing", __name__, url_prefix=f"{LINKS}/matches/<int:number>/deals/<int:deal>")


FORMS = ("full", "points")
"""The forms that an address asks for instead of what is known of a deal: all its facts, or the points alone."""


class ClosingContext(TypedDict):
    """The context of the templates of the closing form."""

    match: MatchView
    deal: DealState
    form: ClosingForm | QuestionsForm
    judged: JudgedClosing
    without_cards: str
    meanwhile: bool
    is_proposed: bool
    hands: list[Hand]
    """The rows of a round's closing; none in games that have no rounds."""
    leaders: list[Hand]
    still_decides: Callable[[], dict[contract.Side, list[list[contract.ItemId]]]]
    """Returns the open lines with which the sides reach the target; only the grid asks."""
    slots: NotRequired[PrimeSlots]
    opened_from: NotRequired[str]
    since: NotRequired[Sequence[JournalEntry]]
    theirs: NotRequired[contract.Scored | None]
    ahead: NotRequired[Mapping[str, object]]
    """The data that the phone stores beside the form for the deals to come."""


@dataclass
class ClosingPage:
    """The closing form as it is drawn: the template of its page, and the fragment that a tap replaces."""

    template: str
    fragment: str | None
    """None if the tap came from another page of the form: then all of it is replaced."""
    closing: ReportedClosing
    context: ClosingContext

    def go_on(self) -> BaseResponse:
        """Draw the form to be filled in further; a button that filled in fields has the whole page drawn."""
        form = self.closing.form
        form.was_open.data = "yes" if form.saves_itself and not self.closing.judged.is_complete else "no"
        return page(self.template, None if self.closing.was_tapped else self.fragment, **self.context)

    def refused(self, status: int = 422, broken: Sequence[str] = (), *, unsettled: bool = False) -> BaseResponse:
        """Draw the whole page, with the reasons why nothing was saved."""
        return page(self.template, None, status, broken=broken, unsettled=unsettled, **self.context)


@bp.get("/meanwhile")
def meanwhile(key: str, number: int, deal: int) -> BaseResponse:
    """Show beside a closing form what was written since it was drawn, from ``seq`` on.

    A deal that this very phone has closed is no news to it, nor what the form has ``counted``: the beginnings of ids.
    """
    match = match_at(key, number, deal)
    drawn_from = number_in(request.args, "seq")
    seq = match.row.head if drawn_from is None else drawn_from
    written = written_about(match.row, deal, seq)
    ended = [entry for entry in entries_of(match.row, after=seq) if entry.kind == kinds.MATCH_ENDED]
    counted = ids_in(request.args, "counted")
    own = known_device(match.table)
    others = [entry for entry in written if entry.id[:8] not in counted]
    closed_here = {entry.id for entry in others if entry.kind == kinds.DEAL_CLOSED and own and entry.device == own}
    since = [entry for entry in others if entry.id not in closed_here] + ended
    part = "closing/_written_meanwhile.html"
    return nothing_new(match.version) or page(part, part, match=match, deal=deal, since=since)


@bp.get("/close")
@by_facts
def close(key: str, number: int, deal: int) -> BaseResponse:
    """Show the form that closes a deal, or corrects it once it is closed.

    Just opened, it is the same for every phone of a holder until something is written at the table.
    """
    table = table_or_404(key)
    present = present_of(table, number)
    if present is None or wants_fragment():
        return _opened(table, number, deal)
    asked = request.args.get("as")
    of_phone = (number, deal, asked if asked in FORMS else "", *holders(table))
    response = cached_page(partial(_drawn, table, number, deal), "closing.close", table, present, *of_phone)
    response.vary.add("HX-Request")
    return response


def _drawn(table: Table, number: int, deal: int) -> str:
    return _opened(table, number, deal).get_data(as_text=True)


def _opened(table: Table, number: int, deal: int) -> BaseResponse:
    """Draw the form with the facts known of the deal."""
    match = match_in(table, match_of(table, number), deal)
    if match.noted_twice is not None:
        # It asks about the note that is not this phone's.
        only_here()
    deal_state = deal_to_close(match, deal)
    known, asked = _known_facts(deal_state), request.args.get("as")
    if asked == "full" and match.takes_plain_points:
        known = cast(contract.Deal, {name: fact for name, fact in known.items() if name != "points"})
    closing = read_closing(match, deal_state, None, known, is_bare=asked == "points")
    return _form_page(match, deal_state, closing).go_on()


@bp.get("/ahead")
def ahead(key: str, number: int, deal: int) -> BaseResponse:
    """Show the closing form with no facts yet, as a phone stores it for this deal and the next ones.

    Without signal the phone shows it in the place of any of these forms (``static/js/ahead``).
    """
    match = match_at(key, number, deal)
    current = open_deal(match, deal)
    closing = read_closing(match, current, None, {}, is_bare=request.args.get("as") == "points")
    shown = _form_page(match, current, closing)
    shown.context["ahead"] = deals_ahead(match)
    return shown.go_on()


@bp.post("/close")
def save_closing(key: str, number: int, deal: int) -> BaseResponse:
    """Close a deal, or correct it: what it was is voided, what it is now is added. Else draw the form again."""
    match = match_at(key, number, deal)
    entry = ClosingEntry(match, posted_entry(deal))
    deal_state, closing = entry.deal_state, entry.closing
    step = request.form.get("step", LIVE if wants_fragment() or closing.was_tapped else "check")
    # What cannot be saved from the slots of the prime goes on as the form.
    lays_out = step == PRIME and isinstance(closing.form, ClosingForm) and bool(closing.form.needs.best)
    page_of = _slots_page if lays_out else _form_page
    shown = page_of(match, deal_state, closing, meanwhile=entry.is_second)
    match decide(entry, step, **written_by(match)):
        case Saved(kind):
            return _after_saving(match, deal, kind)
        case Overtook():
            return _after_saving(match, deal, kinds.DEAL_CLOSED)
        case Unchanged():
            return go(url_for("deals.sheet", key=key, number=number, deal=deal, saved="same"))
        case Outdated(since):
            return _show_both(entry, since, shown)
        case Refused(why):
            return shown.refused(*status_and_words(why))
        case Open(is_asked=True):
            return shown.refused()
        case Open(is_refused=True):
            return shown.refused(unsettled=True)
        case Open():
            return shown.go_on()


@bp.get("/prime")
@for_watchers
def prime(key: str, number: int, deal: int) -> BaseResponse:
    """Show the prime of a closed deal: as slots to be filled in and noted, or unchanging to a watcher."""
    match = match_at(key, number, deal)
    deal_and_sheet = match.sheet_of(deal)
    if deal_and_sheet is None:
        abort(404, description=_("This match has no such deal."))
    deal_state, sheet = deal_and_sheet
    line = next((line for line in sheet["lines"] if line["item"] == PRIME), None)
    reasons = reasons_of(match, deal_state.facts())
    if line is None or reasons.prime_rule is None:
        abort(404, description=_("Nothing was counted by the best card of each suit in this deal."))
    if visitor().may_write and match.needs.best:
        closing = read_closing(match, deal_state, None, deal_state.facts())
        return _slots_page(match, deal_state, closing, opened_from=SHEET).go_on()
    return nothing_new(match.version) or page(
        "deals/prime.html",
        match=match,
        deal=deal_state,
        line=line,
        reasons=reasons,
        can_compare=reasons.prime_rule.method in METHODS,
    )


def _slots_page(
    match: MatchView,
    deal_state: DealState,
    closing: ReportedClosing,
    *,
    meanwhile: bool = False,
    opened_from: str = FORM,
) -> ClosingPage:
    """Return the page of the prime's slots."""
    form = closing.form
    assert isinstance(form, ClosingForm)
    opened = form.opened_from()
    slots = prime_slots(match, deal_state, form)
    context = _form_page(match, deal_state, closing, meanwhile=meanwhile).context
    context["judged"], context["slots"], context["opened_from"] = slots.judged, slots, opened or opened_from
    return ClosingPage("closing/prime.html", "closing/_prime_update.html" if opened else None, closing, context)


def _form_page(
    match: MatchView, deal_state: DealState, closing: ReportedClosing, *, meanwhile: bool = False
) -> ClosingPage:
    """Return the page of the closing form: the grid of a fishing game, rows for rounds, questions for the others."""
    form = closing.form
    name, rows, is_opened = "tricks", list[Hand](), False
    if isinstance(form, ClosingForm):
        name, is_opened = "grid", bool(form.opened_from())
    elif match.is_in_rounds or form.is_bare:
        name, rows = "rounds", hands_of(match, form, closing.judged)
    context: ClosingContext = {
        "match": match,
        "deal": deal_state,
        "form": form,
        "judged": closing.judged,
        "without_cards": join_names(match.sides[label] for label in closing.without_cards),
        "hands": rows,
        "leaders": leaders_after(match, rows) if rows else [],
        "still_decides": partial(still_decides, match, deal_state, closing),
        "meanwhile": meanwhile,
        "is_proposed": deal_state.closed is not None and agreement_about(match, deal_state).needs_everyone,
    }
    fragment = None if is_opened else f"closing/_{name}_update.html"
    return ClosingPage(f"closing/{name}.html", fragment, closing, context)


def _after_saving(match: MatchView, deal: int, kind: str | None) -> BaseResponse:
    """Go to the sheet, or to both versions where another one says something else, or this one is only proposed."""
    if kind == kinds.DEALT_AGAIN:
        return go(url_for("tables.show", key=match.key))
    if kind in (kinds.DEAL_CONTESTED, kinds.PROPOSED):
        return go(url_for("agreement.versions", key=match.key, number=match.number, deal=deal, saved=1))
    # A second closing that agrees for nobody is not written: it is there already.
    saved = "alike" if kind in (kinds.CONFIRMED, None) else 1
    return go(url_for("deals.sheet", key=match.key, number=match.number, deal=deal, saved=saved))


def _show_both(entry: ClosingEntry, since: Sequence[JournalEntry], shown: ClosingPage) -> BaseResponse:
    """Show what was entered beside what someone else wrote meanwhile; the form now knows of it, and may be saved."""
    number, context = entry.deal_state.number, shown.context
    fresh = match_at(entry.match.key, entry.match.number, number)
    theirs = fresh.sheet_of(number)
    entry.go_on_from(fresh.standing.state.head)
    context["match"], context["deal"] = fresh, deal_to_close(fresh, number)
    context["since"], context["theirs"] = since, theirs[1] if theirs else None
    return shown.refused(409)


def _known_facts(deal_state: DealState) -> contract.Deal:
    """Return what the form starts from: the closing itself, else what was noted, merged over a closing taken back."""
    if deal_state.closed is not None or deal_state.former is None:
        return deal_state.facts()
    former = deal_state.former.payload["facts"].copy()
    newer = any(entry.seq > deal_state.former.seq for entry in deal_state.noted)
    added = deal_state.noted_points(after=deal_state.former.seq)
    if added:
        points = former.get("points") or {}
        return {"points": {**points, **{label: (points.get(label) or 0) + more for label, more in added.items()}}}
    return cast(contract.Deal, {**former, **deal_state.noted_so_far()}) if newer else former
