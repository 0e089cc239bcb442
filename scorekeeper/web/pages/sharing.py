"""What is handed on from a table: a deal or a match as text for a chat, the result as a picture."""

from __future__ import annotations

from flask import Blueprint, Response, abort, make_response, render_template, request
from flask_babel import gettext as _

from ..base.access import LINKS, for_watchers, match_or_404
from ..base.links import address_of
from ..match.result_picture import draw, render
from ..match.texts import deal_text, match_text
from ..match.view import MatchView

bp = Blueprint("sharing", __name__, url_prefix=f"{LINKS}/matches/<int:number>")


def _with_link(match: MatchView, text: str) -> str:
    """Add the link to watch where the reader asked for it: it lets nobody write."""
    if request.args.get("add") != "watch":
        return text
    return text + "\n" + _("Watch: %(address)s", address=address_of(match.table, "watch"))


@bp.get("/text")
@for_watchers
def text_of_match(key: str, number: int) -> str:
    """Show a match as text, ready to be copied."""
    match = MatchView(*match_or_404(key, number))
    return render_template("sharing/text.html", match=match, text=_with_link(match, match_text(match)), deal=None)


@bp.get("/deals/<int:deal>/text")
@for_watchers
def text_of_deal(key: str, number: int, deal: int) -> str:
    """Show a closed deal as text, ready to be copied."""
    match = MatchView(*match_or_404(key, number))
    found = next(((one, sheet) for one, sheet in match.standing.sheets if one.number == deal), None)
    if found is None:
        abort(404, description=_("This match has no such deal."))
    return render_template(
        "sharing/text.html", match=match, text=_with_link(match, deal_text(match, *found)), deal=found[0]
    )


@bp.get("/picture")
@for_watchers
def picture(key: str, number: int) -> str:
    """Show the result as a picture, to be sent or kept."""
    return render_template("sharing/picture.html", match=MatchView(*match_or_404(key, number)))


@bp.get("/result.png")
@for_watchers
def result(key: str, number: int) -> Response:
    """Draw the result as a picture; a phone that has it already is told so without drawing."""
    svg = draw(MatchView(*match_or_404(key, number)))
    response = make_response()
    response.set_etag(svg.version)
    response.headers["Cache-Control"] = "private, no-cache"
    response.make_conditional(request)
    if response.status_code != 304:
        response.data = render(svg)
        response.mimetype = "image/png"
    return response
