"""What only the keeper of a table does: new links, other names, and its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Table as Rows
from sqlalchemy import delete, func, select

from ..names import same
from . import journal, queries
from .db import db, lock
from .journal import JournalEntry, NewEntry
from .models import Match, MatchSummary, Player, Table, new_key


class NameTaken(Exception):
    """Another player of the table has that name already: a sheet could not say who is who."""


def renew_key(table: Table, link: str, former: str, key: str | None = None) -> None:
    """Give the table a new key (``key``, or any) for one of its links; ``former`` opens nothing from now on.

    Posted twice it is done once: the second time ``former`` is dead already. Call inside ``writing()``.
    """
    lock(table)
    if queries.key_of(table, link) == former:
        setattr(table, f"{link}_key", key or new_key())


def rename_table(table: Table, name: str, entry_id: str, device: str | None = None) -> bool:
    """Give the table another name and say whether that was needed; call inside ``writing()``.

    Raises ``journal.Stale`` for an id used before for something else.
    """
    lock(table)
    renaming = {"from": table.name, "to": name}
    if table.name == name or not _noted(table, NewEntry(journal.TABLE_RENAMED, renaming, entry_id), device):
        return False
    table.name = name
    return True


def rename_player(table: Table, number: int, name: str, entry_id: str, device: str | None = None) -> bool:
    """Give a player another name and say whether that was needed; call inside ``writing()``.

    The number stays, so every sheet ever written shows the new name.
    Raises ``NameTaken``, or ``journal.Stale`` for an id used before for something else.
    """
    lock(table)
    player = db.session.get_one(Player, (table.id, number))
    others = queries.player_names(table)
    if any(same(other) == same(name) for known, other in others.items() if known != number):
        raise NameTaken(name)
    renaming = {"player": number, "from": player.name, "to": name}
    if player.name == name or not _noted(table, NewEntry(journal.PLAYER_RENAMED, renaming, entry_id), device):
        return False
    player.name = name
    return True


def _noted(table: Table, entry: NewEntry, device: str | None) -> bool:
    """Write it into the journal of the match being played: whoever follows that match sees it at once.

    Says no where this very entry is there already.
    """
    match = queries.latest_match(table)
    return match is None or journal.append(match, [entry], device=device)


def last_renaming(table: Table) -> JournalEntry | None:
    """Return the renaming that was the last thing to happen at the table, if it was one."""
    match = queries.latest_match(table)
    last = journal.entries_of(match, after=match.head - 1) if match is not None else []
    return next((entry for entry in last if entry.kind in journal.RENAMED), None)


@dataclass(frozen=True)
class Contents:
    """What a table holds, in numbers: ``first`` and ``last`` are when its first and its newest match began."""

    matches: int
    deals: int
    players: int
    first: datetime | None
    last: datetime | None


def contents(table: Table) -> Contents:
    """Return what would go if the table were deleted."""
    of_matches = select(func.count(), func.sum(MatchSummary.deals)).where(MatchSummary.table_id == table.id)
    matches, deals = db.session.execute(of_matches).one()
    begun = select(func.min(Match.created_at), func.max(Match.created_at)).where(Match.table_id == table.id)
    first, last = db.session.execute(begun).one()
    players = db.session.scalar(select(func.count()).select_from(Player).where(Player.table_id == table.id))
    return Contents(matches, deals or 0, players or 0, first, last)


def delete_table(table: Table) -> None:
    """Remove the table and every row that belongs to it, for good; call inside ``writing()``. Raises ``Gone``."""
    # The table first, then its matches: whoever writes to one of them holds nothing that is waited for here, and finds
    # it gone.
    lock(table)
    own = table.id
    db.session.execute(select(Match.number).where(Match.table_id == own).order_by(Match.number).with_for_update())
    db.session.expunge(table)
    for rows in _rows_of_a_table():
        db.session.execute(delete(rows).where(rows.c.table_id == own))
    db.session.execute(delete(Table).where(Table.id == own))


def _rows_of_a_table() -> Iterator[Rows]:
    """Yield everything that is keyed by a table, what depends on another before that other."""
    for rows in reversed(db.metadata.sorted_tables):
        if "table_id" in rows.c:
            yield rows
