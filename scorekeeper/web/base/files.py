"""Files that are posted, and how large they may be."""

from __future__ import annotations

from typing import Any

from flask import Flask, abort, request
from flask_babel import gettext as _

from ...limits import FILE_MATCH_BYTES, FORM_BYTES
from .marks import takes_file


def init_files(app: Flask) -> None:
    """Let the marked views, and only those, take as much as a file has."""

    @app.url_value_preprocessor
    def make_room(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        # Before anything reads the body.
        if not takes_file.is_here():
            return
        most = FILE_MATCH_BYTES + FORM_BYTES
        request.max_content_length = most
        if (request.content_length or 0) > most:
            abort(413, description=too_large_words())


def too_large_words() -> str:
    """Return the sentences that say that a file is too large, and what to do."""
    return _(
        "This file is too large to be taken in as one. Save the table in parts (“Take the table along” lists them), "
        "and choose them one after the other."
    )
