"""Static files under addresses that name their content, so that a phone fetches each one once."""

from __future__ import annotations

import base64
import gzip
import hashlib
import importlib.util
import mimetypes
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import brotli
import rjsmin
from flask import Flask, Response, abort, request
from markupsafe import Markup

from .config import data_folder

YEAR = 365 * 24 * 3600
# Each file of a bundle uses names of the files before it; see js/page/namespace.js.
_PAGE = (
    "js/page/namespace.js",
    "js/page/fields.js",
    "js/page/redraw.js",
    "js/page/controls.js",
    "js/page/drawn.js",
    "js/page/phone.js",
    "js/page/answers.js",
    "js/page/zone.js",
)
_MATCH = (
    *(name for name in _PAGE if name not in ("js/page/redraw.js", "js/page/phone.js", "js/page/zone.js")),
    "js/match/local.js",
    "js/match/drafts.js",
    "js/waiting/keys.js",
    "js/waiting/entries.js",
    "js/waiting/store.js",
    "js/waiting/queue.js",
    "js/waiting/send.js",
    "js/waiting/counted.js",
    "js/waiting/submit.js",
    "js/match/dated.js",
)
# The facts of the next deals; a closing needs them before the page is loaded, a board after.
_KNOWN_AHEAD = ("js/ahead/stand.js", "js/ahead/gives.js", "js/ahead/notes.js")
_LATER = (
    "js/page/phone.js",
    "js/page/zone.js",
    *_KNOWN_AHEAD,
    "js/waiting/list.js",
    "js/waiting/trumps.js",
    "js/waiting/noted.js",
    "js/waiting/notice.js",
    "js/match/gone.js",
    "js/match/since.js",
    "js/match/spoken.js",
    "js/match/aloud.js",
    "js/match/menu.js",
    "js/match/around.js",
    "js/match/live.js",
    "js/ahead/board.js",
    "js/ahead/keep.js",
    "js/ahead/news.js",
    "js/ahead/layout.js",
    "js/ahead/links.js",
    "js/match/kept.js",
    "js/waiting/away.js",
)
_PILES = ("js/piles.js", "js/page/card_grid.js")
_TYPED = ("js/page/room.js", "js/page/typed.js")
_JUDGED = "js/waiting/offer.js"
_CLOSING = (
    *_KNOWN_AHEAD,
    "js/page/room.js",
    "js/ahead/form.js",
    "js/match/parts.js",
    _JUDGED,
    "js/match/ticks.js",
    "js/match/rare.js",
    "js/waiting/count_in.js",
    "js/match/draft.js",
    "js/match/group.js",
    "js/slots.js",
    "js/match/counts.js",
    *_PILES,
)
_STYLES = (
    "css/tokens.css",
    "css/base.css",
    "css/cards.css",
    "css/board.css",
    "css/closing.css",
    "css/pages.css",
    "css/sheet.css",
    "css/screens.css",
)
_MORE_STYLES = (
    "css/grid.css",
    "css/referee.css",
    "css/start.css",
    "css/history.css",
    "css/boards.css",
    "css/rules.css",
    "css/fishing.css",
    "css/tricks.css",
    "css/this_table.css",
)
# The scripts of a page in one request: page.js for forms, match.js for the pages of a match; with that, closing.js to
# close a deal, notes.js to declare or note its opening. later.js loads behind match.js, after the page.
BUNDLES = {
    "js/page.js": _PAGE,
    "js/take_in.js": (*_PAGE, "js/page/take_in.js"),
    "js/start.js": (*_PAGE, "js/page/seats.js", *_TYPED),
    "js/seats.js": ("js/page/seats.js",),
    "js/match.js": _MATCH,
    "js/later.js": _LATER,
    # For boards on which points are tapped, behind match.js.
    "js/pad.js": ("js/waiting/at_once.js", "js/match/any_number.js"),
    "js/closing.js": _CLOSING,
    "js/notes.js": (_JUDGED, *_TYPED, *_PILES),
    "js/cards.js": _PILES,
    "css/pages.css": _STYLES,
    # For pages between matches and boards of other families; the usual board loads without them.
    "css/more.css": _MORE_STYLES,
    "css/prime.css": ("css/referee.css", "css/prime.css"),
}
# Written into the page, because they run before it is drawn, and another request takes time on a bad signal.
INLINE = ("js/early.js",)
# Each file is packed once, as small as possible: on a bad signal every kilobyte takes time.
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda data: bytes(brotli.compress(data, quality=11)),
    "gzip": lambda data: gzip.compress(data, 9, mtime=0),
}
# A file has one spelling: no "..", no double slash, no letter that a file system could confuse with another.
_PLAIN = re.compile(r"(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/){0,3}[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}")
# Comments and indents are for readers of the source. No style has a string over several lines, or one with a brace,
# that these patterns would change.
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
_AROUND = re.compile(rb"(?<=:) |\s*([{};,>])\s*")
_STAMPED = re.compile(r"^(?P<stem>.+)\.(?P<digest>[0-9a-f]{12})(?P<suffix>\.[a-z0-9]+)$")


