"""Write every sentence of each language on a page of its own: ``python -m tools.sentences [FOLDER]``."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

from markupsafe import Markup, escape

from scorekeeper.web.base.i18n import LANGUAGES
from tests.helpers.filled import Message, filled, messages


def page(language: str) -> str:
    """Return the page of a language: the sentences by where they stand, each beside its English."""
    parts = []
    for place, group in groupby(sorted(messages(), key=lambda message: message.place), lambda message: message.place):
        rows = Markup("").join(_row(message, language) for message in group)
        parts.append(Markup("<h2>{}</h2><table>{}</table>").format(place, rows))
    style = Markup(
        "<style>body{font:16px/1.4 sans-serif;margin:1rem}td{vertical-align:top;padding:.2rem .6rem}</style>"
    )
    head = Markup('<!doctype html><html lang="{}"><meta charset="utf-8"><title>{}</title>').format(
        language.replace("_", "-"), LANGUAGES[language]
    )
    return head + style + Markup("<h1>{}</h1>").format(LANGUAGES[language]) + Markup("").join(parts)


def _row(message: Message, language: str) -> Markup:
    sentences = Markup("<br>").join(escape(sentence) for sentence in filled(message, language))
    return Markup("<tr><td>{}<td>{}").format(message.one, sentences)


def main(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        (folder / f"{language}.html").write_text(page(language), encoding="utf-8")
    print(f"{len(messages())} messages in {len(LANGUAGES)} languages: open {folder}/*.html")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "sentences"))
