"""The three links of a table: their addresses, their QR codes, and finding one in what somebody pasted."""

from __future__ import annotations

import io
import re
from itertools import islice

import segno
from flask import Response, request

from ...limits import LINKS_LOOKED_UP
from ...store import queries
from ...store.models import KEY_LENGTH, Table

LETTERS = {"owner": "o", "play": "t", "watch": "w"}
"""What each kind of link begins with."""

_KEY = rf"[\w-]{{{KEY_LENGTH}}}(?![\w-])"
_ADDRESS = re.compile(rf"/(?P<letter>[{''.join(LETTERS.values())}])/(?P<key>{_KEY})", re.ASCII)
_BARE = re.compile(rf"(?<![\w-]){_KEY}", re.ASCII)
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}


def path_of(table: Table, link: str) -> str:
    """Return the link without the host."""
    return f"/{LETTERS[link]}/{queries.key_of(table, link)}"


def address_of(table: Table, link: str) -> str:
    """Return the whole link, as another phone opens it."""
    return request.host_url.rstrip("/") + path_of(table, link)


def find(text: str) -> str | None:
    """Return the path of the table that a pasted link, or just its key, opens; None where it opens none.

    The host does not count: the same server may have several names.
    """
    for told in islice(_ADDRESS.finditer(text), LINKS_LOOKED_UP):
        link = next(link for link, letter in LETTERS.items() if letter == told["letter"])
        table = queries.table_by_key(link, told["key"])
        if table is not None:
            return path_of(table, link)
    for told in islice(_BARE.finditer(text), LINKS_LOOKED_UP):
        for link in LETTERS:
            table = queries.table_by_key(link, told[0])
            if table is not None:
                return path_of(table, link)
    return None


def qr_code(table: Table, link: str, kind: str) -> Response:
    """Draw the QR code of a link, as ``svg`` for the page or as ``png`` to be kept."""
    picture = io.BytesIO()
    how = {"xmldecl": False} if kind == "svg" else {}
    segno.make(address_of(table, link), error="m").save(
        picture, kind=kind, scale=8, border=3, dark="#000", light="#fff", **how
    )
    response = Response(picture.getvalue(), mimetype=PICTURES[kind])
    response.headers["Cache-Control"] = "private, no-store"
    return response
