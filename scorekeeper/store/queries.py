"""Queries of the pages. Each reads one row, or one page of rows, by an index."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any

from sqlalchemy import and_, bindparam, or_, select, tuple_

from ..names import same
from ..rules.contract import OwnLine
from .db import Base, db
from .digests import hash_of
from .links import TABLE_BY_HASH
from .models import Link, Match, MatchSummary, Player, Table
from .who import Merged

PAGE = 20
# Statements that every page runs are built once: building one takes longer than running it.
_IS_SHOWN = (Match.table_id == bindparam("table"), Match.deleted_at.is_(None))
IS_PLAYED = Match.taken_up > 0
"""The condition for a match that is played here, and is no result from paper."""
_PLAYED_LAST = (Match.taken_up.desc(), Match.number.desc())
CURRENT_MATCH = select(Match).where(*_IS_SHOWN, IS_PLAYED).order_by(*_PLAYED_LAST).limit(1)
CURRENT_SUMMARY = (
    select(MatchSummary)
    .join(Match, and_(Match.table_id == MatchSummary.table_id, Match.number == MatchSummary.match))
    .where(*_IS_SHOWN, IS_PLAYED)
    .order_by(*_PLAYED_LAST)
    .limit(1)
)
_PLAYERS = Base.metadata.tables[Player.__tablename__].c
PLAYER_NAMES = (
    select(_PLAYERS.number, _PLAYERS.name, _PLAYERS.into, _PLAYERS.guest, _PLAYERS.forgotten_at)
    .where(_PLAYERS.table_id == bindparam("table"))
    .order_by(_PLAYERS.number)
)
SETUPS = 200
"""The number of the newest matches that are searched for named house rules."""


def key_of(table: Table, link: str) -> str:
    """Return the table's key for a kind of link: ``owner``, ``play`` or ``watch``. Raises ``LostKey``."""
    return table.key_of(link)


def table_by_key(link: str, key: str) -> Table | None:
    """Return the table that this key opens by that kind of link, or None."""
    found = db.session.execute(TABLE_BY_HASH, {"hash": hash_of(link, key)}).first()
    if found is None:
        return None
    table: Table = found[0]
    table.know_key(link, key)
    table.know_owner(found[1])
    return table


def table_by_play_key(key: str) -> Table | None:
    """Return the table that this key opens by the play link, or None."""
    return table_by_key("play", key)


def tables_by_keys(link: str, keys: Sequence[str]) -> list[Table]:
    """Return the tables of these keys, in the order of the keys. Keys that open nothing are left out."""
    hashes = {hash_of(link, key): key for key in keys}
    query = select(Link.hash, Table).join(Table, Link.table_id == Table.id).where(Link.hash.in_(hashes))
    by_key: dict[str, Table] = {}
    for found, table in db.session.execute(query) if hashes else ():
        table.know_key(link, hashes[found])
        by_key[hashes[found]] = table
    return [by_key[key] for key in keys if key in by_key]


def current_match(table: Table) -> Match | None:
    """Return the match being played, which was started or taken up last; None if the table has none.

    A result from paper never is.
    """
    return db.session.scalar(CURRENT_MATCH, {"table": table.id})


def match_by_number(table: Table, number: int) -> Match | None:
    """Return the table's match with this number; None if there is none, or it is deleted."""
    match = db.session.get(Match, (table.id, number))
    return None if match is None or match.deleted_at is not None else match


def matches_left_open(table: Table, *, size: int) -> list[MatchSummary]:
    """Return the table's matches that are neither won nor stopped, at most ``size``, newest first."""
    of_table = select(MatchSummary).where(MatchSummary.table_id == table.id, MatchSummary.status == "playing")
    ordered = of_table.order_by(MatchSummary.evening.desc(), MatchSummary.match.desc())
    return list(db.session.scalars(ordered.limit(size)))


def newest_setups(table: Table) -> list[dict[str, Any]]:
    """Return the set-ups of the table's newest matches that were played here, the newest first."""
    shown = select(Match.setup).where(Match.table_id == table.id, Match.deleted_at.is_(None), IS_PLAYED)
    return list(db.session.scalars(shown.order_by(Match.number.desc()).limit(SETUPS)))


