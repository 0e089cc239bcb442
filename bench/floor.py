"""The floor of the stack: bare Flask, Jinja and one query that answer with the same bytes as a page of the app.

It has no session, form, built address or translation. Each text of the page comes from a row of the query, and the
template escapes it, as in the app. Answers are compressed for each request, with the app's settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from flask import Flask, Response, render_template
from flask_compress import Compress
from flask_sqlalchemy import SQLAlchemy
from jinja2 import DictLoader
from sqlalchemy import JSON, Column, Integer, select
from sqlalchemy import Table as Rows

ROWS = 20


def floor_app(pages: dict[str, bytes], folder: Path, settings: Mapping[str, object], script: str = "") -> Flask:
    """Return an app that answers each address of ``pages`` with its bytes.

    ``settings`` are the app's, of which those that compress are taken. The address ``script`` is answered with its
    bytes as they are.
    """
    app = Flask("floor", static_folder=None)
    app.config["SQLALCHEMY_DATABASE_URI"] = f"sqlite:///{folder / 'floor.db'}"
    app.config.from_mapping({name: value for name, value in settings.items() if name.startswith("COMPRESS_")})
    Compress(app)
    db = SQLAlchemy(app)
    rows = Rows("rows", db.metadata, Column("page", Integer), Column("number", Integer), Column("texts", JSON))
    sources = {}
    with app.app_context():
        db.create_all()
        for page, (address, body) in enumerate(pages.items()):
            if address == script:
                _serve_bytes(app, address, body)
                continue
            sources[page], texts = _template(body.decode())
            values = [{"page": page, "number": number, "texts": row} for number, row in enumerate(texts)]
            db.session.execute(rows.insert(), values)
            _serve(app, address, page, select(rows.c.texts).where(rows.c.page == page).order_by(rows.c.number), db)
        db.session.commit()
    app.jinja_loader = DictLoader({f"{page}.html": source for page, source in sources.items()})
    return app


def _serve_bytes(app: Flask, address: str, body: bytes) -> None:
    app.add_url_rule(address, endpoint="script", view_func=lambda: Response(body, mimetype="text/javascript"))


def _serve(app: Flask, address: str, page: int, query: object, db: SQLAlchemy) -> None:
    def show() -> str:
        return render_template(f"{page}.html", rows=[row.texts for row in db.session.execute(query)])

    app.add_url_rule(address, endpoint=f"page{page}", view_func=show)


def _template(page: str) -> tuple[str, list[list[str]]]:
    """Return a template of the page with its texts in rows, and these rows."""
    parts = re.split(r"(<[^>]*>)", page)
    plain = [index for index, part in enumerate(parts) if part.strip() and not re.search(r"[<>&'\"{}]", part)]
    a_row = -(-len(plain) // ROWS) or 1
    rows: list[list[str]] = []
    for place, index in enumerate(plain):
        if place % a_row == 0:
            rows.append([])
        rows[-1].append(parts[index])
        parts[index] = f"{{{{ rows[{len(rows) - 1}][{place % a_row}] }}}}"
    return "".join(parts) + ("\n" if page.endswith("\n") else ""), rows
