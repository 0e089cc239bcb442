"""Headers that stop a table's key from leaking: no foreign script, no referrer, no cached page that holds a key."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask, Response, request


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

    @app.after_request
    def add_headers(response: Response) -> Response:
        if request.endpoint == "static" and response.status_code < 400:
            # Styles and scripts hold no key, and on a bad signal every header counts.
            response.headers.setdefault("X-Content-Type-Options", HEADERS["X-Content-Type-Options"])
            return response
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response
