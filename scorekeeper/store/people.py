"""The people of a table: two who are one, guests, and people who are forgotten. All of it can be taken back.

Merges and forgotten names are applied when names are read (``queries.Names``): what is stored of matches stays as it
is. Each change writes a renaming without names into the match being played, so that open pages are drawn anew.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.orm import aliased

from . import ownership, queries
from .db import Gone, db, lock, note_written
from .deleted import RESTORABLE as MATCH_RESTORABLE
from .forgotten import RESTORABLE, blank
from .journal import kinds
from .journal.entries import Full, NewEntry, append
from .live import announce
from .models import Match, Player, Seat, Table, now
from .who import once


class SatTogether(Exception):
    """Two players cannot be one person: both sat in a match. ``is_deleted`` is true if that match is deleted."""

    def __init__(self, match: int, is_deleted: bool) -> None:
        super().__init__(f"both sat in match {match}")
        self.match, self.is_deleted = match, is_deleted


class SamePerson(Exception):
    """Somebody is to be merged with themselves."""


def merge(table: Table, number: int, into: int, entry_id: str, **written_by: Any) -> bool:
    """Make a player and ``into`` one person, with the name of the latter; return whether they were two.

    Call inside ``writing()``. Raises ``Gone`` for somebody who is no person of the table (any more), ``SamePerson``,
    and ``SatTogether`` if they, or players merged into either, ever sat in one match.
    """
    lock(table)
    names = queries.player_names(table)
    if names.merged.get(number) is not None and names.merged[number] == names.merged.get(into, into):
        return False
    person = _person(names, into)
    if number == person:
        raise SamePerson
    if number not in names.people:
        raise Gone
    _refuse_together(table, once([number], names.merged), once([person], names.merged))
    _update(table, [number], into=person)
    _draw_anew(table, names, number, entry_id, **written_by)
    return True


def separate(table: Table, number: int, entry_id: str, **written_by: Any) -> bool:
    """Make two again of a merged player and who that was; return whether they were one. Call inside ``writing()``.

    Raises ``Gone`` if there is no such player, or the person was forgotten.
    """
    lock(table)
    names = queries.player_names(table)
    if number not in names or number in names.forgotten:
        raise Gone
    if number not in names.merged:
        return False
    _update(table, [number], into=None)
    _draw_anew(table, names, number, entry_id, **written_by)
    return True


def mark_guest(table: Table, number: int, *, is_guest: bool) -> None:
    """Mark a person as a guest of the table, or as one of its own. Call inside ``writing()``.

    Raises ``Gone`` for somebody who is no person of the table (any more).
    """
    lock(table)
    person = _person(queries.player_names(table), number)
    _update(table, [person], guest=is_guest)


def forget(table: Table, number: int, entry_id: str, **written_by: Any) -> None:
    """Forget a person, with all players who were merged into them: no page shows the name from now on.

    Call inside ``writing()``. A second call changes nothing. Raises ``Gone`` if the table has no such player.
    """
    lock(table)
    names = queries.player_names(table)
    if number in names.forgotten:
        return
    person = _person(names, number)
    _update(table, once([person], names.merged), forgotten_at=now())
    _draw_anew(table, names, person, entry_id, **written_by)


def bring_back(table: Table, number: int, entry_id: str, **written_by: Any) -> None:
    """Give a forgotten person the name again. Call inside ``writing()``. Raises ``Gone`` once that is too late."""
    lock(table)
    names = queries.player_names(table)
    if number not in names:
        raise Gone
    if number not in names.forgotten:
        return
    person = names.merged.get(number, number)
    players = once([person], names.merged)
    # Locked: a write that blanks the name at this moment comes wholly before or after.
    its = (Player.table_id == table.id, Player.number.in_(players), Player.forgotten_at > now() - RESTORABLE)
    back = list(db.session.scalars(select(Player.number).where(*its, Player.name != "").with_for_update()))
    if not back:
        raise Gone
    _update(table, back, forgotten_at=None)
    _draw_anew(table, names, person, entry_id, **written_by)


def restorable(table: Table) -> dict[int, datetime]:
    """Return the forgotten who can be brought back, by number, with the moment when they were forgotten."""
    query = select(Player.number, Player.forgotten_at).where(
        Player.table_id == table.id,
        Player.forgotten_at > now() - RESTORABLE,
        Player.into.is_(None),
        Player.name != "",
    )
    return {row.number: row.forgotten_at for row in db.session.execute(query.order_by(Player.number))}


def own_names(table: Table, numbers: Collection[int]) -> dict[int, str]:
    """Return the names under which these players sat down, before they were one; "" for the forgotten."""
    its = (Player.table_id == table.id, Player.number.in_(numbers))
    query = select(Player.number, Player.name, Player.forgotten_at).where(*its).order_by(Player.number)
    return {row.number: "" if row.forgotten_at is not None else row.name for row in db.session.execute(query)}


def _person(names: queries.Names, number: int) -> int:
    """Return the number of the person whom a player is. Raises ``Gone`` if there is none."""
    person = names.merged.get(number, number)
    if person not in names.people:
        raise Gone
    return person


def _refuse_together(table: Table, some: tuple[int, ...], others: tuple[int, ...]) -> None:
    """Raise ``SatTogether`` if one of each sat in one match, also in a deleted one that can come back."""
    first, second = aliased(Seat), aliased(Seat)
    query = (
        select(Match.number, Match.deleted_at)
        .select_from(first)
        .join(second, (second.table_id == first.table_id) & (second.match == first.match))
        .join(Match, (Match.table_id == first.table_id) & (Match.number == first.match))
        .where(first.table_id == table.id, first.who.in_(map(str, some)), second.who.in_(map(str, others)))
        .where(or_(Match.deleted_at.is_(None), Match.deleted_at > now() - MATCH_RESTORABLE))
        .order_by(Match.number.desc())
        .limit(1)
    )
    row = db.session.execute(query).first()
    if row is not None:
        raise SatTogether(row.number, row.deleted_at is not None)


def _update(table: Table, numbers: Collection[int], **values: Any) -> None:
    note_written(table.id)
    players = (Player.table_id == table.id, Player.number.in_(numbers))
    db.session.execute(update(Player).where(*players).values(values).execution_options(synchronize_session=False))


def _draw_anew(table: Table, before: queries.Names, number: int, entry_id: str, **written_by: Any) -> None:
    """Rename a table that is called by its players, who had these names before, and let open pages be drawn anew.

    A renaming without names does that: they have a newer version to ask for. It says no name, because it would be one
    more place to take the name out of. A full match goes without.
    """
    after = queries.player_names(table)
    table.name = ownership.renamed_along(table.name, list(before.values()), list(after.values()))
    blank(table.id)
    match = queries.current_match(table)
    if match is None:
        return
    renaming: kinds.AnyPayload = {"player": number, "from": "", "to": ""}
    with suppress(Full):
        append(match, [NewEntry(kinds.PLAYER_RENAMED, renaming, entry_id)], **written_by)
    announce(table.id)
