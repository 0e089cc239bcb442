"""Matches as if they had been played at other times."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select

from scorekeeper.store import history_rows
from scorekeeper.store.db import db
from scorekeeper.store.models import MatchSummary, Table


def play_at(table: Table, moments: Mapping[int, datetime]) -> None:
    """Let each match of a table have begun, and ended if it has, at its moment; the others stay as they are."""
    of_table = select(MatchSummary).where(MatchSummary.table_id == table.id)
    for summary in db.session.scalars(of_table):
        if (moment := moments.get(summary.match)) is not None:
            summary.started_at = summary.counted_at = moment
            summary.ended_at = summary.ended_at and moment
    db.session.flush()
    history_rows.file_anew(table.id, table.zone)
    db.session.commit()
