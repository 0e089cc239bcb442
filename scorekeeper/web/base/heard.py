"""Phones that are at a table: one that asks for a page of it is noted, once the answer is sent."""

from __future__ import annotations

from functools import partial

from flask import Flask, Response, current_app, g, request

from ...store import heard
from ...store.models import Table
from .behind import note_quietly
from .htmx import is_refresh
from .remembered import holders_at, known_mark

BY_ITSELF = frozenset({"live.stream"})
"""The requests of an open page without a person."""


def hear(table: Table) -> None:
    """Note, once this request is answered, that its phone is at a table, where a player holds the phone."""
    hear_phone(table.id)


def hear_phone(table_id: int) -> None:
    """Do as ``hear`` for the table with this id."""
    mark = known_mark(table_id)
    if mark is not None and holders_at(table_id):
        g.at_table = table_id, mark


def init_heard(app: Flask) -> None:
    """Note which phones are at their tables, behind the answers: no page waits for it, and none fails by it."""

    @app.after_request
    def note_behind(response: Response) -> Response:
        if "at_table" in g:
            is_used = request.endpoint not in BY_ITSELF and not is_refresh()
            of_app = current_app._get_current_object()  # type: ignore[attr-defined]
            note = partial(note_quietly, of_app, partial(heard.note, *g.at_table, is_used=is_used))
            if request.endpoint in BY_ITSELF:
                # Its answer goes on for minutes.
                note()
            else:
                response.call_on_close(note)
        return response
