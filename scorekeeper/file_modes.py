"""Files that open tables, the database and the secret, belong to the app's user: nobody else reads them."""

from __future__ import annotations

import logging
import os
from pathlib import Path

OTHERS = 0o077
"""What the group and everybody else may do."""
DATABASE, SECRET, TRANSLATIONS = "scorekeeper.db", "secret_key", "translations"
WRITE_LOCK, APP_LOCK = "write.lock", "app.lock"
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database, by the end of its name."""
ASIDE = ".replaced-"
"""In the name of a file that ``restore`` has put aside."""

log = logging.getLogger(__name__)


def make_file(path: Path) -> None:
    """Make an empty file that only its owner reads, unless it is there. Raises ``OSError``."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def make_folder(path: Path) -> None:
    """Make a folder that only its owner enters, unless it is there. Raises ``OSError``."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def tighten(folder: Path, database: Path | None = None) -> None:
    """Take from everybody else what an earlier version let them do with the app's files in ``folder``.

    The folder itself is closed only if nothing else is in it: it may be one that others work in. What may not be
    changed stays as it is, and is named in the log.
    """
    files = [path for path in _in(folder) if is_ours(path)]
    if database is not None and database.parent != folder:
        files += [Path(f"{database}{end}") for end in ("", *BESIDE)]
    for path in files:
        _close(path)
    if all(is_ours(path) for path in _in(folder)):
        _close(folder)


def is_ours(path: Path) -> bool:
    """Say whether the app has made this file or folder of the instance folder, by its name."""
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
