"""A page, or the part of it that htmx asked for: the same template serves both."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from flask import Response, g, make_response, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from .page_cache import cached_part


def wants_fragment() -> bool:
    """Say whether htmx asks for a part (a page restored from its history needs the whole)."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-History-Restore-Request") != "true"


def is_refresh() -> bool:
    """Say whether an open page asks for what is new since version ``v``, and not a person for a page."""
    return request.method == "GET" and "v" in request.args


def page(
    template: str,
    fragment: str | None = None,
    status: int = 200,
    cache_key: tuple[Hashable, ...] | None = None,
    **context: Any,
) -> Response:
    """Render the page, or for htmx just the file that the page includes for that part.

    Where htmx asked for a part and the answer is the whole page, it takes the place of the page. With all that the
    page is ``cache_key``, it is drawn once and kept.
    """
    name = fragment if fragment and wants_fragment() else template
    drawn = render_template(name, **context) if cache_key is None else _cached(name, cache_key, context)
    response = make_response(drawn, status)
    response.vary.add("HX-Request")
    # What an open page asks for again is drawn into its place, and takes no reader anywhere.
    if wants_fragment() and not fragment and not is_refresh():
        response.headers.update({"HX-Retarget": "main", "HX-Reselect": "main", "HX-Reswap": "outerHTML show:top"})
    return response


def _cached(name: str, cache_key: tuple[Hashable, ...], context: dict[str, Any]) -> str:
    return cached_part(lambda: render_template(name, **context), name, *cache_key)


def go(url: str) -> BaseResponse:
    """Send the reader to another page: by a redirect, or for htmx by its header."""
    if wants_fragment():
        response = make_response("", 200)
        response.headers["HX-Redirect"] = url
        return response
    return make_response("", 303, {"Location": url})


def nothing_new(version: str) -> Response | None:
    """Return a 204 where the page that asks shows this very version already: nothing is drawn, nothing is swapped."""
    g.table_version = version
    if request.args.get("v") != version:
        return None
    return make_response("", 204)
