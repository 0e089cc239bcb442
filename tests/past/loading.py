"""Make a database as an earlier version left it, and bring it to today's shape."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from flask import Flask
from sqlalchemy import DateTime, MetaData, insert, text

from scorekeeper.store.db import db, migrate_database


def lines_of(path: Path) -> Iterator[Any]:
    """Yield what a file holds, a line each."""
    return (json.loads(line) for line in path.read_text().splitlines())


def load(app: Flask, rows: Iterable[tuple[str, dict[str, Any]]], revision: str) -> None:
    """Make the tables of a revision, put rows into them, and migrate to the newest revision."""
    migrate_database(app, revision)
    with app.app_context():
        known = MetaData()
        known.reflect(db.engine)
        with db.engine.begin() as connection:
            for name, several in groupby(rows, key=lambda one: one[0]):
                times = {column.name for column in known.tables[name].columns if isinstance(column.type, DateTime)}
                told = [{column: _read(value, column in times) for column, value in row.items()} for _, row in several]
                connection.execute(insert(known.tables[name]), told)
            if connection.dialect.name == "postgresql":
                newest = "SELECT setval(pg_get_serial_sequence('tables', 'id'), max(id)) FROM tables"
                connection.execute(text(newest))
    migrate_database(app)


def _read(value: Any, is_time: bool) -> Any:
    return datetime.fromisoformat(value).replace(tzinfo=UTC) if is_time and value is not None else value
