"""The reader's language: chosen on the page, else the browser's. A process compiles its catalogues once, in memory.

The Spanish of a territory is a catalogue of what differs, laid over that of the language: ``es`` says tú, ``es_AR``
vos, as the River Plate does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations
from flask import Blueprint, Flask, abort, current_app, g, make_response, request
from flask_babel import Babel, Domain, get_locale
from werkzeug.wrappers import Response

from ...config import data_folder
from .links import in_this_app

LANGUAGES = {"es": "Español", "es_AR": "Español (vos)", "en": "English"}
OF_VOS = ("ar", "uy", "py")
"""The territories that the catalogue ``es_AR`` is for."""
COOKIE = "spoken"
YEAR = 365 * 24 * 3600

bp = Blueprint("i18n", __name__)


@bp.post("/language")
def choose() -> Response:
    """Remember the chosen language on this phone and return to the page it was chosen on."""
    language = request.form.get("language", "")
    if language not in LANGUAGES:
        abort(400)
    response = make_response("", 303, {"Location": in_this_app(request.form.get("back", "/"))})
    secure = current_app.config["SESSION_COOKIE_SECURE"]
    response.set_cookie(COOKIE, language, max_age=YEAR, samesite="Lax", httponly=True, secure=secure)
    return response


def here() -> str:
    """Return the address that draws this page again; "/" after a post to an address that cannot be read."""
    if request.method == "GET":
        return request.full_path
    # A form's address may be drawn by one view and posted to another.
    addresses = current_app.create_url_adapter(request)
    return request.path if addresses is not None and addresses.test(method="GET") else "/"


def chosen_language() -> str:
    """Return the language of this request."""
    cookie = request.cookies.get(COOKIE, "")
    if cookie in LANGUAGES:
        return cookie
    wanted = [spoken for tag in request.accept_languages.values() if (spoken := _spoken_for(tag))]
    return next(iter(wanted), "en")


def _spoken_for(tag: str) -> str | None:
    """Return our language for one that a browser asks for, such as ``es-UY``; None if we do not speak it."""
    language, *parts = tag.lower().replace("_", "-").split("-")
    if language not in LANGUAGES:
        return None
    return "es_AR" if language == "es" and any(part in OF_VOS for part in parts) else language


def languages() -> Iterator[tuple[str, str]]:
    """Yield the code and the own name of each language that can be chosen."""
    yield from LANGUAGES.items()


def read_catalogue(language: str) -> Catalog:
    """Return the messages of a language; those of a territory replace those of its language."""
    catalogue = Catalog(locale=language)
    base = language.split("_")[0]
    for name in dict.fromkeys((base, language)):
        with _source_of(name).open("rb") as file:
            for message in read_po(file, locale=name):
                if message.id:
                    # A catalogue does not replace a message when it is given the same one again.
                    catalogue.delete(message.id)
                    catalogue[message.id] = message
    return catalogue


@cache
def translations_of(language: str) -> NullTranslations:
    """Return the translations into a language, compiled once in a process; those of English change nothing.

    They are compiled in memory, because an app on a full or read-only disk must start, and replace a worker that ended.
    """
    if not _source_of(language).is_file():
        return NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_catalogue(language))
    compiled.seek(0)
    return Translations(compiled)


def _source_of(language: str) -> Path:
    return data_folder() / "translations" / language / "LC_MESSAGES" / "messages.po"


class Catalogues(Domain):  # type: ignore[misc]
    """The translations for Flask-Babel: from here and not from a folder of compiled files."""

    def get_translations(self) -> NullTranslations:
        """Return the translations of this request; outside a request they change nothing."""
        return translations_of(str(get_locale() or "en"))


def init_i18n(app: Flask) -> None:
    """Compile the catalogues and add ``_`` and ``ngettext`` to the templates."""
    # Now, because in a request nobody should wait for it, and there may be no file handle left to read them.
    for language in LANGUAGES:
        translations_of(language)
    app.config.update(BABEL_DEFAULT_LOCALE="en")
    Babel(app, locale_selector=chosen_language).domain_instance = Catalogues()
    app.jinja_env.add_extension("jinja2.ext.i18n")

    # Flask-Babel would choose the language again for every string, and a page has a hundred.
    def translations() -> NullTranslations:
        if "translations" not in g:
            g.translations = translations_of(str(get_locale() or "en"))
        in_use: NullTranslations = g.translations
        return in_use

    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: translations().ugettext(text),
        lambda one, many, count: translations().ungettext(one, many, count),
        newstyle=True,
    )