def saved_rules(setups: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return those of some set-ups, newest first, with named house rules, by name; the newest has precedence."""
    return _newest_by_name(setups, "rules_name")


def named_pads(setups: Iterable[dict[str, Any]], most: int) -> dict[str, dict[str, Any]]:
    """Return those of some set-ups, newest first, that are of the pad, by the name that the table gave its game."""
    return dict(islice(_newest_by_name(setups, "game_name").items(), most))


def own_lines_played(setups: Iterable[dict[str, Any]]) -> dict[str, list[OwnLine]]:
    """Return the lines of the table's own in some set-ups, newest first, by game, as in the last match of each."""
    by_game: dict[str, list[OwnLine]] = {}
    for setup in setups:
        by_game.setdefault(setup["game"], setup.get("own_lines") or [])
    return by_game


def _newest_by_name(setups: Iterable[dict[str, Any]], field: str) -> dict[str, dict[str, Any]]:
    by_name: dict[str, dict[str, Any]] = {}
    for setup in setups:
        if setup.get(field):
            by_name.setdefault(setup[field], setup)
    return by_name


class Names(dict[int, str]):
    """The names of a table's players by number, no two people's the same.

    Who was merged has the name of whom they turned out to be, and who was forgotten has "".
    """

    def __init__(
        self, names: Mapping[int, str], merged: Merged, guests: Iterable[int] = (), forgotten: Iterable[int] = ()
    ) -> None:
        super().__init__(names)
        self.merged = merged
        """The number of who each merged player turned out to be."""
        self.guests = frozenset(guests)
        """The numbers of those who are only guests of the table."""
        self.forgotten = frozenset(forgotten)
        """The numbers of those who were forgotten."""

    @property
    def people(self) -> dict[int, str]:
        """The names of those who can be chosen by name: each person once, guests last, and nobody who was forgotten."""
        gone = self.forgotten.union(self.merged)
        each = [(number, name) for number, name in self.items() if number not in gone]
        return dict(sorted(each, key=lambda person: person[0] in self.guests))


def player_names(table: Table) -> Names:
    """Return the players' names by number.

    In a table of a file two may look the same: the later one gets its number added.
    """
    rows = db.session.execute(PLAYER_NAMES, {"table": table.id}).all()
    into = {row.number: row.into for row in rows if row.into is not None}
    names: dict[int, str] = {}
    taken: set[str] = set()
    for row in rows:
        if row.number in into:
            continue
        name = "" if row.forgotten_at is not None else row.name
        names[row.number] = f"{name} ({row.number})" if name and same(name) in taken else name
        taken.add(same(names[row.number]))
    merged = merged_into(into) if into else {}
    return Names(
        {row.number: names.get(merged.get(row.number, row.number), "") for row in rows} if into else names,
        merged,
        (row.number for row in rows if row.guest),
        # Of a table from a file only the blank name is left.
        (row.number for row in rows if row.forgotten_at is not None or not row.name),
    )


def merged_into(into: Mapping[int, int]) -> dict[int, int]:
    """Return whom each merged player is in the end; ``into`` names the next of each. A circle ends where it began."""
    ends: dict[int, int] = {}
    for number in into:
        end, seen = number, {number}
        while end in into and into[end] not in seen:
            end = into[end]
            seen.add(end)
        ends[number] = end
    return ends


def place_of(table: Table, before: int) -> tuple[date, int] | None:
    """Return where a page of the history begins whose address says ``before``: an evening, and a match of it.

    What comes before that place in (evening, number) is shown. Where the match is gone, the page begins with the next
    lower number. None where there is no such match.
    """
    query = select(MatchSummary.evening, MatchSummary.match).where(MatchSummary.table_id == table.id)
    row = db.session.execute(
        query.where(MatchSummary.match <= before).order_by(MatchSummary.match.desc()).limit(1)
    ).first()
    if row is None:
        return None
    # The place of a match that is gone is right behind the one below it.
    return (row.evening, row.match if row.match == before else row.match + 1)


def history(table: Table, before: int | None = None, *, size: int) -> tuple[list[MatchSummary], int | None]:
    """Return ``size`` of the table's matches, the newest evening first, and in it the highest number.

    With them the ``before`` of the next page, None for the last: only what comes before that match is returned.
    """
    query = select(MatchSummary).where(MatchSummary.table_id == table.id)
    if before is not None:
        place = place_of(table, before)
        if place is None:
            return [], None
        query = query.where(tuple_(MatchSummary.evening, MatchSummary.match) < place)
    # One match more shows whether another page follows.
    ordered = query.order_by(MatchSummary.evening.desc(), MatchSummary.match.desc())
    summaries = list(db.session.scalars(ordered.limit(size + 1)))
    return summaries[:size], summaries[size - 1].match if len(summaries) > size else None


def played_as(summaries: Iterable[MatchSummary]) -> dict[tuple[int, int], tuple[str | None, str | None]]:
    """Return the preset and the name given to the game of each match, by the table's id and the match's number."""
    numbers: dict[int, set[int]] = defaultdict(set)
    for summary in summaries:
        numbers[summary.table_id].add(summary.match)
    # Not pairs of both: SQLite would read all matches of all tables.
    each = [and_(Match.table_id == table_id, Match.number.in_(of_table)) for table_id, of_table in numbers.items()]
    rows = db.session.execute(select(Match.table_id, Match.number, Match.setup).where(or_(*each))) if each else ()
    return {(row.table_id, row.number): _game_of(row.setup) for row in rows}


def from_paper(table: Table, matches: Iterable[int]) -> set[int]:
    """Return which of these matches of a table are results from paper."""
    query = select(Match.number).where(Match.table_id == table.id, Match.number.in_(list(matches)), Match.taken_up == 0)
    return set(db.session.scalars(query))


def _game_of(setup: dict[str, Any]) -> tuple[str | None, str | None]:
    return setup["preset"], setup.get("game_name")


def current_summaries(tables: Sequence[Table]) -> dict[int, MatchSummary]:
    """Return the summary of the match being played at each table that has one, by the table's id."""
    summaries = {table.id: db.session.scalar(CURRENT_SUMMARY, {"table": table.id}) for table in tables}
    return {table_id: summary for table_id, summary in summaries.items() if summary is not None}
