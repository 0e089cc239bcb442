"""Answers that pages of other sites may read: only of ``/api/v1/``, only for the origins that the host names.

Never with cookies: without ``Access-Control-Allow-Credentials`` a browser sends none, and a key is in each request.
"""

from __future__ import annotations

from flask import Flask, Response, request

PATH = "/api/v1/"
METHODS, HEADERS = "GET, POST", "Authorization, Content-Type"
SECONDS = "600"
"""Time for which a browser remembers what a site may do."""


def init_cors(app: Flask) -> None:
    """Name to browsers the sites that may read the API, where the host names some."""
    origins: frozenset[str] = app.config["CORS"]
    if not origins:
        return

    @app.after_request
    def allow(response: Response) -> Response:
        if not f"{request.path}/".startswith(PATH):
            return response
        # One answer is for one site: a cache must not hand it to another.
        response.vary.add("Origin")
        origin = request.headers.get("Origin", "")
        if origin not in origins:
            return response
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = "Retry-After, WWW-Authenticate"
        if request.method == "OPTIONS":
            response.headers["Access-Control-Allow-Methods"] = METHODS
            response.headers["Access-Control-Allow-Headers"] = HEADERS
            response.headers["Access-Control-Max-Age"] = SECONDS
        return response
