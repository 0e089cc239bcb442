"""Queries of the pages. Each reads one row, or one page of rows, by an index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import and_, bindparam, select, tuple_

from ..names import drawn, same
from .db import Base, db
from .models import Match, MatchSummary, Player, Table

PAGE = 20
KEYS = {"owner": Table.owner_key, "play": Table.play_key, "watch": Table.watch_key}
"""The three keys of a table, by the kind of link."""
# Statements that every page runs are built once: building one takes longer than running it.
TABLE_BY_KEY = {link: select(Table).where(column == bindparam("key")) for link, column in KEYS.items()}
CURRENT_MATCH = (
    select(Match)
    .where(Match.table_id == bindparam("table"), Match.deleted_at.is_(None))
    .order_by(Match.taken_up.desc(), Match.number.desc())
    .limit(1)
)
CURRENT_SUMMARY = (
    select(MatchSummary)
    .join(Match, and_(Match.table_id == MatchSummary.table_id, Match.number == MatchSummary.match))
    .where(Match.table_id == bindparam("table"), Match.deleted_at.is_(None))
    .order_by(Match.taken_up.desc(), Match.number.desc())
    .limit(1)
)
_PLAYERS = Base.metadata.tables[Player.__tablename__]
PLAYER_NAMES = (
    select(_PLAYERS.c.number, _PLAYERS.c.name)
    .where(_PLAYERS.c.table_id == bindparam("table"))
    .order_by(_PLAYERS.c.number)
)
SETUPS = 200
"""The newest matches, in which named house rules are looked for."""


def key_of(table: Table, link: str) -> str:
    """Return the table's key for a kind of link: ``owner``, ``play`` or ``watch``."""
    key: str = getattr(table, f"{link}_key")
    return key


def table_by_key(link: str, key: str) -> Table | None:
    """Return the table that this key opens by that kind of link, or None."""
    if "\0" in key:
        # No key contains one, and PostgreSQL refuses a query with one.
        return None
    return db.session.scalar(TABLE_BY_KEY[link], {"key": key})


def table_by_play_key(key: str) -> Table | None:
    """Return the table that this key opens by the play link, or None."""
    return table_by_key("play", key)


def tables_by_keys(link: str, keys: Sequence[str]) -> list[Table]:
    """Return the tables of these keys, in the order of the keys. Keys that open nothing are left out."""
    if not keys:
        return []
    rows = db.session.scalars(select(Table).where(KEYS[link].in_(keys)))
    by_key = {key_of(table, link): table for table in rows}
    return [by_key[key] for key in keys if key in by_key]


def current_match(table: Table) -> Match | None:
    """Return the match of the table that was started or taken up last: the one being played. None without any."""
    return db.session.scalar(CURRENT_MATCH, {"table": table.id})


def match_by_number(table: Table, number: int) -> Match | None:
    """Return the table's match of that number; None where there is none, or it was deleted."""
    match = db.session.get(Match, (table.id, number))
    return None if match is None or match.deleted_at is not None else match


def matches_left_open(table: Table, *, size: int) -> list[MatchSummary]:
    """Return the table's newest matches that nobody has won or stopped, the newest first."""
    of_table = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.status == "playing")
    return list(db.session.scalars(of_table.order_by(MatchSummary.match.desc()).limit(size)))


def saved_rules(table: Table) -> dict[str, dict[str, Any]]:
    """Return the set-ups whose house rules have a name, by that name; of one name, that of the newest match."""
    shown = select(Match.setup).where(Match.table_id == table.id, Match.deleted_at.is_(None))
    newest = shown.order_by(Match.number.desc()).limit(SETUPS)
    by_name: dict[str, dict[str, Any]] = {}
    for setup in db.session.scalars(newest):
        if setup.get("rules_name"):
            by_name.setdefault(drawn(setup["rules_name"]), setup)
    return by_name


def player_names(table: Table) -> dict[int, str]:
    """Return the players' names by number, no two the same.

    Names stored by an early version may differ only by characters that show nothing: such a name has its number added.
    """
    names: dict[int, str] = {}
    taken: set[str] = set()
    for row in db.session.execute(PLAYER_NAMES, {"table": table.id}):
        names[row.number] = row.name if same(row.name) not in taken else f"{row.name} ({row.number})"
        taken.add(same(names[row.number]))
    return names


def history(table: Table, before: int | None = None, *, size: int) -> tuple[list[MatchSummary], int | None]:
    """Return ``size`` of the table's matches, newest first, and the ``before`` of the next page, None for the last.

    Only matches with a number below ``before`` are returned.
    """
    query = select(MatchSummary).where(MatchSummary.table_id == table.id)
    if before is not None:
        query = query.where(MatchSummary.match < before)
    # One more than a page shows whether another page follows.
    summaries = list(db.session.scalars(query.order_by(MatchSummary.match.desc()).limit(size + 1)))
    return summaries[:size], summaries[size - 1].match if len(summaries) > size else None


def games_named(summaries: Iterable[MatchSummary]) -> dict[tuple[int, int], str]:
    """Return what was played on the free pads among these matches, where the tables have said so.

    The keys are the id of the table and the number of the match.
    """
    pads = [(summary.table_id, summary.match) for summary in summaries if summary.game == "free"]
    if not pads:
        return {}
    rows = db.session.execute(
        select(Match.table_id, Match.number, Match.setup).where(tuple_(Match.table_id, Match.number).in_(pads))
    )
    return {(row.table_id, row.number): drawn(row.setup["game_name"]) for row in rows if row.setup.get("game_name")}


def current_summaries(tables: Sequence[Table]) -> dict[int, MatchSummary]:
    """Return the summary of the match being played at each table by the table's id; a table without one has none."""
    latest = {}
    for table in tables:
        summary = db.session.scalar(CURRENT_SUMMARY, {"table": table.id})
        if summary is not None:
            latest[table.id] = summary
    return latest
