"""The write that most taps and closings are: one entry, after which only the rows of its own match differ.

It takes one statement on PostgreSQL and three on SQLite, whose conditions repeat what the judging relied on. If one of
them is not met, nothing was written, and the caller goes the long way.
"""

from __future__ import annotations

from typing import Any

from flask import current_app
from sqlalchemy import bindparam, case, exists, insert, or_, select, true, update
from sqlalchemy.dialects.postgresql import insert as on_conflict
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from . import deleted, forgotten
from .db import MOVE_MOMENT, Base, db, note_written, present_moment
from .journal import kinds
from .journal.entries import MOVABLE, JournalEntry, Stale, marks_in, number_phones
from .live import announce
from .models import Entry, Match, MatchSummary, Moment, Player, now
from .prepared import run, run_and_commit
from .standings import Standing
from .summaries import DOUBT, SCORED, doubt_of, scores_of
from .together import Together

Key = tuple[int, int]
"""The id of a table, and the number of a match."""

_ENTRIES = Base.metadata.tables[Entry.__tablename__]
_MATCHES = Base.metadata.tables[Match.__tablename__]
_SUMMARIES = Base.metadata.tables[MatchSummary.__tablename__]
_MOMENTS = Base.metadata.tables[Moment.__tablename__]
_PLAYERS = Base.metadata.tables[Player.__tablename__].c
_OTHERS = _MATCHES.alias("others").c
_WRITTEN = JournalEntry._fields
"""The columns of a new entry."""

_OF_MATCH = (_MATCHES.c.table_id == bindparam("of_table"), _MATCHES.c.number == bindparam("of_number"))
_OF_SUMMARY = (_SUMMARIES.c.table_id == bindparam("of_table"), _SUMMARIES.c.match == bindparam("of_number"))
LOCK = select(_MATCHES.c.head).where(*_OF_MATCH).with_for_update()
_IS_DUE = or_(
    exists().where(_OTHERS.table_id == bindparam("of_table"), _OTHERS.deleted_at < bindparam("deleted_before")),
    exists().where(
        _PLAYERS.table_id == bindparam("of_table"),
        _PLAYERS.forgotten_at < bindparam("forgotten_before"),
        _PLAYERS.name != "",
    ),
)
"""True if something at the table is to be deleted for good, with an ordinary write; the long way does so."""
_PLAYS = exists().where(*_OF_SUMMARY, _SUMMARIES.c.status == "playing").correlate(None)
MOVE = (
    update(_MATCHES)
    .where(*_OF_MATCH, _MATCHES.c.head == bindparam("known_head"), _MATCHES.c.deleted_at.is_(None), *MOVABLE, ~_IS_DUE)
    .values(head=bindparam("new_head"))
)
MOVE_SCORED = MOVE.where(_PLAYS)
ADD = insert(_ENTRIES).values(
    table_id=bindparam("of_table"),
    match=bindparam("of_number"),
    **{name: bindparam(f"entry_{name}") for name in _WRITTEN},
)
SCORE = update(_SUMMARIES).where(*_OF_SUMMARY).values({name: bindparam(f"new_{name}") for name in (*SCORED, *DOUBT)})


def _at_one_go(*, scores: bool, is_last: bool) -> Any:
    """Return the statements as one, for PostgreSQL; one that ``is_last`` moves the moment of the table, too."""
    moved = (MOVE_SCORED if scores else MOVE).returning(_MATCHES.c.head).cte("moved")
    row = {"table_id": "of_table", "match": "of_number", **{name: f"entry_{name}" for name in _WRITTEN}}
    values = [bindparam(given, type_=_ENTRIES.c[name].type) for name, given in row.items()]
    add = insert(_ENTRIES).from_select(list(row), select(*values).select_from(moved), include_defaults=False)
    written = [add.returning(_ENTRIES.c.seq).cte("added")]
    if scores:
        is_moved = exists(select(true()).select_from(moved))
        written.append(SCORE.where(is_moved).returning(_SUMMARIES.c.deals).cte("scored"))
    together = select(moved.c.head).add_cte(*written)
    return together.add_cte(_move_moment(written).cte("at_last")) if is_last else together


def _move_moment(after: list[Any]) -> Any:
    """Return what moves the moment of the table, as ``db.MOVE_MOMENT``, once all of ``after`` is written.

    So its lock comes after all others here, too.
    """
    of, at_least = _MOMENTS.c, bindparam("at_least", type_=_MOMENTS.c.number.type)
    row = select(bindparam("of_table", type_=of.table_id.type), at_least).select_from(*after)
    following = case((of.number < at_least, at_least), else_=of.number + 1)
    return (
        on_conflict(_MOMENTS)
        .from_select(["table_id", "number"], row)
        .on_conflict_do_update(index_elements=[of.table_id], set_={"number": following})
    )


