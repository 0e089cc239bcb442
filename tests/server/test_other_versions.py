"""A database that this version cannot read is refused in a sentence: one of before 1.0, of a newer app, of others."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.cli.main import main
from scorekeeper.config import ROOT

from ..helpers.serving import free_port

SET = "UPDATE alembic_version SET version_num = "
BEFORE, NEWER, OTHERS = f"{SET}'0010'", f"{SET}'of tomorrow'", "DELETE FROM alembic_version"


@pytest.fixture
def database(tmp_path: Path, migrated: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database of an instance."""
    for name in ("DATABASE_URL", "SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SCOREKEEPER_INSTANCE", str(tmp_path / "instance"))
    (tmp_path / "instance").mkdir(0o700)
    return Path(shutil.copy(migrated, tmp_path / "instance" / "scorekeeper.db"))


def change(database: Path, statement: str) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.execute(statement)
        connection.commit()


def refused(capsys: pytest.CaptureFixture[str], *command: object) -> str:
    """Run a command that refuses, and return the one line that it prints."""
    mask = os.umask(0o022)
    try:
        assert main([*map(str, command)]) == 1
    finally:
        os.umask(mask)
    [line] = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize(
    ("statement", "why"), [(BEFORE, "before 1.0"), (NEWER, "newer version"), (OTHERS, "none of the scorekeeper's")]
)
def test_migrate_changes_nothing(database: Path, capsys: pytest.CaptureFixture[str], statement: str, why: str) -> None:
    change(database, statement)
    before = database.read_bytes()
    assert why in refused(capsys, "migrate")
    assert database.read_bytes() == before


def test_serve_does_not_begin(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(database, BEFORE)
    assert "before 1.0" in refused(capsys, "serve", "--host", "127.0.0.1", "--port", free_port())


def test_a_copy_is_not_put_back(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = Path(shutil.copy(database, tmp_path / "copy.db"))
    change(copy, BEFORE)
    before = database.read_bytes()
    assert "before 1.0" in refused(capsys, "restore", copy)
    assert database.read_bytes() == before


def test_another_server_ends_with_the_sentence(database: Path) -> None:
    change(database, BEFORE)
    gunicorn = [sys.executable, "-m", "gunicorn", "wsgi:app", "--bind", f"127.0.0.1:{free_port()}"]
    done = subprocess.run(gunicorn, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0
    assert "This database was made by a version before 1.0" in done.stderr
    assert "Traceback" not in done.stderr
