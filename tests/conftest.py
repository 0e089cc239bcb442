"""What every test may ask for: an app on its own database, a visitor's client."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorekeeper import create_app
from scorekeeper.store.db import db, migrate_database

SECRET = "a secret for the tests, long enough"


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database migrated once; each test works on a copy."""
    instance = tmp_path_factory.mktemp("migrated")
    app = create_app({"INSTANCE": instance, "SECRET_KEY": SECRET})
    migrate_database(app)
    with app.app_context():
        db.session.connection().exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        db.session.remove()
        db.engine.dispose()
    return instance / "scorekeeper.db"


@pytest.fixture
def app(tmp_path: Path, migrated: Path) -> Iterator[Flask]:
    """The app on an empty database."""
    shutil.copy(migrated, tmp_path / "scorekeeper.db")
    app = create_app({"INSTANCE": tmp_path, "SECRET_KEY": SECRET, "WTF_CSRF_ENABLED": False, "TESTING": True})
    yield app
    with app.app_context():
        db.session.remove()
        db.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A visitor's browser."""
    return app.test_client()
