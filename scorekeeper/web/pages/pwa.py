"""The app installed on a phone: manifest, icons, and the service worker, which shows stored pages without signal."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any

import resvg_py
from flask import Blueprint, Response, abort, current_app, jsonify, render_template, url_for
from flask_babel import get_locale
from flask_babel import gettext as _

from ..base.page_cache import Drawn
from ..match import link_preview

bp = Blueprint("pwa", __name__)

FILES = (
    "css/pages.css",
    "css/prime.css",
    "css/more.css",
    "css/rounds.css",
    "css/series.css",
    "marks.svg",
    "french.svg",
    "italian.svg",
    "vendor/htmx.min.js",
    "js/page.js",
    "js/match.js",
    "js/later.js",
    "js/closing.js",
    "js/notes.js",
    "js/cards.js",
    "js/slots.js",
    "js/rounds.js",
    "js/share.js",
)
"""The files that the pages of a match, the rules and the referee need, stored by the service worker."""
ICONS = {"192": 192, "512": 512, "maskable-512": 512}
WORKER = "scorekeeper.worker"
"""The name of the drawn service worker among the app's extensions."""
DAY = 24 * 3600
GREEN, PAPER, GOLD = "#0b5d41", "#fbf6e6", "#c98a06"


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the manifest: name, colours and icons of the installed app."""
    icons = [
        {
            "src": url_for("pwa.icon", name=name),
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": "maskable" if name.startswith("maskable") else "any",
        }
        for name, size in ICONS.items()
    ]
    response = jsonify(
        id="/",
        name=_("Scorekeeper"),
        short_name=_("Scorekeeper"),
        description=_("Keeps the score of real card games, and says why."),
        lang=str(get_locale()).replace("_", "-"),
        start_url="/",
        scope="/",
        display="standalone",
        background_color="#f5f0e3",
        theme_color=GREEN,
        icons=icons,
    )
    response.mimetype = "application/manifest+json"
    return response


@bp.get("/icon-<name>.png")
def icon(name: str) -> Response:
    """Return the icon in one of its sizes."""
    if name not in ICONS:
        abort(404)
    response = Response(picture(name.startswith("maskable"), ICONS[name]), mimetype="image/png")
    response.headers["Cache-Control"] = f"public, max-age={DAY}"
    return response


@bp.get("/preview.png")
def preview() -> Response:
    """Return the picture that a chat shows beside a link to the app."""
    response = Response(link_preview.picture(), mimetype="image/png")
    response.headers["Cache-Control"] = f"public, max-age={DAY}"
    return response


@bp.get("/sw.js")
def service_worker() -> Response:
    """Return the service worker. It changes with every file that it stores, so that browsers install the new one."""
    known: dict[str, Any] = current_app.extensions
    if WORKER not in known or current_app.debug:
        # Only a file that changes makes another script, and they change while the app is being written alone.
        known[WORKER] = Drawn(_worker())
    response = Response(mimetype="text/javascript")
    drawn: Drawn = known[WORKER]
    drawn.answer(response)
    response.headers["Cache-Control"] = "no-cache"
    return response


def _worker() -> str:
    """Draw the service worker with the addresses of its files."""
    files = [url_for("static", filename=filename) for filename in FILES]
    files.append(url_for("pwa.offline"))
    return render_template("pwa/sw.js", files=files, version=_digest("".join(files)))


@bp.get("/offline")
def offline() -> str:
    """Return the page that the service worker shows without signal, in the place of one that it has not stored."""
    return render_template("pwa/offline.html")


@lru_cache(maxsize=len(ICONS))
def picture(is_maskable: bool, size: int) -> bytes:
    """Return the icon as PNG. A maskable one fills its square, so that phones can cut it to their own shape."""
    png: bytes = resvg_py.svg_to_bytes(svg_string=drawing(is_maskable), width=size, height=size)
    return png


def drawing(is_maskable: bool = False) -> str:
    """Return the icon as SVG: a gold coin on a card. A maskable one is smaller, in a square without round corners."""
    corner, scale = (0, 0.8) if is_maskable else (14, 1)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        f'<rect width="64" height="64" rx="{corner}" fill="{GREEN}"/>'
        f'<g transform="translate(32 32) scale({scale}) translate(-32 -32)">'
        f'<rect x="17" y="9" width="30" height="46" rx="4" fill="{PAPER}"/>'
        f'<circle cx="32" cy="32" r="11" fill="{GOLD}"/><circle cx="32" cy="32" r="6" fill="{PAPER}"/>'
        f'<circle cx="32" cy="32" r="3" fill="{GOLD}"/></g></svg>'
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
