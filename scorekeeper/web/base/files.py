"""Files that are posted: how large they may be, and a mark of the network address that they come from."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from typing import Any

from flask import Flask, abort, current_app, request
from flask_babel import gettext as _

from ...limits import FILE_MATCH_BYTES, FORM_BYTES
from .marks import takes_file

NETWORK = 64
"""The first bits of an address of the newer kind: a home has all addresses that begin with them."""


def init_files(app: Flask) -> None:
    """Let the marked views, and only those, take as much as a file has."""

    @app.url_value_preprocessor
    def make_room(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        # Before anything reads the body.
        if not takes_file.is_here():
            return
        most = FILE_MATCH_BYTES + FORM_BYTES
        request.max_content_length = most
        if (request.content_length or 0) > most:
            abort(413, description=too_large_words())


def too_large_words() -> str:
    """Return the sentences that say that a file is too large, and what to do."""
    return _(
        "This file is too large to be taken in as one. Save the table in parts (“Take the table along” lists them), "
        "and choose them one after the other."
    )


def address_mark() -> str:
    """Return a mark of the network address of this request: the same for the same address, and not that itself.

    Behind a proxy that speaks HTTPS it is the address that the proxy has seen.
    """
    address = request.remote_addr or ""
    seen = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    if current_app.config["SESSION_COOKIE_SECURE"] and seen:
        address = seen
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        known = address[:NETWORK]
    else:
        bits = found.max_prefixlen if found.version == 4 else NETWORK
        known = str(ipaddress.ip_network((found, bits), strict=False))
    secret = str(current_app.secret_key).encode()
    return hmac.new(secret, f"address {known}".encode(), hashlib.sha256).hexdigest()
