"""The summary row of a match, which history shows: it follows from the journal and can be made again from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from .db import Base, db, writing
from .models import Match, MatchSummary, now
from .standings import Standing, standing_of

_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__]
INSERT_SUMMARY = insert(_SUMMARIES)
FOLLOWS = ("game", "status", "sides", "totals", "course", "winners", "deals", "ended_at")
"""The columns of a summary that follow from the journal."""
UPDATE_SUMMARY = (
    update(_SUMMARIES)
    .where(_SUMMARIES.c.table_id == bindparam("of_table"), _SUMMARIES.c.match == bindparam("of_match"))
    .values({name: bindparam(f"new_{name}") for name in FOLLOWS})
)


def project(match: Match, standing: Standing) -> None:
    """Write the match's summary row, as the match stands."""
    follows = _summary(standing)
    which = {"of_table": match.table_id, "of_match": match.number}
    updated = db.session.execute(UPDATE_SUMMARY, {**which, **{f"new_{name}": follows[name] for name in FOLLOWS}})
    if not updated.rowcount:  # type: ignore[attr-defined]
        key = {"table_id": match.table_id, "match": match.number, "started_at": match.created_at or now()}
        db.session.execute(INSERT_SUMMARY, {**key, **follows})


def _summary(standing: Standing) -> dict[str, Any]:
    """Return what history shows of a match, by the columns of its summary."""
    state, result, over = standing.state, standing.result, standing.is_over
    written = [deal.closed.created_at for deal in state.closed if deal.closed]
    return {
        "game": state.setup.game,
        "status": "won" if standing.winners else "ended" if over else "playing",
        "sides": state.setup.as_json()["sides"],
        "totals": result["totals"],
        "course": standing.course,
        "winners": standing.winners,
        "deals": sum(1 for _deal, sheet in standing.sheets if not sheet.get("redeal")),
        "ended_at": (state.ended.created_at if state.ended else max(written, default=now())) if over else None,
    }


def rebuild() -> Iterator[tuple[int, int]]:
    """Make every summary row again from the journals; yields each (table, match) done, a transaction each."""
    keys = list(db.session.execute(select(Match.table_id, Match.number).order_by(Match.table_id, Match.number)))
    for table_id, number in keys:
        _rebuild(table_id, number)
        yield table_id, number


def _rebuild(table_id: int, number: int) -> None:
    """Make one summary row again: the match is held while its journal is read, so that no closing comes between."""
    db.session.rollback()
    match = db.session.get(Match, (table_id, number))
    standing = standing_of(match) if match is not None else None
    with writing():
        match = db.session.get(Match, (table_id, number), with_for_update=True)
        if match is not None:
            project(match, standing if standing and standing.state.head == match.head else standing_of(match))