def _package_file(package: str, path: str) -> Path:
    """Return a file inside an installed package, without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"The package {package} is not installed; run: make setup")
    return Path(next(iter(spec.submodule_search_locations))) / path


class Assets:
    """The static files: their places, their content, and the addresses that name the content."""

    def __init__(self, folder: Path, vendored: Mapping[str, Path], *, may_change: bool = False) -> None:
        """Serve the files below ``folder``, and ``vendored`` ones by name; ``may_change`` during development."""
        self._folder = folder.resolve()
        self._vendored = vendored
        self._may_change = may_change
        self._digests: dict[str, str] = {}
        self._packed: dict[tuple[str, str], bytes] = {}

    def find(self, filename: str) -> list[Path]:
        """Return the files of this name, in their order; a missing one is left out."""
        if filename in self._vendored:
            return [self._vendored[filename]]
        if not _PLAIN.fullmatch(filename):
            return []
        paths = [(self._folder / part).resolve() for part in BUNDLES.get(filename, (filename,))]
        return [path for path in paths if path.is_file() and path.is_relative_to(self._folder)]

    def read(self, paths: list[Path]) -> bytes:
        """Return the content of these files, one after another."""
        return b"\n".join(map(self._content, paths))

    def _content(self, path: Path) -> bytes:
        """Return a file to serve; our scripts and styles without comments and needless white space."""
        content, is_ours = path.read_bytes(), path.is_relative_to(self._folder)
        if is_ours and path.suffix == ".js":
            return bytes(rjsmin.jsmin(content))
        if is_ours and path.suffix == ".css":
            return _AROUND.sub(rb"\1", _COMMENT.sub(b"", content)).replace(b";}", b"}")
        return content

    def packed(self, digest: str, paths: list[Path], encoding: str | None) -> bytes:
        """Return the content of these files in an encoding of ``PACKERS``, packed once per digest; None is plain."""
        if encoding is None:
            return self.read(paths)
        if (digest, encoding) not in self._packed:
            self._packed[digest, encoding] = PACKERS[encoding](self.read(paths))
        return self._packed[digest, encoding]

    def digest(self, filename: str) -> str | None:
        """Return twelve letters that depend on the content of this name; None if there is no such file."""
        known = self._digests.get(filename)
        if known is not None and not self._may_change:
            return known
        paths = self.find(filename)
        if paths:
            self._digests[filename] = hashlib.sha256(self.read(paths)).hexdigest()[:12]
        return self._digests.get(filename)

    def inline(self, filename: str) -> Markup:
        """Return a script to write into a page; the pages' policy allows only those of ``INLINE``."""
        return Markup(self.read(self.find(filename)).decode())

    def inline_hashes(self) -> list[str]:
        """Return the hashes of the ``INLINE`` scripts for the pages' policy, without which browsers do not run them."""
        hashes = (hashlib.sha256(self.inline(name).encode()).digest() for name in INLINE)
        return [f"'sha256-{base64.b64encode(each).decode()}'" for each in hashes]

    def stamp(self, endpoint: str, values: dict[str, Any]) -> None:
        """Put the digest into the file name when ``url_for`` builds an address, if the file is known."""
        if endpoint != "static" or "filename" not in values:
            return
        filename = values["filename"]
        digest = self.digest(filename)
        if digest is not None:
            stem, dot, suffix = filename.rpartition(".")
            values["filename"] = f"{stem}.{digest}{dot}{suffix}"

    def serve(self, filename: str) -> Response:
        """Answer with a file, cached for ever if its address names this content; 404 if there is none."""
        stamped = _STAMPED.fullmatch(filename)
        plain = stamped["stem"] + stamped["suffix"] if stamped else filename
        paths, digest = self.find(plain), self.digest(plain)
        if not paths or digest is None:
            abort(404)
        encoding = next((name for name in PACKERS if request.accept_encodings[name]), None)
        response = Response(self.packed(digest, paths, encoding), mimetype=mimetypes.guess_type(plain)[0])
        response.vary.add("Accept-Encoding")
        response.set_etag(f"{digest}-{encoding}" if encoding else digest)
        if encoding:
            response.content_encoding = encoding
        response.headers["Cache-Control"] = "no-cache"
        if stamped and stamped["digest"] == digest:
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        response.make_conditional(request)
        return response


def init_assets(app: Flask) -> None:
    """Serve ``static/`` and the vendored htmx; ``url_for('static', filename=…)`` returns the stamped address."""
    vendored = {"vendor/htmx.min.js": _package_file("js_lib_htmx", "static/htmx/htmx.min.js")}
    assets = Assets(data_folder() / "static", vendored, may_change=app.debug)
    app.add_url_rule("/static/<path:filename>", endpoint="static", view_func=assets.serve)
    app.url_defaults(assets.stamp)
    app.jinja_env.globals["inline_script"] = assets.inline
    app.extensions["assets"] = assets
