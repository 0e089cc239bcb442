"""Clean the files of the database, behind the answer, of rows that were deleted or overwritten.

A thread of the process that has deleted does it; it ends when nothing is left to do. No request waits for it, and none
fails by it. SQLite has zeros where such rows were (``secure_delete``); its journal has them until it is emptied.
PostgreSQL frees their room with a VACUUM, and overwrites it when it needs that.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from flask import Flask, current_app
from sqlalchemy import Engine

from ..limits import CLEANED_SECONDS
from .connection import sqlite_address
from .db import db, once_committed
from .faults import text_of
from .leftovers import empty_journal, patient
from .locks import Queue

PAUSES = (0.05, 0.2, 1.0, 5.0)
"""Seconds after a try that found the database in use; the next ones come once in ``CLEANED_SECONDS``."""
SAMPLED = "pg_catalog.pg_statistic"
"""PostgreSQL's samples of what is in the columns. Only the owner of the database may have it vacuumed."""

log = logging.getLogger(__name__)


class Cleaner:
    """The thread of a process that cleans up. ``clean`` returns whether it could; ``seconds`` lie between two times."""

    def __init__(self, clean: Callable[[], bool], seconds: float = 0) -> None:
        self._clean, self.seconds = clean, seconds
        self._change = threading.Condition()
        self._is_wanted, self._due = False, 0.0
        self._thread: threading.Thread | None = None

    def want(self) -> None:
        """Have it cleaned up, soon."""
        with self._change:
            self._is_wanted = True
            # A thread does not come along into a forked process, and is not alive there.
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="cleaner", daemon=True)
                self._thread.start()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing is left to do, and return whether it came to that in time."""
        with self._change:
            return self._change.wait_for(lambda: self._thread is None, seconds)

    def _run(self) -> None:
        tries = 0
        while self._has_work():
            time.sleep(max(0.0, self._due - time.monotonic()))
            with self._change:
                self._is_wanted = False
            if self._try():
                tries, pause = 0, self.seconds
            else:
                pause = PAUSES[tries] if tries < len(PAUSES) else CLEANED_SECONDS
                tries += 1
                with self._change:
                    self._is_wanted = True
            self._due = time.monotonic() + pause

    def _has_work(self) -> bool:
        with self._change:
            if not self._is_wanted:
                self._thread = None
                self._change.notify_all()
            return self._is_wanted

    def _try(self) -> bool:
        try:
            return self._clean()
        except Exception as error:
            log.warning("Deleted rows are still in the database's files; this is tried again (%s).", text_of(error))
            return False


def init_cleaning(app: Flask) -> None:
    """Give the app its cleaner; call inside the app's context."""
    engine = db.engine
    if engine.dialect.name == "sqlite":
        queue: Queue = app.extensions["scorekeeper.queue"]
        file = Path(str(engine.url.database))
        cleaner = Cleaner(lambda: empty_journal_of(file, queue))
    else:
        cleaner = Cleaner(lambda: _vacuum(engine), CLEANED_SECONDS)
    app.extensions["scorekeeper.cleaner"] = cleaner


def clean_up() -> None:
    """Have the files cleaned once what is deleted is committed, or at once outside ``writing()``."""
    once_committed(_cleaner().want)


def wait_until_clean(seconds: float) -> bool:
    """Wait until nothing is left to clean up, for a command that ends then; return whether it came to that in time."""
    return _cleaner().wait(seconds)


def _cleaner() -> Cleaner:
    of_app: Cleaner = current_app.extensions["scorekeeper.cleaner"]
    return of_app


def empty_journal_of(file: Path, queue: Queue) -> bool:
    """Bring SQLite's journal into the file and empty it, and return whether nobody was in the way.

    Nobody waits for it: what readers and writers need meanwhile is left to the next try.
    """
    if not file.exists():
        return True
    with closing(sqlite3.connect(sqlite_address(str(file)), uri=True, timeout=0)) as connection:
        # Most of the work, which hinders nobody; then readers need the journal no more.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        with queue.turn_at_once() as has_turn:
            return has_turn and empty_journal(connection)


def _vacuum(engine: Engine) -> bool:
    # All of them: which rows are gone is not known here, and a table without dead rows is passed over quickly.
    names = [table.name for table in db.metadata.sorted_tables] + [SAMPLED]
    with patient(engine) as connection:
        for name in names:
            connection.execute(f"VACUUM (ANALYZE, SKIP_LOCKED, INDEX_CLEANUP ON) {name}")
    return True
