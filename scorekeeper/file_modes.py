"""Permissions of the database and the secret: they open every table, so only the app's user may read them."""

from __future__ import annotations

import logging
import os
from pathlib import Path

OTHERS = 0o077
"""The permission bits of the group and of everybody else."""
DATABASE, SECRET, TRANSLATIONS = "scorekeeper.db", "secret_key", "translations"
WRITE_LOCK, APP_LOCK = "write.lock", "app.lock"
BESIDE = ("-wal", "-shm", "-journal")
"""Endings of the files that SQLite puts beside a database."""
ASIDE = ".replaced-"
"""Part of the name of a file that ``restore`` has put aside."""

log = logging.getLogger(__name__)


def make_file(path: Path) -> None:
    """Create an empty file that only its owner can read; an existing one is left unchanged. Raises ``OSError``."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def make_new_file(path: Path) -> None:
    """Create an empty file that only its owner can read. Raises ``FileExistsError``, ``OSError``."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def make_folder(path: Path) -> None:
    """Create a folder that only its owner can enter; an existing one is left unchanged. Raises ``OSError``."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def tighten(folder: Path, database: Path | None = None) -> None:
    """Remove the permissions of others from the app's files in ``folder``: a copy put there by hand may have some.

    The folder itself is closed only if it has no other files, because others may work in it. The log names files whose
    permissions cannot be changed.
    """
    files = [path for path in _in(folder) if is_ours(path)]
    if database is not None and database.parent != folder:
        files += [Path(f"{database}{end}") for end in ("", *BESIDE)]
    for path in files:
        _close(path)
    if all(is_ours(path) for path in _in(folder)):
        _close(folder)


def is_ours(path: Path) -> bool:
    """Return whether the app made this file or folder of the instance folder, by its name."""
    name = path.name.partition(ASIDE)[0]
    for end in BESIDE:
        name = name.removesuffix(end)
    return name in (DATABASE, SECRET, TRANSLATIONS, WRITE_LOCK, APP_LOCK)


def _in(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _close(path: Path) -> None:
    try:
        mode = path.stat().st_mode & 0o7777
        if mode & OTHERS:
            path.chmod(mode & ~OTHERS)
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("Others may read %s, and its mode cannot be changed: %s", path, error.strerror)
