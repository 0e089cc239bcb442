"""The rows of the database.

The primary key of every row begins with the id of its table, so that no table can read another's rows.
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
        """Return the moment with its time zone."""
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
    """A group's shared notebook: players and matches. Each of its keys gives access to what the key allows."""

    __tablename__ = "tables"
    # Without it SQLite would give a deleted table's id to the next new table.
    __table_args__ = {"sqlite_autoincrement": True}

    id: Mapped[int] = mapped_column(BigId, primary_key=True)
    name: Mapped[str] = mapped_column(Name)
    owner_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    play_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    watch_key: Mapped[str] = mapped_column(String(KEY_LENGTH), unique=True, default=new_key)
    form_id: Mapped[str] = mapped_column(String(36), unique=True)
    """The id of the form that opened the table: the same form posted again returns this table."""
    last_match: Mapped[int] = mapped_column(Integer, default=0, server_default="0")
    """The highest number of all matches of the table: no other match gets the number of a deleted one."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    language: Mapped[str | None] = mapped_column(String(8))
    """The language of the phone that opened it; what a chat shows of its links is written in it."""


class Player(Base):
    """A person who plays at the table. The number never changes, the name may."""

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
    """The count of matches started or taken up at the table by then: the highest is the match being played."""
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the owner deleted it. It is hidden from then on, restorable for a day, and then deleted for good."""
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    __table_args__ = (Index("ix_matches_taken_up", "table_id", "taken_up", "number"),)


_IS_DELETED = Match.deleted_at.is_not(None)
Index("ix_matches_deleted", Match.table_id, Match.deleted_at, sqlite_where=_IS_DELETED, postgresql_where=_IS_DELETED)


class StoredSheets(TypedDict):
    """The stored sheets of a closing: ``alone``, and as ``counted`` in its match if that differs.

    They differ if the deals before it left too few steps of the match for it.
    """

    alone: contract.Sheet
    counted: NotRequired[contract.Sheet]


class Entry(Base):
    """An entry of the journal. Rows are only added; a migration may add ``sheets`` to one."""

    __tablename__ = "entries"

    table_id: Mapped[int] = mapped_column(BigId, primary_key=True, autoincrement=False)
    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    """A UUID from the form or the phone that wrote the entry: an entry sent twice is stored once."""
    match: Mapped[int] = mapped_column(Integer)
    seq: Mapped[int] = mapped_column(Integer)
    kind: Mapped[str] = mapped_column(String(24))
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    author: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    device: Mapped[str | None] = mapped_column(String(KEY_LENGTH))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    sheets: Mapped[StoredSheets | None] = mapped_column(JSON(none_as_null=True))
    """The sheets of a closing that a migration stored once, because it takes too long to score."""

    __table_args__ = (
        UniqueConstraint("table_id", "match", "seq"),
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )


class HeardPhone(Base):
    """When a phone was last used at a table, and when its open page last listened by itself.

    It decides for some minutes who speaks for a side, and is not part of the notebook.
    """

    __tablename__ = "heard_phones"

    table_id: Mapped[int] = mapped_column(ForeignKey(Table.id, ondelete="CASCADE"), primary_key=True)
    device: Mapped[str] = mapped_column(String(KEY_LENGTH), primary_key=True)
    """The phone's mark."""
    used_at: Mapped[datetime] = mapped_column(UtcDateTime)
    listened_at: Mapped[datetime] = mapped_column(UtcDateTime)


class Stint(TypedDict):
    """The deals that a player played for a side: the places from ``first`` to ``last`` in the course of the match.

    ``points`` are the side's in these deals, ``ahead`` is their difference from the mean of the other sides.
    """

    player: int
    first: int
    last: int
    points: contract.Number
    ahead: float


class SummarySide(TypedDict):
    """A side in a summary: its label, the numbers of its last players, and its team name if it has one.

    It has ``stints`` if a deal was played by other players.
    """

    label: str
    players: list[int]
    name: NotRequired[str]
    stints: NotRequired[list[Stint]]


class MatchSummary(Base):
    """The row of a match in the history. It follows from the journal: ``scorekeeper rebuild`` makes it again."""

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
    """The newest deal in doubt; None if there is none."""
    doubt_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    """When the last statement about a deal in doubt was made: long after that it counts as dropped."""
    doubt_decides: Mapped[bool] = mapped_column(Boolean, default=False, server_default=false())
    """True if another side, or none, could win with other versions of the deals in doubt."""

    __table_args__ = (
        ForeignKeyConstraint(["table_id", "match"], ["matches.table_id", "matches.number"], ondelete="CASCADE"),
    )
