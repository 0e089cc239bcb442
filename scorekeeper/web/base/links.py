"""The three links of a table: their addresses, their QR codes, and finding one in a pasted text; addresses of ours."""

from __future__ import annotations

import io
import re
from itertools import islice

import segno
from flask import Response, request
from flask_babel import gettext as _

from ...limits import LINKS_LOOKED_UP
from ...store import queries
from ...store.models import KEY_LENGTH, Table

LETTERS = {"owner": "o", "play": "t", "watch": "w"}
"""The first part of the address of each kind of link."""

_KEY = rf"[\w-]{{{KEY_LENGTH}}}(?![\w-])"
_ADDRESS = re.compile(rf"/(?P<letter>[{''.join(LETTERS.values())}])/(?P<key>{_KEY})", re.ASCII)
_WHOLE = re.compile(_KEY, re.ASCII)
_BARE = re.compile(rf"(?<![\w-]){_KEY}", re.ASCII)
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}


def is_key(text: str) -> bool:
    """Return whether a text has the shape of a key."""
    return _WHOLE.fullmatch(text) is not None


def path_of(table: Table, link: str) -> str:
    """Return the link without scheme and host."""
    return f"/{LETTERS[link]}/{queries.key_of(table, link)}"


def address_of(table: Table, link: str) -> str:
    """Return the whole link, with the app's own address, or else the host that this request names."""
    return request.host_url.rstrip("/") + path_of(table, link)


def in_this_app(address: str, otherwise: str = "/") -> str:
    """Return the address if it is a path of this app, else ``otherwise``: one of another site could lead away."""
    # Browsers read a backslash as a slash and drop tabs and line ends, so that "/\t/host" is another site.
    strange = "\\" in address or any(ord(letter) < 32 or ord(letter) == 127 for letter in address)
    if strange or not address.startswith("/") or address.startswith("//"):
        return otherwise
    return address.rstrip("?")


def find(text: str) -> str | None:
    """Return the path of the first table that a link in the text, or just a key, opens; None if there is none.

    The host is ignored, because one server may have several names.
    """
    for match in islice(_ADDRESS.finditer(text), LINKS_LOOKED_UP):
        link = next(link for link, letter in LETTERS.items() if letter == match["letter"])
        table = queries.table_by_key(link, match["key"])
        if table is not None:
            return path_of(table, link)
    for match in islice(_BARE.finditer(text), LINKS_LOOKED_UP):
        for link in LETTERS:
            table = queries.table_by_key(link, match[0])
            if table is not None:
                return path_of(table, link)
    return None


def keys_in(text: str) -> set[str]:
    """Return what may be keys in a text, whose length bounds how many there are."""
    return {match[0] for match in _BARE.finditer(text)}


def lost_link() -> str:
    """Return the sentences for a link whose key is lost (``LostKey``), and how to go on."""
    return _(
        "This link cannot be shown: this server can no longer read it, because its secret is lost. Whoever has the "
        "link still opens the table with it. The owner of the table makes a new one on the owner's page."
    )


def qr_code(table: Table, link: str, kind: str) -> Response:
    """Return the QR code of a link as a picture, ``svg`` or ``png``."""
    picture = io.BytesIO()
    how = {"xmldecl": False} if kind == "svg" else {}
    segno.make(address_of(table, link), error="m").save(
        picture, kind=kind, scale=8, border=3, dark="#000", light="#fff", **how
    )
    response = Response(picture.getvalue(), mimetype=PICTURES[kind])
    response.headers["Cache-Control"] = "private, no-store"
    return response
