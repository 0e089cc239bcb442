"""Agreement: the versions of a deal side by side, accepting and disputing a sheet, proposals and their answers."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...limits import VERSIONS_SHOWN
from ...rules.contract import Line
from ...store import agreement, commands
from ...store.agreement import ClosingVersion
from ...store.compare import cards_elsewhere, differ, lines_of
from ...store.journal import kinds
from ...store.journal.entries import NoSuchEntry, Stale
from ...store.journal.replay import DealState
from ..base.access import LINKS, match_or_404
from ..base.entry_form import pressed_button
from ..base.htmx import go, nothing_new, page
from ..base.marks import for_watchers
from ..deal_entry.closing_statements import STATEMENT_CLASSES, AnswerEntry, StatementEntry, closed_deal
from ..deal_entry.incoming import ReportedEntry, posted_entry
from ..match.author import AuthorNames, written_by
from ..match.deal_agreement import agreement_about
from ..match.reasons import Reasons, reasons_of
from ..match.view import MatchView, match_at

bp = Blueprint("agreement", __name__, url_prefix=f"{LINKS}/matches/<int:number>")
DEAL = "/deals/<int:deal>"


def _closed_deal(key: str, number: int, deal: int) -> tuple[MatchView, DealState]:
    match = match_at(key, number)
    closed = closed_deal(match, deal)
    return match.as_of(closed), closed


def _to_sheet(match: MatchView, deal: int, anchor: str | None = "settlement") -> BaseResponse:
    """Lead to the sheet: to who agrees or, where the answer has changed the points, to the totals on top."""
    return go(url_for("deals.sheet", key=match.key, number=match.number, deal=deal, _anchor=anchor))


def _read(kind: str, key: str, number: int, deal: int) -> StatementEntry:
    """Return what a side says about a closed deal, as it was posted."""
    return STATEMENT_CLASSES[kind](match_at(key, number, deal), posted_entry(deal))


def _write(statement: StatementEntry) -> BaseResponse:
    """Write a statement and lead to the sheet, or to both versions while there are two."""
    pressed_button()
    match, deal = statement.match, statement.reported.deal
    before = match.totals
    try:
        statement.write(**written_by(match))
    except Stale:
        abort(409, description=_("This tap was already noted for something else. Load the page again."))
    except NoSuchEntry:
        abort(409, description=_("This deal was changed meanwhile. Look at its sheet again."))
    now = MatchView(*match_or_404(match.key, match.number))
    closed = now.standing.state.closed_deal(deal)
    if closed is None or not closed.contested:
        return _to_sheet(match, deal, anchor="settlement" if now.totals == before else None)
    return go(url_for("agreement.versions", key=match.key, number=match.number, deal=deal))


@bp.post(f"{DEAL}/accept")
def accept(key: str, number: int, deal: int) -> BaseResponse:
    """Note that a side accepts the sheet."""
    return _write(_read(kinds.CONFIRMED, key, number, deal))


@bp.post(f"{DEAL}/dispute")
def dispute(key: str, number: int, deal: int) -> BaseResponse:
    """Note that a side disputes the sheet, or one line of it."""
    return _write(_read(kinds.DISPUTED, key, number, deal))


@bp.post(f"{DEAL}/reopen")
def ask_to_reopen(key: str, number: int, deal: int) -> BaseResponse:
    """Note that a side asks to open an agreed deal again."""
    return _write(_read(kinds.PROPOSED, key, number, deal))


@bp.post(f"{DEAL}/proposal/accept")
def accept_proposal(key: str, number: int, deal: int) -> BaseResponse:
    """Note that a side says yes to a proposal."""
    return _answer(kinds.PROPOSAL_ACCEPTED, key, number, deal)


@bp.post(f"{DEAL}/proposal/decline")
def decline_proposal(key: str, number: int, deal: int) -> BaseResponse:
    """Note that a side says no to a proposal."""
    return _answer(kinds.PROPOSAL_DECLINED, key, number, deal)


def _answer(kind: str, key: str, number: int, deal: int) -> BaseResponse:
    """Note an answer; one to a proposal that does not wait any more is passed over."""
    statement = _read(kind, key, number, deal)
    if isinstance(statement, AnswerEntry) and statement.proposal is None:
        return _to_sheet(statement.match, deal)
    return _write(statement)


@dataclass(frozen=True)
class ComparedItem:
    """One item across the versions of a deal."""

    item: str
    lines: list[Line | None]
    reasons: list[Reasons]

    @property
    def differs(self) -> bool:
        """True if any version says something else about it."""
        return any(differ(self.lines[0], line) for line in self.lines[1:])

    @property
    def counts(self) -> bool:
        """True if any version gives points for it."""
        return any(line and line["points"] and any(line["points"].values()) for line in self.lines)


def compared(match: MatchView, versions: list[ClosingVersion]) -> list[ComparedItem]:
    """Return the versions of a deal item by item, in the order of the sheet."""
    sheets = [lines_of(version.sheet) for version in versions]
    reasons = [reasons_of(match, version.entry.payload["facts"]) for version in versions]
    items = dict.fromkeys(item for lines in sheets for item in lines)
    return [ComparedItem(item, [lines.get(item) for lines in sheets], reasons) for item in items]


@bp.get(f"{DEAL}/versions")
@for_watchers
def versions(key: str, number: int, deal: int) -> BaseResponse:
    """Show the versions of a deal side by side: to choose from, or those not taken; a deal with one has its sheet."""
    match, deal_state = _closed_deal(key, number, deal)
    if len(agreement.versions(match.standing.state, deal_state)) < 2:
        return _to_sheet(match, deal)
    return nothing_new(match.version) or _show_versions(match, deal_state)


def _show_versions(match: MatchView, deal_state: DealState, status: int = 200, message: str = "") -> BaseResponse:
    state = match.standing.state
    entries = agreement.versions(state, deal_state)
    closings = agreement.scored(state, deal_state, entries[:VERSIONS_SHOWN])
    first, *others = [closing.entry.payload["facts"] for closing in closings]
    elsewhere = [cards_elsewhere(first, other) for other in others]
    return page(
        "agreement/versions.html",
        None,
        status,
        match=match,
        deal=deal_state,
        versions=closings,
        beyond=len(entries) - len(closings),
        rows=compared(match, closings),
        elsewhere=[cards for cards in elsewhere if cards],
        speakers=AuthorNames(match, state.entries),
        agreement=agreement_about(match, deal_state),
        message=message,
    )


@bp.post(f"{DEAL}/versions")
def take(key: str, number: int, deal: int) -> BaseResponse:
    """Propose that one of the versions counts; it does at once where no other side has to say yes."""
    match, deal_state = _closed_deal(key, number, deal)
    form = pressed_button()
    fields = request.form
    statement = STATEMENT_CLASSES[kinds.PROPOSED](match, ReportedEntry(form.id.data, fields, deal))
    written = commands.kind_of(match.row, form.id.data) is not None
    if not written and agreement.version_of(deal_state, fields.get("take", "")) is None:
        if not deal_state.contested:
            return _to_sheet(match, deal)
        return _show_versions(match, deal_state, 409, _("The versions have changed meanwhile. Look at them again."))
    return _write(statement)
