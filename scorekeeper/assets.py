"""Static files under addresses that name their content, so that a phone fetches each one once."""

from __future__ import annotations

import gzip
import hashlib
import importlib.util
import mimetypes
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
from flask import Flask, Response, abort, request

from .config import data_folder

YEAR = 365 * 24 * 3600
# Each file of a bundle uses names of the files before it; js/page/namespace.js says how.
_PAGE = (
    "js/page/namespace.js",
    "js/page/fields.js",
    "js/page/redraw.js",
    "js/page/controls.js",
    "js/page/drawn.js",
    "js/page/phone.js",
    "js/page/answers.js",
)
_MATCH = (
    *_PAGE,
    "js/match/live.js",
    "js/match/local.js",
    "js/match/draft.js",
    "js/waiting/keys.js",
    "js/waiting/entries.js",
    "js/waiting/store.js",
    "js/waiting/queue.js",
    "js/waiting/send.js",
    "js/waiting/list.js",
    "js/waiting/counted.js",
    "js/waiting/submit.js",
)
# What pages need, in one request of each kind: page.js for forms, match.js for the pages of a match.
BUNDLES = {
    "js/page.js": _PAGE,
    "js/match.js": _MATCH,
    "css/pages.css": ("css/app.css", "css/table.css"),
    # Addresses in pages of an earlier version, which a phone may show again from its cache.
    "js/table.js": _PAGE,
    "js/referee.js": ("js/share.js",),
}
# Packed as small as it goes, once: on a bad signal every kilobyte is waited for.
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda data: bytes(brotli.compress(data, quality=11)),
    "gzip": lambda data: gzip.compress(data, 9, mtime=0),
}
# One spelling of each file's name: no folder above, none twice, nothing that a file system does not know.
_PLAIN = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/){0,3}[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
# A script's lines of comment are for readers of the source, and a quarter of what a phone would wait for. No script has
# a text over several lines, in which such a line could be something else.
_COMMENT_LINE = re.compile(rb"^[ \t]*//.*\n", re.MULTILINE)
_STAMPED = re.compile(r"^(?P<stem>.+)\.(?P<digest>[0-9a-f]{12})(?P<suffix>\.[a-z0-9]+)$")


def _package_file(package: str, path: str) -> Path:
    """Return a file inside an installed package, without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"The package {package} is not installed; run: make setup")
    return Path(next(iter(spec.submodule_search_locations))) / path


def _content(path: Path) -> bytes:
    """Return a file as it is served: a script without its lines of comment."""
    content = path.read_bytes()
    return _COMMENT_LINE.sub(b"", content) if path.suffix == ".js" else content


def init_assets(app: Flask) -> None:
    """Serve ``static/`` and the vendored htmx; ``url_for('static', filename=…)`` gives the stamped address."""
    folder = data_folder() / "static"
    vendored = {"vendor/htmx.min.js": _package_file("js_lib_htmx", "static/htmx/htmx.min.js")}
    stamps: dict[str, str] = {}
    kept: dict[tuple[str, str], bytes] = {}

    def find(filename: str) -> list[Path]:
        if filename in vendored:
            return [vendored[filename]]
        if not _PLAIN.fullmatch(filename):
            return []
        paths = [(folder / part).resolve() for part in BUNDLES.get(filename, (filename,))]
        return [path for path in paths if path.is_file() and path.is_relative_to(folder.resolve())]

    def read(paths: list[Path]) -> bytes:
        return b"\n".join(_content(path) for path in paths)

    def packed(mark: str, paths: list[Path], encoding: str | None) -> bytes:
        if encoding is None:
            return read(paths)
        if (mark, encoding) not in kept:
            kept[mark, encoding] = PACKERS[encoding](read(paths))
        return kept[mark, encoding]

    def digest(filename: str) -> str | None:
        known = stamps.get(filename)
        if known is not None and not app.debug:
            return known
        paths = find(filename)
        if paths:
            stamps[filename] = hashlib.sha256(read(paths)).hexdigest()[:12]
        return stamps.get(filename)

    def stamp(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint != "static" or "filename" not in values:
            return
        filename = values["filename"]
        mark = digest(filename)
        if mark is not None:
            stem, dot, suffix = filename.rpartition(".")
            values["filename"] = f"{stem}.{mark}{dot}{suffix}"

    def static(filename: str) -> Response:
        match = _STAMPED.fullmatch(filename)
        plain = match["stem"] + match["suffix"] if match else filename
        paths, mark = find(plain), digest(plain)
        if not paths or mark is None:
            abort(404)
        encoding = next((name for name in PACKERS if request.accept_encodings[name]), None)
        response = Response(packed(mark, paths, encoding), mimetype=mimetypes.guess_type(plain)[0])
        response.vary.add("Accept-Encoding")
        response.set_etag(f"{mark}-{encoding}" if encoding else mark)
        if encoding:
            response.content_encoding = encoding
        response.headers["Cache-Control"] = "no-cache"
        if match and match["digest"] == mark:
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        response.make_conditional(request)
        return response

    app.add_url_rule("/static/<path:filename>", endpoint="static", view_func=static)
    app.url_defaults(stamp)
