"""Who plays: seats changed before the first deal is closed, a substitute, a player who comes later or leaves."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, url_for
from werkzeug.wrappers import Response as BaseResponse

from ..base.access import LINKS
from ..base.entry_form import new_id
from ..base.htmx import page
from ..deal_entry.incoming import IncomingEntry, ReportedEntry, posted_entry
from ..deal_entry.players import LatecomerEntry, LeavingEntry, SeatingEntry, SeatsEntry, SubstituteEntry
from ..deal_entry.saving import save
from ..match.view import MatchView, match_at

bp = Blueprint("seats", __name__, url_prefix=f"{LINKS}/matches/<int:number>")
DEAL = "/deals/<int:deal>"


@bp.get("/people")
def show(key: str, number: int) -> BaseResponse:
    """Show who sits where, and what can be changed about it now."""
    return _people(match_at(key, number))


def _people(match: MatchView, written: IncomingEntry | None = None, refused: list[str] | None = None) -> BaseResponse:
    """Return the page, with the form that was refused as it was typed."""
    deal = match.deal.number
    forms = {
        entry_class.kind: entry_class(match, ReportedEntry("", None, deal)).form
        for entry_class in (SeatsEntry, SubstituteEntry, LatecomerEntry)
    }
    if isinstance(written, SeatingEntry):
        written.form.id.data = new_id()
        forms[written.kind] = written.form
    context: dict[str, Any] = {"match": match, "deal": match.deal, "forms": forms, "known": match.sitting_out}
    status = 422 if refused else 200
    return page("seats/people.html", None, status, refused=refused, refused_of=written and written.kind, **context)


def _write(entry_class: type[IncomingEntry], key: str, number: int, deal: int) -> BaseResponse:
    match = match_at(key, number)
    entry = entry_class(match, posted_entry(deal))
    return save(entry, url_for("tables.show", key=key), lambda _status, why: _people(match, entry, why))


@bp.post("/seats")
def seats(key: str, number: int) -> BaseResponse:
    """Change the seats of the players, while no deal is closed."""
    return _write(SeatsEntry, key, number, 0)


@bp.post(f"{DEAL}/substitute")
def substitute(key: str, number: int, deal: int) -> BaseResponse:
    """Let a player take the seat of another."""
    return _write(SubstituteEntry, key, number, deal)


@bp.post(f"{DEAL}/enter")
def enter(key: str, number: int, deal: int) -> BaseResponse:
    """Let a player come in between rounds."""
    return _write(LatecomerEntry, key, number, deal)


@bp.post(f"{DEAL}/leave")
def leave(key: str, number: int, deal: int) -> BaseResponse:
    """Let a player leave between rounds."""
    return _write(LeavingEntry, key, number, deal)
