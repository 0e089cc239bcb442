"""Refuse what a page of another site makes a browser ask for, where the answer costs something.

Such a page cannot read the answer. But the phone that opens it is in a network whose tables, and whose time with the
referee, it would use up. A request of no browser says nothing about a site, and a link that a person follows is none
of these.
"""

from __future__ import annotations

from flask import Flask, abort, current_app, request
from flask_babel import gettext as _

from .brakes import is_braked
from .cookies import SAFE
from .hosts import is_own_origin

WITHOUT_A_KEY = frozenset({"api.ask", "api_tables.open_table"})
"""Posts that need neither a key nor a token of a form."""

FRAMES = frozenset({"iframe", "frame", "embed", "object"})
"""Parts of a page in which another one opens, which none of ours does. A service worker does not say "document"."""


def init_other_sites(app: Flask) -> None:
    """Refuse them before a brake counts them."""

    @app.before_request
    def refuse() -> None:
        is_costly = request.endpoint in WITHOUT_A_KEY if request.method not in SAFE else is_braked()
        if is_costly and _is_of_another_site():
            abort(403, description=_("A page of another site has asked for this: open it here."))


def _is_of_another_site() -> bool:
    """Return whether a browser says that a page of another site sends this request, and no person opens it."""
    origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site")
    if origin in current_app.config["CORS"]:
        return False
    if request.method not in SAFE:
        # A page without an origin of its own sends "null"; none of ours posts here.
        return site == "cross-site" or (origin is not None and not is_own_origin(origin))
    is_opened = request.headers.get("Sec-Fetch-Mode") == "navigate"
    is_framed = request.headers.get("Sec-Fetch-Dest") in FRAMES
    return site == "cross-site" and (not is_opened or is_framed)
