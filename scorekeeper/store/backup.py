"""Make copies of the SQLite database, and put one back.

A copy gets its name only after a check. A restore leaves no file of the old database beside the new one, because SQLite
would read a journal that does not belong to it.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from .. import app_secrets
from ..file_modes import ASIDE, BESIDE, SECRET
from .connection import has_journal, open_sqlite, sqlite_address
from .db import why_of_others
from .faults import LOCKED, Unreachable, primary_code, takes_no_change
from .models import LINKS

OURS = frozenset(("alembic_version", "tables", "players", "matches", "entries"))
"""Tables that the database of every version has."""


class Unusable(Exception):
    """A copy cannot be made or put back; the message says why."""


def secret_beside(copy: Path) -> Path:
    """Return the path of the secrets beside a copy, which sign phones' cookies and have sealed the links."""
    return copy.with_name(f"{copy.name}.{SECRET}")


def copy_to(database: Path, copy: Path, secret: str | None = None) -> None:
    """Copy the database at one moment, and write ``secret`` beside the copy, if given.

    No file is left behind after an error. Raises ``Unusable``, ``OSError``, ``sqlite3.Error``.
    """
    if not copy.parent.is_dir():
        raise Unusable(f"There is no folder {copy.parent}.")
    with _scratch(copy) as made:
        _copy(database, made)
        with closing(_open(made)) as target:
            # In this mode the copy is one file, without a write-ahead log.
            target.execute("PRAGMA journal_mode=DELETE")
            if fault := _fault_in(target):
                raise Unusable(f"The database is damaged ({fault}): no copy was made. Keep the older copies.")
            if not _is_ours(target):
                raise Unusable(f"{database} is no database of the scorekeeper: no copy was made.")
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


def _copy(database: Path, made: Path) -> None:
    """Copy the database, with what is only in its journal, to the empty file ``made``."""
    try:
        with closing(open_sqlite(str(database))) as own, closing(_open(made)) as target:
            own.backup(target)
    except sqlite3.Error as error:
        if not (takes_no_change(error) and has_journal(str(database))):
            raise
        # Without room for SQLite's index nobody can write. SQLite reads the journal beside the copy instead.
        _copy_files(database, made)


def _copy_files(copy: Path, made: Path) -> None:
    shutil.copyfile(copy, made)
    if copy.with_name(f"{copy.name}-wal").exists():
        # After a crash the newest transactions are only in the write-ahead log.
        shutil.copyfile(copy.with_name(f"{copy.name}-wal"), made.with_name(f"{made.name}-wal"))


def check(copy: Path) -> None:
    """Raise ``Unusable`` unless the file is an undamaged database of this version of the app."""
    try:
        with closing(_open(copy)) as connection:
            if fault := _fault_in(connection):
                raise Unusable(f"The copy is damaged ({fault}).")
            if not _is_ours(connection):
                raise Unusable("This is no copy of the scorekeeper's database.")
            revisions = [name for (name,) in connection.execute("SELECT version_num FROM alembic_version")]
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise Unusable(f"The copy is damaged, or no database at all ({error}).") from error
        raise
    if not revisions:
        raise Unusable("This is no copy of the scorekeeper's database.")
    why = why_of_others(revisions)
    if why is not None:
        raise Unusable(f"This copy was made by {why}")


