"""Headers that keep a table's key in this app: no foreign script, no referrer, no cache of pages that carry a key."""

from __future__ import annotations

from flask import Flask, Response, request

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data:",
        "frame-ancestors 'none'",
        "form-action 'self'",
        "base-uri 'none'",
        "object-src 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    # By this the scripts of a page know an answer of ours from a page that somebody else put in its place.
    "X-Scorekeeper": "1",
    "Permissions-Policy": "screen-wake-lock=(self), camera=(), microphone=(), geolocation=()",
}


def init_security(app: Flask) -> None:
    """Send the headers with every answer."""

    @app.after_request
    def add_headers(response: Response) -> Response:
        if request.endpoint == "static" and response.status_code < 400:
            # Styles and scripts open nothing by themselves: on a bad signal the other headers are only weight.
            response.headers.setdefault("X-Content-Type-Options", HEADERS["X-Content-Type-Options"])
            return response
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        response.headers.setdefault("Cache-Control", "no-store")
        return response
