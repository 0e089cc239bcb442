"""The page of the match being played, in each of its looks."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import request, url_for
from werkzeug.wrappers import Response as BaseResponse

from ...store.journal.entries import is_entry_id
from ...store.models import Match, Table
from ..base.access import visitor
from ..base.alike import for_the_like
from ..base.htmx import go, nothing_new, page, wants_fragment
from ..base.seen import begin
from .board import Board
from .notices import quiet_from, staying_notice
from .view import shown_match

OPENED = "opened"
"""The category of a message flashed when a table is opened: its first page then says where the owner's page is."""
LOOKS = {
    "play": ("boards/play.html", "boards/_play.html"),
    "faces": ("boards/faces.html", "boards/_faces.html"),
    "big": ("boards/big.html", "boards/_big.html"),
}
"""The ways to show the match being played, each with the template of its page and that of the board in it."""


def show_match(table: Table, row: Match, look: str | None = None, **context: Any) -> BaseResponse:
    """Render the page of the match being played, for htmx just its board, or a 204 if nothing is new.

    ``look`` is one of ``LOOKS``; without it the address decides, as a tap on a board carries the look of that board.
    A phone whose last tap had waited asks for the board with that entry's ``undo``.
    """
    match = shown_match(table, row)
    board = Board(match)
    undo = request.args.get("undo", "")
    if is_entry_id(undo) and wants_fragment():
        context.setdefault("undo", undo)
    again = request.args.get("again", "")
    if board.is_taken_as_one(again):
        context.setdefault("again", again)
    template, fragment = LOOKS.get(look or request.args.get("look", ""), LOOKS["play"])
    unchanged = nothing_new(match.version)
    if unchanged is not None:
        return unchanged
    if visitor().may_write:
        begin(table, row)
    notice = staying_notice(match)
    for_the_like(partial(quiet_from, match))
    notice_key = () if notice is None else notice.cache_key
    # The end of a match shows the score of its evening: it depends on other matches, which are not in the cache key.
    cache_key = None if match.standing.is_over else (*match.cache_key, *notice_key, *context.items())
    return page(template, fragment, cache_key=cache_key, match=match, board=board, **context)


def go_and_start(key: str) -> BaseResponse:
    """Lead from a table at which nothing is played to the page that starts a match; a watcher reads the history."""
    return go(url_for("new_match.match" if visitor().may_write else "history.show", key=key))


def board_address(key: str) -> str:
    """Return the address of the match being played, in the look that the request came from."""
    return url_for("boards.faces" if request.args.get("look") == "faces" else "tables.show", key=key)
