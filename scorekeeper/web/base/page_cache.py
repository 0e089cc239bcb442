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
placeholders; each reader gets values of their own in their place. The ids of one page begin with the number of their
form and end alike: a new page is given one ending, and a compressed page (``packed``) has it once.

Nothing has to be removed from the cache when something changes: the next entry changes the version in the key, so the
part is drawn again and replaces the older one. For templates this means: a cached part may show only what is in its
key. Anything else would show one reader what was drawn for another.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from typing import NamedTuple

from flask import Flask, Response, current_app, g, request
from flask_babel import get_locale
from markupsafe import Markup, escape

from ...limits import CACHED_PARTS
from ...store.lru import CacheVersion, LruCache
from ..words.cards import pack_in_use, shown_packs
from .cookies import form_token
from .entry_form import new_id
from .gone import AtTable
from .i18n import here
from .packed import Packed, send_packed, takes_brotli

# Random in each process, so that no name of a table or a player can be taken for a placeholder.
_SECRET = secrets.token_hex(16)
ID_HERE, END_HERE, TOKEN_HERE, ADDRESS_HERE = (f"{_SECRET}-{what}-" for what in ("id", "end", "token", "address"))
PLACES = (END_HERE, TOKEN_HERE, ADDRESS_HERE)
"""The placeholders of a whole page, each of which has one value."""
FEW_DIGITS, MANY_DIGITS = 2, 4
"""The first digits of an id, which number the forms of a page. Pages and scripts know an entry by eight of them."""


class Drawn:
    """A part, or a whole page, as it was drawn for the cache."""

    def __init__(self, text: str) -> None:
        self.text = text
        """The text with its placeholders; those of ids are alike."""
        # Most parts have no form: to look for the secret is far quicker than to look for each placeholder.
        self._has_places = _SECRET in text
        self._numbered: str | None = None
        self._digits = FEW_DIGITS
        self._packed: Packed | None = None

    def for_reader(self) -> str:
        """Return the text with new ids in its forms, this phone's token, and the address that was asked for."""
        text = self._with_numbers() if self._has_places else self.text
        for place, value in self._values().items():
            text = text.replace(place, value)
        return text

    def answer(self, response: Response) -> None:
        """Answer with this page, compressed as it was for the first who asked, where the phone takes that."""
        # Who brings no cookie is given tags for a preview with the page, which is compressed with them.
        if not request.cookies or not takes_brotli():
            response.set_data(self.for_reader())
            return
        if self._packed is None:
            self._packed = Packed(self._with_numbers(), PLACES)
        send_packed(response, self._packed.with_values(self._values()))

    def _with_numbers(self) -> str:
        """Return the text whose ids are a number each, and a placeholder of their common end."""
        if self._numbered is None:
            first, *others = self.text.split(ID_HERE)
            self._digits = FEW_DIGITS if len(others) <= 16**FEW_DIGITS else MANY_DIGITS
            ids = (f"{number:0{self._digits}x}{END_HERE}{rest}" for number, rest in enumerate(others))
            self._numbered = "".join((first, *ids))
        return self._numbered

    def _values(self) -> dict[str, str]:
        """Return the values of this reader, for those placeholders that the text has."""
        if not self._has_places:
            return {}
        text, values = self._with_numbers(), {}
        if END_HERE in text:
            values[END_HERE] = new_id()[self._digits :]
        if TOKEN_HERE in text:
            values[TOKEN_HERE] = form_token()
        if ADDRESS_HERE in text:
            values[ADDRESS_HERE] = str(escape(here()))
        return values


def init_page_cache(app: Flask) -> None:
    """Give the app an empty cache, bounded by the letters of all its parts."""
    app.extensions["scorekeeper.parts"] = LruCache[Drawn](CACHED_PARTS)


def call_cached(name: str, *cache_key: Hashable, caller: Callable[[], str]) -> Markup:
    """Return a part of a template from the cache: ``{% call cached(name, …) %}…{% endcall %}``.

    What follows the name is the cache key: see ``cached_part``.
    """
    return cached_part(caller, name, *cache_key)


def cached_part(draw: Callable[[], str], name: str, *cache_key: Hashable) -> Markup:
    """Return the part from the cache, or call ``draw`` and store it; placeholders are filled in for this reader.

    The cache key is as in ``drawn_part``. A part inside another is filled in together with the outer part.
    """
    drawn = drawn_part(draw, name, *cache_key)
    return Markup(drawn.text if _is_drawing() else drawn.for_reader())


def drawn_part(draw: Callable[[], str], name: str, *cache_key: Hashable) -> Drawn:
    """Return the part from the cache, or call ``draw`` and store it.

    The cache key must hold everything that the part shows but the language, the cards and the table's zone, which are
    added here. A ``CacheVersion`` in it represents everything that changes its number: only the newest number's part is
    stored.
    """
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
    place = Place(key, version)
    part = stored_part(place)
    if part is None:
        text = str(_with_placeholders(draw))
        part = Drawn(text)
        if "only_here" not in g:
            _parts().put(key, part, version, len(text))
        if not _is_drawing():
            g.pop("only_here", None)
    # After the parts inside it have named theirs.
    g.stored_under = place
    return part


class Place(NamedTuple):
    """The place of a part in the cache."""

    key: tuple[Hashable, ...]
    version: int


def stored_part(place: Place) -> Drawn | None:
    """Return the part that is stored there; None if it is there no more."""
    return _parts().get(*place)


def _parts() -> LruCache[Drawn]:
    parts: LruCache[Drawn] = current_app.extensions["scorekeeper.parts"]
    return parts


def only_here() -> None:
    """Let the part that is being drawn be left out of the cache: it depends on more than its cache key."""
    g.only_here = True


def forget_parts(table_id: int) -> None:
    """Drop what was drawn of a table that is deleted."""
    _parts().forget(lambda key: any(isinstance(value, AtTable) and value.id == table_id for value in key))


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


def id_field_value() -> str:
    """Return a new entry id, or its placeholder in a part that will be cached."""
    return ID_HERE if _is_drawing() else new_id()


def page_address() -> str:
    """Return the address that draws this page again, or its placeholder in a part that will be cached."""
    return ADDRESS_HERE if _is_drawing() else here()


def token_field() -> Markup:
    """Return the hidden field which shows that a form was drawn for this very phone."""
    token = TOKEN_HERE if _is_drawing() else form_token()
    return Markup('<input type="hidden" name="csrf_token" value="{}">').format(token)
