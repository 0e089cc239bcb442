"""What is handed on from a table: a deal or a match as text for a chat, the result as a picture."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request
from flask_babel import gettext as _
from flask_babel import ngettext

from ..store.journal import DealState
from .access import LINKS, for_watchers, match_or_404
from .links import address_of
from .match_page import MatchPage
from .picture import draw, render

bp = Blueprint("sharing", __name__, url_prefix=f"{LINKS}/matches/<int:number>")


def deal_text(view: MatchPage, deal: DealState, sheet: dict[str, Any]) -> str:
    """Tell a closed deal in short lines of plain text; no link is in it."""
    is_last = deal.number == view.standing.sheets[-1][0].number
    return render_template("deals/sheet.txt", m=view, deal=deal, sheet=sheet, is_last=is_last).strip()


def match_text(view: MatchPage) -> str:
    """Tell a match in short lines of plain text; no link is in it."""
    return render_template("matches/match.txt", m=view).strip()


def outcome(view: MatchPage) -> str:
    """Say in one sentence who won, or who deals next."""
    standing = view.standing
    if standing.winners:
        names = len(standing.winners) * view.setup.players_per_side
        return ngettext("%(names)s wins", "%(names)s win", names, names=view.winners())
    if standing.is_over:
        return _("The match was stopped")
    return _("Next deal: %(name)s deals", name=view.dealer(view.deal))


def _with_link(view: MatchPage, text: str) -> str:
    """Add the link to watch where the reader asked for it: it lets nobody write."""
    if request.args.get("add") != "watch":
        return text
    return text + "\n" + _("Watch: %(address)s", address=address_of(view.table, "watch"))


@bp.get("/text")
@for_watchers
def text_of_match(key: str, number: int) -> str:
    """Show a match as text, ready to be copied."""
    view = MatchPage(*match_or_404(key, number))
    return render_template("share/text.html", m=view, text=_with_link(view, match_text(view)), deal=None)


@bp.get("/deals/<int:deal>/text")
@for_watchers
def text_of_deal(key: str, number: int, deal: int) -> str:
    """Show a closed deal as text, ready to be copied."""
    view = MatchPage(*match_or_404(key, number))
    found = next(((one, sheet) for one, sheet in view.standing.sheets if one.number == deal), None)
    if found is None:
        abort(404, description=_("This match has no such deal."))
    return render_template("share/text.html", m=view, text=_with_link(view, deal_text(view, *found)), deal=found[0])


@bp.get("/picture")
@for_watchers
def picture(key: str, number: int) -> str:
    """Show the result as a picture, to be sent or kept."""
    return render_template("share/picture.html", m=MatchPage(*match_or_404(key, number)))


@bp.get("/result.png")
@for_watchers
def result(key: str, number: int) -> Response:
    """Draw the result as a picture; a phone that has it already is told so without drawing."""
    svg = draw(MatchPage(*match_or_404(key, number)))
    response = make_response()
    response.set_etag(svg.version)
    response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    if response.status_code != 304:
        response.data = render(svg)
        response.mimetype = "image/png"
    return response
