"""The notebook: tables, players, matches and the append-only journal of what happened."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from .. import file_modes
from .changes import init_changes
from .connecting import engine_options, is_sqlite, prepare
from .db import database_file, db, migrate
from .locks import Queue, shared


def init_store(app: Flask) -> None:
    """Bind the database to ``app``; on SQLite also set it to lose nothing that it has acknowledged."""
    instance = Path(app.config["INSTANCE"])
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", engine_options(app))
    db.init_app(app)
    migrate.init_app(app, db, render_as_batch=True)
    with app.app_context():
        prepare(db.engine, app.config["PATIENCE"])
        if is_sqlite(app):
            file_modes.tighten(instance, database_file())
            app.extensions["scorekeeper.queue"] = Queue(instance / file_modes.WRITE_LOCK, app.config["PATIENCE"])
            shared(app, instance / file_modes.APP_LOCK)
        else:
            file_modes.tighten(instance)
        init_changes(app)
