"""Headers that stop a table's key from leaking.

No foreign script, no referrer, no cached page that holds a key, no such page in a search engine, and no way over plain
HTTP where the app's own address is one of HTTPS.
"""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask, Response, request

from .links import LETTERS

ONLY_HTTPS = "max-age=31536000"
"""For how long browsers ask this host over HTTPS only: a year, so that a phone that comes back next season still does.

It says nothing about the hosts below this one, which may be others' and without HTTPS.
"""


def policy(inline: Iterable[str] = ()) -> str:
    """Return what a page may load: our own files, and the scripts written into it whose hashes these are."""
    return "; ".join(
        (
            "default-src 'self'",
            " ".join(("script-src 'self'", *inline)),
            "img-src 'self' data:",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'",
            "object-src 'none'",
        )
    )


HEADERS = {
    "Content-Security-Policy": policy(),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    # By this header the scripts know our answers from a page that a network put in their place (a Wi-Fi's login).
    "X-Scorekeeper": "1",
    "Permissions-Policy": "screen-wake-lock=(self), camera=(), microphone=(), geolocation=()",
}


def init_security(app: Flask) -> None:
    """Send the headers with every answer."""
    assets = app.extensions["assets"]
    headers = HEADERS | {"Content-Security-Policy": policy(assets.inline_hashes())}
    if app.config["URL"].startswith("https://"):
        headers["Strict-Transport-Security"] = ONLY_HTTPS

    @app.after_request
    def add_headers(response: Response) -> Response:
        if request.endpoint == "static" and response.status_code < 400:
            # Styles and scripts hold no key, and on a bad signal every header counts.
            response.headers.setdefault("X-Content-Type-Options", HEADERS["X-Content-Type-Options"])
            return response
        # Each look for one header goes through all of them.
        sent = {name.lower() for name, _value in response.headers}
        for name, value in headers.items():
            if name.lower() not in sent:
                response.headers.add(name, value)
        if _has_key(request.path):
            response.headers["X-Robots-Tag"] = "noindex"
        response.headers.setdefault("Cache-Control", "no-store")
        return response


def _has_key(path: str) -> bool:
    """Return whether an address may hold a key, be there such a page or not."""
    return path.lstrip("/").partition("/")[0] in LETTERS.values()
