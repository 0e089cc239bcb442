"""Distinguish faults of the database, the disk or the system from mistakes of the app.

Such a fault passes: the request is answered with 503 and may be sent again.
"""

from __future__ import annotations

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, PendingRollbackError
from sqlalchemy.exc import TimeoutError as PoolTimeout

AWAY = "The database cannot be reached"
LOCKED = "The database is locked"
FULL = "The disk is full"
READ_ONLY = "The database cannot be written to"
DAMAGED = "The database is damaged"
CROWDED = "Too many connections to the database"
SLOW = "The database takes too long"
HANDLES = "The process has used up its file handles"
MEMORY = "There is not enough memory"
PART_COMES = "A part of a table's file is being written"

_SQLITE = {
    sqlite3.SQLITE_PERM: READ_ONLY,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_NOMEM: MEMORY,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: AWAY,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_CANTOPEN: AWAY,
    sqlite3.SQLITE_PROTOCOL: LOCKED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
}
UNUSABLE = frozenset(
    (
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_NOTADB,
    )
)
"""Errors after which a connection to SQLite is closed; one to a read-only file, for example, would stay read-only."""
_NO_ROOM = frozenset((sqlite3.SQLITE_IOERR_SHMSIZE,))
"""Other codes of SQLite for a full disk."""
_NO_CHANGE = frozenset((sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN))
_NO_CHANGE_BESIDE = _NO_ROOM | {sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMMAP}

# By SQLSTATE, the longest prefix that fits. Any other state is a mistake of the app.
_POSTGRESQL = {
    "08": AWAY,
    "25006": READ_ONLY,
    "28": AWAY,
    "3D": AWAY,
    "40": LOCKED,
    "53": MEMORY,
    "53100": FULL,
    "53300": CROWDED,
    "55": LOCKED,
    "57": AWAY,
    "57014": SLOW,
    "58": AWAY,
    "58P01": DAMAGED,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
}
_SYSTEM = {
    errno.EMFILE: HANDLES,
    errno.ENFILE: HANDLES,
    errno.ENOMEM: MEMORY,
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.EIO: AWAY,
    errno.ESTALE: AWAY,
    errno.ENODEV: AWAY,
    errno.ENXIO: AWAY,
}


class Unreachable(Exception):
    """The database or a lock is unreachable for now; ``args[0]`` is the cause, one of the constants above."""


def cause_of(error: BaseException) -> str | None:
    """Return the cause of a fault in words for the log; None if the error is a mistake of the app."""
    if isinstance(error, Unreachable):
        return str(error.args[0])
    if isinstance(error, PoolTimeout):
        return CROWDED
    if isinstance(error, PendingRollbackError):
        # Code went on in a session whose connection was lost.
        return AWAY
    if isinstance(error, DBAPIError):
        return _of_driver(error.orig) or (AWAY if error.connection_invalidated else None)
    if isinstance(error, MemoryError):
        return MEMORY
    if isinstance(error, OSError):
        return _SYSTEM.get(error.errno or 0)
    if isinstance(error, RuntimeError) and "can't start new thread" in str(error):
        return MEMORY
    return _of_driver(error)


def _of_driver(error: BaseException | None) -> str | None:
    """Return the cause of an error of a database driver; None if it is a mistake of the app."""
    if isinstance(error, sqlite3.Error):
        return FULL if _extended_code(error) in _NO_ROOM else _SQLITE.get(primary_code(error))
    if error is None or not _is_of_psycopg(error):
        return None
    state = getattr(error, "sqlstate", None)
    if state is None:
        # The request never reached the server.
        lost = ("OperationalError", "InterfaceError")
        return AWAY if any(kind.__name__ in lost for kind in type(error).__mro__) else None
    fitting = (state[:length] for length in (5, 2))
    return next((_POSTGRESQL[start] for start in fitting if start in _POSTGRESQL), None)


def _is_of_psycopg(error: BaseException) -> bool:
    # By name and not by class: the driver is installed only where PostgreSQL is used.
    return any(kind.__module__.partition(".")[0] == "psycopg" for kind in type(error).__mro__)


def primary_code(error: BaseException | None) -> int:
    """Return SQLite's primary code of an error, without the extended part; 0 for an error without a code."""
    return _extended_code(error) & 0xFF


def _extended_code(error: BaseException | None) -> int:
    return int(getattr(error, "sqlite_errorcode", None) or 0)


def takes_no_change(error: sqlite3.Error) -> bool:
    """Return whether SQLite failed because the file, or a file beside it, cannot be written or made."""
    return primary_code(error) in _NO_CHANGE or _extended_code(error) in _NO_CHANGE_BESIDE


def text_of(error: BaseException) -> str:
    """Return the first line of what the driver or the system says of a fault, without the SQL statement."""
    inner = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = (line.strip() for line in str(inner).splitlines())
    return next(filter(None, lines), type(inner).__name__)
