"""Static files under addresses that name their content, so that a phone fetches each one once."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, send_file

from .config import ROOT

YEAR = 365 * 24 * 3600
_STAMPED = re.compile(r"^(?P<stem>.+)\.(?P<digest>[0-9a-f]{12})(?P<suffix>\.[a-z0-9]+)$")


def _package_file(package: str, path: str) -> Path:
    """Return a file inside an installed package, without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError(f"The package {package} is not installed; run: make setup")
    return Path(next(iter(spec.submodule_search_locations))) / path


def init_assets(app: Flask) -> None:
    """Serve ``static/`` and the vendored htmx; ``url_for('static', filename=…)`` gives the stamped address."""
    folder = ROOT / "static"
    vendored = {"vendor/htmx.min.js": _package_file("js_lib_htmx", "static/htmx/htmx.min.js")}
    stamps: dict[str, str] = {}

    def find(filename: str) -> Path | None:
        if filename in vendored:
            return vendored[filename]
        path = (folder / filename).resolve()
        return path if path.is_file() and path.is_relative_to(folder.resolve()) else None

    def digest(filename: str) -> str | None:
        known = stamps.get(filename)
        if known is not None and not app.debug:
            return known
        path = find(filename)
        if path is not None:
            stamps[filename] = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
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
        match = _STAMPED.match(filename)
        plain = match["stem"] + match["suffix"] if match else filename
        path = find(plain)
        if path is None:
            abort(404)
        response = send_file(path, conditional=True, max_age=0)
        # Read whole: a file that is streamed would go out uncompressed.
        response.direct_passthrough = False
        response.get_data()
        if match and match["digest"] == digest(plain):
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        return response

    app.add_url_rule("/static/<path:filename>", endpoint="static", view_func=static)
    app.url_defaults(stamp)
