"""Pages and their parts, drawn once and kept by what they are made from, so that no process ever shows an older one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Hashable

from flask import Flask, current_app, g
from flask_babel import get_locale
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup, escape

from ...limits import CACHED_PARTS
from ...store.lru import CacheVersion, LruCache
from .entry_form import new_id
from .i18n import here

# Nobody can guess them, so nothing that a table is called can be taken for one.
_MARK = secrets.token_hex(16)
ID_HERE, TOKEN_HERE, ADDRESS_HERE = (f"{_MARK}-{what}" for what in ("id", "token", "address"))
_TO_FILL = re.compile(f"{_MARK}-(?:id|token|address)")


def init_page_cache(app: Flask) -> None:
    """Give templates ``{% call kept(name, …) %}…{% endcall %}``, and what is never kept of such a part.

    What follows the name must tell all that is drawn but the words: the version of the match, the key in its addresses,
    the names. A ``Version`` among them is left out of what the part is known by: its newest takes the place of an older
    one. Only ``new_id()``, ``token_field()`` and ``here()`` are made anew each time that the part is shown.
    """
    app.extensions["scorekeeper.parts"] = LruCache[str](CACHED_PARTS)


def call_cached(name: str, *made_from: Hashable, caller: Callable[[], str]) -> Markup:
    """Return a part of a template, as ``keep`` does: ``{% call kept(name, …) %}…{% endcall %}``."""
    return cached_part(caller, name, *made_from)


def cached_part(draw: Callable[[], str], name: str, *made_from: Hashable) -> Markup:
    """Return what ``draw`` draws of what it is ``made_from``, as it was drawn before where it was."""
    parts: LruCache[str] = current_app.extensions["scorekeeper.parts"]
    key = (name, str(get_locale()), *(one.of if isinstance(one, CacheVersion) else one for one in made_from))
    version = sum(one.number for one in made_from if isinstance(one, CacheVersion))
    part = parts.get(key, version)
    if part is None:
        part = str(_draw(draw))
        parts.put(key, part, version, len(part))
    # Looked for first, as looking is far quicker than filling in, and most parts have no form.
    return Markup(part if _is_drawing() or _MARK not in part else _filled(part))


def _is_drawing() -> bool:
    return bool(g.get("drawing_kept"))


def _draw(draw: Callable[[], str]) -> str:
    """Draw a part with marks where its forms have what is their own."""
    outer = _is_drawing()
    g.drawing_kept = True
    try:
        return draw()
    finally:
        g.drawing_kept = outer


def _filled(part: str) -> str:
    """Put an id of its own into each form, the phone's token, and the address that was asked for."""
    fixed = {TOKEN_HERE: generate_csrf(), ADDRESS_HERE: str(escape(here()))}
    return _TO_FILL.sub(lambda mark: fixed.get(mark[0]) or new_id(), part)


def id_field_value() -> str:
    """Return a fresh entry id, or its mark."""
    return ID_HERE if _is_drawing() else new_id()


def page_address() -> str:
    """Return the address that draws this page again, or its mark."""
    return ADDRESS_HERE if _is_drawing() else here()


def token_field() -> Markup:
    """Return the hidden field that shows that a form was drawn for this very phone."""
    token = TOKEN_HERE if _is_drawing() else generate_csrf()
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)
