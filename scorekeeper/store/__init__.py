"""The notebook: tables, players, matches and the append-only journal of what happened."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from .. import file_modes
from .cleaning import init_cleaning
from .connection import engine_options, is_sqlite, prepare

# Under another name, because ``store.db`` is the module.
from .db import database_file, let_go, migrate
from .db import db as _db
from .live import init_live
from .locks import Queue, shared
from .together import Together


def init_store(app: Flask) -> None:
    """Bind the database, its locks and its live updates to ``app``."""
    instance = Path(app.config["INSTANCE"])
    app.config.setdefault("SQLALCHEMY_ENGINE_OPTIONS", engine_options(app))
    _db.init_app(app)
    # After Flask-SQLAlchemy's own, so that it runs before that.
    app.teardown_appcontext(let_go)
    migrate.init_app(app, _db, render_as_batch=True)
    with app.app_context():
        prepare(_db.engine, app.config["PATIENCE"])
        if is_sqlite(app):
            file_modes.tighten(instance, database_file())
            queue = Queue(instance / file_modes.WRITE_LOCK, app.config["PATIENCE"])
            app.extensions["scorekeeper.queue"] = queue
            app.extensions["scorekeeper.together"] = Together(queue)
            shared(app, instance / file_modes.APP_LOCK)
        else:
            file_modes.tighten(instance)
        init_cleaning(app)
        init_live(app)
