"""The changes of others: seen and put away on this phone, or not so."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import commands
from ...store.changes import is_said_elsewhere
from ...store.journal.entries import JournalEntry, NoSuchEntry
from ..base.access import LINKS, match_or_404
from ..base.entry_form import pressed_button
from ..base.htmx import go
from ..base.request_bounds import whole_number
from ..base.seen import see
from ..deal_entry.closing_statements import DisputeEntry
from ..deal_entry.incoming import ReportedEntry, speaking_for
from ..match.author import side_of_phone, speaker, written_by
from ..match.show import board_address, show_match
from ..match.view import MatchView, shown_match

bp = Blueprint("changes", __name__, url_prefix=f"{LINKS}/matches/<int:number>")


@bp.post("/seen")
def seen(key: str, number: int) -> BaseResponse:
    """Put a notice away: this phone has seen the match up to an entry."""
    table, row = match_or_404(key, number)
    pressed_button()
    see(table, row, min(whole_number(request.form.get("seq", "")) or 0, row.head))
    if request.headers.get("HX-Request") == "true" and request.args.get("look", "play") in ("play", "faces"):
        return show_match(table, row)
    return go(board_address(key))


@bp.post("/not-so/<entry>")
def not_so(key: str, number: int, entry: str) -> BaseResponse:
    """Object to what others changed: a closed deal is disputed, and what was said for a side is taken back."""
    table, row = match_or_404(key, number)
    match, form = shown_match(table, row), pressed_button()
    change = match.entry(entry)
    if change is None:
        abort(404, description=_("That entry is not in this match. Load the page again."))
    see(table, row, change.seq)
    if is_said_elsewhere(match.standing.state, change, speaker(match)):
        return _unsay(match, change, form.id.data)
    deal = match.standing.state.closed_deal(change.payload.get("deal", 0))
    if deal is None or deal.closed is None:
        abort(409, description=_("This deal was changed meanwhile. Look at its sheet again."))
    address = url_for("deals.sheet", key=key, number=number, deal=deal.number, _anchor="settlement")
    side = side_of_phone(match)
    if side is not None:
        fields = request.form.copy()
        fields.update({"entry": deal.closed.id, "side": side})
        reported = ReportedEntry(form.id.data, fields, deal.number)
        DisputeEntry(match.as_of(deal), reported).write(**written_by(match))
    # Whoever objects on a phone of everybody says there for which side.
    return go(address)


def _unsay(match: MatchView, said: JournalEntry, form_id: str) -> BaseResponse:
    """Take back what was said for the side of this phone on a phone that is none of its own."""
    by = written_by(match)
    try:
        with speaking_for(match):
            commands.write(match.row, lambda: commands.draft_unsaying(match.row, said.id, form_id, **by))
    except NoSuchEntry:
        abort(409, description=_("This can no longer be taken back here. Look at it, and propose what you want."))
    address: dict[str, Any] = {"key": match.key, "number": match.number}
    if "deal" not in said.payload:
        return go(url_for("house_rules.proposed", **address))
    return go(url_for("deals.sheet", deal=said.payload["deal"], _anchor="settlement", **address))
