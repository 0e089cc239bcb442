"""The summary row of a match, which history shows: it follows from the journal and can be made again from it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, cast

from sqlalchemy import bindparam, insert, select, update

from ..rules.contract import Number
from .agreement import played_at
from .db import Base, db, writing
from .doubts import decide_the_end, doubts_of
from .journal.replay import DealState
from .models import Match, MatchSummary, Stint, SummarySide, now
from .standings import Standing, standing_of

_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__]
INSERT_SUMMARY = insert(_SUMMARIES)
FOLLOWS = ("game", "status", "sides", "totals", "course", "winners", "deals", "ended_at")
DOUBT = ("doubt_deal", "doubt_at", "doubt_decides")
"""The columns of a summary that follow from the journal."""
UPDATE_SUMMARY = (
    update(_SUMMARIES)
    .where(_SUMMARIES.c.table_id == bindparam("of_table"), _SUMMARIES.c.match == bindparam("of_match"))
    .values({name: bindparam(f"new_{name}") for name in (*FOLLOWS, *DOUBT)})
)


def project(match: Match, standing: Standing) -> None:
    """Write the summary row of a match from its standing."""
    follows = {**_summary(standing), **doubt_of(standing)}
    which = {"of_table": match.table_id, "of_match": match.number}
    updated = db.session.execute(
        UPDATE_SUMMARY, {**which, **{f"new_{name}": follows[name] for name in (*FOLLOWS, *DOUBT)}}
    )
    if not updated.rowcount:  # type: ignore[attr-defined]
        key = {"table_id": match.table_id, "match": match.number, "started_at": match.created_at or now()}
        db.session.execute(INSERT_SUMMARY, {**key, **follows})


def doubt_of(standing: Standing) -> dict[str, Any]:
    """Return the columns of a summary about the deals in doubt."""
    doubts = doubts_of(standing.state)
    return {
        "doubt_deal": doubts[-1].deal.number if doubts else None,
        "doubt_at": max((doubt.last_word for doubt in doubts), default=None),
        "doubt_decides": decide_the_end(standing, doubts),
    }


def _summary(standing: Standing) -> dict[str, Any]:
    """Return the other columns of a summary, which the history shows."""
    state, over = standing.state, standing.is_over
    return {
        "game": state.setup.game,
        "status": "won" if standing.winners else "ended" if over else "playing",
        "sides": _sides(standing),
        "totals": standing.totals,
        "course": standing.course,
        "winners": standing.winners,
        "deals": sum(1 for _deal, sheet in standing.sheets if not sheet.get("redeal")),
        "ended_at": _ended_at(standing) if over else None,
    }


def _ended_at(standing: Standing) -> datetime:
    """Return when a match ended that is over: when it was stopped, else when its last counted deal was played."""
    state = standing.state
    return state.ended.happened_at if state.ended else played_at(state, standing.sheets[-1][0])


def _sides(standing: Standing) -> list[SummarySide]:
    """Return all sides of a match; those whose players changed have stints."""
    sides = []
    for side in standing.state.everybody:
        row = cast(SummarySide, side.as_json())
        seated = [_players(deal, side.label) for deal, _sheet in standing.sheets]
        if any(players != side.players for players in seated):
            numbers = dict.fromkeys(number for players in seated for number in players)
            row["stints"] = [
                _stint(standing, side.label, number, first, last)
                for number in numbers
                for first, last in _runs([number in players for players in seated])
            ]
        sides.append(row)
    return sides


def _players(deal: DealState, label: str) -> tuple[int, ...]:
    return next((side.players for side in deal.setup.sides if side.label == label), ())


def _runs(flags: list[bool]) -> list[tuple[int, int]]:
    """Return the first and the last place of each run of set flags."""
    runs: list[tuple[int, int]] = []
    for place in (place for place, flag in enumerate(flags) if flag):
        if runs and runs[-1][1] == place - 1:
            runs[-1] = (runs[-1][0], place)
        else:
            runs.append((place, place))
    return runs


def _stint(standing: Standing, label: str, player: int, first: int, last: int) -> Stint:
    own: Number = 0
    ahead = 0.0
    for _deal, sheet in standing.sheets[first : last + 1]:
        points = sheet.get("points") or {}
        if label in points:
            others = [gained for other, gained in points.items() if other != label]
            own += points[label]
            ahead += points[label] - sum(others) / len(others)
    return {"player": player, "first": first, "last": last, "points": own, "ahead": ahead}


def rebuild() -> Iterator[tuple[int, int]]:
    """Make every summary row again from the journals, in a transaction each; yield each (table, match) done."""
    shown = select(Match.table_id, Match.number).where(Match.deleted_at.is_(None))
    keys = list(db.session.execute(shown.order_by(Match.table_id, Match.number)))
    for table_id, number in keys:
        db.session.rollback()
        match = db.session.get(Match, (table_id, number))
        standing = standing_of(match) if match is not None else None
        with writing():
            # Locked, so that no closing comes between the journal and the row.
            match = db.session.get(Match, (table_id, number), with_for_update=True)
            if match is not None and match.deleted_at is None:
                project(match, standing if standing and standing.state.head == match.head else standing_of(match))
        yield table_id, number
