"""Things to send to others: a deal or a match as text for a chat, the result as a picture."""

from __future__ import annotations

from flask import Blueprint, Response, abort, render_template, request
from flask_babel import gettext as _

from ..base.access import LINKS
from ..base.links import address_of
from ..base.marks import for_watchers
from ..match.result_picture import draw, render
from ..match.texts import deal_text, match_text
from ..match.view import MatchView, match_at

bp = Blueprint("sharing", __name__, url_prefix=f"{LINKS}/matches/<int:number>")


def _with_link(match: MatchView, text: str) -> str:
    """Return the text, with the watch link where the reader asked for it and it can be shown."""
    if request.args.get("add") != "watch" or not match.table.can_show("watch"):
        return text
    return text + "\n" + _("Watch: %(address)s", address=address_of(match.table, "watch"))


@bp.get("/text")
@for_watchers
def text_of_match(key: str, number: int) -> str:
    """Show a match as text, ready to be copied."""
    match = match_at(key, number, may_be_typed=True)
    return render_template("sharing/text.html", match=match, text=_with_link(match, match_text(match)), deal=None)


@bp.get("/deals/<int:deal>/text")
@for_watchers
def text_of_deal(key: str, number: int, deal: int) -> str:
    """Show a closed deal as text, ready to be copied."""
    match = match_at(key, number)
    deal_and_sheet = match.sheet_of(deal)
    if deal_and_sheet is None or deal_and_sheet[0] in match.surplus:
        abort(404, description=_("This match has no such deal."))
    text = _with_link(match, deal_text(match.as_of(deal_and_sheet[0]), *deal_and_sheet))
    return render_template("sharing/text.html", match=match, text=text, deal=deal_and_sheet[0])


@bp.get("/picture")
@for_watchers
def picture(key: str, number: int) -> str:
    """Show the page with the result as a picture."""
    return render_template("sharing/picture.html", match=match_at(key, number, may_be_typed=True))


@bp.get("/result.png")
@for_watchers
def result(key: str, number: int) -> Response:
    """Return the picture of the result."""
    response = Response(render(draw(match_at(key, number, may_be_typed=True))), mimetype="image/png")
    response.headers["Cache-Control"] = "private, no-store"
    return response
