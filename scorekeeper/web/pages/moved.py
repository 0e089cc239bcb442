"""The owner closes a table that has moved to another address, or opens it again."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Blueprint, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...store import links, moved
from ...store.db import writing
from ...store.models import MOVED_LENGTH, Table
from ..base.access import owner_or_404
from ..base.entry_form import pressed_button
from ..base.hosts import is_host
from ..base.htmx import go, page
from ..base.links import LETTERS, keys_in
from ..base.marks import for_moved

bp = Blueprint("moved", __name__, url_prefix="/o/<key>/moved")


@bp.get("")
def show(key: str) -> BaseResponse:
    """Ask for the link of the new table, and say what becomes of this one."""
    return page("moved/show.html", table=owner_or_404(key))


@bp.post("")
def close(key: str) -> BaseResponse:
    """Let the table be only read from now on: its pages show the link that was pasted."""
    table = owner_or_404(key)
    pressed_button()
    address = request.form.get("link", "").strip()
    refused = _refusal(table, address)
    if refused is not None:
        return page("moved/show.html", None, 422, table=table, typed=address[:MOVED_LENGTH], refused=refused)
    with writing():
        moved.close(table, address)
    return go(url_for("owner.show", key=key))


@bp.post("/open")
@for_moved
def open_again(key: str) -> BaseResponse:
    """Open the table again: those who have its link to play may write."""
    table = owner_or_404(key)
    pressed_button()
    with writing():
        moved.open_again(table)
    return go(url_for("owner.show", key=key))


def _refusal(table: Table, address: str) -> str | None:
    """Return why a text cannot be shown as the link of the new table; None if it can."""
    if len(address) > MOVED_LENGTH:
        return _("This link is too long: paste only the link of the new table.")
    if not _is_address(address):
        return _("Paste the whole link of the new table: it begins with https:// or http://.")
    if any(links.which_open(table, link, keys_in(address)) for link in LETTERS):
        return _("This is a link of this very table. Paste the one of the new table.")
    if urlsplit(address).path.startswith(f"/{LETTERS['owner']}/"):
        return _("This is the link of the owner, and everybody here would see it. Paste the link to play.")
    return None


def _is_address(text: str) -> bool:
    """Return whether a text is a whole address of the web, with nothing in it that hides where it leads."""
    if not all("!" <= letter <= "~" for letter in text):
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and is_host(parts.netloc)
