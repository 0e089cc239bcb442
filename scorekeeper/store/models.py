"""The rows of the database.

The primary key of every row begins with the id of its table, so that no table ever reads another's rows.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import Any, NotRequired, TypedDict

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    DateTime,
    Dialect,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    String,
    TypeDecorator,
    UniqueConstraint,
    false,
)
from sqlalchemy.orm import Mapped, mapped_column

from ..names import drawn
from ..rules import contract
from .db import Base

KEY_LENGTH = 22
NAME_LENGTH = 40


def new_key() -> str:
    """Return an unguessable key of 128 random bits, in letters that an address may hold."""
    return secrets.token_urlsafe(16)


def now() -> datetime:
    """Return the present moment in UTC, with its time zone."""
    return datetime.now(UTC)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. SQLite does not store the time zone, so it is added when a row is read."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the time zone where the database did not store it."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


class Name(TypeDecorator[str]):
    """The name of a table or a player. It is cleaned when read, too: rows of an early version hold names as typed."""

    impl = String(NAME_LENGTH)
    cache_ok = True

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the name without characters that show nothing."""
        return None if value is None else drawn(value)


BigId = BigInteger().with_variant(Integer, "sqlite")


class Table(Base):
    """A group's shared notebook: players and matches. Whoever holds one of its keys may do what that key allows."""

    __tablename__ = "tables"
    # Without it SQLite would give a deleted table's id to the next new table.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(Name)
    owner_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    play_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    watch_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    form_id: Mapped[str] = mapped_column(String(36), unique=True)
    """Follows from the form that opened the table: the same form posted again finds this table."""
    last_match: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """The highest number that a match of the table has had: the number of a deleted match is given to no other."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Player(Base):
    """Someone who plays at the table. The number never changes, the name may."""

    __tablename__ = "players"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Name)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Match(Base):
    """One match. Matches are numbered from 1 at each table; ``head`` is the seq of the newest entry."""

    __tablename__ = "matches"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    head: Mapped[int] = mapped_column(Integer, default=0)
    setup: Mapped[dict[str, Any]] = mapped_column(JSON, deferred=True)
    """The set-up from the entry ``match_started``, as ``Setup.as_json`` writes it. It never changes."""
    taken_up: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """Counts at the table how often a match was started or taken up again: the highest is the match being played."""
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the owner deleted it. It is hidden from then on, can be brought back for a day, and then goes for good."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    __table_args__ = (Index("ix_matches_taken_up", "table_id", "taken_up", "number"),)


_IS_DELETED = Match.deleted_at.is_not(None)
Index("ix_matches_deleted", Match.table_id, Match.deleted_at, sqlite_where=_IS_DELETED, postgresql_where=_IS_DELETED)


class StoredSheets(TypedDict):
    """The sheets that a closing keeps: the one it has ``alone``, and the one it has in its match where that differs.

    They differ where the deals before it left too few steps of the match for it.
    """

    alone: contract.Sheet
    counted: NotRequired[contract.Sheet]


class Entry(Base):
    """An entry of the journal. Rows are only ever added; a migration may add ``sheets`` to one."""

    __tablename__ = "entries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    """A UUID, made by the form or the phone that wrote the entry: the same entry sent twice is stored once."""
    match: Mapped[int] = mapped_column(Integer)
    seq: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(24))
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    author: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    device: Mapped[str | None] = mapped_column(String(KEY_LENGTH))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    sheets: Mapped[StoredSheets | None] = mapped_column(JSON(none_as_null=True))
    """The sheets of a closing that a migration stored once, because to score it again would take too long."""

    __table_args__ = (
        UniqueConstraint("table_id", "match", "seq"),
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )


class HeardPhone(Base):
    """When a phone that somebody holds was last used at a table, and when its open page last listened by itself.

    It decides for some minutes who speaks for a side, and is no part of the notebook.
    """

    __tablename__ = "heard_phones"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    device: Mapped[str] = mapped_column(String(KEY_LENGTH), primary_key=True)
    """The phone's mark."""
    used_at: Mapped[datetime] = mapped_column(UtcDateTime)
    listened_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Stint(TypedDict):
    """The deals that a player played for a side, as places in the course of the match: from ``first`` to ``last``.

    ``points`` are the side's in these deals, ``ahead`` how many more they are than the mean of the others'.
    """

    player: int
    first: int
    last: int
    points: contract.Number
    ahead: float


class SummarySide(TypedDict):
    """A side in a summary: its label, the numbers of its players at the end, and the name of a team that has one.

    ``stints`` where not all of them played every deal, or others did, too.
    """

    label: str
    players: list[int]
    name: NotRequired[str]
    stints: NotRequired[list[Stint]]


class MatchSummary(Base):
    """The row of a match that history shows. It follows from the journal: ``scorekeeper rebuild`` makes it again."""

    __tablename__ = "match_summaries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    match: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    game: Mapped[str] = mapped_column(String(40))
    status: Mapped[str] = mapped_column(String(8))
    """``playing``, ``won`` or ``ended`` (stopped before anybody won)."""
    sides: Mapped[list[SummarySide]] = mapped_column(JSON)
    totals: Mapped[dict[str, contract.Number]] = mapped_column(JSON)
    course: Mapped[list[dict[str, contract.Number]]] = mapped_column(JSON)
    """The totals after each deal, for a sparkline."""
    winners: Mapped[list[str]] = mapped_column(JSON)
    deals: Mapped[int] = mapped_column(Integer)
    started_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    doubt_deal: Mapped[int | None] = mapped_column(Integer)
    """The newest deal in doubt; None where there is none."""
    doubt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the last word about a deal in doubt was said: long after that it counts as dropped."""
    doubt_decides: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """Whether another side would win, or nobody, if another version of the deals in doubt counted."""

    __table_args__ = (
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )
