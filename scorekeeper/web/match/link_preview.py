"""Link previews: the title, sentence and picture that a chat shows of a link, for the program that fetches the page.

Such a program brings none of our cookies. Only then does a page carry these tags, so no phone at a table loads them;
and as no phone is noted without its cookie, a preview counts as nobody's look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import resvg_py
from flask import Flask, Response, render_template, request, url_for
from flask_babel import force_locale, get_locale
from flask_babel import gettext as _
from markupsafe import Markup, escape
from sqlalchemy.exc import SQLAlchemyError

from ...config import data_folder
from ...store import queries
from ...store.db import db
from ...store.models import Table
from ..base.access import visitor
from ..base.htmx import wants_fragment
from ..words.values import numeral
from .result_picture import FONTS
from .series_words import series_words
from .texts import doubt_words, outcome
from .view import MatchView

SIZE = (1200, 630)
"""Width and height of the picture beside a link: what chats ask for."""
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)


@dataclass(frozen=True)
class Preview:
    """The title and the sentence that a chat shows of a link, as plain text, and their language."""

    title: str
    sentence: str
    language: str


def init_link_preview(app: Flask) -> None:
    """Add the tags to each whole page that is fetched without any cookie of ours."""

    @app.after_request
    def add_tags(response: Response) -> Response:
        is_page = response.status_code == 200 and response.mimetype == "text/html" and not response.is_streamed
        if is_page and request.method == "GET" and not request.cookies and not wants_fragment():
            page = response.get_data(as_text=True)
            title = _TITLE.search(page)
            if title is not None:
                try:
                    tags = tags_of(preview_of(Markup(title[1]).unescape()))
                except SQLAlchemyError:
                    # The page is whole without them: a connection that is cut now does not turn it into an error.
                    db.session.rollback()
                else:
                    response.set_data(page[: title.end()] + str(tags) + page[title.end() :])
        return response


def preview_of(title: str) -> Preview:
    """Return the preview of the page that this request asks for; ``title`` is the own title of that page.

    The watch link shows the match with its score; the play link asks to note, and shows no score. Of an owner link
    only the app is named.
    """
    arguments = request.view_args or {}
    key = arguments.get("key")
    table = None
    if key is not None and request.blueprint != "owner":
        table = queries.table_by_key("play" if visitor().plays else "watch", key)
    if table is None:
        sentence = _("You play with real cards. The phone keeps score, and says why.")
        return Preview(title if key is None else _("Scorekeeper"), sentence, str(get_locale()))
    with force_locale(table.language or str(get_locale())):
        words = _of_play_link(table) if visitor().plays else _of_watch_link(table, arguments.get("number"))
        return Preview(*words, str(get_locale()))


def _of_play_link(table: Table) -> tuple[str, str]:
    return table.name, _("A place at the table: open the link and note on your own phone.")


def _of_watch_link(table: Table, number: int | None) -> tuple[str, str]:
    """Return title and sentence of the match of that number, or else of the one being played."""
    row = queries.current_match(table) if number is None else queries.match_by_number(table, number)
    if row is None:
        return table.name, _("No match yet.")
    match = MatchView(table, row)
    sides = (f"{name} {numeral(match.totals[label])}" for label, name in match.all_sides.items())
    how = outcome(match) if match.standing.is_over else _("Being played: see how it goes.")
    doubt = doubt_words(match)
    sentences = (match.game_words(), how, series_words(match), doubt)
    return ", ".join(sides), " ".join(f"{sentence.rstrip('.')}." for sentence in sentences if sentence)


def tags_of(preview: Preview) -> Markup:
    """Return the tags for the head of the page."""
    picture = request.host_url.rstrip("/") + url_for("pwa.preview")
    tags = {
        "og:site_name": _("Scorekeeper"),
        "og:type": "website",
        "og:title": preview.title,
        "og:description": preview.sentence,
        "og:locale": preview.language,
        "og:image": picture,
        "og:image:width": SIZE[0],
        "og:image:height": SIZE[1],
    }
    lines = (f'<meta property="{name}" content="{escape(content)}">' for name, content in tags.items())
    return Markup("".join(lines) + '<meta name="twitter:card" content="summary_large_image">')


@lru_cache(maxsize=1)
def picture() -> bytes:
    """Return as PNG the mark and the fan of four aces on felt, without a word, so that it suits every language."""
    sprite = (data_folder() / "static" / "marks.svg").read_text()
    svg = render_template("pwa/preview.svg", size=SIZE, symbols=Markup(sprite))
    png: bytes = resvg_py.svg_to_bytes(svg_string=svg, font_files=FONTS, font_family="Roboto", skip_system_fonts=True)
    return png
