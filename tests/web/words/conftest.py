"""One app for all tests of words: most of them read sentences, and those that write open a table of their own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from jinja2 import FileSystemBytecodeCache

from ...conftest import app_in, close


@pytest.fixture(scope="session")
def app(migrated: Path, tmp_path_factory: pytest.TempPathFactory, compiled: FileSystemBytecodeCache) -> Iterator[Flask]:
    """The app on a database that all tests of this folder share."""
    instance = tmp_path_factory.mktemp("words")
    shutil.copy(migrated, instance / "scorekeeper.db")
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("DATABASE_URL", raising=False)
        app = app_in(instance, compiled)
    yield app
    close(app)
