"""The summary row of a match, which history shows: it follows from the journal and can be made again from it.

With it go the rows that follow from summaries (``history_rows``).
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, cast

from sqlalchemy import bindparam, delete, insert, select, update

from ..rules.contract import Number
from . import history_rows
from .agreement import played_at
from .db import Base, db, lock_rows, note_written, writing
from .doubts import decide_the_end, doubts_of
from .history_rows import Counted
from .journal.replay import DealState
from .models import Match, MatchSummary, Stint, SummarySide, Table, now, whole_second
from .standings import Standing, standing_of

_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__]
INSERT_SUMMARY = insert(_SUMMARIES)
FOLLOWS = ("game", "status", "sides", "totals", "course", "winners", "deals", "ended_at")
SCORED = ("totals", "course", "deals")
"""Those of them that a deal moves in a match that goes on."""
DOUBT = ("doubt_deal", "doubt_at", "doubt_decides")
"""The columns of a summary that follow from the journal."""
WHEN = ("counted_at", "evening")
"""The columns of a summary that put the match in an evening."""
UPDATE_SUMMARY = (
    update(_SUMMARIES)
    .where(_SUMMARIES.c.table_id == bindparam("of_table"), _SUMMARIES.c.match == bindparam("of_match"))
    .values({name: bindparam(f"new_{name}") for name in (*FOLLOWS, *DOUBT, *WHEN)})
)
ZONE = select(Base.metadata.tables[Table.__tablename__].c.zone).where(
    Base.metadata.tables[Table.__tablename__].c.id == bindparam("table")
)


def project(match: Match, standing: Standing, *, settles: bool = True) -> None:
    """Write the summary row of a match from its standing, and the rows that follow from it.

    Unless it ``settles``, the evenings of other matches stay as they are, for now.
    """
    note_written(match.table_id)
    former = history_rows.counted(match.table_id, match.number)
    started_at = match.created_at or now()
    row = {**_summary(standing, started_at), **doubt_of(standing)}
    row["counted_at"] = whole_second(row["ended_at"] or started_at)
    row["evening"] = former.evening if former is not None else None
    is_moved = former is None or former.counted_at != row["counted_at"]
    zone = db.session.scalar(ZONE, {"table": match.table_id}) if is_moved else None
    if is_moved:
        row["evening"] = history_rows.evening_for(match.table_id, row["counted_at"], zone, match.number)
    if former is not None:
        which = {"of_table": match.table_id, "of_match": match.number}
        db.session.execute(UPDATE_SUMMARY, {**which, **{f"new_{name}": value for name, value in row.items()}})
    else:
        key = {"table_id": match.table_id, "match": match.number, "started_at": started_at}
        db.session.execute(INSERT_SUMMARY, {**key, **row})
    present = Counted(match.number, **{name: row[name] for name in Counted._fields[1:]})
    history_rows.refile(match.table_id, former, present, zone, settles=settles)


def doubt_of(standing: Standing) -> dict[str, Any]:
    """Return the columns of a summary about the deals in doubt."""
    doubts = doubts_of(standing.state)
    return {
        "doubt_deal": doubts[-1].deal.number if doubts else None,
        "doubt_at": max((doubt.last_word for doubt in doubts), default=None),
        "doubt_decides": decide_the_end(standing, doubts),
    }


def _summary(standing: Standing, started_at: datetime) -> dict[str, Any]:
    """Return the other columns of a summary, which the history shows."""
    state, over = standing.state, standing.is_over
    return {
        "game": state.setup.game,
        "status": "won" if standing.winners else "ended" if over else "playing",
        "sides": _sides(standing),
        **scores_of(standing),
        "winners": standing.winners,
        "ended_at": _ended_at(standing, started_at) if over else None,
    }


def scores_of(standing: Standing) -> dict[str, Any]:
    """Return the columns of a summary that a deal moves in a match that goes on."""
    return {
        "totals": standing.totals,
        "course": standing.course,
        "deals": sum(1 for _deal, sheet in standing.sheets if not sheet.get("redeal")),
    }


def _ended_at(standing: Standing, started_at: datetime) -> datetime:
    """Return when a match ended that is over: when it was stopped, else when its last counted deal was played.

    A result from paper has only its day, so it ended when it began.
    """
    state = standing.state
    if state.typed is not None:
        return started_at
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


def drop(match: Match) -> None:
    """Take the summary row of a match out of the history, for a match that is deleted; it can be projected again."""
    note_written(match.table_id)
    former = history_rows.counted(match.table_id, match.number)
    its_own = (_SUMMARIES.c.table_id == match.table_id, _SUMMARIES.c.match == match.number)
    db.session.execute(delete(_SUMMARIES).where(*its_own))
    history_rows.refile(match.table_id, former, None, db.session.scalar(ZONE, {"table": match.table_id}))


def rebuild() -> Iterator[tuple[int, int]]:
    """Make every summary row again from the journals, in a transaction each; yield each (table, match) done.

    Then the rows that follow from the summaries of a table are made again, too.
    """
    shown = select(Match.table_id, Match.number).where(Match.deleted_at.is_(None))
    keys = list(db.session.execute(shown.order_by(Match.table_id, Match.number)))
    for table_id, numbers in groupby(keys, key=itemgetter(0)):
        for _table_id, number in numbers:
            db.session.rollback()
            match = db.session.get(Match, (table_id, number))
            standing = standing_of(match) if match is not None else None
            with writing():
                # Locked, so that no closing comes between the journal and the row.
                match = db.session.get(Match, (table_id, number), with_for_update=True)
                if match is not None and match.deleted_at is None:
                    project(match, standing if standing and standing.state.head == match.head else standing_of(match))
            yield table_id, number
        with writing():
            # No writer of the table moves a sum between reading the summaries and writing the sums.
            table = db.session.get(Table, table_id, with_for_update=True)
            if table is not None:
                lock_rows(select(Match.number).where(Match.table_id == table_id).order_by(Match.number))
                history_rows.file_anew(table_id, table.zone)
