"""The pages of a table: the match being played, and the links that are handed on."""

from __future__ import annotations

from flask import Blueprint, Response, abort, get_flashed_messages, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import queries
from ..base.access import LINKS, table_or_404
from ..base.by_facts import by_facts
from ..base.htmx import go
from ..base.links import address_of, qr_code
from ..base.marks import for_moved, for_watchers
from ..base.remembered import is_mine
from ..match.author import question_first
from ..match.show import OPENED, go_and_start, show_match

bp = Blueprint("tables", __name__)


@bp.get(LINKS)
@for_watchers
@by_facts
def show(key: str) -> BaseResponse:
    """Show the match being played, or how to start one; a phone that joins is asked first who holds it."""
    table = table_or_404(key)
    match = queries.current_match(table)
    if match is None:
        return go_and_start(key)
    return question_first(table, match) or show_match(
        table, match, is_new=bool(get_flashed_messages(category_filter=[OPENED]))
    )


@bp.get(f"{LINKS}/share")
@for_moved
def share(key: str) -> str:
    """Show the links to play and to watch, as addresses and as QR codes."""
    table = table_or_404(key)
    return render_template(
        "tables/share.html",
        table=table,
        address=address_of(table, "play"),
        watch_address=address_of(table, "watch") if table.can_show("watch") else None,
        names=queries.player_names(table),
        is_mine=is_mine(table),
    )


@bp.get(f"{LINKS}/owner")
@for_moved
def owner(key: str) -> BaseResponse:
    """Redirect a phone that has the owner link to the owner's page; others get a 403.

    So the owner link itself is on no page that others look at.
    """
    table = table_or_404(key)
    if not is_mine(table):
        abort(403, description=_("This phone has the link to play. Open the owner link once, and it keeps the table."))
    return go(url_for("owner.show", key=table.owner_key))


@bp.get(f"{LINKS}/qr.svg")
@for_moved
def qr(key: str) -> Response:
    """Draw the QR code of the play link."""
    return qr_code(table_or_404(key), "play", "svg")


@bp.get(f"{LINKS}/watch.svg")
@for_watchers
def watch_qr(key: str) -> Response:
    """Draw the QR code of the watch link."""
    return qr_code(table_or_404(key), "watch", "svg")
