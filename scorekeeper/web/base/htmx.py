"""Answers with a page, or with the part of it that htmx asked for: the template of the page includes that part."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any
from urllib.parse import urlencode

from flask import Response, g, make_response, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from ...store.live import is_of_moved
from .page_cache import drawn_part


def wants_fragment() -> bool:
    """Return whether htmx asks for a part. For a page restored from its history htmx needs the whole."""
    return request.headers.get("HX-Request") == "true" and request.headers.get("HX-History-Restore-Request") != "true"


def is_navigation() -> bool:
    """Return whether a person opens a page, rather than a script or the service worker, as far as the browser says."""
    return not wants_fragment() and request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate"


def is_refresh() -> bool:
    """Return whether an open page asks what is new since version ``v``, rather than a person opening a page."""
    return request.method == "GET" and "v" in request.args


def page(
    template: str,
    fragment: str | None = None,
    status: int = 200,
    cache_key: tuple[Hashable, ...] | None = None,
    work_out: Callable[[], Mapping[str, Any]] = dict,
    **context: Any,
) -> Response:
    """Render ``template``, or ``fragment`` (the file that it includes for that part) where htmx asked for a part.

    Without a ``fragment`` a header makes htmx replace the whole page. With a ``cache_key``, which must
    hold everything that the content depends on but the language, the result is cached. ``work_out`` returns the part of
    the context that is worked out only where the page is drawn.
    """
    name = fragment if fragment and wants_fragment() else template

    def draw() -> str:
        return render_template(name, **context, **work_out())

    response = make_response(draw(), status) if cache_key is None else whole_page(draw, name, cache_key, status)
    response.vary.add("HX-Request")
    # A refresh replaces a part of an open page, and must not scroll the reader to the top.
    if wants_fragment() and not fragment and not is_refresh():
        response.headers.update({"HX-Retarget": "main", "HX-Reselect": "main", "HX-Reswap": "outerHTML show:top"})
    return response


def whole_page(draw: Callable[[], str], name: str, cache_key: tuple[Hashable, ...], status: int = 200) -> Response:
    """Answer with the page from the cache, or with what ``draw`` returns; ``cache_key`` is as for ``page``."""
    # What every page says beside its content: of its table, of what is gone, and of a cookie that is full.
    beside = (g.get("at"), tuple(g.get("gone", ())), "is_full" in g)
    response = make_response("", status)
    drawn_part(draw, name, *beside, *cache_key).answer(response)
    g.page_under = g.stored_under
    return response


def go(url: str) -> BaseResponse:
    """Return a redirect to another page; for htmx it is a header, because the browser would follow a redirect."""
    if wants_fragment():
        response = make_response("", 200)
        response.headers["HX-Redirect"] = url
        return response
    return make_response("", 303, {"Location": url})


def nothing_new(version: str) -> BaseResponse | None:
    """Return a 204 if the page that asks shows this version already, else None. Notes the version for the answer.

    Where the table has moved since, or was opened again, the page is to be loaded as a whole: it says so, and where.
    """
    g.table_version = version
    # A table without a match has the version "".
    shown = request.args.get("v")
    if shown and is_of_moved(shown) != is_of_moved(version):
        of_page = [(name, value) for name, value in request.args.items(multi=True) if name not in ("v", "undo")]
        return go(f"{request.path}?{urlencode(of_page)}".rstrip("?"))
    return make_response("", 204) if shown == version else None
