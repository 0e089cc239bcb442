"""The page cache: a page, or a part of one, is drawn once for all readers to whom it would look the same.

A board with ten phones around it is asked for ten times after every tap. Drawing it takes milliseconds, looking it up
takes much less. So a part is stored in this process under its cache key, which is everything that its content depends
on:

    key = (name of the template, language, cards, role, link, version, names ...)

    first phone      key not in the cache  ->  draw the part with placeholders  ->  store it
                                                                                       |
    every phone      key in the cache      <-------------------------------------------+
                        |
                        +-> <input name="id" value="[id]">  ->  placeholders filled in for this phone  ->  answer

Three things are of one phone and one request only, so they are never stored: the id of a form, the phone's token, and
the address of the page. While a part is drawn for the cache, ``new_id()``, ``token_field()`` and ``here()`` return
placeholders; each reader gets values of their own in their place.

Nothing has to be removed from the cache when something changes: the next entry changes the version in the key, so the
part is drawn again and replaces the older one. For templates this means: a cached part may show only what is in its
key. Anything else would show one reader what was drawn for another.
"""

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
from ..words.cards import pack_in_use, shown_packs
from .entry_form import new_id
from .gone import AtTable
from .i18n import here

# Random in each process, so that no name of a table or a player can be taken for a placeholder.
_SECRET = secrets.token_hex(16)
ID_HERE, TOKEN_HERE, ADDRESS_HERE = (f"{_SECRET}-{what}" for what in ("id", "token", "address"))
_PLACEHOLDER = re.compile(f"{_SECRET}-(?:id|token|address)")


def init_page_cache(app: Flask) -> None:
    """Give the app an empty cache, bounded by the letters of all its parts."""
    app.extensions["scorekeeper.parts"] = LruCache[str](CACHED_PARTS)


def call_cached(name: str, *cache_key: Hashable, caller: Callable[[], str]) -> Markup:
    """Return a part of a template from the cache: ``{% call cached(name, …) %}…{% endcall %}``.

    What follows the name is the cache key: see ``cached_part``.
    """
    return cached_part(caller, name, *cache_key)


def cached_part(draw: Callable[[], str], name: str, *cache_key: Hashable) -> Markup:
    """Return the part from the cache, or call ``draw`` and store it; placeholders are filled in for this reader.

    The cache key must hold everything that the part shows but the language, the cards and the table's zone, which are
    added here. A ``CacheVersion`` in it represents everything that changes its number: only the newest number's part is
    stored.
    """
    parts: LruCache[str] = current_app.extensions["scorekeeper.parts"]
    versions = [value for value in cache_key if isinstance(value, CacheVersion)]
    key = (
        name,
        str(get_locale()),
        pack_in_use().id,
        shown_packs(),
        g.get("zone"),
        *(value.of if isinstance(value, CacheVersion) else value for value in cache_key),
    )
    version = sum(value.number for value in versions)
    part = parts.get(key, version)
    if part is None:
        part = str(_with_placeholders(draw))
        if "only_here" not in g:
            parts.put(key, part, version, len(part))
        if not _is_drawing():
            g.pop("only_here", None)
    # A part inside another is filled in together with the outer part. And most parts have no form: to look for the
    # secret is far quicker than to run the pattern.
    return Markup(part if _is_drawing() or _SECRET not in part else _filled_in(part))


def only_here() -> None:
    """Let the part that is being drawn be left out of the cache: it depends on more than its cache key."""
    g.only_here = True


def forget_parts(table_id: int) -> None:
    """Drop what was drawn of a table that is deleted."""
    parts: LruCache[str] = current_app.extensions["scorekeeper.parts"]
    parts.forget(lambda key: any(isinstance(value, AtTable) and value.id == table_id for value in key))


def _is_drawing() -> bool:
    """Return whether a part is being drawn for the cache."""
    return bool(g.get("drawing_cached"))


def _with_placeholders(draw: Callable[[], str]) -> str:
    """Return what ``draw`` returns, with placeholders in its forms; parts may be inside parts."""
    outer = _is_drawing()
    g.drawing_cached, g.id_in_use = True, ID_HERE
    try:
        return draw()
    finally:
        g.drawing_cached, g.id_in_use = outer, ID_HERE if outer else None


def _filled_in(part: str) -> str:
    """Return the part with a new id in each form, this phone's token, and the address that was asked for."""
    fixed = {TOKEN_HERE: generate_csrf(), ADDRESS_HERE: str(escape(here()))}
    return _PLACEHOLDER.sub(lambda placeholder: fixed.get(placeholder[0]) or new_id(), part)


def id_field_value() -> str:
    """Return a new entry id, or its placeholder in a part that will be cached."""
    return ID_HERE if _is_drawing() else new_id()


def page_address() -> str:
    """Return the address that draws this page again, or its placeholder in a part that will be cached."""
    return ADDRESS_HERE if _is_drawing() else here()


def token_field() -> Markup:
    """Return the hidden field which shows that a form was drawn for this very phone."""
    token = TOKEN_HERE if _is_drawing() else generate_csrf()
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)
