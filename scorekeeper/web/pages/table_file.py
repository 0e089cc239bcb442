"""Take a table along as one file, or in parts where it is large. By the watch link there are no such addresses."""

from __future__ import annotations

import re
from io import BytesIO

from flask import Blueprint, Response, request, send_file, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from ...limits import FILE_PARTS
from ...rules import contract
from ...store.db import read_at_once
from ...store.models import Table
from ...store.table_file.export import ALL, Part, TooLarge, part_named, part_of, parts_of
from ...strict_json import write_json
from ..base.access import owner_or_404, table_or_404
from ..base.htmx import go, page
from ..base.marks import for_moved

bp = Blueprint("table_file", __name__)

PLAY, OWNER = {"which": "play"}, {"which": "owner"}
NO_FILE_NAME = re.compile(r'[\x00-\x1f\x7f\\/:*?"<>|]+')
"""Characters that the name of a file cannot hold, on one system or another."""


def _table_or_404(which: str, key: str) -> Table:
    return owner_or_404(key) if which == "owner" else table_or_404(key)


@bp.get("/t/<key>/take", defaults=PLAY)
@bp.get("/o/<key>/take", defaults=OWNER)
@for_moved
def show(key: str, which: str) -> BaseResponse:
    """Show the parts of a large table, to be saved one by one; a table that is one file is saved at once.

    Behind ``FILE_PARTS`` of them a link leads to the page of the rest, the range that ``matches`` names.
    """
    table = _table_or_404(which, key)
    asked = part_named(request.args.get("matches", "")) or ALL
    with read_at_once():
        parts = parts_of(table, asked)
    if len(parts) <= 1:
        return go(url_for("table_file.take", key=key, which=which, matches=None if asked == ALL else str(asked)))
    rest = parts.pop() if len(parts) > FILE_PARTS else None
    back = url_for("owner.show", key=key) if which == "owner" else url_for("this_table.show", key=key)
    files = [(part, file_name(table, part)) for part in parts]
    return page("table_file/show.html", table=table, which=which, key=key, files=files, rest=rest, back=back)


@bp.get("/t/<key>/table.json", defaults=PLAY)
@bp.get("/o/<key>/table.json", defaults=OWNER)
@for_moved
def take(key: str, which: str) -> BaseResponse:
    """Return the table's file, or the part of it that ``matches`` asks for; 413 with its parts if that is too much."""
    table = _table_or_404(which, key)
    text = request.args.get("matches")
    asked = ALL if text is None else part_named(text)
    if asked is None:
        return _refused(400, "malformed", _("Two numbers of matches, the lower first: 1-200."))
    try:
        file = BytesIO(part_of(table, asked))
    except TooLarge as large:
        words = _("These matches are too much for one file: take them in parts, or another range.")
        return _refused(413, "http_413", words, large.parts)
    name = file_name(table, asked if text is not None else None)
    answer = send_file(file, mimetype="application/json", as_attachment=True, download_name=name)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def file_name(table: Table, part: Part | None) -> str:
    """Return the name under which the file, or that part of it, is saved."""
    name = " ".join(NO_FILE_NAME.sub(" ", table.name).split()).strip(". ")
    return f"{name or 'table'}{f' {part}' if part else ''}.json"


def _refused(status: int, code: str, message: str, parts: tuple[Part, ...] | None = None) -> Response:
    where = "matches"
    problem: contract.Problem = {"severity": "error", "code": code, "where": where, "at": where, "message": message}
    answer: dict[str, object] = {"status": "invalid", "problems": [problem]}
    if parts is not None:
        answer["parts"] = [str(part) for part in parts]
    response = Response(write_json(answer) + "\n", status, mimetype="application/json")
    response.headers["Cache-Control"] = "private, no-store"
    return response