def put_back(copy: Path, database: Path, *, links_of: Path | None = None) -> Path | None:
    """Replace the database by a copy, and return the new path of the old database; None if there was none.

    Each table that is also in the database ``links_of`` gets the links that it has there. The copy is checked first,
    and a database exists at every moment. Raises ``Unusable``, ``Unreachable`` if a program has the database open,
    ``OSError``, ``sqlite3.Error``.
    """
    if not copy.is_file():
        raise Unusable(f"There is no file {copy}.")
    if database.exists() and copy.samefile(database):
        raise Unusable("This is the database itself: name a copy of it.")
    with _scratch(database) as made:
        # A copy made by hand may have its journal beside it.
        _copy_files(copy, made)
        check(made)
        with closing(_open(made)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        if links_of is not None:
            _take_links(made, links_of)
        _to_disk(made)
        aside = _put_aside(database)
        os.replace(made, database)
    _to_disk(database.parent)
    return aside


class Revived(NamedTuple):
    """Links and tables that a copy brings back, and that were given up after it was made."""

    links: list[tuple[str, list[str]]]
    """The names of tables with links that were renewed since, and the kinds of those links."""
    tables: list[str]
    """The names of tables that were deleted since."""


def revived(database: Path, other: Path) -> Revived | None:
    """Return the links and tables of a database that the other one had given up; None if one cannot be read."""
    try:
        with closing(_open(database)) as ours, closing(_open(other)) as theirs:
            now, before = _links_in(ours), _links_in(theirs)
    except sqlite3.Error:
        return None
    both = [(found, before[table]) for table, found in now.items() if table in before]
    links = [(found.name, [kind for kind in LINKS if found.hashes[kind] != was.hashes[kind]]) for found, was in both]
    deleted = [found.name for table, found in now.items() if table not in before]
    return Revived([(name, kinds) for name, kinds in links if kinds], deleted)


class _TableLinks(NamedTuple):
    name: str
    hashes: dict[str, str]
    """The hash of each kind of link."""


def _links_in(connection: sqlite3.Connection) -> dict[tuple[int, str], _TableLinks]:
    """Return the links of all tables in a database, by the tables' ids and when they were made."""
    hashes: dict[int, dict[str, str]] = defaultdict(lambda: dict.fromkeys(LINKS, ""))
    for table, kind, hash in connection.execute("SELECT table_id, kind, hash FROM links"):
        hashes[table][kind] = hash
    rows = connection.execute("SELECT id, substr(created_at, 1, 19), name FROM tables ORDER BY id")
    return {(table, made): _TableLinks(name, hashes[table]) for table, made, name in rows}


def _take_links(made: Path, other: Path) -> None:
    """Give each table of a copy the links that it has in another database. Raises ``Unusable``."""
    if not other.is_file():
        raise Unusable(f"There is no file {other}.")
    with closing(_open(made)) as connection:
        try:
            connection.execute("ATTACH ? AS other", (str(other),))
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(f"CREATE TEMP TABLE both_have AS {_IN_BOTH}")
            for change in _OTHER_LINKS:
                connection.execute(change)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise Unusable(f"The links of {other} cannot be taken over: {error}.") from error


_IN_BOTH = (
    "SELECT id FROM main.tables AS ours JOIN other.tables AS theirs USING (id) "
    "WHERE substr(ours.created_at, 1, 19) = substr(theirs.created_at, 1, 19)"
)
_OTHER_LINKS = (
    "DELETE FROM main.links WHERE kind <> 'form' AND table_id IN both_have",
    "INSERT INTO main.links (hash, kind, table_id, sealed) SELECT hash, kind, table_id, sealed FROM other.links "
    "WHERE kind <> 'form' AND table_id IN both_have",
)


def put_secret_back(copy: Path, secret: Path) -> Path | None:
    """Add the secrets beside a copy to those of the app, and return the new path of the app's former file.

    If the copy's secret is none that the app has had, it becomes the first one. None if the app had no file, or lacks
    none of the copy's. Raises ``OSError``.
    """
    of_copy, aside = app_secrets.read(secret_beside(copy).read_text()), None
    if secret.exists():
        own = app_secrets.read(secret.read_text())
        first, others = (own, of_copy) if of_copy.secret in (own.secret, *own.fallbacks) else (of_copy, own)
        of_copy = first.with_those_of(others, app_secrets.today())
        if of_copy == own:
            return None
        aside = _aside_of(secret)
        os.replace(secret, aside)
    _write_secret(secret, of_copy.written())
    return aside


def _open(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Return whether a database has the tables of the scorekeeper."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")} >= OURS


def _fault_in(connection: sqlite3.Connection) -> str | None:
    """Return the first fault of a database, None where it has none."""
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
    """Yield a new file in the same folder, and finally delete it with the files that SQLite puts beside it.

    It can be renamed to ``beside``: a rename works only inside one file system.
    """
    descriptor, name = tempfile.mkstemp(prefix=f".{beside.name}.", suffix=".part", dir=beside.parent)
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        for end in ("", *BESIDE):
            Path(name + end).unlink(missing_ok=True)


def _put(made: Path, place: Path) -> None:
    """Give the file the name ``place``. Raises ``FileExistsError`` if another file has it, and leaves that one."""
    try:
        os.link(made, place)
    except FileExistsError:
        raise
    except OSError:
        # This file system has no hard links.
        if place.exists():
            raise FileExistsError(f"{place} is there already.") from None
        os.rename(made, place)


def _put_aside(database: Path) -> Path | None:
    """Give the database a second name, and return it; None if there is no database.

    The files that SQLite put beside the database are moved or deleted: they must not be read with the new one.
    """
    if not database.exists():
        _drop_beside(database)
        return None
    _close_journal(database)
    aside = _aside_of(database)
    try:
        os.link(database, aside)
    except OSError:
        shutil.copy2(database, aside)
    # The log of a damaged database could not be written into it; a repair needs both.
    with suppress(FileNotFoundError):
        os.replace(f"{database}-wal", f"{aside}-wal")
    _drop_beside(database)
    return aside


def _close_journal(database: Path) -> None:
    """Write the write-ahead log into the file. Raises ``Unreachable`` if a program has the file open."""
    try:
        with closing(sqlite3.connect(sqlite_address(str(database)), uri=True, isolation_level=None, timeout=0)) as own:
            own.execute("PRAGMA locking_mode=EXCLUSIVE")
            own.execute("BEGIN EXCLUSIVE")
            own.execute("COMMIT")
            own.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.DatabaseError as error:
        if primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Unreachable(LOCKED) from error
        # A damaged database may be replaced.


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
    """Wait until a file, or the list of names of a folder, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
