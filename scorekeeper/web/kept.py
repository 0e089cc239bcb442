"""Parts of pages, drawn once and kept by what they are made from, so that no process ever shows an older one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Hashable

from flask import Flask, g
from flask_babel import get_locale
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from ..store.recent import Recent
from .writing import new_id

PARTS = 512
"""How many parts each process keeps; the largest, forty sheets, has some 80 KB."""
# Nobody can guess them, so nothing that a table is called can be taken for one.
_MARK = secrets.token_hex(16)
ID_HERE, TOKEN_HERE = f"{_MARK}-id", f"{_MARK}-token"
_TO_FILL = re.compile(f"{_MARK}-(?:id|token)")


def init_kept(app: Flask) -> None:
    """Give templates ``{% call kept(name, …) %}…{% endcall %}``, and what a form in such a part is drawn with.

    What follows the name must tell all that is drawn but the words: the version of the match, the key in its addresses,
    the names. Only ``new_id()`` and ``token_field()`` are made anew each time that the part is shown.
    """
    parts: Recent[str] = Recent(PARTS)

    def kept(name: str, *made_from: Hashable, caller: Callable[[], Markup]) -> Markup:
        key = (name, str(get_locale()), *made_from)
        part = parts.get(key)
        if part is None:
            part = str(_draw(caller))
            parts.put(key, part)
        # Looked for first, as looking is far quicker than filling in, and most parts have no form.
        return Markup(part if _is_drawing() or _MARK not in part else _TO_FILL.sub(_fill, part))

    app.jinja_env.globals.update(kept=kept, new_id=_id, token_field=_token_field)


def _is_drawing() -> bool:
    return bool(g.get("drawing_kept"))


def _draw(caller: Callable[[], Markup]) -> Markup:
    """Draw a part with marks where its forms have what is their own."""
    outer = _is_drawing()
    g.drawing_kept = True
    try:
        return caller()
    finally:
        g.drawing_kept = outer


def _fill(mark: re.Match[str]) -> str:
    return new_id() if mark[0] == ID_HERE else generate_csrf()


def _id() -> str:
    """Return a fresh entry id, or its mark."""
    return ID_HERE if _is_drawing() else new_id()


def _token_field() -> Markup:
    """Return the hidden field that shows that a form was drawn for this very phone."""
    token = TOKEN_HERE if _is_drawing() else generate_csrf()
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)