WRITES = {
    (scores, is_last): _at_one_go(scores=scores, is_last=is_last)
    for scores in (False, True)
    for is_last in (False, True)
}
"""The write as one statement, by whether it writes the summary and whether nothing follows in its transaction."""


def is_plain(before: Standing, after: Standing, entry: JournalEntry, *, moves: bool) -> bool:
    """Return whether an entry between these standings changes no rows but those of its match.

    ``moves`` is true if it may change the summary: then the match is neither won nor stopped, before and after it, and
    nobody comes, leaves or takes another seat.
    """
    if entry.kind == kinds.MATCH_RESUMED:
        return False
    return not moves or (_goes_on(before) and _goes_on(after) and before.state.seated == after.state.seated)


def _goes_on(standing: Standing) -> bool:
    """Return whether a match is neither won nor stopped, and everybody in it has played from the start."""
    return not standing.is_over and not standing.state.changes


def write_plainly(
    key: Key, entry: JournalEntry, before: Standing, after: Standing, *, moves: bool, is_locked: bool
) -> bool:
    """Write an entry for which ``is_plain`` is true; call inside ``writing()``. Return whether it was written.

    It is not if the match has moved on since, cannot be written to, or was deleted. ``is_locked`` is true if the match
    is locked already. Raises ``Stale`` if another match of the table has the entry's id.
    """
    if is_locked:
        # Others may have prepared rows in this transaction.
        db.session.flush()
    connection = db.session.connection()
    given, table_id = _given(key, entry, after, moves=moves), key[0]
    known = {earlier.device for earlier in before.state.entries}
    marks = [mark for mark in marks_in([entry]) if mark not in known]
    is_alone = connection.dialect.name == "sqlite"
    try:
        if is_alone:
            is_written = _write_alone(connection, given, moves=moves)
        elif not is_locked and not marks:
            # A statement sees the rows as they were when it began, so what it relies on is locked before.
            is_written = run_and_commit(connection, [LOCK, WRITES[moves, True]], given) is not None
        else:
            if not is_locked:
                connection.execute(LOCK, given)
            is_written = connection.scalar(WRITES[moves, False], given) is not None
            if is_written:
                note_written(table_id)
    except IntegrityError as error:
        raise Stale(()) from error
    if is_written:
        number_phones(table_id, marks)
        announce(table_id)
    return is_written


def write_together(key: Key, entry: JournalEntry, before: Standing, after: Standing, *, moves: bool) -> bool:
    """Write an entry for which ``is_plain`` is true beside those of other threads; call outside ``writing()``.

    Return whether it was written, as ``write_plainly``. It is not where each writer has a transaction of its own, nor
    where a phone is new. Raises ``Stale`` as it does, and ``Unreachable`` if the turn does not come in time.
    """
    known = {earlier.device for earlier in before.state.entries}
    if db.engine.dialect.name != "sqlite" or any(mark not in known for mark in marks_in([entry])):
        return False
    db.session.rollback()
    given = _given(key, entry, after, moves=moves)
    group: Together = current_app.extensions["scorekeeper.together"]
    try:
        is_written = group.write(db.engine, lambda connection: _write_alone(connection, given, moves=moves))
    except IntegrityError as error:
        raise Stale(()) from error
    if is_written:
        announce(key[0])
    return is_written


def _write_alone(connection: Connection, given: dict[str, Any], *, moves: bool) -> bool:
    """Write on SQLite, where nobody else writes meanwhile; return whether it was written."""
    if run(connection, MOVE_SCORED if moves else MOVE, given) == 0:
        return False
    run(connection, ADD, given)
    if moves:
        run(connection, SCORE, given)
    run(connection, MOVE_MOMENT, given)
    return True


def _given(key: Key, entry: JournalEntry, after: Standing, *, moves: bool) -> dict[str, Any]:
    """Return the parameters of the statements."""
    at = now()
    given = {
        "of_table": key[0],
        "of_number": key[1],
        "known_head": entry.seq - 1,
        "new_head": entry.seq,
        "deleted_before": at - deleted.RESTORABLE,
        "forgotten_before": at - forgotten.RESTORABLE,
        "at_least": present_moment(),
        **{f"entry_{name}": getattr(entry, name) for name in _WRITTEN},
    }
    if moves:
        given |= {f"new_{name}": value for name, value in {**scores_of(after), **doubt_of(after)}.items()}
    return given
