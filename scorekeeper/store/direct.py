"""The first question of a page, as one statement on a connection of the pool, without a session.

It is enough to find a page that is stored. An error is what the same statement would have raised in a session, and a
connection that is broken or that no longer serves is closed (``connection.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import String, and_, bindparam, case, cast, func, literal, select
from sqlalchemy.engine import Dialect, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import Select

from .db import Base, db
from .digests import hash_of
from .faults import UNUSABLE, primary_code
from .models import Link, Match, Moment, Player, Table
from .prepared import note, prepared

_LINKS = Base.metadata.tables[Link.__tablename__]
_OWNER = _LINKS.alias("owner")
_TABLES = Base.metadata.tables[Table.__tablename__]
_MATCHES = Base.metadata.tables[Match.__tablename__]
_PLAYERS = Base.metadata.tables[Player.__tablename__]
_MOMENTS = Base.metadata.tables[Moment.__tablename__]
_NEWER = _MATCHES.alias("newer")


class Facts(NamedTuple):
    """A table by one of its links, the owner link of it, its players, and a match: what the database says of each."""

    table: int
    name: str
    language: str | None
    zone: str | None
    moved_to: str | None
    deletions: int
    opened_in: Any
    """A date, or on SQLite its text."""
    expires_on: Any
    owner: str | None
    """The hash of the owner link."""
    players: str
    """The numbers and the names of all players, and who is a guest, merged or forgotten, in one text."""
    moment: int
    """The moment of the table (``moments.py``)."""
    current: int
    """The number of the match being played."""
    match: int
    """The number of the match that was asked for."""
    head: int


def facts_of(link: str, key: str, number: int | None = None) -> Facts | None:
    """Return the facts for a key of that kind of link, and the match of that number, or else the one being played.

    None where there is no such table, or no such match.
    """
    values = {"hash": hash_of(link, key), **({} if number is None else {"number": number})}
    row = _first(db.engine, FACTS[number is not None], values)
    return None if row is None else Facts(*row)


def _facts(by_number: bool) -> Select[Any]:
    """Return the query; both matches are found by an index."""
    newest = (
        select(_NEWER.c.number)
        .where(_NEWER.c.table_id == _TABLES.c.id, _NEWER.c.deleted_at.is_(None), _NEWER.c.taken_up > 0)
        .order_by(_NEWER.c.taken_up.desc(), _NEWER.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    own = _MATCHES.c.table_id == _TABLES.c.id
    if by_number:
        match = and_(own, _MATCHES.c.number == bindparam("number", 0), _MATCHES.c.deleted_at.is_(None))
    else:
        match = and_(own, _MATCHES.c.number == newest)
    of_table = (
        _TABLES.c[name]
        for name in ("id", "name", "language", "zone", "moved_to", "deletions", "opened_in", "expires_on")
    )
    return (
        select(
            *of_table,
            _OWNER.c.hash,
            _players(),
            func.coalesce(_MOMENTS.c.number, 0),
            newest if by_number else _MATCHES.c.number,
            _MATCHES.c.number,
            _MATCHES.c.head,
        )
        .select_from(_LINKS)
        .join(_TABLES, _TABLES.c.id == _LINKS.c.table_id)
        .join(_MATCHES, match)
        .outerjoin(_MOMENTS, _MOMENTS.c.table_id == _TABLES.c.id)
        .outerjoin(_OWNER, and_(_OWNER.c.table_id == _TABLES.c.id, _OWNER.c.kind == "owner"))
        .where(_LINKS.c.hash == bindparam("hash", ""))
    )


def _players() -> Any:
    """Return what is selected of the players. No name has the characters between the parts."""
    of, between = _PLAYERS.c, literal("\x1f")
    parts = (
        cast(of.number, String),
        of.name,
        func.coalesce(cast(of["into"], String), ""),
        case((of.guest, "g"), else_=""),
        case((of.forgotten_at.is_not(None), "f"), else_=""),
    )
    one: Any = parts[0]
    for part in parts[1:]:
        one = one + between + part
    together = func.aggregate_strings(one, "\x1e")
    return select(together).where(of.table_id == _TABLES.c.id).scalar_subquery()


FACTS = {by_number: _facts(by_number) for by_number in (False, True)}
"""The query, by whether it asks for a match of its number."""


def _first(engine: Engine, query: Select[Any], given: Mapping[str, Any]) -> Any:
    """Return the first row of what the query finds, or None. Raises what the engine raises."""
    dialect, connection = engine.dialect, None
    ready = prepared(query, dialect)
    note(ready)
    errors: type[Exception] = dialect.loaded_dbapi.Error
    try:
        connection = engine.raw_connection()
        return _run(dialect, connection, ready.text, ready.values(given))
    except errors as error:
        is_lost = primary_code(error) in UNUSABLE or dialect.is_disconnect(error, connection, None)  # type: ignore[arg-type]
        if connection is not None and (is_lost or dialect.name == "postgresql"):
            connection.invalidate(error)
            connection = None
        raise DBAPIError.instance(ready.text, None, error, errors, True, is_lost, dialect) from error
    finally:
        if connection is not None:
            connection.close()


def _run(dialect: Dialect, connection: Any, text: str, values: Any) -> Any:
    if dialect.name != "postgresql":
        return connection.driver_connection.execute(text, values).fetchone()
    # Without a transaction, so that it is one way to the server and back. A connection that fails here is closed.
    driver = connection.driver_connection
    driver.autocommit = True
    row = driver.execute(text, values).fetchone()
    driver.autocommit = False
    return row
