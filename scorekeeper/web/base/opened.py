"""Openings of tables, noted behind the answers; and the daily work on tables that nobody opens any more."""

from __future__ import annotations

import logging
import threading
import time
from functools import partial

from flask import Flask, Response, current_app, g

from ...limits import EXPIRY_LOOK_SECONDS
from ...store import expiry
from ...store.faults import cause_of, text_of
from ...store.models import Table, now
from .behind import note_quietly

log = logging.getLogger(__name__)


def note_opening(table: Table) -> None:
    """Note, once this request is answered, that somebody has opened a table; a month has one note."""
    if not expiry.is_noted(table):
        g.opened_table = table.id


class DailyWork:
    """Begins the daily work of an app, in a thread of its own, after an answer; each process looks once an hour.

    Where nobody asks the server anything, nothing is deleted either: ``scorekeeper expire`` does it then.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._next_look = 0.0
        self._lock = threading.Lock()

    def look(self) -> None:
        """Begin the work if this process has not looked within the hour."""
        with self._lock:
            moment = time.monotonic()
            if moment < self._next_look:
                return
            self._next_look = moment + EXPIRY_LOOK_SECONDS
        threading.Thread(target=self.run, name="expiry", daemon=True).start()

    def run(self) -> None:
        """Do the work of today, unless it is done."""
        with self._app.app_context():
            try:
                expiry.daily_work(self._app.config["EXPIRE_MONTHS"], now().date())
            except Exception as fault:
                cause = cause_of(fault)
                words = "Tables that nobody opens wait for the next look: %s"
                log.warning(words, text_of(fault) if cause else type(fault).__name__, exc_info=None if cause else fault)


def init_opened(app: Flask) -> None:
    """Note openings behind the answers, and begin the daily work where a setting asks for it."""
    work = DailyWork(app) if app.config["EXPIRE_MONTHS"] else None

    @app.after_request
    def note_behind(response: Response) -> Response:
        if "opened_table" in g:
            of_app = current_app._get_current_object()  # type: ignore[attr-defined]
            response.call_on_close(partial(note_quietly, of_app, partial(expiry.note_opening, g.opened_table)))
        if work is not None:
            response.call_on_close(work.look)
        return response
