"""Parts of pages, drawn once and kept by what they are made from, so that no process ever shows an older one."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from flask import Flask
from flask_babel import get_locale
from markupsafe import Markup

from ..store.recent import Recent

PARTS = 512
"""How many parts each process keeps; the largest, forty sheets, has some 80 KB."""


def init_kept(app: Flask) -> None:
    """Give templates ``{% call kept(name, …) %}…{% endcall %}``.

    What follows the name must tell all that is drawn but the words: the version of the match, the key in its addresses,
    the names. A form is never kept: its id is its own.
    """
    parts: Recent[Markup] = Recent(PARTS)

    def kept(name: str, *made_from: Hashable, caller: Callable[[], Markup]) -> Markup:
        key = (name, str(get_locale()), *made_from)
        part = parts.get(key)
        if part is None:
            part = caller()
            parts.put(key, part)
        return part

    app.jinja_env.globals["kept"] = kept
