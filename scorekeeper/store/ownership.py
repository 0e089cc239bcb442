"""The rights of the owner of a table: renew links, rename the table and its players, set its zone, delete it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import delete, func, select

from .. import events
from ..names import name_of_table, same
from . import history_rows, links, queries
from .cleaning import clean_up
from .db import Gone, db, forget_written, lock, lock_rows, once_committed
from .forgotten import blank
from .journal import kinds
from .journal.entries import JournalEntry, NewEntry, append, entries_of
from .models import NAME_LENGTH, Match, MatchSummary, Player, Table, new_key
from .standings import forget_standings


class NameTaken(Exception):
    """Another player of the table has that name."""


def renew_key(table: Table, link: str, former: str, key: str | None = None) -> None:
    """Replace one of the table's links by ``key``, or by a new random one. ``former`` is its key, or the hash of it.

    A repeated post changes nothing: ``former`` is no longer the link. Call inside ``writing()``.
    """
    lock(table)
    if links.renew(table, link, former, key or new_key()):
        clean_up()
        once_committed(partial(events.note, "link_renewed", link=link, table=table.id))


def set_zone(table: Table, zone: str) -> None:
    """Set the zone of a table, and file its matches under the days that they have there. Call inside ``writing()``."""
    lock(table)
    if table.zone != zone:
        table.zone = zone
        db.session.flush()
        lock_rows(select(Match.number).where(Match.table_id == table.id).order_by(Match.number))
        history_rows.file_in_zone(table)


def give_zone(table: Table, zone: str) -> None:
    """Set the zone of a table that has none. Call inside ``writing()``."""
    lock(table)
    if table.zone is None:
        set_zone(table, zone)


def rename_table(table: Table, name: str, entry_id: str, **written_by: Any) -> bool:
    """Rename the table, and return whether its name changed. Call inside ``writing()``.

    Raises ``Stale`` if ``entry_id`` belongs to an entry with another content.
    """
    lock(table)
    renaming: kinds.AnyPayload = {"from": table.name, "to": name}
    if table.name == name or not _noted(table, NewEntry(kinds.TABLE_RENAMED, renaming, entry_id), **written_by):
        return False
    table.name = name
    return True


def rename_player(table: Table, number: int, name: str, entry_id: str, **written_by: Any) -> bool:
    """Rename a player, and return whether the name changed. Call inside ``writing()``.

    The number does not change, so every old sheet shows the new name; so does a table that is called by its players'
    names. Raises ``NameTaken``, ``Gone`` for somebody who is no person of the table (any more), and ``Stale`` if
    ``entry_id`` belongs to an entry with another content.
    """
    lock(table)
    names = queries.player_names(table)
    if number not in names.people:
        raise Gone
    player = db.session.get_one(Player, (table.id, number))
    if any(same(other) == same(name) for known, other in names.people.items() if known != number):
        raise NameTaken(name)
    renaming: kinds.AnyPayload = {"player": number, "from": player.name, "to": name}
    if player.name == name or not _noted(table, NewEntry(kinds.PLAYER_RENAMED, renaming, entry_id), **written_by):
        return False
    after = [name if names.merged.get(known, known) == number else other for known, other in names.items()]
    table.name = renamed_along(table.name, list(names.values()), after)
    player.name = name
    return True


def renamed_along(table_name: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Return the name of a table once its players are called ``after``; the same if it is not made of their names.

    The first players are in it: those of the match with which the table was opened.
    """
    for count in range(len(before), 0, -1):
        if name_of_table(before[:count], NAME_LENGTH) == table_name:
            return name_of_table(after[:count], NAME_LENGTH)
    return table_name


def _noted(table: Table, entry: NewEntry, **written_by: Any) -> bool:
    """Write the entry into the match being played, whose open pages then show it; False if it is written already.

    A table without a match has no journal; then nothing is written, and the result is True.
    """
    blank(table.id)
    match = queries.current_match(table)
    return match is None or append(match, [entry], **written_by)


def last_renaming(table: Table) -> JournalEntry | None:
    """Return the newest entry of the table if it renames the table or a person, else None."""
    match = queries.current_match(table)
    last = entries_of(match, after=match.head - 1) if match is not None else []
    people = queries.player_names(table).people
    return next((entry for entry in last if entry.kind in kinds.RENAMED and _is_of(entry, people)), None)


def _is_of(entry: JournalEntry, people: Collection[int]) -> bool:
    """Return whether a renaming has names, and is of the table or one of these people."""
    player = entry.payload.get("player")
    return bool(entry.payload["to"]) and (player is None or player in people)


@dataclass(frozen=True)
class Contents:
    """How much a table holds. ``first`` and ``last`` are the starts of its first and its newest match."""

    matches: int
    deals: int
    players: int
    first: datetime | None
    last: datetime | None


def contents(table: Table) -> Contents:
    """Return how much a table holds, for its owner to see before deleting it."""
    of_matches = select(func.count(), func.sum(MatchSummary.deals)).where(MatchSummary.table_id == table.id)
    matches, deals = db.session.execute(of_matches).one()
    shown = Match.table_id == table.id, Match.deleted_at.is_(None)
    first, last = db.session.execute(select(func.min(Match.created_at), func.max(Match.created_at)).where(*shown)).one()
    players = db.session.scalar(select(func.count()).select_from(Player).where(Player.table_id == table.id))
    return Contents(matches, deals or 0, players or 0, first, last)


def delete_table(table: Table, by: str = "owner") -> None:
    """Delete the table and every row that belongs to it, for good. Call inside ``writing()``. Raises ``Gone``.

    ``by`` says in the log who deletes it: its owner, a command, its expiry, or the import of a file that does not hold.
    """
    # Every writer locks the table before its matches, so that no two wait for each other. A waiting writer gets
    # ``Gone``.
    lock(table)
    own = table.id
    db.session.execute(select(Match.number).where(Match.table_id == own).order_by(Match.number).with_for_update())
    db.session.expunge(table)
    # Rows that refer to others go first.
    for rows in reversed(db.metadata.sorted_tables):
        if "table_id" in rows.c:
            db.session.execute(delete(rows).where(rows.c.table_id == own))
    db.session.execute(delete(Table).where(Table.id == own))
    forget_written(own)
    clean_up()
    once_committed(lambda: forget_standings(own))
    once_committed(partial(events.note, "table_deleted", by=by, table=own))
