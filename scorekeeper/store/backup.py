"""Copies of the SQLite database: each is checked before it is called one, and put back so that nothing old stays."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from alembic.script import ScriptDirectory

from ..file_modes import ASIDE, BESIDE, SECRET
from .connection import sqlite_address
from .faults import LOCKED, Unreachable, primary_code

OURS = frozenset(("alembic_version", "tables", "players", "matches", "entries"))
"""Tables that every version of the database has."""


class Unusable(Exception):
    """A copy that could not be made or put back; the message says why."""


def secret_beside(copy: Path) -> Path:
    """Return where the secret of the phones' cookies lies beside a copy."""
    return copy.with_name(f"{copy.name}.{SECRET}")


def copy_to(database: Path, copy: Path, secret: str | None = None) -> None:
    """Copy the database as it is at one moment, and the secret beside it if there is one to copy.

    Nothing is left behind unless the copy is whole. Raises ``Unusable``, ``OSError``, ``sqlite3.Error``.
    """
    if not copy.parent.is_dir():
        raise Unusable(f"There is no folder {copy.parent}.")
    with _scratch(copy) as made:
        with closing(sqlite3.connect(sqlite_address(str(database)), uri=True)) as own, closing(_open(made)) as target:
            own.backup(target)
            # One file, that needs none beside it.
            target.execute("PRAGMA journal_mode=DELETE")
            if fault := _fault_in(target):
                raise Unusable(f"The database is damaged ({fault}): no copy was made. Keep the older copies.")
        _to_disk(made)
        if secret is not None:
            _write_secret(secret_beside(copy), secret)
        try:
            _put(made, copy)
        except OSError:
            if secret is not None:
                secret_beside(copy).unlink()
            raise
    _to_disk(copy.parent)


def check(copy: Path, migrations: Path) -> None:
    """Say nothing if this file is a whole database of this app, or of an earlier one. Raises ``Unusable``."""
    try:
        with closing(_open(copy)) as connection:
            if fault := _fault_in(connection):
                raise Unusable(f"The copy is damaged ({fault}).")
            found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not found >= OURS:
                raise Unusable("This is no copy of the scorekeeper's database.")
            revisions = [name for (name,) in connection.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise Unusable(f"The copy is damaged, or no database at all ({error}).") from error
        raise
    known = {script.revision for script in ScriptDirectory(str(migrations)).walk_revisions()}
    if not revisions or not known.issuperset(revisions):
        raise Unusable("This copy was made by a newer version of the scorekeeper: install that one first.")


def put_back(copy: Path, database: Path, migrations: Path) -> Path | None:
    """Put a copy in the place of the database, which must be nobody's at the moment, and return where that one is now.

    Until the copy has proved whole nothing is touched, and at no moment there is no database. Raises ``Unusable``,
    ``Unreachable`` where some program has the database open, ``OSError``, ``sqlite3.Error``.
    """
    if not copy.is_file():
        raise Unusable(f"There is no file {copy}.")
    if database.exists() and copy.samefile(database):
        raise Unusable("This is the database itself: name a copy of it.")
    with _scratch(database) as made:
        shutil.copyfile(copy, made)
        if copy.with_name(f"{copy.name}-wal").exists():
            # A file that was copied by hand from a server that crashed: half of it is in there.
            shutil.copyfile(copy.with_name(f"{copy.name}-wal"), made.with_name(f"{made.name}-wal"))
        check(made, migrations)
        with closing(_open(made)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        _to_disk(made)
        aside = _put_aside(database)
        os.replace(made, database)
    _to_disk(database.parent)
    return aside


def put_secret_back(copy: Path, secret: Path) -> Path | None:
    """Put the secret that lies beside a copy in the place of the app's, and return where that one is now, if any.

    Raises ``OSError``.
    """
    secret_text = secret_beside(copy).read_text().strip()
    if secret.exists() and secret.read_text().strip() == secret_text:
        return None
    aside = None
    if secret.exists():
        aside = _aside_of(secret)
        os.replace(secret, aside)
    _write_secret(secret, secret_text)
    return aside


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def _fault_in(connection: sqlite3.Connection) -> str | None:
    """Return the first thing that is wrong with a database, or None where it is whole."""
    try:
        (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            return " ".join(str(verdict).split())
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            return "a row belongs to another that is missing"
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return str(error)
        raise
    return None


@contextmanager
def _scratch(beside: Path) -> Iterator[Path]:
    """Give a new file in the folder where it is to stay; with what SQLite puts beside it, it is gone in the end."""
    descriptor, name = tempfile.mkstemp(prefix=f".{beside.name}.", suffix=".part", dir=beside.parent)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        for end in ("", *BESIDE):
            Path(name + end).unlink(missing_ok=True)


def _put(made: Path, place: Path) -> None:
    """Give a file its name, and never take it from another. Raises ``FileExistsError``."""
    try:
        os.link(made, place)
    except FileExistsError:
        raise
    except OSError:
        # Not every file system has links.
        if place.exists():
            raise FileExistsError(f"{place} is there already.") from None
        os.rename(made, place)


def _put_aside(database: Path) -> Path | None:
    """Give the database a second name, under which it stays; nothing that belonged to it may meet the new one."""
    if not database.exists():
        _drop_beside(database)
        return None
    _close_journal(database)
    aside = _aside_of(database)
    try:
        os.link(database, aside)
    except OSError:
        shutil.copy2(database, aside)
    # What is left in the journal of a damaged database goes along with it: whoever mends it needs both.
    with suppress(FileNotFoundError):
        os.replace(f"{database}-wal", f"{aside}-wal")
    _drop_beside(database)
    return aside


def _close_journal(database: Path) -> None:
    """Write what is in the journal into the file. Raises ``Unreachable`` where some program has it open."""
    try:
        with closing(sqlite3.connect(sqlite_address(str(database)), uri=True, isolation_level=None, timeout=0)) as own:
            own.execute("PRAGMA locking_mode=EXCLUSIVE")
            own.execute("BEGIN EXCLUSIVE")
            own.execute("COMMIT")
            own.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Unreachable(LOCKED) from error
        # It is damaged: all the more reason to put another in its place.


def _aside_of(path: Path) -> Path:
    moment = f"{datetime.now().astimezone():%Y-%m-%d-%H%M%S}"
    names = (path.with_name(f"{path.name}{ASIDE}{moment}{more}") for more in ("", *(f"-{n}" for n in range(2, 1000))))
    return next(name for name in names if not name.exists())


def _drop_beside(database: Path) -> None:
    for end in BESIDE:
        Path(f"{database}{end}").unlink(missing_ok=True)


def _write_secret(path: Path, secret: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())


def _to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
