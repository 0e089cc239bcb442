"""The cards that a phone shows: those of the place where a game is at home, or others that its owner is used to."""

from __future__ import annotations

from flask import Blueprint, Response, abort, current_app, make_response, render_template, request, url_for

from ...rules.contract import CardsOfThePlace
from ...store import queries
from ..base.access import LINKS, table_or_404
from ..base.i18n import YEAR
from ..base.links import in_this_app
from ..base.marks import for_watchers
from ..words.cards import PACKS, cards_of_game, cookie_of, pack_names, shown_for

bp = Blueprint("cards", __name__)


def _home(named: str) -> CardsOfThePlace:
    """Return the cards of that name; any other name is a 404."""
    return next((pack for pack in PACKS if pack == named), None) or abort(404)


@bp.get("/cards/<home>")
def choose(home: str) -> str:
    """Show the packs to choose from, for the games that are played with ``home`` where they are at home."""
    return _choice(_home(home), in_this_app(request.args.get("back", "/")))


@bp.get(f"{LINKS}/cards")
@for_watchers
def of_table(key: str) -> str:
    """Show the packs to choose from, for what a table plays."""
    last = queries.current_match(table_or_404(key)) or abort(404)
    return _choice(cards_of_game(last.setup["game"]), url_for("this_table.show", key=key))


def _choice(home: CardsOfThePlace, back: str) -> str:
    packs, shown = PACKS.values(), shown_for(home)
    return render_template("cards/choose.html", home=home, packs=packs, names=pack_names(), shown=shown, back=back)


@bp.post("/cards/<home>")
def change(home: str) -> Response:
    """Remember the cards that this phone shows, and return to the page it was chosen from."""
    known, chosen = _home(home), request.form.get("cards", "")
    if chosen not in PACKS:
        abort(400)
    response = make_response("", 303, {"Location": in_this_app(request.form.get("back", "/"))})
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    if chosen == known:
        response.delete_cookie(cookie_of(known), samesite="Lax", httponly=True, secure=secure)
    else:
        response.set_cookie(cookie_of(known), chosen, max_age=YEAR, samesite="Lax", httponly=True, secure=secure)
    return response
