"""Notes that are written behind an answer: no page waits for one, and none fails by it."""

from __future__ import annotations

import logging
from collections.abc import Callable

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from ...store.db import let_go
from ...store.faults import cause_of

log = logging.getLogger(__name__)


def note_quietly(app: Flask, note: Callable[[], object]) -> None:
    """Call ``note`` in a context of the app; what the database refuses is left out, a mistake of the app is logged."""
    with app.app_context():
        try:
            note()
        except Exception as fault:
            if not isinstance(fault, SQLAlchemyError) and cause_of(fault) is None:
                log.exception("A note behind an answer could not be written")
        finally:
            let_go(None)
